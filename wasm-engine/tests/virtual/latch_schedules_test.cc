// Every latch over many schedules (explorer.h). Each has a broken twin with one fault and otherwise
// the same code. That the fault is found shows that the exploration could have found it in the
// latch.
#include <gtest/gtest.h>

#include "latch/counting_semaphore.h"
#include "latch/mysql_mutex.h"
#include "latch/os_event.h"
#include "latch/rw_lock.h"
#include "latch/sharded_rw_lock.h"
#include "latch/sys_mutex.h"
#include "latch/ttas_event_mutex.h"
#include "tests/virtual/explorer.h"

namespace latchscope::latch {
namespace {

using platform::futex_wait;
using platform::futex_wake;
using tests::expect_found;
using tests::expect_holds;
using tests::kStuck;
using tests::require;
using tests::scenario;

const telemetry::LatchSite kExploredSite("explored latch", "latch_schedules_test");
const telemetry::LatchSite kCondSite("explored condition", "latch_schedules_test");

constexpr const char* kNotAlone = "at most one thread is inside";

struct alignas(64) Line : platform::CacheLine {
  platform::Atomic<uint32_t> word{*this, 0};
};

// State guarded by a latch. Other threads may run while one is inside.
class Room {
 public:
  void visit_alone() {
    require(visitors_++ == 0, kNotAlone);
    line_.word.load();
    require(--visitors_ == 0, kNotAlone);
  }

 private:
  uint32_t visitors_ = 0;
  Line line_;
};

// Writers make the two numbers differ for a moment; readers must not see it.
class Pair {
 public:
  void read() {
    const uint32_t first = first_;
    line_.word.load();
    require(first == second_, "a reader sees both numbers as one writer left them");
  }
  void write() {
    const uint32_t before = second_;
    ++first_;
    line_.word.load();
    require(second_ == before, kNotAlone);
    ++second_;
  }

 private:
  uint32_t first_ = 0;
  uint32_t second_ = 0;
  Line line_;
};

// Threads that enter and exit a mutex. `Latch` is constructed from a LatchEnvironment and has
// enter(site) and exit().
template <class Latch, uint32_t thread_count>
struct MutexWorld final : tests::Scenario {
  explicit MutexWorld(SpinSettings spin = {1, 0, 0}) { environment.spin = spin; }
  uint32_t threads() const override { return thread_count; }
  void run(uint32_t /*thread*/) override NO_THREAD_SAFETY_ANALYSIS {
    for (int round = 0; round < 2; ++round) {
      latch.enter(kExploredSite);
      room.visit_alone();
      latch.exit();
    }
  }

  LatchEnvironment environment{thread_count};
  Latch latch{environment};
  Room room;
};

// --- OsMutex, SysMutex --------------------------------------------------------------------------

struct ExploredOsMutex {
  explicit ExploredOsMutex(LatchEnvironment& /*environment*/) {}
  void enter(const telemetry::LatchSite& /*site*/) NO_THREAD_SAFETY_ANALYSIS { mutex.lock(); }
  void exit() NO_THREAD_SAFETY_ANALYSIS { mutex.unlock(); }
  OsMutex mutex;
};

struct ExploredSysMutex : SysMutex {
  explicit ExploredSysMutex(LatchEnvironment& /*environment*/) {}
};

enum class FutexMutexFault { none, woken_takes_it_without_sleepers, sleeps_on_locked };

template <FutexMutexFault fault>
struct FutexMutexTwin {
  explicit FutexMutexTwin(LatchEnvironment& /*environment*/) {}
  void enter(const telemetry::LatchSite& /*site*/) {
    uint32_t value = 0;
    if (line.word.compare_exchange(value, 1)) return;
    if constexpr (fault == FutexMutexFault::sleeps_on_locked) {
      while (line.word.exchange(1) != 0)
        futex_wait(line.word, 1);
    } else {
      while (line.word.exchange(2) != 0) {
        futex_wait(line.word, 2);
        if constexpr (fault == FutexMutexFault::woken_takes_it_without_sleepers) {
          value = 0;
          if (line.word.compare_exchange(value, 1)) return;
        }
      }
    }
  }
  void exit() {
    if (line.word.exchange(0) == 2) futex_wake(line.word, 1);
  }
  Line line;
};

TEST(Schedules, OsMutex) {
  expect_holds("OsMutex", scenario<MutexWorld<ExploredOsMutex, 3>>());
}
TEST(Schedules, SysMutex) {
  expect_holds("SysMutex", scenario<MutexWorld<ExploredSysMutex, 3>>());
}
TEST(Schedules, TheOsMutexTwinWithoutAFault) {
  expect_holds("OsMutex, twin", scenario<MutexWorld<FutexMutexTwin<FutexMutexFault::none>, 3>>());
}
TEST(BrokenTwin, OsMutexWhoseWokenThreadForgetsTheOtherSleepers) {
  using Twin = FutexMutexTwin<FutexMutexFault::woken_takes_it_without_sleepers>;
  expect_found("OsMutex, woken thread takes it as 1", kStuck, scenario<MutexWorld<Twin, 3>>());
}
TEST(BrokenTwin, SysMutexWhoseSleeperDoesNotSaySo) {
  using Twin = FutexMutexTwin<FutexMutexFault::sleeps_on_locked>;
  expect_found("SysMutex, sleeper leaves the word at 1", kStuck, scenario<MutexWorld<Twin, 3>>());
}

// --- OsCondition, MysqlMutex, MysqlCond ---------------------------------------------------------

// Wrong: reads the sequence after the mutex was released.
struct ConditionTwin {
  void wait(OsMutex& mutex) NO_THREAD_SAFETY_ANALYSIS {
    mutex.unlock();
    futex_wait(line.word, line.word.load());
    mutex.lock();
  }
  void signal() {
    line.word.fetch_add(1);
    futex_wake(line.word, 1);
  }
  Line line;
};

// One thread makes two units; two threads take one each.
template <class Condition>
struct ConditionWorld final : tests::Scenario {
  uint32_t threads() const override { return 3; }
  void run(uint32_t thread) override {
    if (thread == 0) {
      for (int unit = 0; unit < 2; ++unit) {
        OsMutexGuard guard(mutex);
        ++units;
        condition.signal();
      }
      return;
    }
    OsMutexGuard guard(mutex);
    while (units == 0)
      condition.wait(mutex);
    --units;
  }

  OsMutex mutex;
  Condition condition;
  uint32_t units = 0;
};

// Models the commit stages: all threads wait on one condition, and a broadcast wakes all of them
// for one unit.
template <bool looks_again>
struct MysqlCondWorld final : tests::Scenario {
  uint32_t threads() const override { return 3; }
  void run(uint32_t thread) override {
    if (thread == 0) {
      for (int unit = 0; unit < 2; ++unit) {
        MysqlMutexGuard guard(mutex, kExploredSite);
        ++units;
        condition.broadcast();
      }
      return;
    }
    MysqlMutexGuard guard(mutex, kExploredSite);
    if constexpr (looks_again) {
      while (units == 0)
        condition.wait(mutex, kCondSite);
    } else {
      if (units == 0) condition.wait(mutex, kCondSite);
    }
    require(units > 0, "who was woken finds a unit");
    --units;
  }

  MysqlMutex mutex;
  MysqlCond condition;
  uint32_t units = 0;
};

TEST(Schedules, OsCondition) {
  expect_holds("OsCondition", scenario<ConditionWorld<OsCondition>>());
}
TEST(Schedules, MysqlMutexAndMysqlCond) {
  expect_holds("MysqlCond", scenario<MysqlCondWorld</*looks_again=*/true>>());
}
TEST(BrokenTwin, OsConditionThatReadsItsSequenceTooLate) {
  expect_found("OsCondition, sequence read after unlock", kStuck, scenario<ConditionWorld<ConditionTwin>>());
}
TEST(BrokenTwin, MysqlCondWithoutASecondLook) {
  expect_found("MysqlCond, no second look", "finds a unit",
               scenario<MysqlCondWorld</*looks_again=*/false>>());
}

// --- OsEvent ------------------------------------------------------------------------------------

enum class EventFault { none, no_signal_count, wakes_one };

template <EventFault fault>
struct EventTwin {
  void set() {
    OsMutexGuard guard(mutex);
    if (is_set) return;
    is_set = true;
    ++signal_count;
    fault == EventFault::wakes_one ? condition.signal() : condition.broadcast();
  }
  uint64_t reset() {
    OsMutexGuard guard(mutex);
    is_set = false;
    return signal_count;
  }
  void wait(uint64_t count) {
    OsMutexGuard guard(mutex);
    while (!is_set && (fault == EventFault::no_signal_count || signal_count == count))
      condition.wait(mutex);
  }

  OsMutex mutex;
  OsCondition condition;
  bool is_set GUARDED_BY(mutex) = false;
  uint64_t signal_count GUARDED_BY(mutex) = 1;
};

// Two threads reset, check and wait, as waiters of a latch do. A third makes the condition true,
// then sets the event.
template <class Event>
struct EventWorld final : tests::Scenario {
  uint32_t threads() const override { return 3; }
  void run(uint32_t thread) override {
    if (thread == 0) {
      line.word.store(1);
      event.set();
      return;
    }
    for (;;) {
      const uint64_t count = event.reset();
      if (line.word.load() != 0) return;
      event.wait(count);
    }
  }

  Event event;
  Line line;
};

// Only the timeout may end the wait of a thread; a concurrent set must not confuse it.
struct TimedEventWorld final : tests::Scenario {
  uint32_t threads() const override { return 2; }
  void run(uint32_t thread) override {
    if (thread == 0) {
      line.word.store(1);
      event.set();
      return;
    }
    const uint64_t count = event.reset();
    if (line.word.load() != 0) return;
    const uint64_t began_ns = platform::now_ns();
    if (event.wait(count, kTimeoutNs)) {
      require(line.word.load() != 0, "a wait that was not timed out was ended by set()");
    } else {
      require(platform::now_ns() >= began_ns + kTimeoutNs, "a timeout does not come early");
    }
  }

  static constexpr uint64_t kTimeoutNs = 1'000'000;
  OsEvent event;
  Line line;
};

TEST(Schedules, OsEvent) {
  expect_holds("OsEvent", scenario<EventWorld<OsEvent>>());
}
TEST(Schedules, OsEventWithATimeout) {
  expect_holds("OsEvent, timeout", scenario<TimedEventWorld>());
}
TEST(Schedules, TheOsEventTwinWithoutAFault) {
  expect_holds("OsEvent, twin", scenario<EventWorld<EventTwin<EventFault::none>>>());
}
TEST(BrokenTwin, OsEventWithoutASignalCount) {
  expect_found("OsEvent, no signal count", kStuck,
               scenario<EventWorld<EventTwin<EventFault::no_signal_count>>>());
}
TEST(BrokenTwin, OsEventThatWakesOneSleeper) {
  expect_found("OsEvent, wakes one", kStuck, scenario<EventWorld<EventTwin<EventFault::wakes_one>>>());
}

// --- TTASEventMutex, with its sync array --------------------------------------------------------

enum class TtasFault {
  none,
  waiters_set_after_last_try,
  waiters_read_before_the_word_is_free,
  cell_after_last_try
};

template <TtasFault fault>
class TtasTwin {
 public:
  explicit TtasTwin(LatchEnvironment& environment) : environment_(environment) {}

  void enter(const telemetry::LatchSite& /*site*/) {
    while (!try_lock_word()) {
      if (fault == TtasFault::cell_after_last_try) {
        line_.waiters.store(1);
        if (try_lock_word()) return;
      }
      const SyncArray::Cell cell = environment_.sync_array.reserve(event_);
      if (fault == TtasFault::none || fault == TtasFault::waiters_read_before_the_word_is_free)
        line_.waiters.store(1);
      if (fault != TtasFault::cell_after_last_try && try_lock_word())
        return environment_.sync_array.free(cell);
      if (fault == TtasFault::waiters_set_after_last_try) line_.waiters.store(1);
      environment_.sync_array.wait(cell);
    }
  }

  void exit() {
    const bool early = fault == TtasFault::waiters_read_before_the_word_is_free && line_.waiters.load() != 0;
    line_.lock_word.exchange(0);
    const bool wakes =
        fault == TtasFault::waiters_read_before_the_word_is_free ? early : line_.waiters.load() != 0;
    if (!wakes) return;
    line_.waiters.store(0);
    event_.set();
  }

 private:
  bool try_lock_word() {
    uint32_t expected = 0;
    return line_.lock_word.compare_exchange(expected, 1);
  }

  struct alignas(64) WordLine : platform::CacheLine {
    platform::Atomic<uint32_t> lock_word{*this, 0};
    platform::Atomic<uint32_t> waiters{*this, 0};
  };
  WordLine line_;
  LatchEnvironment& environment_;
  OsEvent event_;
};

TEST(Schedules, TTASEventMutex) {
  expect_holds("TTASEventMutex", scenario<MutexWorld<TTASEventMutex, 3>>());
}
TEST(Schedules, TTASEventMutexThatSpinsWithTheGlobalGenerator) {
  expect_holds("TTASEventMutex, spins", [] {
    return std::make_unique<MutexWorld<TTASEventMutex, 3>>(
        SpinSettings{3, 6, 50, SpinDelayGenerator::global});
  });
}
TEST(Schedules, TheTTASTwinWithoutAFault) {
  expect_holds("TTASEventMutex, twin", scenario<MutexWorld<TtasTwin<TtasFault::none>, 2>>());
}
TEST(BrokenTwin, TTASEventMutexWhoseWaiterSpeaksUpAfterItsLastTry) {
  using Twin = TtasTwin<TtasFault::waiters_set_after_last_try>;
  expect_found("TTASEventMutex, waiters set after the last try", kStuck, scenario<MutexWorld<Twin, 2>>());
}
TEST(BrokenTwin, TTASEventMutexWhoseOwnerLooksForWaitersTooEarly) {
  using Twin = TtasTwin<TtasFault::waiters_read_before_the_word_is_free>;
  expect_found("TTASEventMutex, waiters read before the word is free", kStuck,
               scenario<MutexWorld<Twin, 2>>());
}
TEST(BrokenTwin, TTASEventMutexWhoseWaiterReservesItsCellAfterItsLastTry) {
  using Twin = TtasTwin<TtasFault::cell_after_last_try>;
  expect_found("TTASEventMutex, cell reserved after the last try", kStuck, scenario<MutexWorld<Twin, 2>>());
}

// --- RwLock -------------------------------------------------------------------------------------

// Two readers, a writer that acquires X twice, and an SX holder that upgrades nothing.
struct RwLockWorld final : tests::Scenario {
  RwLockWorld() { environment.spin = {1, 0, 0}; }
  uint32_t threads() const override { return 4; }
  void run(uint32_t thread) override NO_THREAD_SAFETY_ANALYSIS {
    if (thread == 0) {
      lock.x_lock(kExploredSite);
      lock.x_lock(kExploredSite);
      pair.write();
      lock.x_unlock();
      pair.write();
      lock.x_unlock();
    } else if (thread == 1) {
      lock.sx_lock(kExploredSite);
      sx_room.visit_alone();
      pair.read();
      lock.sx_unlock();
    } else {
      lock.s_lock(kExploredSite);
      pair.read();
      lock.s_unlock();
    }
  }
  void check() override { require(lock.lock_word() == RwLock::kXLockDecr, "the rw_lock is free in the end"); }

  LatchEnvironment environment{4};
  RwLock lock{environment};
  Pair pair;
  Room sx_room;
};

// Only writers, by lock and by try, and one X lock that another thread releases.
struct RwLockWritersWorld final : tests::Scenario {
  RwLockWritersWorld() { environment.spin = {1, 0, 0}; }
  uint32_t threads() const override { return 4; }
  void run(uint32_t thread) override NO_THREAD_SAFETY_ANALYSIS {
    if (thread == 0) {
      lock.x_lock_for_other(kExploredSite);
      pair.write();
      handed_over.set();
    } else if (thread == 1) {
      handed_over.wait(1);
      pair.write();
      lock.x_unlock_by_other();
    } else if (thread == 2) {
      lock.x_lock(kExploredSite);
      pair.write();
      lock.x_unlock();
      if (!lock.try_x_lock(kExploredSite)) return;
      pair.write();
      lock.x_unlock();
    } else {
      lock.sx_lock(kExploredSite);
      pair.read();
      lock.sx_unlock();
      if (!lock.try_s_lock(kExploredSite)) return;
      pair.read();
      lock.s_unlock();
    }
  }
  void check() override { require(lock.lock_word() == RwLock::kXLockDecr, "the rw_lock is free in the end"); }

  LatchEnvironment environment{4};
  RwLock lock{environment};
  OsEvent handed_over;
  Pair pair;
};

// S and X of an rw_lock.
enum class RwFault { none, last_reader_wakes_nobody, writer_does_not_look_again, readers_pass_a_reservation };

template <RwFault fault>
class RwLockTwin {
 public:
  explicit RwLockTwin(LatchEnvironment& environment) : environment_(environment) {}

  void s_lock() {
    lock_slowly(fault == RwFault::readers_pass_a_reservation ? -RwLock::kXLockHalfDecr : 0, 1);
  }
  void s_unlock() {
    const int32_t word = line_.lock_word.fetch_add(1) + 1;
    if (word == 0 && fault != RwFault::last_reader_wakes_nobody) wait_ex_event_.set();
  }
  void x_lock() {
    lock_slowly(RwLock::kXLockHalfDecr, RwLock::kXLockDecr);
    while (line_.lock_word.load() < 0) {
      const SyncArray::Cell cell = environment_.sync_array.reserve(wait_ex_event_);
      if (fault != RwFault::writer_does_not_look_again && line_.lock_word.load() >= 0)
        return environment_.sync_array.free(cell);
      environment_.sync_array.wait(cell);
    }
  }
  void x_unlock() {
    line_.lock_word.fetch_add(RwLock::kXLockDecr);
    if (line_.waiters.load() == 0) return;
    line_.waiters.store(0);
    event_.set();
  }

 private:
  bool subtract_if_above(int32_t threshold, int32_t amount) {
    int32_t word = line_.lock_word.load();
    while (word > threshold) {
      if (line_.lock_word.compare_exchange(word, word - amount)) return true;
    }
    return false;
  }
  void lock_slowly(int32_t threshold, int32_t amount) {
    while (!subtract_if_above(threshold, amount)) {
      const SyncArray::Cell cell = environment_.sync_array.reserve(event_);
      line_.waiters.store(1);
      if (subtract_if_above(threshold, amount)) return environment_.sync_array.free(cell);
      environment_.sync_array.wait(cell);
    }
  }

  struct alignas(64) WordLine : platform::CacheLine {
    platform::Atomic<int32_t> lock_word{*this, RwLock::kXLockDecr};
    platform::Atomic<uint32_t> waiters{*this, 0};
  };
  WordLine line_;
  LatchEnvironment& environment_;
  OsEvent event_;
  OsEvent wait_ex_event_;
};

template <RwFault fault>
struct RwLockTwinWorld final : tests::Scenario {
  uint32_t threads() const override { return 3; }
  void run(uint32_t thread) override {
    if (thread == 0) {
      lock.x_lock();
      pair.write();
      lock.x_unlock();
    } else {
      lock.s_lock();
      pair.read();
      lock.s_unlock();
    }
  }

  LatchEnvironment environment{3};
  RwLockTwin<fault> lock{environment};
  Pair pair;
};

TEST(Schedules, RwLock) {
  expect_holds("RwLock", scenario<RwLockWorld>());
}
TEST(Schedules, RwLockWritersAndAnXLockForAnotherThread) {
  expect_holds("RwLock, writers", scenario<RwLockWritersWorld>());
}
TEST(Schedules, TheRwLockTwinWithoutAFault) {
  expect_holds("RwLock, twin", scenario<RwLockTwinWorld<RwFault::none>>());
}
TEST(BrokenTwin, RwLockWhoseLastReaderWakesNobody) {
  expect_found("RwLock, last reader wakes no waiter", kStuck,
               scenario<RwLockTwinWorld<RwFault::last_reader_wakes_nobody>>());
}
TEST(BrokenTwin, RwLockWhoseWriterDoesNotLookAgain) {
  expect_found("RwLock, writer does not look again", kStuck,
               scenario<RwLockTwinWorld<RwFault::writer_does_not_look_again>>());
}
TEST(BrokenTwin, RwLockWhoseReadersPassAReservation) {
  expect_found("RwLock, readers pass a reservation", "as one writer left them",
               scenario<RwLockTwinWorld<RwFault::readers_pass_a_reservation>>());
}

// --- ShardedRwLock ------------------------------------------------------------------------------

struct ShardedRwLockWorld final : tests::Scenario {
  ShardedRwLockWorld() { environment.spin = {1, 0, 0}; }
  uint32_t threads() const override { return 4; }
  void run(uint32_t thread) override NO_THREAD_SAFETY_ANALYSIS {
    if (thread < 2) {
      for (int round = 0; round < 2; ++round) {
        const uint32_t shard = lock.s_lock(kExploredSite);
        pair.read();
        lock.s_unlock(shard);
      }
    } else if (thread == 2 || lock.try_x_lock(kExploredSite)) {
      if (thread == 2) lock.x_lock(kExploredSite);
      pair.write();
      lock.x_unlock();
    }
  }
  void check() override { require(lock.is_free(), "every shard is free in the end"); }

  LatchEnvironment environment{4};
  ShardedRwLock lock{environment, 2};
  Pair pair;
};

enum class ShardedFault { order_of_its_own, forgets_a_shard };

template <ShardedFault fault>
struct ShardedTwinWorld final : tests::Scenario {
  ShardedTwinWorld() { environment.spin = {1, 0, 0}; }
  uint32_t threads() const override { return 3; }
  void run(uint32_t thread) override NO_THREAD_SAFETY_ANALYSIS {
    if (thread == 2) {  // a reader of the last shard
      shards[1].s_lock(kExploredSite);
      pair.read();
      shards[1].s_unlock();
      return;
    }
    const bool descends = fault == ShardedFault::order_of_its_own && thread == 1;
    const bool forgets = fault == ShardedFault::forgets_a_shard;
    shards[descends ? 1 : 0].x_lock(kExploredSite);
    if (!forgets) shards[descends ? 0 : 1].x_lock(kExploredSite);
    pair.write();
    shards[0].x_unlock();
    if (!forgets) shards[1].x_unlock();
  }

  LatchEnvironment environment{3};
  RwLock shards[2]{RwLock(environment), RwLock(environment)};
  Pair pair;
};

TEST(Schedules, ShardedRwLock) {
  expect_holds("ShardedRwLock", scenario<ShardedRwLockWorld>());
}
TEST(BrokenTwin, ShardedRwLockWhoseWritersHaveAnOrderOfTheirOwn) {
  expect_found("ShardedRwLock, another order", kStuck,
               scenario<ShardedTwinWorld<ShardedFault::order_of_its_own>>());
}
TEST(BrokenTwin, ShardedRwLockWhoseWriterForgetsAShard) {
  expect_found("ShardedRwLock, forgotten shard", "as one writer left them",
               scenario<ShardedTwinWorld<ShardedFault::forgets_a_shard>>());
}

// --- CountingSemaphore --------------------------------------------------------------------------

enum class SemaphoreFault {
  none,
  looks_for_waiters_first,
  takes_without_comparing,
  sleeps_without_comparing
};

template <SemaphoreFault fault>
class SemaphoreTwin {
 public:
  explicit SemaphoreTwin(uint32_t units) : line_(units) {}

  template <class BeforeSleep>
  void acquire(const telemetry::LatchSite& /*site*/, BeforeSleep /*before_sleep*/) {
    while (!try_acquire()) {
      line_.waiters.fetch_add(1);
      if (fault == SemaphoreFault::sleeps_without_comparing) {
        futex_wait(line_.turns, line_.turns.load());
      } else {
        futex_wait(line_.count, 0);
      }
      line_.waiters.fetch_sub(1);
    }
  }
  void release() {
    const bool early = fault == SemaphoreFault::looks_for_waiters_first && line_.waiters.load() != 0;
    line_.count.fetch_add(1);
    const bool wakes = fault == SemaphoreFault::looks_for_waiters_first ? early : line_.waiters.load() != 0;
    if (!wakes) return;
    if (fault == SemaphoreFault::sleeps_without_comparing) {
      line_.turns.fetch_add(1);
      futex_wake(line_.turns, 1);
    } else {
      futex_wake(line_.count, 1);
    }
  }
  uint32_t units() const { return line_.count.load(); }
  uint32_t waiters() const { return line_.waiters.load(); }

 private:
  bool try_acquire() {
    uint32_t units = line_.count.load();
    if (fault == SemaphoreFault::takes_without_comparing) {
      if (units > 0) line_.count.fetch_sub(1);
      return units > 0;
    }
    while (units > 0) {
      if (line_.count.compare_exchange(units, units - 1)) return true;
    }
    return false;
  }

  struct alignas(64) WordLine : platform::CacheLine {
    explicit WordLine(uint32_t units) : count(*this, units) {}
    platform::Atomic<uint32_t> count;
    platform::Atomic<uint32_t> waiters{*this, 0};
    platform::Atomic<uint32_t> turns{*this, 0};
  };
  WordLine line_;
};

template <class Semaphore>
struct SemaphoreWorld final : tests::Scenario {
  uint32_t threads() const override { return 3; }
  void run(uint32_t /*thread*/) override {
    for (int round = 0; round < 2; ++round) {
      semaphore.acquire(kExploredSite, [](uint32_t) {});
      room.visit_alone();
      semaphore.release();
    }
  }
  void check() override {
    require(semaphore.units() == 1 && semaphore.waiters() == 0, "every unit is released and no thread waits");
  }

  Semaphore semaphore{1};
  Room room;
};

TEST(Schedules, CountingSemaphore) {
  expect_holds("CountingSemaphore", scenario<SemaphoreWorld<CountingSemaphore>>());
}
TEST(Schedules, TheSemaphoreTwinWithoutAFault) {
  expect_holds("CountingSemaphore, twin", scenario<SemaphoreWorld<SemaphoreTwin<SemaphoreFault::none>>>());
}
TEST(BrokenTwin, CountingSemaphoreThatLooksForWaitersFirst) {
  expect_found("CountingSemaphore, looks for waiters first", kStuck,
               scenario<SemaphoreWorld<SemaphoreTwin<SemaphoreFault::looks_for_waiters_first>>>());
}
TEST(BrokenTwin, CountingSemaphoreThatTakesWithoutComparing) {
  expect_found("CountingSemaphore, takes without comparing", kNotAlone,
               scenario<SemaphoreWorld<SemaphoreTwin<SemaphoreFault::takes_without_comparing>>>());
}
TEST(BrokenTwin, CountingSemaphoreWhoseWaiterSleepsWithoutComparing) {
  expect_found("CountingSemaphore, sleeps without comparing", kStuck,
               scenario<SemaphoreWorld<SemaphoreTwin<SemaphoreFault::sleeps_without_comparing>>>());
}

}  // namespace
}  // namespace latchscope::latch
