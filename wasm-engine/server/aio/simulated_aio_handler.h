// One step of an I/O handler thread: it selects a request of its own segment, adds the requests
// that continue it, and executes the I/O. Source: MySQL 8.0 os0file, class SimulatedAIOHandler.
//
// Selection: the oldest request if it has waited for 2 seconds or more, so that none starves behind
// lower offsets. Otherwise the request with the lowest offset, in whatever file, to shorten the
// movement of the disk arm.
//
// Merge: a request of the same file and type that starts where the last one ends joins the group,
// up to 64 slots. Each step searches the segment again, under the array's mutex. From 5.7 on
// merging only forms groups: every page is still read or written separately. 5.6 reads or writes a
// group in one call.
#pragma once

#include <cstdint>
#include <span>

#include "server/aio/aio_slot.h"

namespace latchscope::server::aio {

inline constexpr uint64_t kAgeLimitNs = 2'000'000'000;
inline constexpr uint32_t kMergeSlotsMax = 64;  // OS_AIO_MERGE_N_CONSECUTIVE

// Returns the slot to execute next, or null if no slot is reserved. Ages are now_ns -
// reserved_at_ns.
Slot* select_request(std::span<Slot> segment, uint64_t now_ns);
// Returns the reserved request that continues `last`, or null.
Slot* find_continuation(std::span<Slot> segment, const Slot& last);

class SimulatedAIOHandler {
 public:
  explicit SimulatedAIOHandler(SlotRange segment) : segment_(segment) {}

  // REQUIRES: the caller holds the array's mutex for the three functions below. It does not hold it
  // for execute().

  // Returns a request whose I/O is done, or null.
  Slot* find_done() const;
  // Returns false if no request is reserved. If find_done() has also returned null, the segment is
  // empty.
  bool select_and_merge(uint64_t now_ns);
  void mark_done();

  // Executes the I/O of the group, page by page or in one call.
  void execute(bool in_one_call);

  Slot& first() { return *group_[0]; }
  uint32_t group_size() const { return group_size_; }

 private:
  SlotRange segment_;
  Slot* group_[kMergeSlotsMax];
  uint32_t group_size_ = 0;
};

}  // namespace latchscope::server::aio
