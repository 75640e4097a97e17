// A counting semaphore: the number of free units, and a place to sleep while there are none. It is
// not a std::counting_semaphore, because that polls in WebAssembly. Source: MySQL trunk
// ut0counting_semaphore.
//
// Both words are on one cache line. They have 32 bits each, because a futex has 32:
//
//   count     free units
//   waiters   threads between "the count was 0" and the end of their sleep
//
// acquire:  take a unit with a compare-exchange while count > 0; else waiters + 1, sleep while
//           count == 0, waiters - 1, try again.
// release:  count + 1; if waiters > 0, wake one sleeper.
//
// Invariants
//   1. count is never below 0: a unit is taken by a compare-exchange from a value above 0.
//   2. No wake-up is lost. A waiter adds itself to `waiters`; then the futex compares `count` with
//      0 as it puts the thread to sleep. A releaser adds to `count`, then reads `waiters`. All four
//      are sequentially consistent. So either the releaser sees the waiter and wakes it, or the
//      waiter sees the unit and does not sleep.
//   3. One unit wakes at most one thread (no herd). A woken thread that finds the unit taken by a
//      newcomer sleeps again; the newcomer's own release wakes the next.
//   4. No unit stays free while a thread sleeps indefinitely. Each release after a thread has
//      fallen asleep wakes a sleeper, and each woken thread takes a unit if one is left.
#pragma once

#include "telemetry/telemetry.h"

namespace latchscope::latch {

class CountingSemaphore {
 public:
  explicit CountingSemaphore(uint32_t units) : line_(units), number_(telemetry::next_latch_number()) {}
  CountingSemaphore(const CountingSemaphore&) = delete;
  CountingSemaphore& operator=(const CountingSemaphore&) = delete;

  // Takes a unit. Runs `before_sleep(attempt)` before each sleep. Attempt 0 is the first time the
  // count was 0; attempt n means that the thread has been woken n times in vain.
  template <class BeforeSleep>
  void acquire(const telemetry::LatchSite& site, BeforeSleep before_sleep) {
    for (uint32_t attempt = 0; !try_acquire(); ++attempt) {
      before_sleep(attempt);
      sleep_while_empty(site);
    }
  }

  bool try_acquire() {
    uint32_t units = line_.count.load();
    while (units > 0) {
      if (line_.count.compare_exchange(units, units - 1)) return true;
    }
    return false;
  }

  void release() {
    line_.count.fetch_add(1);
    if (line_.waiters.load() != 0) platform::futex_wake(line_.count, 1);
  }

  uint32_t number() const { return number_; }
  uint32_t units() const { return line_.count.load(); }
  uint32_t waiters() const { return line_.waiters.load(); }
  // REQUIRES: no thread acquires or releases meanwhile.
  void reset(uint32_t units) { line_.count.store(units); }

 private:
  void sleep_while_empty(const telemetry::LatchSite& site);

  struct alignas(64) Line : platform::CacheLine {
    explicit Line(uint32_t units) : count(*this, units) {}
    platform::Atomic<uint32_t> count;
    platform::Atomic<uint32_t> waiters{*this, 0};
  };
  Line line_;
  const uint32_t number_;
};

}  // namespace latchscope::latch
