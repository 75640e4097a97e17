// TTASEventMutex: InnoDB's test-and-test-and-set mutex with an event to sleep on. Sources: MySQL
// 5.6 mutex_spin_wait, MySQL 8.0 ib0mutex; both use the same algorithm.
//
// Both words are on one cache line:
//
//   lock_word   0 free, 1 locked
//   waiters     1 if threads may sleep on the event
//
// Enter:  one compare-exchange. If it fails, up to 30 read-only polls with a random delay after
//         each; a poll that finds the word free tries the compare-exchange. Then yield, reserve a
//         sync-array cell, set `waiters`, try 4 times more, sleep. A woken thread starts over: the
//         mutex is not handed to it.
// Exit:   free the word; if `waiters` is set, clear it and set the event, which wakes every
//         sleeper.
//
// Invariants
//   1. At most one thread is between enter and exit.
//   2. No wake-up is lost. A waiter records the event's signal count, then sets `waiters`, then
//      tries the word. The owner frees the word (a full fence), then reads `waiters`. One of the
//      two sees the other.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "latch/latch_class.h"
#include "latch/latch_environment.h"
#include "latch/os_event.h"
#include "latch/thread_annotations.h"
#include "telemetry/telemetry.h"

namespace latchscope::latch {

class CAPABILITY("mutex") TTASEventMutex {
 public:
  explicit TTASEventMutex(LatchEnvironment& environment)
      : number_(telemetry::next_latch_number()), environment_(environment) {
    line_.belongs_to({number_, latch_class(LatchClass::TTASEventMutex)});
  }
  TTASEventMutex(const TTASEventMutex&) = delete;
  TTASEventMutex& operator=(const TTASEventMutex&) = delete;

  void enter(const telemetry::LatchSite& site) ACQUIRE() {
    telemetry::ThreadRecorder& recorder = telemetry::recorder();
    telemetry::latch_wanted(site.id, number_);
    platform::call_apart([&] {
      if (!try_lock_word()) enter_slowly(site, recorder);
    });
    recorder.latch_acquired(site, number_);
  }

  bool try_enter(const telemetry::LatchSite& site) TRY_ACQUIRE(true) {
    telemetry::ThreadRecorder& recorder = telemetry::recorder();
    telemetry::latch_wanted(site.id, number_);
    if (!try_lock_word()) {
      recorder.latch_line_left(site.id, number_);
      return false;
    }
    recorder.latch_acquired(site, number_);
    return true;
  }

  void exit() RELEASE() {
    telemetry::LatchRelease release(number_);
    platform::call_apart([&] { give_back(); });
  }

  bool is_locked() const { return line_.lock_word.load() != kFree; }

 private:
  static constexpr uint32_t kFree = 0;
  static constexpr uint32_t kLocked = 1;
  static constexpr int kTriesBeforeSleep = 4;

  bool try_lock_word() {
    uint32_t expected = kFree;
    return line_.lock_word.compare_exchange(expected, kLocked);
  }
  void give_back() {
    line_.lock_word.exchange(kFree);
    telemetry::latch_is_free(number_);
    if (line_.waiters.load() != 0) wake_waiters();
  }
  void enter_slowly(const telemetry::LatchSite& site, telemetry::ThreadRecorder& recorder);
  bool spin(const telemetry::LatchSite& site, telemetry::ThreadRecorder& recorder);
  bool sleep_unless_free(const telemetry::LatchSite& site, telemetry::ThreadRecorder& recorder);
  void wake_waiters();

  struct alignas(64) Line : platform::CacheLine {
    platform::Atomic<uint32_t> lock_word{*this, kFree};
    platform::Atomic<uint32_t> waiters{*this, 0};
  };
  Line line_;
  const uint32_t number_;
  LatchEnvironment& environment_;
  OsEvent event_;
};

class SCOPED_CAPABILITY MutexGuard {
 public:
  MutexGuard(TTASEventMutex& mutex, const telemetry::LatchSite& site) ACQUIRE(mutex) : mutex_(mutex) {
    mutex_.enter(site);
  }
  ~MutexGuard() RELEASE() { mutex_.exit(); }
  MutexGuard(const MutexGuard&) = delete;
  MutexGuard& operator=(const MutexGuard&) = delete;

 private:
  TTASEventMutex& mutex_;
};

// A mutex in N shards, chosen by a key; each shard has its own cache line (MySQL 8.0:
// Fil_shard::m_mutex).
class ShardedMutex {
 public:
  ShardedMutex(LatchEnvironment& environment, uint32_t shards) {
    shards_.reserve(shards);
    for (uint32_t i = 0; i < shards; ++i)
      shards_.push_back(std::make_unique<TTASEventMutex>(environment));
  }

  uint32_t shards() const { return static_cast<uint32_t>(shards_.size()); }
  TTASEventMutex& shard(uint32_t index) { return *shards_[index]; }

 private:
  std::vector<std::unique_ptr<TTASEventMutex>> shards_;
};

}  // namespace latchscope::latch
