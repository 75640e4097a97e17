// What an access to a shared word costs on a multicore server. A cache line is a serial resource: transfers to other
// cores follow each other, first come first served, so the time at which an access takes effect is known when it is
// issued.
//
//   state of a line        who may hit                      a miss is served by
//   modified by one core   that core, loads and writes      that core: a transfer within or across sockets
//   shared                 every core that has a copy       L3 of the socket, or another socket
//
// Invariants
//   1. Accesses of one core are issued in the order of their times, each not before the one before has finished.
//   2. At most one core may write a line at any moment, and then no other may read it.
//   3. A core keeps its copy until the transfer that takes it away *starts*; a spinning reader goes on hitting while
//      a write waits for the line.
//   4. After a transfer the new owner keeps the line for `residency`. Without it a compare-exchange loop of many
//      cores would fail for ever.
//
// Source of the model's shape: what published measurements of contended lines have in common (David et al., SOSP'13;
// Boyd-Wickizer et al., 2012).
#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "platform/virtual/server_profile.h"

namespace latchscope::platform {

inline constexpr uint32_t kCoresMax = 256;

// One modelled line. Belongs to whoever declares the words on it.
struct LineState {
  static constexpr uint32_t kNobody = ~0u;

  uint32_t modified_by = kNobody;
  Ps busy_until = 0;              // no transfer of the line starts before
  std::bitset<kCoresMax> copies;  // cores whose copy nothing takes away yet
  // By core, empty until the line is used: until when it may read its copy, and until when write to it.
  std::vector<Ps> readable_until;
  std::vector<Ps> writable_until;
};

class CoherenceModel {
 public:
  explicit CoherenceModel(const ServerProfile& profile) : profile_(profile) {}

  // Each returns when the access takes effect, which is not before `now`.
  Ps load(LineState& line, uint32_t core, Ps now) const;
  // A store or a read-modify-write.
  Ps write(LineState& line, uint32_t core, Ps now) const;

 private:
  void prepare(LineState& line) const;
  Ps transfer(uint32_t from, uint32_t to) const;
  bool has_copy_in_socket(const LineState& line, uint32_t socket) const;
  Ps cost_of_reading(const LineState& line, uint32_t core) const;
  Ps cost_of_taking(const LineState& line, uint32_t core) const;
  void take_from_all(LineState& line, Ps start) const;

  const ServerProfile& profile_;
};

}  // namespace latchscope::platform
