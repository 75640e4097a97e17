// Events recorded for the watched latches, hand-computed. Costs of the server below, in
// nanoseconds:
//    load hit 1, local write 8, the first access to a line 22, transfer 40, PAUSE 24, store 0.5
#include "telemetry/latch_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "latch/latch_class.h"
#include "latch/mysql_mutex.h"
#include "latch/rw_lock.h"
#include "latch/ttas_event_mutex.h"
#include "run/engine.h"
#include "run/json.h"
#include "telemetry/telemetry.h"
#include "tests/scenario_run.h"
#include "tests/test_threads.h"

namespace latchscope::telemetry {
namespace {

using enum LatchEventKind;

const LatchSite kTracedSite("traced latch", "traced_function");

class LatchTrace : public testing::Test {
 protected:
  void SetUp() override {
    platform::begin_run({.sockets = 1,
                         .cores_per_socket = 3,
                         .pause_ps = 24'000,
                         .load_hit_ps = 1'000,
                         .local_rmw_ps = 8'000,
                         .store_ps = 500,
                         .same_socket_transfer_ps = 40'000,
                         .shared_load_ps = 22'000,
                         .residency_ps = 0,
                         .system_call_ps = 100'000,
                         .futex_bucket_hold_ps = 0,
                         .wake_one_ps = 1'000'000,
                         .wake_latency_ps = 5'000'000});
    reset();
  }
  void TearDown() override { watch_latches({}); }

  static void watch(const std::vector<uint32_t>& latches) { watch_latches(latches); }

  static std::vector<LatchEvent> told() { return {latch_events(), latch_events() + latch_events_written()}; }

  // Formats an event as "slot kind at", an access as "slot kind word=value at took from". Times are
  // nanoseconds after the threads began.
  static std::string in_words(const LatchEvent& event) {
    constexpr const char* kKinds[] = {
#define QUOTE_NAME(name, meaning) #name,
        LATCHSCOPE_LATCH_EVENT_KINDS(QUOTE_NAME)
#undef QUOTE_NAME
    };
    constexpr uint64_t kBeganPs = 5'000'000;
    const auto kind = static_cast<LatchEventKind>(event.kind);
    std::string words = std::to_string(event.slot) + " " + kKinds[event.kind];
    if (kind >= load) words += " " + std::to_string(event.word) + "=" + std::to_string(event.value);
    words += " at " + std::to_string((event.at_ps - kBeganPs) / 1'000);
    if (kind < load) return words;
    words += " took " + std::to_string(event.took_ps / 1'000);
    if (event.from_core != platform::kNoCore) words += " from " + std::to_string(event.from_core);
    return words;
  }

  static std::vector<std::string> told_in_words() {
    std::vector<std::string> words;
    for (const LatchEvent& event : told())
      words.push_back(in_words(event));
    return words;
  }
};

// The first thread acquires the mutex and works. The second tries in vain, marks that it waits and
// falls asleep, as does the third.
TEST_F(LatchTrace, OfThreeThreadsOnOneMutex) {
  const uint32_t number = next_latch_number() + 1;
  latch::MysqlMutex mutex;
  watch({number});
  tests::run_threads(3, [&](uint32_t thread) {
    platform::charge(thread * 1'000);
    mutex.lock(kTracedSite);
    if (thread == 0) platform::charge(10'000);
    mutex.unlock();
  });
  const std::vector<std::string> expected = {
      "0 read_modify_write 0=1 at 22 took 22",
      "0 gets at 22",
      "1 failed_compare_exchange 0=1 at 1040 took 40 from 0",
      "1 wants at 1040",
      "1 sleeps at 1040",
      "1 failed_compare_exchange 0=1 at 1048 took 8 from 1",
      "1 read_modify_write 0=2 at 1056 took 8 from 1",
      "2 failed_compare_exchange 0=2 at 2040 took 40 from 1",
      "2 wants at 2040",
      "2 sleeps at 2040",
      "2 failed_compare_exchange 0=2 at 2048 took 8 from 2",
      "2 read_modify_write 0=2 at 2056 took 8 from 2",
      "0 gives_back at 10022",
      "0 read_modify_write 0=0 at 10062 took 40 from 2",
      "1 read_modify_write 0=2 at 16202 took 40 from 0",
      "1 wakes at 16202",
      "1 gets at 16202",
      "1 gives_back at 16202",
      "1 read_modify_write 0=0 at 16210 took 8 from 1",
      "2 read_modify_write 0=2 at 22350 took 40 from 1",
      "2 wakes at 22350",
      "2 gets at 22350",
      "2 gives_back at 22350",
      "2 read_modify_write 0=0 at 22358 took 8 from 2",
  };
  EXPECT_EQ(told_in_words(), expected);
  for (const LatchEvent& event : told()) {
    EXPECT_EQ(event.latch, number);
    if (static_cast<LatchEventKind>(event.kind) < load) continue;
    EXPECT_EQ(event.core, event.slot);
    EXPECT_EQ(event.latch_class, latch::latch_class(latch::LatchClass::OsMutex));
  }
}

TEST_F(LatchTrace, PollsAreToldWithWhatTheySaw) {
  latch::LatchEnvironment environment(4);
  const uint32_t number = next_latch_number() + 1;
  latch::TTASEventMutex mutex(environment);
  watch({number});
  tests::run_threads(2, [&](uint32_t thread) {
    platform::charge(thread * 100);
    mutex.enter(kTracedSite);
    if (thread == 0) platform::charge(300);
    mutex.exit();
  });
  uint32_t polls = 0;
  uint32_t last_seen = 1;
  for (const LatchEvent& event : told()) {
    if (static_cast<LatchEventKind>(event.kind) != poll) continue;
    ++polls;
    EXPECT_EQ(event.slot, 1u);
    EXPECT_EQ(event.word, 0u);
    last_seen = event.value;
  }
  EXPECT_EQ(polls, latch_site_total(kTracedSite.id).spin_rounds);
  EXPECT_EQ(last_seen, 0u);
}

// rw_lock records its reader by stores to separate words.
TEST_F(LatchTrace, StoresAreToldWhenTheyTakeEffectAndByTheirWords) {
  latch::LatchEnvironment environment(4);
  const uint32_t number = next_latch_number() + 1;
  latch::RwLock lock(environment);
  watch({number});
  tests::run_threads(1, [&](uint32_t) NO_THREAD_SAFETY_ANALYSIS {
    lock.x_lock(kTracedSite);
    lock.x_unlock();
  });
  std::vector<std::string> words;
  for (const LatchEvent& event : told()) {
    EXPECT_LT(event.word, 5u);
    EXPECT_EQ(event.latch_class, static_cast<LatchEventKind>(event.kind) < load
                                     ? 0
                                     : latch::latch_class(latch::LatchClass::RwLock));
    if (static_cast<LatchEventKind>(event.kind) == store) words.push_back(in_words(event));
  }
  EXPECT_FALSE(words.empty());
  EXPECT_EQ(words.front().substr(0, 11), "0 store 2=1") << "writer_thread: " << words.front();
}

TEST_F(LatchTrace, IsSilentOfLatchesThatAreNotWatched) {
  latch::MysqlMutex watched;
  const uint32_t number = next_latch_number();
  latch::MysqlMutex other;
  std::vector<latch::MysqlMutex> some(64);  // the number of one of them is equal modulo 64
  const auto take_all = [&] {
    tests::run_threads(1, [&](uint32_t) {
      for (latch::MysqlMutex& mutex : some) {
        mutex.lock(kTracedSite);
        mutex.unlock();
      }
      other.lock(kTracedSite);
      other.unlock();
    });
  };
  watch({number - 1});
  take_all();
  EXPECT_EQ(latch_events_written(), 0u);
  watch({number + 1});
  take_all();
  EXPECT_EQ(latch_events_written(), 4u);
  watch({});
  take_all();
  EXPECT_EQ(latch_events_written(), 4u);
}

}  // namespace
}  // namespace latchscope::telemetry

namespace latchscope::run {
namespace {

// Latches of the engine's run by the order in which they were built, at most as many as can be
// watched.
using Latches = std::vector<uint32_t>;

std::string result_of_run(const Latches& watched, Latches& waited_for) {
  const uint32_t before = telemetry::next_latch_number();
  tests::ScenarioRun run(
      "undo-read-117533",
      R"("platform":"virtual","threads":16,"parameters":{"rows":1000},"actions":[{"at_s":0.002,"action":"update_k"}])");
  Latches numbers;
  for (uint32_t latch : watched)
    numbers.push_back(before + latch);
  telemetry::watch_latches(numbers);
  run.run_transactions(100);
  run.stop_and_check();
  for (uint32_t i = 0;
       i < std::min<uint64_t>(telemetry::lane_segments_written(), telemetry::kLaneSegmentsMax); ++i) {
    const uint32_t latch = telemetry::lane_segments()[i].wait_latch;
    const bool is_new =
        latch != 0 && std::find(waited_for.begin(), waited_for.end(), latch - before) == waited_for.end();
    if (is_new && waited_for.size() < telemetry::kWatchedLatchesMax) waited_for.push_back(latch - before);
  }
  return run.engine.result();
}

TEST(LatchTraceOfARun, ChangesNothingAboutIt) {
  Latches waited_for, again;
  const std::string unwatched = result_of_run({}, waited_for);
  EXPECT_EQ(telemetry::latch_events_written(), 0u);
  ASSERT_FALSE(waited_for.empty());
  const std::string watched = result_of_run(waited_for, again);
  EXPECT_GT(telemetry::latch_events_written(), 1'000u);
  EXPECT_EQ(Json::parse(unwatched)["model"]["event_hash"], Json::parse(watched)["model"]["event_hash"]);
  EXPECT_EQ(unwatched, watched);
  EXPECT_EQ(waited_for, again);
  telemetry::watch_latches({});
}

}  // namespace
}  // namespace latchscope::run
