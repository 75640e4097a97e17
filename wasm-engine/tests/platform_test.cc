#include "platform/platform.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/test_threads.h"
#include "tests/two_word_line.h"

namespace latchscope::platform {
namespace {

using tests::TwoWordLine;

TEST(Platform, FutexWaitReturnsAtOnceWhenTheWordDiffers) {
  TwoWordLine line;
  line.word.store(7);
  EXPECT_TRUE(futex_wait(line.word, 6));
}

TEST(Platform, FutexWaitSaysWhenTheTimeoutEndedIt) {
  TwoWordLine line;
  EXPECT_FALSE(futex_wait(line.word, 0, /*timeout_ns=*/1'000'000));
}

TEST(Platform, FutexWakeEndsAWait) {
  TwoWordLine line;
  tests::run_threads(2, [&](uint32_t ordinal) {
    if (ordinal == 0) {
      while (line.word.load() == 0)
        futex_wait(line.word, 0);
    } else {
      line.word.store(1);
      futex_wake(line.word, kWakeAll);
    }
  });
  EXPECT_EQ(line.word.load(), 1u);
}

// Only threads of a server spin on the virtual platform.
TEST(Platform, SpinUntilCountsItsRounds) {
  tests::run_threads(1, [](uint32_t) {
    TwoWordLine line;
    Random generator(1);
    const SpinPolicy policy{5, 6, 1, &generator, nullptr};
    const auto is_one = [](uint32_t word) { return word == 1; };
    const SpinOutcome never = spin_until(line.word, is_one, policy);
    EXPECT_FALSE(never.satisfied);
    EXPECT_EQ(never.rounds, 5u);

    line.word.store(1);
    const SpinOutcome at_once = spin_until(line.word, is_one, policy);
    EXPECT_TRUE(at_once.satisfied);
    EXPECT_EQ(at_once.rounds, 1u);
  });
}

// The time depends on the machine. The test only requires that it is noticeable CPU time.
TEST(Platform, ChargeSpendsCpuTime) {
  tests::run_threads(1, [](uint32_t) {
    charge(1'000);  // on real threads the first call measures the core speed
    const uint64_t began_ns = now_ns();
    charge(20'000'000);
    EXPECT_GE(now_ns() - began_ns, 10'000'000u);
  });
}

TEST(Platform, SpinningIsCpuTimeAndSleepingIsNot) {
  tests::run_threads(1, [](uint32_t) {
    constexpr uint64_t kSleepNs = 20'000'000;
    const uint64_t began_ns = thread_cpu_ns();
    sleep_ns(kSleepNs);
    const uint64_t woke_ns = thread_cpu_ns();
    EXPECT_LT(woke_ns - began_ns, kSleepNs);
    pause(100'000);
    EXPECT_GT(thread_cpu_ns() - woke_ns, 100'000u) << "a PAUSE takes a nanosecond at least";
  });
}

TEST(Platform, SpinDelaysAreDrawnFromTheSharedGeneratorIfThereIsOne) {
  tests::run_threads(1, [](uint32_t) {
    TwoWordLine line;
    Random generator(1);
    Random untouched(1);
    const SpinPolicy policy{3, 6, 1, &generator, &line.other};
    spin_until(line.word, [](uint32_t word) { return word == 1; }, policy);
    uint32_t expected = 0;
    for (int draw = 0; draw < 3; ++draw)
      expected = next_of_shared_generator(expected);
    EXPECT_EQ(line.other.load(), expected);
    EXPECT_EQ(generator.next(), untouched.next());
  });
}

TEST(Platform, ScaledNumbersReachBothEnds) {
  EXPECT_EQ(scale_to(0, 6), 0u);
  EXPECT_EQ(scale_to(~0u, 6), 6u);
}

TEST(Platform, RandomIsTheSameForTheSameSeedAndStream) {
  Random first(42, 3);
  Random again(42, 3);
  Random other_stream(42, 4);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const uint32_t value = first.next();
    EXPECT_EQ(value, again.next());
    differs |= value != other_stream.next();
  }
  EXPECT_TRUE(differs);
}

// The first numbers of seed 1. A change of the generator would change every run, so this test
// detects it.
TEST(Platform, RandomNumbersAreFixed) {
  Random random(1, 0);
  std::vector<uint32_t> numbers;
  for (int i = 0; i < 3; ++i)
    numbers.push_back(random.next());
  EXPECT_EQ(numbers, (std::vector<uint32_t>{2521879646u, 463744408u, 3802058408u}));
}

TEST(Platform, RandomStaysInRangeAndReachesBothEnds) {
  Random random(7);
  bool low_seen = false;
  bool high_seen = false;
  for (int i = 0; i < 1000; ++i) {
    const uint32_t value = random.between(3, 9);
    ASSERT_GE(value, 3u);
    ASSERT_LE(value, 9u);
    low_seen |= value == 3;
    high_seen |= value == 9;
  }
  EXPECT_TRUE(low_seen);
  EXPECT_TRUE(high_seen);
}

TEST(Platform, IoTakesAtLeastLatencyAndTransfer) {
  Device device({"test", /*latency_ns=*/2'000'000, /*bytes_per_us=*/1, /*channels=*/1});
  const uint64_t began_ns = now_ns();
  io(device, 1000);  // 2 ms + 1000 us
  io(device, 1000);
  EXPECT_GE(now_ns() - began_ns, 6'000'000u);
}

TEST(Platform, IoOnRamCostsNoWait) {
  Device device(kRamDevice);
  for (int i = 0; i < 1000; ++i)
    io(device, 16384);
  SUCCEED();
}

TEST(PlatformDeathTest, AFailedAssertionNamesThePromise) {
  EXPECT_DEATH(LATCHSCOPE_ASSERT(1 == 2, "numbers keep their values"), "numbers keep their values.*1 == 2");
}

}  // namespace
}  // namespace latchscope::platform
