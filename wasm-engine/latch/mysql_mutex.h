// mysql_mutex_t and mysql_cond_t: the mutexes and condition variables of MySQL's server layer
// (LOCK_log, LOCK_index, ...). They are bare pthread mutexes, without spinning or a sync array.
// Here each is an OsMutex with a latch site, so that telemetry knows its holder and its waiters.
//
// Source: MySQL 8.0 include/mysql/psi/mysql_mutex.h.
//
// The invariants of OsMutex apply. A condition's site counts its wake-ups. After a wake-up the
// mutex is held under that site.
#pragma once

#include "latch/os_mutex.h"
#include "latch/thread_annotations.h"
#include "telemetry/telemetry.h"

namespace latchscope::latch {

class CAPABILITY("mysql_mutex") MysqlMutex {
 public:
  MysqlMutex() : number_(telemetry::next_latch_number()) { mutex_.belongs_to(number_); }
  MysqlMutex(const MysqlMutex&) = delete;
  MysqlMutex& operator=(const MysqlMutex&) = delete;

  void lock(const telemetry::LatchSite& site) ACQUIRE() NO_THREAD_SAFETY_ANALYSIS {
    telemetry::latch_wanted(site.id, number_);
    if (!mutex_.try_lock()) lock_slowly(site);
    telemetry::recorder().latch_acquired(site, number_);
  }

  bool try_lock(const telemetry::LatchSite& site) TRY_ACQUIRE(true) NO_THREAD_SAFETY_ANALYSIS {
    telemetry::ThreadRecorder& recorder = telemetry::recorder();
    telemetry::latch_wanted(site.id, number_);
    if (!mutex_.try_lock()) {
      recorder.latch_line_left(site.id, number_);
      return false;
    }
    recorder.latch_acquired(site, number_);
    return true;
  }

  void unlock() RELEASE() NO_THREAD_SAFETY_ANALYSIS {
    telemetry::LatchRelease release(number_);
    mutex_.unlock();
  }

  bool is_locked() const { return mutex_.is_locked(); }

 private:
  friend class MysqlCond;
  void lock_slowly(const telemetry::LatchSite& site) NO_THREAD_SAFETY_ANALYSIS;

  OsMutex mutex_;
  const uint32_t number_;
};

class SCOPED_CAPABILITY MysqlMutexGuard {
 public:
  MysqlMutexGuard(MysqlMutex& mutex, const telemetry::LatchSite& site) ACQUIRE(mutex) : mutex_(mutex) {
    mutex_.lock(site);
  }
  ~MysqlMutexGuard() RELEASE() { mutex_.unlock(); }
  MysqlMutexGuard(const MysqlMutexGuard&) = delete;
  MysqlMutexGuard& operator=(const MysqlMutexGuard&) = delete;

 private:
  MysqlMutex& mutex_;
};

// A condition variable. Waits may end without a signal, so callers test their condition in a loop.
class MysqlCond {
 public:
  // `asleep`: the state of a thread that sleeps here, `waiting` or `following`.
  explicit MysqlCond(telemetry::ThreadState asleep = telemetry::ThreadState::waiting)
      : asleep_(asleep), number_(telemetry::next_latch_number()) {}

  // Returns false if the timeout ended the wait.
  bool wait(MysqlMutex& mutex, const telemetry::LatchSite& site, uint64_t timeout_ns = platform::kForeverNs)
      REQUIRES(mutex) NO_THREAD_SAFETY_ANALYSIS;
  void signal() { condition_.signal(); }
  void broadcast() { condition_.broadcast(); }

 private:
  OsCondition condition_;
  const telemetry::ThreadState asleep_;
  const uint32_t number_;
};

}  // namespace latchscope::latch
