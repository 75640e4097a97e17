// A modelled server of the virtual platform: the costs of its caches, cores and kernel. Costs are
// integer picoseconds, so every host computes the same results. scenarios/servers.json gives the
// meaning, range and source of each value, and lists the servers that ship with the project.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace latchscope::platform {

using Ps = uint64_t;  // picoseconds of virtual time
inline constexpr Ps kPsPerNs = 1'000;
inline constexpr Ps kPsPerUs = 1'000'000;
inline constexpr Ps kNever = ~Ps{0};

struct ServerProfile {
  uint64_t sockets = 2;
  uint64_t cores_per_socket = 24;
  // Cores that share an L3 cache; a smaller socket is one complex.
  uint64_t cores_per_complex = 128;
  uint64_t threads_per_core = 1;  // siblings share a core's private cache and execution units
  uint64_t work_percent = 100;    // CPU time of work, relative to a 2025 core
  // CPU time of work while the sibling works, relative to a core alone.
  uint64_t sibling_work_percent = 160;
  Ps pause_ps = 24'000;

  Ps load_hit_ps = 1'500;
  Ps local_rmw_ps = 8'000;
  Ps store_ps = 400;  // until the thread continues, once the store is in the buffer
  // Of a core. 0: each store stalls its thread like an atomic operation.
  uint64_t store_buffer_entries = 56;
  Ps same_socket_transfer_ps = 40'000;  // within a complex
  Ps cross_complex_transfer_ps = 107'000;
  Ps cross_socket_transfer_ps = 110'000;
  Ps shared_load_ps = 22'000;
  Ps shared_load_occupancy_ps = 8'000;
  Ps residency_ps = 10'000;

  Ps system_call_ps = 150'000;
  Ps futex_bucket_hold_ps = 120'000;
  Ps wake_one_ps = 900'000;
  Ps wake_latency_ps = 3'000'000;
  Ps context_switch_ps = 1'500'000;
  Ps time_slice_ps = 3'000'000'000;
  Ps sleep_slack_ps = 60'000'000;

  // A CPU is a hardware thread, the unit that the kernel schedules on. The siblings of a core have
  // consecutive numbers.
  uint32_t cpus() const { return static_cast<uint32_t>(sockets * cores_per_socket * threads_per_core); }
  uint32_t cores() const { return static_cast<uint32_t>(sockets * cores_per_socket); }
  uint32_t cpus_per_socket() const { return static_cast<uint32_t>(cores_per_socket * threads_per_core); }
  // Siblings split the core's store buffer evenly.
  uint32_t buffered_stores_max() const {
    return static_cast<uint32_t>((store_buffer_entries + threads_per_core - 1) / threads_per_core);
  }
  uint32_t core_of(uint32_t cpu) const { return cpu / static_cast<uint32_t>(threads_per_core); }
  uint32_t socket_of_cpu(uint32_t cpu) const { return cpu / cpus_per_socket(); }

  // One extra core follows the last, in a socket of its own, for threads outside the server.
  uint32_t socket_of(uint32_t core) const { return core / static_cast<uint32_t>(cores_per_socket); }
  uint32_t complexes_per_socket() const {
    return static_cast<uint32_t>((cores_per_socket + cores_per_complex - 1) / cores_per_complex);
  }
  uint32_t complexes() const { return static_cast<uint32_t>(sockets) * complexes_per_socket(); }
  uint32_t complex_of(uint32_t core) const {
    const auto in_socket = static_cast<uint32_t>(core % cores_per_socket / cores_per_complex);
    return socket_of(core) * complexes_per_socket() + in_socket;
  }

  bool operator==(const ServerProfile&) const = default;
};

inline constexpr uint32_t kCpusMax = 256;

struct ServerField {
  std::string_view id;
  uint64_t ServerProfile::* member;
  uint64_t min, max;
};

struct NamedServer {
  std::string_view id, title;
  ServerProfile profile;
};

// What a modelled server has done since its run began. All fields are 0 on real threads.
struct ModelTotals {
  Ps time_ps = 0;
  uint64_t events = 0;            // accesses, wake-ups and other points where threads can interact
  uint64_t hash = 0;              // over the time and thread of each event
  uint64_t fiber_switches = 0;    // fiber switches on the host
  uint64_t context_switches = 0;  // context switches on the modelled server
  Ps busy_ps = 0;                 // time in which a core ran a thread, summed over cores
  // Part of busy_ps: spinning on a futex bucket's lock (native_queued_spin_lock_slowpath).
  Ps bucket_spin_ps = 0;
  uint64_t line_transfers = 0;  // transfers of a cache line to another core, for a read or a write
  uint64_t futex_waits = 0;     // sleeps
  uint64_t futex_wakes = 0;     // threads woken
};

}  // namespace latchscope::platform
