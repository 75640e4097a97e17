// os_event: InnoDB's event. It has a mutex, a condition variable, a flag and a signal count.
// Source: MySQL 8.4 os0event.
//
// Invariants
//   1. The signal count goes up by one whenever the event changes from not set to set.
//   2. A waiter passes the count that it got from reset(). It sleeps only while the event is not
//      set and the count is unchanged. So "A resets, B sets, C resets, A waits" does not lose B's
//      signal.
//   3. set() is a broadcast: every sleeper wakes.
#pragma once

#include <cstdint>

#include "latch/os_mutex.h"

namespace latchscope::latch {

class OsEvent {
 public:
  void set();
  // Clears the flag. Returns the count to pass to wait().
  uint64_t reset();
  bool is_set();
  // Returns the count without clearing the flag. wait(signal_count()) is InnoDB's wait without a
  // count: it returns once the event is set, or has been set since.
  uint64_t signal_count();

  // Returns false if the timeout ended the wait.
  bool wait(uint64_t signal_count, uint64_t timeout_ns = platform::kForeverNs);

 private:
  OsMutex mutex_;
  OsCondition condition_;
  bool is_set_ GUARDED_BY(mutex_) = false;
  uint64_t signal_count_ GUARDED_BY(mutex_) = 1;
};

}  // namespace latchscope::latch
