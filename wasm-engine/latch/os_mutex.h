// OsMutex and OsCondition: the bare pthread mutex and condition variable of Linux, built on the
// platform's futex. InnoDB uses them below os_event and, without spinning, as SysMutex.
//
// Mutex word (Drepper, "Futexes Are Tricky", 2011, mutex2):
//
//   0  free
//   1  locked, no thread sleeps
//   2  locked, threads may sleep
//
// Invariants
//   1. A thread sleeps only on the value 2. So an unlock that finds 2 wakes one sleeper, and one
//      that finds 1 wakes none.
//   2. A thread that has slept takes the mutex with the value 2, because others may still sleep.
#pragma once

#include "latch/latch_class.h"
#include "latch/thread_annotations.h"
#include "platform/platform.h"
#include "telemetry/telemetry.h"

namespace latchscope::latch {

class CAPABILITY("os_mutex") OsMutex {
 public:
  // Assigns the number of the latch that this mutex belongs to.
  void belongs_to(uint32_t latch) {
    line_.belongs_to({latch, latch_class(LatchClass::OsMutex)});
    number_ = latch;
  }
  void lock() ACQUIRE() {
    uint32_t expected = kFree;
    if (!line_.word.compare_exchange(expected, kLocked)) lock_slowly();
  }
  bool try_lock() TRY_ACQUIRE(true) {
    uint32_t expected = kFree;
    return line_.word.compare_exchange(expected, kLocked);
  }
  bool is_locked() const { return line_.word.load() != kFree; }
  void unlock() RELEASE() {
    const bool may_have_sleepers = line_.word.exchange(kFree) == kLockedWithSleepers;
    telemetry::latch_is_free(number_);
    if (may_have_sleepers) platform::futex_wake(line_.word, 1);
  }

 private:
  friend class OsCondition;
  friend class SysMutex;
  static constexpr uint32_t kFree = 0;
  static constexpr uint32_t kLocked = 1;
  static constexpr uint32_t kLockedWithSleepers = 2;

  void lock_slowly();

  struct alignas(64) Line : platform::CacheLine {
    platform::Atomic<uint32_t> word{*this, kFree};
  };
  Line line_;
  uint32_t number_ = 0;  // of the latch; 0: belongs to no latch
};

class SCOPED_CAPABILITY OsMutexGuard {
 public:
  explicit OsMutexGuard(OsMutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~OsMutexGuard() RELEASE() { mutex_.unlock(); }
  OsMutexGuard(const OsMutexGuard&) = delete;
  OsMutexGuard& operator=(const OsMutexGuard&) = delete;

 private:
  OsMutex& mutex_;
};

// A condition variable. Waits may end without a signal, so callers test their condition in a loop.
class OsCondition {
 public:
  // Returns false if the timeout ended the wait.
  bool wait(OsMutex& mutex, uint64_t timeout_ns = platform::kForeverNs) REQUIRES(mutex);
  // If the caller holds the mutex, as os_event does, no wake-up is lost.
  void signal();
  void broadcast();

 private:
  struct alignas(64) Line : platform::CacheLine {
    platform::Atomic<uint32_t> sequence{*this, 0};
  };
  Line line_;
};

}  // namespace latchscope::latch
