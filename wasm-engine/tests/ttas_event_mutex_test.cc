#include "latch/ttas_event_mutex.h"

#include <gtest/gtest.h>

#include "tests/test_threads.h"

namespace latchscope::latch {
namespace {

const telemetry::LatchSite kMutexSite("test mutex", "ttas_event_mutex_test");

constexpr uint32_t kThreads = 8;

struct MutexParameters {
  const char* name;
  SpinSettings spin;
};

class TTASEventMutexStress : public testing::TestWithParam<MutexParameters> {};

TEST_P(TTASEventMutexStress, KeepsAPlainCounterExactAndCountsEachAcquisition) {
  telemetry::reset();
  LatchEnvironment environment(kThreads + 1);
  environment.spin = GetParam().spin;
  TTASEventMutex mutex(environment);
  uint64_t plain = 0;
  const uint32_t rounds = tests::stress_rounds(20'000);
  tests::run_threads(kThreads, [&](uint32_t) {
    for (uint32_t i = 0; i < rounds; ++i) {
      MutexGuard guard(mutex, kMutexSite);
      ++plain;
      if (i % 512 == 0) platform::yield();  // lets other threads contend for the mutex
    }
  });
  EXPECT_EQ(plain, uint64_t{kThreads} * rounds);
  EXPECT_FALSE(mutex.is_locked());
  const telemetry::LatchSiteSum total = telemetry::latch_site_total(kMutexSite.id);
  EXPECT_EQ(total.acquisitions, uint64_t{kThreads} * rounds);
  EXPECT_GE(total.acquisitions, total.contended);
}

INSTANTIATE_TEST_SUITE_P(SpinSettings, TTASEventMutexStress,
                         testing::Values(MutexParameters{"InnoDB80", {}},
                                         MutexParameters{"InnoDB56GlobalGenerator",
                                                         {30, 6, 50, SpinDelayGenerator::global}},
                                         MutexParameters{"SleepAtOnce", {1, 0, 0}}),
                         [](const auto& parameters) { return std::string(parameters.param.name); });

TEST(TTASEventMutex, ASleeperIsWokenByTheExit) {
  telemetry::reset();
  LatchEnvironment environment(4);
  environment.spin = {1, 0, 0};
  TTASEventMutex mutex(environment);
  struct alignas(64) Line : platform::CacheLine {
    platform::Atomic<uint32_t> held{*this, 0};
  };
  Line line;
  tests::run_threads(2, [&](uint32_t ordinal) {
    if (ordinal == 0) {
      MutexGuard guard(mutex, kMutexSite);
      line.held.store(1);
      while (telemetry::latch_site_total(kMutexSite.id).waits == 0)
        platform::yield();
    } else {
      while (line.held.load() == 0)
        platform::yield();
      MutexGuard guard(mutex, kMutexSite);
    }
  });
  EXPECT_FALSE(mutex.is_locked());
}

TEST(TTASEventMutex, TryEnterFailsWhileHeld) {
  LatchEnvironment environment(2);
  TTASEventMutex mutex(environment);
  mutex.enter(kMutexSite);
  tests::run_threads(1,
                     [&](uint32_t) NO_THREAD_SAFETY_ANALYSIS { EXPECT_FALSE(mutex.try_enter(kMutexSite)); });
  mutex.exit();
}

TEST(ShardedMutex, ShardsAreIndependent) {
  LatchEnvironment environment(2);
  ShardedMutex mutexes(environment, 4);
  MutexGuard guard(mutexes.shard(1), kMutexSite);
  EXPECT_FALSE(mutexes.shard(0).is_locked());
  EXPECT_TRUE(mutexes.shard(1).is_locked());
}

}  // namespace
}  // namespace latchscope::latch
