// A modelled server: what its caches cost. Integer picoseconds throughout, so that every
// machine computes the same.
#pragma once

#include <cstdint>

namespace latchscope::platform {

using Ps = uint64_t;  // picoseconds of virtual time
inline constexpr Ps kPsPerNs = 1'000;
inline constexpr Ps kPsPerUs = 1'000'000;
inline constexpr Ps kNever = ~Ps{0};

// Sources: load hit and L3: AnandTech's latency tables (EPYC Rome, Xeon 8280); local read-modify-write: T. Downs, A
// Concurrency Cost Hierarchy; transfers: core-to-core-latency (nviennot), Intel MLC. Residency has no published
// figure: it is calibrated, 10 to 30 ns.
struct CoherenceCosts {
  Ps load_hit = 1'500;
  Ps local_rmw = 8'000;
  Ps same_socket_transfer = 40'000;
  Ps cross_socket_transfer = 110'000;
  Ps shared_load = 22'000;           // from the L3 of the same socket
  Ps shared_load_occupancy = 8'000;  // for so long such a load keeps others from the line
  Ps residency = 10'000;  // a new owner keeps the line for so long before the next request takes it
};

struct ServerProfile {
  const char* name;
  uint32_t sockets;
  uint32_t cores_per_socket;
  CoherenceCosts coherence;

  uint32_t cores() const { return sockets * cores_per_socket; }
  uint32_t socket_of(uint32_t core) const { return core / cores_per_socket; }
};

}  // namespace latchscope::platform
