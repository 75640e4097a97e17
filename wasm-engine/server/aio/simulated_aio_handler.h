// The next step of an I/O handler thread (source: MySQL 8.0 os0file, class SimulatedAIOHandler): it selects a
// request of its own segment, adds the requests that continue it, and carries out the I/O.
//
// The selection: the oldest request, if it waits for 2 seconds or more, so that none starves behind lower
// offsets; otherwise the one with the lowest offset, whatever its file, in the hope of a short way for the
// disk arm.
//
// The merge: a request of the same file and type that starts where the last one ends joins the group, up to
// 64 slots. Each step searches the segment again, under the array's mutex. From 5.7 on merging only groups:
// every page is still read or written by itself. 5.6 reads or writes a group in one call.
#pragma once

#include <cstdint>
#include <span>

#include "server/aio/aio_slot.h"

namespace latchscope::server::aio {

inline constexpr uint64_t kAgeLimitNs = 2'000'000'000;
inline constexpr uint32_t kMergeSlotsMax = 64;  // OS_AIO_MERGE_N_CONSECUTIVE

// Null if no slot is reserved. Ages are now_ns - reserved_at_ns.
Slot* select_request(std::span<Slot> segment, uint64_t now_ns);
// The reserved request that continues `last`, or null.
Slot* find_continuation(std::span<Slot> segment, const Slot& last);

class SimulatedAIOHandler {
 public:
  explicit SimulatedAIOHandler(SlotRange segment) : segment_(segment) {}

  // The three calls below are made with the array's mutex held, execute() without it.

  // A request whose I/O is done, or null.
  Slot* find_done() const;
  // False if nothing is reserved; then nothing is pending at all.
  bool select_and_merge(uint64_t now_ns);
  void mark_done();

  // Carries out the I/O of the group, page by page or in one call.
  void execute(bool in_one_call);

  Slot& first() { return *group_[0]; }
  uint32_t group_size() const { return group_size_; }

 private:
  SlotRange segment_;
  Slot* group_[kMergeSlotsMax];
  uint32_t group_size_ = 0;
};

}  // namespace latchscope::server::aio
