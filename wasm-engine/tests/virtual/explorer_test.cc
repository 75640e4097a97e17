// Tests the explorer itself (explorer.h) and its schedules.
#include "tests/virtual/explorer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "latch/os_event.h"
#include "platform/virtual/schedule.h"
#include "tests/test_threads.h"

namespace latchscope::tests {
namespace {

using platform::Candidate;

struct alignas(64) Line : platform::CacheLine {
  platform::Atomic<uint32_t> word{*this, 0};
};

// Two threads that add 1 in two steps each.
struct LostUpdate final : Scenario {
  uint32_t threads() const override { return 2; }
  void run(uint32_t /*thread*/) override { line.word.store(line.word.load() + 1); }
  void check() override { require(line.word.load() == 2, "both additions count"); }
  Line line;
};

struct EndlessLoop final : Scenario {
  uint32_t threads() const override { return 1; }
  void run(uint32_t /*thread*/) override {
    while (line.word.load() == 0)
      platform::yield();
  }
  Line line;
};

// Waits for an event that is never set: only the timeout ends the wait.
struct NeedsItsTimeout final : Scenario {
  uint32_t threads() const override { return 1; }
  void run(uint32_t /*thread*/) override { require(!event.wait(1, /*timeout_ns=*/1'000), "timed out"); }
  latch::OsEvent event;
};

struct FailsAnAssertion final : Scenario {
  uint32_t threads() const override { return 2; }
  void run(uint32_t thread) override {
    line.word.fetch_add(1);
    LATCHSCOPE_ASSERT(thread == 0 || line.word.load() == 1, "thread 2 is first");
  }
  Line line;
};

// Reaches every order in which two threads can take two steps each.
struct Orders final : Scenario {
  explicit Orders(std::set<std::string>& orders_seen) : seen(orders_seen) {}
  uint32_t threads() const override { return 2; }
  void run(uint32_t thread) override {
    for (int step = 0; step < 2; ++step) {
      line.word.load();
      order += static_cast<char>('1' + thread);
    }
  }
  void check() override { seen.insert(order); }
  std::set<std::string>& seen;
  std::string order;
  Line line;
};

TEST(Explorer, FindsALostUpdateAndReplaysIt) {
  const Exploration found = explore(scenario<LostUpdate>(), kSchedules, Timeouts::end_waits);
  EXPECT_EQ(found.failure, "both additions count");
  EXPECT_LT(found.schedules, 100u);
  const Exploration again = replay(scenario<LostUpdate>(), found.schedule, Timeouts::end_waits);
  EXPECT_EQ(again.failure, found.failure);
  EXPECT_EQ(again.schedule, found.schedule);
}

TEST(Explorer, ReplaysExactlyWhatTheTextSays) {
  // Each thread starts, loads and stores. Thread 1 runs first, or both load before either stores.
  EXPECT_EQ(replay(scenario<LostUpdate>(), "1x3 2x4", Timeouts::end_waits).failure, "");
  EXPECT_EQ(replay(scenario<LostUpdate>(), "1x2 2x3 1x2", Timeouts::end_waits).failure,
            "both additions count");
}

TEST(Explorer, ATextThatDoesNotFitSaysSo) {
  for (const char* text : {"", "3x7", "1x9 2x9", "1 x2", "first 1, then 2"}) {
    const Exploration replayed = replay(scenario<LostUpdate>(), text, Timeouts::end_waits);
    EXPECT_NE(replayed.failure.find("does not fit"), std::string::npos) << text;
  }
}

TEST(Explorer, TheEnvironmentChoosesOneScheduleOfOneScenario) {
  setenv("LATCHSCOPE_SCHEDULE", "lost update: 1x3 2x4", 1);
  expect_holds("lost update", scenario<LostUpdate>());
  expect_found("another scenario", "both additions count", scenario<LostUpdate>());
  setenv("LATCHSCOPE_SCHEDULE", "lost update: 1x2 2x3 1x2", 1);
  expect_found("lost update", "both additions count", scenario<LostUpdate>());
  unsetenv("LATCHSCOPE_SCHEDULE");
}

TEST(Explorer, TheSameSchedulesAreExploredEachTime) {
  const Exploration first = explore(scenario<LostUpdate>(), 1'000, Timeouts::end_waits);
  const Exploration second = explore(scenario<LostUpdate>(), 1'000, Timeouts::end_waits);
  EXPECT_EQ(first.schedules, second.schedules);
  EXPECT_EQ(first.steps, second.steps);
  EXPECT_EQ(first.schedule, second.schedule);
}

TEST(Explorer, NoEndIsAFailure) {
  const Exploration found = explore(scenario<EndlessLoop>(), 1, Timeouts::end_waits);
  EXPECT_NE(found.failure.find(kNoEnd), std::string::npos) << found.failure;
  EXPECT_EQ(found.steps, kStepsMax);
}

TEST(Explorer, ANeededTimeoutShowsWhereTimeoutsNeverEndAWait) {
  EXPECT_EQ(explore(scenario<NeedsItsTimeout>(), 10, Timeouts::end_waits).failure, "");
  const Exploration found = explore(scenario<NeedsItsTimeout>(), 10, Timeouts::never);
  EXPECT_NE(found.failure.find(kStuck), std::string::npos) << found.failure;
  EXPECT_NE(found.failure.find("thread 1 in os_event_wait_low"), std::string::npos) << found.failure;
}

TEST(Explorer, AnAssertionOfTheEngineIsAFailureLikeAnyOther) {
  const Exploration found = explore(scenario<FailsAnAssertion>(), 100, Timeouts::end_waits);
  EXPECT_NE(found.failure.find("thread 2 is first"), std::string::npos) << found.failure;
}

TEST(Explorer, ReachesEveryOrderOfAFewSteps) {
  std::set<std::string> orders;
  const auto build = [&orders] { return std::make_unique<Orders>(orders); };
  EXPECT_EQ(explore(build, 1'000, Timeouts::end_waits).failure, "");
  EXPECT_EQ(orders, (std::set<std::string>{"1122", "1212", "1221", "2112", "2121", "2211"}));
}

TEST(Explorer, AfterwardsTheClockRulesAgain) {
  EXPECT_NE(explore(scenario<LostUpdate>(), 1'000, Timeouts::end_waits).failure, "");
  Line line;
  run_threads(4, [&](uint32_t thread) {
    platform::sleep_ns(1'000'000 * (4 - thread));
    EXPECT_EQ(line.word.fetch_add(1), 3 - thread) << "the longest sleeper is last";
  });
}

// A PCT schedule runs the thread with the highest priority until its priority drops.
TEST(PctSchedule, SwitchesOnlyWhereAThreadFallsBackOrWaits) {
  const Candidate both[] = {{1, Candidate::Kind::step}, {2, Candidate::Kind::step}};
  for (uint64_t seed = 0; seed < 100; ++seed) {
    platform::PctSchedule schedule(seed, /*depth=*/2, /*length=*/50);
    for (int step = 0; step < 100; ++step)
      schedule.choose(both);
    const std::string text = schedule.text();
    EXPECT_LE(std::count(text.begin(), text.end(), ' '), 1) << text;
  }
}

TEST(RandomSchedule, LeavesATimerForLaterMostly) {
  const Candidate candidates[] = {{1, Candidate::Kind::timer}, {2, Candidate::Kind::step}};
  platform::RandomSchedule schedule(1, /*run_length=*/1);
  int timers = 0;
  for (int step = 0; step < 10'000; ++step)
    timers += schedule.choose(candidates) == 0;
  EXPECT_GT(timers, 300);
  EXPECT_LT(timers, 1'000);
}

}  // namespace
}  // namespace latchscope::tests
