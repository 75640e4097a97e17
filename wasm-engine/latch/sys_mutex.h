// SysMutex: a bare pthread mutex in InnoDB's wrapper, without spinning. A thread that does not get
// it sleeps in the kernel at once. Each AIO array has one. Source: MySQL 8.0 sync0types, os0file.
//
// The word is that of OsMutex (os_mutex.h). This class adds telemetry: acquisitions, contention,
// sleeps and the holder.
//
// Invariants
//   1. At most one thread is between enter and exit.
//   2. `waits` counts sleeps in the futex, not attempts. A thread that finds the mutex free on its
//      second try is counted as contended, but not as a wait.
#pragma once

#include "latch/os_mutex.h"
#include "latch/thread_annotations.h"
#include "telemetry/telemetry.h"

namespace latchscope::latch {

class CAPABILITY("mutex") SysMutex {
 public:
  SysMutex() : number_(telemetry::next_latch_number()) { mutex_.belongs_to(number_); }
  SysMutex(const SysMutex&) = delete;
  SysMutex& operator=(const SysMutex&) = delete;

  void enter(const telemetry::LatchSite& site) ACQUIRE() NO_THREAD_SAFETY_ANALYSIS {
    telemetry::ThreadRecorder& recorder = telemetry::recorder();
    telemetry::latch_wanted(site.id, number_);
    if (!mutex_.try_lock()) enter_slowly(site, recorder);
    recorder.latch_acquired(site, number_);
  }

  void exit() RELEASE() NO_THREAD_SAFETY_ANALYSIS {
    telemetry::LatchRelease release(number_);
    mutex_.unlock();
  }

 private:
  void enter_slowly(const telemetry::LatchSite& site, telemetry::ThreadRecorder& recorder);

  OsMutex mutex_;
  const uint32_t number_;
};

class SCOPED_CAPABILITY SysMutexGuard {
 public:
  SysMutexGuard(SysMutex& mutex, const telemetry::LatchSite& site) ACQUIRE(mutex) : mutex_(mutex) {
    mutex_.enter(site);
  }
  ~SysMutexGuard() RELEASE() { mutex_.exit(); }
  SysMutexGuard(const SysMutexGuard&) = delete;
  SysMutexGuard& operator=(const SysMutexGuard&) = delete;

 private:
  SysMutex& mutex_;
};

}  // namespace latchscope::latch
