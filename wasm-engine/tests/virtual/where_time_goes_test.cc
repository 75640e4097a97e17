// Where the time of threads goes on the virtual server, hand-computed to the picosecond. Costs of
// the server below, in nanoseconds:
//    load hit 1, local write 8, the first access to a line 22, transfer 40 within and 140 between
//    sockets
//    system call 100, waking one thread 1,000, wake-up latency 5,000, context switch 2,000
// Each thread begins when its core has switched to it.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "latch/mysql_mutex.h"
#include "latch/ttas_event_mutex.h"
#include "run/engine.h"
#include "run/json.h"
#include "telemetry/lanes.h"
#include "telemetry/telemetry.h"
#include "tests/scenario_run.h"
#include "tests/test_threads.h"
#include "tests/two_word_line.h"

namespace latchscope::telemetry {
namespace {

const LatchSite kTimedSite("timed latch", "timed_function");
constexpr uint64_t kLatencyOfWakeNs = 5'000;

using TimesNs = std::map<ThreadState, double>;

class WhereTimeGoes : public testing::Test {
 protected:
  void begin(uint64_t sockets, uint64_t cores_per_socket, uint64_t time_slice_ps = 3'000'000'000) {
    platform::begin_run({.sockets = sockets,
                         .cores_per_socket = cores_per_socket,
                         .load_hit_ps = 1'000,
                         .local_rmw_ps = 8'000,
                         .same_socket_transfer_ps = 40'000,
                         .cross_socket_transfer_ps = 140'000,
                         .shared_load_ps = 22'000,
                         .system_call_ps = 100'000,
                         .futex_bucket_hold_ps = 0,
                         .wake_one_ps = 1'000'000,
                         .wake_latency_ps = kLatencyOfWakeNs * 1'000,
                         .context_switch_ps = 2'000'000,
                         .time_slice_ps = time_slice_ps,
                         .sleep_slack_ps = 0});
    reset();
  }

  // Excludes the time in which the thread did not exist.
  static TimesNs times_of(uint32_t slot) {
    TimesNs times;
    for (uint32_t state = 1; state < kLaneStates; ++state) {
      const uint64_t time_ps = lane_totals()[slot].state_ps[state];
      if (time_ps > 0) times[static_cast<ThreadState>(state)] = static_cast<double>(time_ps) / 1'000;
    }
    return times;
  }

  static std::vector<LaneSegment> segments_of(uint32_t slot) {
    std::vector<LaneSegment> found;
    for (uint64_t i = 0; i < lane_segments_written(); ++i) {
      const LaneSegment& segment = lane_segments()[i % kLaneSegmentsMax];
      if (segment.slot == slot && segment.state != 0) found.push_back(segment);
    }
    return found;
  }
};

TEST_F(WhereTimeGoes, OfThreeThreadsOnOneMutex) {
  begin(1, 3);
  latch::MysqlMutex mutex;
  tests::run_threads(3, [&](uint32_t thread) {
    platform::charge(thread * 1'000);
    mutex.lock(kTimedSite);
    if (thread == 0) platform::charge(10'000);
    mutex.unlock();
  });
  // The thread fetches the line first, fetches it back from the last thread to try, and wakes the
  // second thread.
  EXPECT_EQ(times_of(0),
            (TimesNs{{ThreadState::running, 8 + 10'000 + 8 + 100 + 1'000}, {ThreadState::stalled, 14 + 32}}));
  // Each thread tries once, marks that it waits, tries twice more and falls asleep. The transfer of
  // the line to the woken thread is part of its wait.
  EXPECT_EQ(times_of(1), (TimesNs{{ThreadState::running, 1'000 + 8 + 8 + 100 + 1'000},
                                  {ThreadState::stalled, 32},
                                  {ThreadState::waiting, 11'162 - 1'040 + 40},
                                  {ThreadState::ready, kLatencyOfWakeNs}}));
  EXPECT_EQ(times_of(2), (TimesNs{{ThreadState::running, 2'000 + 8 + 8 + 100},
                                  {ThreadState::stalled, 32},
                                  {ThreadState::waiting, 17'310 - 2'040 + 40},
                                  {ThreadState::ready, kLatencyOfWakeNs}}));
  const LatchSiteSum sum = latch_site_total(kTimedSite.id);
  EXPECT_EQ(sum.line_stall_ns, 14u + 32 + 2 * (32 + 32));
  EXPECT_EQ(sum.queue_ns, 16'202u - 1'040 + 22'350 - 2'040);
  EXPECT_EQ(sum.cost_ns, sum.queue_ns + 14 + 32 + 2 * 32) << "stalls in the queue count once";
}

TEST_F(WhereTimeGoes, IsDrawnWithTheCoresOnWhichItWent) {
  begin(1, 2);
  latch::MysqlMutex mutex;
  tests::run_threads(2, [&](uint32_t thread) {
    platform::charge(thread * 1'000);
    mutex.lock(kTimedSite);
    if (thread == 0) platform::charge(10'000);
    mutex.unlock();
  });
  const std::vector<LaneSegment> segments = segments_of(1);
  const std::pair<ThreadState, uint16_t> expected[] = {{ThreadState::running, uint16_t{1}},
                                                       {ThreadState::waiting, platform::kNoCore},
                                                       {ThreadState::ready, platform::kNoCore},
                                                       {ThreadState::waiting, uint16_t{1}},
                                                       {ThreadState::running, uint16_t{1}}};
  ASSERT_EQ(segments.size(), std::size(expected));
  for (size_t i = 0; i < segments.size(); ++i) {
    const auto& [state, core] = expected[i];
    EXPECT_EQ(static_cast<ThreadState>(segments[i].state), state) << i;
    EXPECT_EQ(segments[i].core, core) << i;
    EXPECT_EQ(segments[i].wait_site, state == ThreadState::waiting ? kTimedSite.id + 1 : 0) << i;
    if (i > 0) {
      EXPECT_EQ(segments[i].from_ns, segments[i - 1].to_ns) << i;
    }
  }
}

TEST_F(WhereTimeGoes, OnALineFromAnotherSocketIsASegmentOfItsOwn) {
  begin(2, 1);
  tests::TwoWordLine line;
  tests::run_threads(2, [&](uint32_t thread) {
    if (thread == 1) platform::charge(1'000);
    line.word.fetch_add(1);
    platform::charge(500);
  });
  EXPECT_EQ(times_of(0), (TimesNs{{ThreadState::running, 8 + 500}, {ThreadState::stalled, 14}}));
  EXPECT_EQ(segments_of(0).size(), 1u) << "a short stall is in the totals alone";
  EXPECT_EQ(times_of(1), (TimesNs{{ThreadState::running, 1'000 + 8 + 500}, {ThreadState::stalled, 132}}));
  const std::vector<LaneSegment> segments = segments_of(1);
  ASSERT_EQ(segments.size(), 3u);
  EXPECT_EQ(static_cast<ThreadState>(segments[1].state), ThreadState::stalled);
  EXPECT_EQ(segments[1].to_ns - segments[1].from_ns, 132u);
}

TEST_F(WhereTimeGoes, WithoutACoreIsReady) {
  begin(1, 1);
  tests::run_threads(2, [&](uint32_t thread) {
    if (thread == 0) sleep_ns(3'000);
    platform::charge(thread == 0 ? 500 : 10'000);
  });
  // The thread calls the kernel, sleeps, and then finds the core taken by the other thread. That
  // thread got the core 2,000 after the sleep began; switching back takes another 2,000.
  EXPECT_EQ(times_of(0), (TimesNs{{ThreadState::running, 500},
                                  {ThreadState::sleeping, 100 + 3'000},
                                  {ThreadState::ready, 2'000 + 10'000 + 2'000 - 3'000}}));
  EXPECT_EQ(times_of(1), (TimesNs{{ThreadState::running, 10'000}}));
}

TEST_F(WhereTimeGoes, AThreadThatIsPreemptedIsReady) {
  begin(1, 1, /*time_slice_ps=*/4'000'000);
  tests::run_threads(2, [&](uint32_t /*thread*/) { platform::charge(6'000); });
  // 4,000 of the first thread, 4,000 of the second, then the rest of each; a context switch in
  // between.
  EXPECT_EQ(times_of(0),
            (TimesNs{{ThreadState::running, 6'000}, {ThreadState::ready, 2'000 + 4'000 + 2'000}}));
  EXPECT_EQ(times_of(1),
            (TimesNs{{ThreadState::running, 6'000}, {ThreadState::ready, 2'000 + 2'000 + 2'000}}));
}

TEST_F(WhereTimeGoes, AFollowerOfACommitGroupDoesNotWaitForALatch) {
  begin(1, 2);
  latch::MysqlMutex mutex;
  latch::MysqlCond done(ThreadState::following);
  bool is_done = false;
  tests::run_threads(2, [&](uint32_t thread) NO_THREAD_SAFETY_ANALYSIS {
    platform::charge(thread * 10'000);
    mutex.lock(kTimedSite);
    if (thread == 1) {
      is_done = true;
      done.broadcast();
    }
    while (!is_done)
      done.wait(mutex, kTimedSite);
    mutex.unlock();
  });
  TimesNs times = times_of(0);
  EXPECT_GT(times[ThreadState::following], 9'000);
  EXPECT_EQ(times[ThreadState::waiting], 0);
  const LatchSiteSum sum = latch_site_total(kTimedSite.id);
  EXPECT_GT(sum.queue_ns, 9'000u);
  EXPECT_LT(sum.cost_ns, 1'000u) << "no latch is what it costs";
}

// Covers each state of each thread, with more threads than cores.
TEST_F(WhereTimeGoes, AddsUpToTheTimeThatWentByForEachThread) {
  begin(2, 2, /*time_slice_ps=*/7'000'000);
  const uint64_t began_ps = platform::now_ps();
  latch::LatchEnvironment environment(8);
  latch::TTASEventMutex mutex(environment);
  latch::MysqlMutex sleeping_mutex;
  tests::TwoWordLine line;
  constexpr uint32_t kThreads = 7;
  tests::run_threads(kThreads, [&](uint32_t thread) NO_THREAD_SAFETY_ANALYSIS {
    for (uint32_t i = 0; i < 200; ++i) {
      mutex.enter(kTimedSite);
      platform::charge(20 + 37 * (i % 11));
      mutex.exit();
      {
        latch::MysqlMutexGuard guard(sleeping_mutex, kTimedSite);
        platform::charge(300);
      }
      line.word.fetch_add(1);
      line.other.store_release(i);
      platform::charge(100 * (thread + 1));
      if (i % 50 == 0) sleep_ns(1'000);
    }
  });
  StateTimes all{};
  for (uint32_t slot = 0; slot < kThreads; ++slot) {
    const LaneTotals& totals = lane_totals()[slot];
    uint64_t sum_ps = 0;
    for (uint32_t state = 0; state < kLaneStates; ++state) {
      sum_ps += totals.state_ps[state];
      all[state] += totals.state_ps[state];
    }
    EXPECT_EQ(sum_ps, totals.since_ps - began_ps) << slot;
  }
  for (ThreadState state : {ThreadState::running, ThreadState::stalled, ThreadState::spinning,
                            ThreadState::waiting, ThreadState::ready, ThreadState::sleeping})
    EXPECT_GT(all[static_cast<size_t>(state)], 0u) << static_cast<int>(state);
  const StateTimes of_clients = state_times_of(ThreadKind::client);
  for (uint32_t state = 1; state < kLaneStates; ++state)
    EXPECT_EQ(of_clients[state], all[state]) << state;
}

// Reads the totals in the middle of a stall that was reported when it began.
TEST_F(WhereTimeGoes, IsRightInTheMiddleOfAStall) {
  begin(2, 1);
  tests::TwoWordLine line;
  platform::Thread onlooker = platform::Thread::beside_the_server([] {
    platform::sleep_ns(kLatencyOfWakeNs + 1'000 + 50);
    const StateTimes times = state_times_of(ThreadKind::client);
    EXPECT_EQ(times[static_cast<size_t>(ThreadState::stalled)], (14u + 50) * 1'000);
    EXPECT_EQ(times[static_cast<size_t>(ThreadState::running)], (8u + 1'000) * 1'000);
  });
  tests::run_threads(2, [&](uint32_t thread) {
    if (thread == 1) platform::charge(1'000);
    line.word.fetch_add(1);
  });
  onlooker.join();
}

}  // namespace
}  // namespace latchscope::telemetry

namespace latchscope::run {
namespace {

Json run_undo_reads(const std::string& design) {
  const auto total = tests::total;
  tests::ScenarioRun run(
      "undo-read-117533",
      R"("platform":"virtual","threads":32,"parameters":{"rows":1000},"design":")" + design + "\"");
  run.run_transactions(20);
  EXPECT_EQ(run.fire("update_k"), "");
  run.run_until([&] { return total(telemetry::Counter::queries_write) > 0; });
  run.run_transactions(200);
  run.stop_and_check();
  return Json::parse(run.engine.result());
}

std::string costliest_latch(const Json& result) {
  std::map<std::string, uint64_t> costs;
  for (const Json& site : result["latches"])
    costs[site["latch"]] += site["cost_ns"].get<uint64_t>();
  const auto most = std::max_element(costs.begin(), costs.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most->first;
}

TEST(WhereTimeGoesInUndoReads, TheMutexIsPolledAndWhatIsLeftWithoutItIsALine) {
  const Json original = run_undo_reads("original");
  EXPECT_GT(original["cpu"]["spinning"], original["cpu"]["stalled"]);
  EXPECT_EQ(costliest_latch(original), "Fil_shard::m_mutex");
  const Json healed = run_undo_reads("page_size_cached");
  EXPECT_GT(healed["cpu"]["stalled"].get<double>(), 2 * healed["cpu"]["running"].get<double>());
  EXPECT_GT(healed["cpu"]["stalled"].get<double>(), 2 * healed["cpu"]["spinning"].get<double>());
  EXPECT_EQ(costliest_latch(healed), "purge_sys->latch") << "which is rarely contended";
}

}  // namespace
}  // namespace latchscope::run
