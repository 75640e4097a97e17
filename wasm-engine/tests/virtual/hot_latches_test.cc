// Which latches the engine chooses to watch, and when.
#include "telemetry/hot_latches.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "latch/mysql_mutex.h"
#include "run/engine.h"
#include "run/json.h"
#include "telemetry/telemetry.h"
#include "tests/scenario_run.h"
#include "tests/test_threads.h"

namespace latchscope::telemetry {
namespace {

// The tests have few latch sites left, so this one is shared with latch_trace_test.cc.
const LatchSite kHotSite("traced latch", "traced_function");

constexpr uint64_t kFirstChoiceNs = 1'000'000;  // then after 2, 4, 8 and 16 ms, and every 16 ms
constexpr uint64_t kIntervalNs = 64 * kFirstChoiceNs;

class HotLatches : public testing::Test {
 protected:
  using Numbers = std::vector<uint32_t>;

  void SetUp() override {
    platform::begin_run({.sockets = 1,
                         .cores_per_socket = 8,
                         .load_hit_ps = 1'000,
                         .local_rmw_ps = 8'000,
                         .same_socket_transfer_ps = 40'000,
                         .shared_load_ps = 22'000,
                         .system_call_ps = 100'000,
                         .wake_one_ps = 1'000'000,
                         .wake_latency_ps = 5'000'000});
    reset();
    last_before_ = latch_numbers_given();
  }
  void TearDown() override {
    end_hot_latches();
    watch_hottest(0);
    watch_latches({});
  }

  void watch(uint32_t latches) {
    watch_hottest(latches);
    reset_hot_latches();
    begin_hot_latches(last_before_, kIntervalNs);
  }

  // Returns the watched latches, numbered from 1 in the order in which they were built.
  Numbers watched() const {
    Numbers numbers;
    for (uint32_t place = 0; place < kWatchedLatchesMax && watched_latches()[place].latch != 0; ++place)
      numbers.push_back(watched_latches()[place].latch - last_before_);
    return numbers;
  }

  // A thread waits at each of these mutexes in turn, for about the given time.
  static void wait_at(const std::vector<std::pair<latch::MysqlMutex*, uint64_t>>& waits) {
    for (const auto& [mutex, wait_ns] : waits) {
      tests::run_threads(2, [&](uint32_t thread) {
        if (thread == 1) platform::charge(1'000);
        mutex->lock(kHotSite);
        if (thread == 0) platform::charge(wait_ns);
        mutex->unlock();
      });
    }
  }

  static void pass(uint64_t ns) {
    tests::run_threads(1, [&](uint32_t) { platform::charge(ns); });
  }

  uint32_t last_before_ = 0;
};

TEST_F(HotLatches, AreWatchedAsSoonAsAThreadHasWaitedForThemWhilePlacesAreFree) {
  std::vector<latch::MysqlMutex> mutexes(3);
  watch(2);
  tests::run_threads(1, [&](uint32_t) {
    mutexes[0].lock(kHotSite);
    mutexes[0].unlock();
  });
  EXPECT_EQ(watched(), Numbers{}) << "no thread has waited yet";
  wait_at({{&mutexes[1], 5'000}});
  EXPECT_EQ(watched(), Numbers{2});
  wait_at({{&mutexes[0], 5'000}});
  EXPECT_EQ(watched(), (Numbers{2, 1}));
  EXPECT_GT(watched_latches()[1].since_event, watched_latches()[0].since_event);
}

TEST_F(HotLatches, AreThoseThatCostMostSinceTheLastFixedTime) {
  std::vector<latch::MysqlMutex> mutexes(4);
  watch(2);
  wait_at({{&mutexes[0], 3'000}, {&mutexes[1], 3'000}});
  ASSERT_EQ(watched(), (Numbers{1, 2}));
  wait_at({{&mutexes[2], 10'000}, {&mutexes[0], 100'000}});
  EXPECT_EQ(watched(), (Numbers{1, 2})) << "before the first choice nothing takes their places";
  const uint64_t since_event = watched_latches()[0].since_event;
  pass(kFirstChoiceNs);
  wait_at({{&mutexes[3], 2'000}});
  EXPECT_EQ(watched(), (Numbers{1, 3}));
  EXPECT_EQ(watched_latches()[0].since_event, since_event) << "it stayed watched";
  EXPECT_GT(watched_latches()[1].since_event, since_event);
  // The first three have cost nothing since then.
  pass(kFirstChoiceNs);
  wait_at({{&mutexes[3], 2'000}});
  EXPECT_EQ(watched(), (Numbers{4, 1}));
}

TEST_F(HotLatches, KeepTheirPlacesWhileNothingElseCosts) {
  std::vector<latch::MysqlMutex> mutexes(2);
  watch(2);
  wait_at({{&mutexes[0], 3'000}, {&mutexes[1], 3'000}, {&mutexes[1], 2'000'000}, {&mutexes[1], 3'000}});
  EXPECT_EQ(watched(), (Numbers{1, 2}));
}

TEST_F(HotLatches, AreNoneOfThoseBuiltBeforeTheRun) {
  latch::MysqlMutex older;
  last_before_ = latch_numbers_given();
  latch::MysqlMutex mutex;
  watch(2);
  wait_at({{&older, 5'000}, {&mutex, 5'000}});
  EXPECT_EQ(watched(), Numbers{1});
}

TEST_F(HotLatches, StayWhenTheTimeOfARunIsOverAndAreGoneWhenTheNextOneBegins) {
  std::vector<latch::MysqlMutex> mutexes(2);
  watch(2);
  wait_at({{&mutexes[0], 5'000}});
  end_run();
  wait_at({{&mutexes[1], 5'000}});
  EXPECT_EQ(watched(), Numbers{1});
  reset();
  EXPECT_EQ(watched(), Numbers{});
}

}  // namespace
}  // namespace latchscope::telemetry

namespace latchscope::run {
namespace {

// The result of a run, and the watched latches after every 100 transactions.
struct WatchedRun {
  std::string result;
  std::vector<std::vector<uint32_t>> watched;
};

WatchedRun run_watching(uint32_t latches) {
  telemetry::watch_hottest(latches);
  const uint32_t last_before = telemetry::latch_numbers_given();
  tests::ScenarioRun run("undo-read-117533",
                         R"("platform":"virtual","threads":16,"interval_s":0.001,"parameters":{"rows":1000},)"
                         R"("actions":[{"at_s":0.002,"action":"update_k"}])");
  WatchedRun outcome;
  for (int i = 0; i < 5; ++i) {
    run.run_transactions(100);
    std::vector<uint32_t>& numbers = outcome.watched.emplace_back();
    for (uint32_t place = 0; place < telemetry::kWatchedLatchesMax; ++place) {
      const uint32_t latch = telemetry::watched_latches()[place].latch;
      if (latch != 0) numbers.push_back(latch - last_before);
    }
  }
  run.stop_and_check();
  outcome.result = run.engine.result();
  telemetry::watch_hottest(0);
  telemetry::watch_latches({});
  return outcome;
}

TEST(HotLatchesOfARun, AreTheSameEachTimeAndChangeNothingAboutIt) {
  const WatchedRun first = run_watching(4);
  const WatchedRun second = run_watching(4);
  EXPECT_EQ(first.watched, second.watched);
  for (const std::vector<uint32_t>& numbers : first.watched)
    EXPECT_EQ(numbers.size(), 4u);
  const WatchedRun unwatched = run_watching(0);
  for (const std::vector<uint32_t>& numbers : unwatched.watched)
    EXPECT_TRUE(numbers.empty());
  EXPECT_EQ(first.result, unwatched.result);
  EXPECT_EQ(second.result, unwatched.result);
}

}  // namespace
}  // namespace latchscope::run
