// rw_lock: InnoDB's shared/exclusive lock with the intermediate mode SX. Source: MySQL 8.4 sync0rw.
//
// The lock word is one signed number; DECR = 0x20000000, HALF = DECR / 2:
//
//     DECR                  free
//     HALF < word < DECR    DECR - word readers
//     HALF                  SX held
//     0 < word < HALF       SX held and HALF - word readers
//     0                     X held
//     -HALF < word < 0      a writer has reserved the lock and waits for -word readers to leave
//     word <= -DECR         X held more than once: the first recursion subtracts DECR, each further
//                           one 1
//
//     S    subtract 1 while word > 0        SX   subtract HALF if word > HALF
//     X    subtract DECR if word > HALF, then wait until the readers have left (word reaches 0)
//
//     compatible   S   SX  X
//           S      yes yes no
//           SX     yes no  no
//           X      no  no  no
//
// Invariants
//   1. Once a writer has subtracted DECR, new readers block, so writers do not starve. A thread
//      must therefore not take S twice: it deadlocks if a writer reserves the lock in between.
//   2. Only the reader that makes the word 0 wakes the reserving writer; there is at most one such
//      writer.
//   3. The waiters flag and the event follow the rules of TTASEventMutex: no wake-up is lost.
//   4. A release of X or SX wakes all sleepers.
//   5. An X lock taken for another thread has writer_thread 0.
//
// The thread that holds X may take it again; SX is not recursive.
#pragma once

#include "latch/latch_class.h"
#include "latch/latch_environment.h"
#include "latch/os_event.h"
#include "latch/thread_annotations.h"
#include "telemetry/telemetry.h"

namespace latchscope::latch {

class CAPABILITY("rw_lock") RwLock {
 public:
  static constexpr int32_t kXLockDecr = kRwLockXLockDecr;
  static constexpr int32_t kXLockHalfDecr = kXLockDecr / 2;

  explicit RwLock(LatchEnvironment& environment)
      : number_(telemetry::next_latch_number()), environment_(environment) {
    line_.belongs_to({number_, latch_class(LatchClass::RwLock)});
  }
  RwLock(const RwLock&) = delete;
  RwLock& operator=(const RwLock&) = delete;

  void s_lock(const telemetry::LatchSite& site) ACQUIRE_SHARED();
  bool try_s_lock(const telemetry::LatchSite& site) TRY_ACQUIRE_SHARED(true);
  void s_unlock() RELEASE_SHARED();

  void sx_lock(const telemetry::LatchSite& site) ACQUIRE();
  void sx_unlock() RELEASE();

  void x_lock(const telemetry::LatchSite& site) ACQUIRE();
  bool try_x_lock(const telemetry::LatchSite& site) TRY_ACQUIRE(true);
  void x_unlock() RELEASE();

  // Takes an X lock that another thread will release. InnoDB does this with rw_lock_x_lock_gen and
  // a pass value, for example for a page whose read an I/O handler completes. This lock has no
  // owner: no thread may take it again, and no thread's list of held latches contains it.
  void x_lock_for_other(const telemetry::LatchSite& site) ACQUIRE();
  void x_unlock_by_other() RELEASE();

  int32_t lock_word() const { return line_.lock_word.load(); }

 private:
  // Subtracts `amount` if the word is above `threshold`.
  bool subtract_if_above(int32_t threshold, int32_t amount);
  bool try_recurse_x(uint32_t thread);
  void x_lock_without_owner(const telemetry::LatchSite& site, telemetry::ThreadRecorder& recorder);
  void free_x();
  void wait_for_readers(const telemetry::LatchSite& site, telemetry::ThreadRecorder& recorder,
                        bool is_counted);

  // Takes the lock with `try_take`. Spins while `may_try` rejects the word, and sleeps in between.
  template <class MayTry, class TryTake>
  void lock_slowly(const telemetry::LatchSite& site, OsEvent& event, MayTry may_try, TryTake try_take);
  void note_reader(uint32_t site);
  void forget_reader();
  void wake_waiters();

  struct alignas(64) Line : platform::CacheLine {
    platform::Atomic<int32_t> lock_word{*this, kXLockDecr};
    platform::Atomic<uint32_t> waiters{*this, 0};
    platform::Atomic<uint32_t> writer_thread{*this, 0};
    platform::Atomic<uint32_t> reader_thread{*this, 0};
    platform::Atomic<uint32_t> last_s_site{*this, 0};
  };
  Line line_;
  const uint32_t number_;
  uint32_t site_of_other_ = telemetry::kNoSite;  // of the X lock that another thread will release
  LatchEnvironment& environment_;
  OsEvent event_;
  OsEvent wait_ex_event_;
};

class SCOPED_CAPABILITY SharedGuard {
 public:
  SharedGuard(RwLock& lock, const telemetry::LatchSite& site) ACQUIRE_SHARED(lock) : lock_(lock) {
    lock_.s_lock(site);
  }
  ~SharedGuard() RELEASE() { lock_.s_unlock(); }
  SharedGuard(const SharedGuard&) = delete;
  SharedGuard& operator=(const SharedGuard&) = delete;

 private:
  RwLock& lock_;
};

class SCOPED_CAPABILITY ExclusiveGuard {
 public:
  ExclusiveGuard(RwLock& lock, const telemetry::LatchSite& site) ACQUIRE(lock) : lock_(lock) {
    lock_.x_lock(site);
  }
  ~ExclusiveGuard() RELEASE() { lock_.x_unlock(); }
  ExclusiveGuard(const ExclusiveGuard&) = delete;
  ExclusiveGuard& operator=(const ExclusiveGuard&) = delete;

 private:
  RwLock& lock_;
};

}  // namespace latchscope::latch
