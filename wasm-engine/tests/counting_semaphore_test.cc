#include "latch/counting_semaphore.h"

#include <gtest/gtest.h>

#include "latch/sys_mutex.h"
#include "tests/test_threads.h"

namespace latchscope::latch {
namespace {

const telemetry::LatchSite kUnits("test_units", "counting_semaphore_test");
const telemetry::LatchSite kMutex("test_sys_mutex", "counting_semaphore_test");

TEST(CountingSemaphore, UnitsAreTakenUntilNoneIsLeft) {
  CountingSemaphore semaphore(2);
  EXPECT_TRUE(semaphore.try_acquire());
  EXPECT_TRUE(semaphore.try_acquire());
  EXPECT_FALSE(semaphore.try_acquire());
  semaphore.release();
  EXPECT_EQ(semaphore.units(), 1u);
  EXPECT_TRUE(semaphore.try_acquire());
}

TEST(CountingSemaphore, TheCallbackRunsWheneverTheCountIsZero) {
  CountingSemaphore semaphore(0);
  uint32_t calls = 0;
  semaphore.acquire(kUnits, [&](uint32_t attempt) {
    EXPECT_EQ(attempt, calls);
    ++calls;
    semaphore.release();  // so that it does not sleep
  });
  EXPECT_EQ(calls, 1u);
  EXPECT_EQ(semaphore.units(), 0u);
}

// There are never more holders than units. A lost wake-up would hang.
TEST(CountingSemaphore, NeverMoreHoldersThanUnitsAndNoLostWakeUp) {
  for (uint32_t units : {1u, 3u}) {
    CountingSemaphore semaphore(units);
    struct alignas(64) Line : platform::CacheLine {
      platform::Atomic<uint32_t> holders{*this, 0};
      platform::Atomic<uint32_t> too_many{*this, 0};
    };
    Line line;
    const uint32_t rounds = tests::stress_rounds(5'000);
    tests::run_threads(8, [&](uint32_t ordinal) {
      for (uint32_t i = 0; i < rounds; ++i) {
        semaphore.acquire(kUnits, [](uint32_t) {});
        if (line.holders.fetch_add(1) >= units) line.too_many.fetch_add(1);
        if ((i + ordinal) % 16 == 0) platform::yield();
        line.holders.fetch_sub(1);
        semaphore.release();
      }
    });
    EXPECT_EQ(line.too_many.load(), 0u);
    EXPECT_EQ(semaphore.units(), units);
    EXPECT_EQ(semaphore.waiters(), 0u);
  }
}

TEST(SysMutex, KeepsAPlainCounterExactAndCountsItsAcquisitions) {
  telemetry::reset();
  SysMutex mutex;
  uint64_t plain = 0;
  const uint32_t rounds = tests::stress_rounds(20'000);
  tests::run_threads(8, [&](uint32_t) {
    for (uint32_t i = 0; i < rounds; ++i) {
      SysMutexGuard guard(mutex, kMutex);
      ++plain;
    }
  });
  EXPECT_EQ(plain, uint64_t{8} * rounds);
  const telemetry::LatchSiteSum sum = telemetry::latch_site_total(kMutex.id);
  EXPECT_EQ(sum.acquisitions, uint64_t{8} * rounds);
  EXPECT_EQ(sum.spin_rounds, 0u) << "a SysMutex does not spin";
}

TEST(SysMutex, AThreadThatDoesNotGetItWaits) {
  telemetry::reset();
  SysMutex mutex;
  tests::run_threads(2, [&](uint32_t ordinal) NO_THREAD_SAFETY_ANALYSIS {
    if (ordinal == 0) {
      mutex.enter(kMutex);
      while (telemetry::latch_site_total(kMutex.id).waits == 0) {
        // the other thread was first
        if (telemetry::latch_site_total(kMutex.id).acquisitions == 2) break;
        platform::yield();
      }
      mutex.exit();
    } else {
      while (telemetry::latch_site_total(kMutex.id).acquisitions == 0)
        platform::yield();
      mutex.enter(kMutex);
      mutex.exit();
    }
  });
  const telemetry::LatchSiteSum sum = telemetry::latch_site_total(kMutex.id);
  EXPECT_EQ(sum.acquisitions, 2u);
  EXPECT_EQ(sum.contended, 1u);
  EXPECT_GE(sum.waits, 1u);
}

}  // namespace
}  // namespace latchscope::latch
