#include "latch/os_event.h"

#include <gtest/gtest.h>

#include "tests/test_threads.h"

namespace latchscope::latch {
namespace {

TEST(OsMutex, KeepsAPlainCounterExact) {
  OsMutex mutex;
  uint64_t plain = 0;
  const uint32_t rounds = tests::stress_rounds(50'000);
  tests::run_threads(8, [&](uint32_t) {
    for (uint32_t i = 0; i < rounds; ++i) {
      OsMutexGuard guard(mutex);
      ++plain;
    }
  });
  EXPECT_EQ(plain, uint64_t{8} * rounds);
}

TEST(OsMutex, TryLockFailsWhileLocked) {
  OsMutex mutex;
  mutex.lock();
  tests::run_threads(1, [&](uint32_t) NO_THREAD_SAFETY_ANALYSIS { EXPECT_FALSE(mutex.try_lock()); });
  mutex.unlock();
}

TEST(OsEvent, AWaiterWithAnOldSignalCountDoesNotSleep) {
  OsEvent event;
  const uint64_t count = event.reset();
  event.set();
  event.reset();  // another thread resets the event before this one waits
  EXPECT_TRUE(event.wait(count));
}

TEST(OsEvent, AWaitWithATimeoutEnds) {
  OsEvent event;
  EXPECT_FALSE(event.wait(event.reset(), /*timeout_ns=*/2'000'000));
}

TEST(OsEvent, SettingASetEventChangesNothing) {
  OsEvent event;
  event.set();
  const uint64_t count = event.reset();
  event.set();
  event.set();
  EXPECT_EQ(event.reset(), count + 1);
}

TEST(OsEvent, SetWakesEverySleeper) {
  OsEvent event;
  const uint64_t count = event.reset();
  tests::run_threads(8, [&](uint32_t ordinal) {
    if (ordinal == 0) {
      event.set();
    } else {
      EXPECT_TRUE(event.wait(count));
    }
  });
}

// Producer and consumer pass a number back and forth by reset, check and wait. A lost signal would
// hang.
TEST(OsEvent, NoSignalIsLostBetweenResetAndWait) {
  struct alignas(64) Line : platform::CacheLine {
    platform::Atomic<uint32_t> number{*this, 0};
  };
  Line line;
  OsEvent event;
  const uint32_t rounds = tests::stress_rounds(20'000);
  tests::run_threads(2, [&](uint32_t ordinal) {
    for (uint32_t i = 0; i < rounds; ++i) {
      const uint32_t mine = 2 * i + ordinal;
      for (;;) {
        const uint64_t count = event.reset();
        if (line.number.load() == mine) break;
        event.wait(count);
      }
      line.number.store(mine + 1);
      event.set();
    }
  });
  EXPECT_EQ(line.number.load(), 2 * rounds);
}

}  // namespace
}  // namespace latchscope::latch
