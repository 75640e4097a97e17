// What-if runs. Hand-computed cases on the server below, in nanoseconds:
//    load hit 1, local write 8, the first access to a line 22, transfer 40, PAUSE 24
//    system call 100, waking one thread 1,000, wake-up latency 5,000
// Whole runs: without a what-if nothing changes, a cost in percent equals the scaled cost, and
// invariants hold under every what-if.
#include "telemetry/what_if.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "latch/latch_environment.h"
#include "latch/mysql_mutex.h"
#include "latch/rw_lock.h"
#include "latch/ttas_event_mutex.h"
#include "run/engine.h"
#include "run/json.h"
#include "telemetry/telemetry.h"
#include "tests/scenario_run.h"
#include "tests/test_threads.h"
#include "workload/scenario_manifest.h"
#include "workload/servers.h"

namespace latchscope {
namespace {

using telemetry::LatchSite;
using telemetry::LatchWhatIf;

const LatchSite kOuter("supposed latch", "outer_function");
const LatchSite kOther("supposed latch", "other_function");
const LatchSite kInner("inner latch", "inner_function");

class WhatIf : public testing::Test {
 protected:
  void begin(std::vector<LatchWhatIf> what_if, uint64_t cores = 4) {
    telemetry::suppose(what_if);
    platform::begin_run({.sockets = 1,
                         .cores_per_socket = cores,
                         .pause_ps = 24'000,
                         .load_hit_ps = 1'000,
                         .local_rmw_ps = 8'000,
                         .same_socket_transfer_ps = 40'000,
                         .shared_load_ps = 22'000,
                         .residency_ps = 0,
                         .system_call_ps = 100'000,
                         .futex_bucket_hold_ps = 0,
                         .wake_one_ps = 1'000'000,
                         .wake_latency_ps = 5'000'000,
                         .context_switch_ps = 2'000'000,
                         .sleep_slack_ps = 0});
    telemetry::reset();
  }
  void TearDown() override { telemetry::suppose({}); }

  // Returns how long 1,000 ns of work take inside nested critical sections of these sites, the
  // first one outermost.
  static uint64_t work_within(std::vector<const LatchSite*> sites) {
    std::vector<latch::MysqlMutex> mutexes(sites.size());
    uint64_t took_ns = 0;
    tests::run_threads(1, [&](uint32_t) NO_THREAD_SAFETY_ANALYSIS {
      for (size_t i = 0; i < sites.size(); ++i)
        mutexes[i].lock(*sites[i]);
      const uint64_t began_ns = platform::now_ns();
      platform::charge(1'000);
      took_ns = platform::now_ns() - began_ns;
      for (size_t i = sites.size(); i-- > 0;)
        mutexes[i].unlock();
      const uint64_t outside_ns = platform::now_ns();
      platform::charge(1'000);
      EXPECT_EQ(platform::now_ns() - outside_ns, 1'000u) << "no latch is held any more";
    });
    return took_ns;
  }
};

TEST_F(WhatIf, WorkWithinASectionCostsItsPercent) {
  begin({{.latch = "supposed latch", .site = "", .section_percent = 20}});
  EXPECT_EQ(work_within({&kOuter}), 200u);
  EXPECT_EQ(work_within({&kInner}), 1'000u);
}

TEST_F(WhatIf, ASectionMayBeLonger) {
  begin({{.latch = "supposed latch", .site = "", .section_percent = 150}});
  EXPECT_EQ(work_within({&kOuter}), 1'500u);
}

TEST_F(WhatIf, ASectionMayBeEmpty) {
  begin({{.latch = "supposed latch", .site = "", .section_percent = 0}});
  EXPECT_EQ(work_within({&kOuter}), 0u);
}

TEST_F(WhatIf, ASiteIsOneOfTheLatchsSites) {
  begin({{.latch = "supposed latch", .site = "other_function", .section_percent = 20}});
  EXPECT_EQ(work_within({&kOuter}), 1'000u);
  EXPECT_EQ(work_within({&kOther}), 200u);
}

TEST_F(WhatIf, PercentsOfSectionsWithinEachOtherMultiply) {
  begin({{.latch = "supposed latch", .site = "", .section_percent = 50},
         {.latch = "inner latch", .site = "", .section_percent = 30}});
  EXPECT_EQ(work_within({&kOuter, &kInner}), 150u);
  EXPECT_EQ(work_within({&kInner}), 300u);
}

TEST_F(WhatIf, AnEntryCountsOnceHoweverManyOfItsLatchesAreHeld) {
  begin({{.latch = "supposed latch", .site = "", .section_percent = 50}});
  EXPECT_EQ(work_within({&kOuter, &kOuter, &kOther}), 500u);
}

TEST_F(WhatIf, WordsOfLatchesWithinASectionCostWhatTheyCost) {
  begin({{.latch = "supposed latch", .site = "", .section_percent = 0}});
  latch::MysqlMutex outer, inner;
  tests::run_threads(1, [&](uint32_t) NO_THREAD_SAFETY_ANALYSIS {
    outer.lock(kOuter);
    const uint64_t began_ns = platform::now_ns();
    inner.lock(kInner);  // the first access to its line
    inner.unlock();
    EXPECT_EQ(platform::now_ns() - began_ns, 22u + 8);
    outer.unlock();
  });
}

// Two threads, the second 1,000 ns later: when the first one releases the mutex, and when the
// second one has it.
struct HandOver {
  uint64_t given_back_ns = 0;
  uint64_t got_ns = 0;
};
HandOver hand_over(uint64_t held_ns) {
  latch::MysqlMutex mutex;
  HandOver times;
  tests::run_threads(2, [&](uint32_t thread) NO_THREAD_SAFETY_ANALYSIS {
    platform::charge(thread * 1'000);
    mutex.lock(kOuter);
    if (thread == 1) times.got_ns = platform::now_ns();
    if (thread == 0) {
      platform::charge(held_ns);
      times.given_back_ns = platform::now_ns();
    }
    mutex.unlock();
  });
  return times;
}

TEST_F(WhatIf, TwoThreadsOnAMutexAsItIs) {
  begin({});
  const HandOver times = hand_over(10'000);
  // The releasing thread fetches the line back, calls the kernel and wakes the other thread, which
  // runs and fetches the line.
  EXPECT_EQ(times.got_ns - times.given_back_ns, 40u + 100 + 1'000 + 5'000 + 40);
}

TEST_F(WhatIf, ALineThatStaysStillCostsWhatACoreThatHasItPays) {
  begin({{.latch = "supposed latch", .site = "", .is_line_still = true}});
  const HandOver times = hand_over(10'000);
  EXPECT_EQ(times.got_ns - times.given_back_ns, 8u + 100 + 1'000 + 5'000 + 8);
}

TEST_F(WhatIf, AFreeWakeUpLeavesTheLinesWay) {
  begin({{.latch = "supposed latch", .site = "", .is_wake_up_free = true}});
  const HandOver times = hand_over(10'000);
  EXPECT_EQ(times.got_ns - times.given_back_ns, 40u + 40);
}

TEST_F(WhatIf, AFreeHandOverIsTwoAccesses) {
  begin({{.latch = "supposed latch", .site = "", .is_hand_over_free = true}});
  const HandOver times = hand_over(10'000);
  EXPECT_EQ(times.got_ns - times.given_back_ns, 8u + 8);
}

TEST_F(WhatIf, ASectionOfTwoThreadsStaysExclusive) {
  begin({{.latch = "supposed latch", .site = "", .section_percent = 0, .is_hand_over_free = true}});
  latch::LatchEnvironment environment(16);
  latch::TTASEventMutex mutex(environment);
  uint32_t within = 0, entered = 0;
  tests::run_threads(8, [&](uint32_t thread) {
    for (int i = 0; i < 200; ++i) {
      latch::MutexGuard guard(mutex, kOuter);
      EXPECT_EQ(within++, 0u);
      platform::charge(10 * (thread + 1));
      platform::pause(3);
      ++entered;
      --within;
    }
  });
  EXPECT_EQ(entered, 8u * 200);
}

// One thread holds the mutex for 3,000 ns. The others arrive 100 ns apart and spin. Returns the
// time from each release until the next thread has the mutex.
std::vector<uint64_t> hand_overs_to_spinners(uint32_t threads, std::vector<uint32_t>& order) {
  latch::LatchEnvironment environment(16);
  latch::TTASEventMutex mutex(environment);
  uint64_t given_back_ns = 0;
  std::vector<uint64_t> took_ns;
  tests::run_threads(threads, [&](uint32_t thread) NO_THREAD_SAFETY_ANALYSIS {
    platform::charge(thread * 100);
    mutex.enter(kOuter);
    if (thread > 0) took_ns.push_back(platform::now_ns() - given_back_ns);
    order.push_back(thread);
    platform::charge(3'000);
    given_back_ns = platform::now_ns();
    mutex.exit();
  });
  return took_ns;
}

TEST_F(WhatIf, SpinnersSeeAReleaseAtOnceTheOneThatHasSpunLongestFirst) {
  begin({{.latch = "supposed latch", .site = "", .is_hand_over_free = true}}, 8);
  std::vector<uint32_t> order;
  const std::vector<uint64_t> took_ns = hand_overs_to_spinners(5, order);
  EXPECT_EQ(order, (std::vector<uint32_t>{0, 1, 2, 3, 4}));
  // The release frees the word, a poll sees it, and a compare-exchange acquires it.
  EXPECT_EQ(took_ns, std::vector<uint64_t>(4, 8 + 1 + 8));
}

TEST_F(WhatIf, OtherwiseASpinnerSeesItAtItsNextPoll) {
  begin({{.latch = "supposed latch", .site = "", .is_line_still = true}}, 8);
  std::vector<uint32_t> order;
  const std::vector<uint64_t> took_ns = hand_overs_to_spinners(5, order);
  EXPECT_GT(*std::max_element(took_ns.begin(), took_ns.end()), 8u + 1 + 8);
}

// One thread holds the lock exclusively for 3,000 ns. The others arrive 100 ns apart to read, and
// spin. Returns the time from the release until the last of them has the lock.
uint64_t last_reader_after_release(uint32_t readers) {
  latch::LatchEnvironment environment(16);
  environment.rw_lock_bookkeeping = latch::RwLockBookkeeping::none;
  latch::RwLock lock(environment);
  uint64_t given_back_ns = 0, last_ns = 0;
  tests::run_threads(readers + 1, [&](uint32_t thread) NO_THREAD_SAFETY_ANALYSIS {
    platform::charge(thread * 100);
    if (thread == 0) {
      lock.x_lock(kOuter);
      platform::charge(3'000);
      given_back_ns = platform::now_ns();
      lock.x_unlock();
    } else {
      lock.s_lock(kOuter);
      last_ns = std::max(last_ns, platform::now_ns() - given_back_ns);
      platform::charge(1'000);
      lock.s_unlock();
    }
  });
  return last_ns;
}

TEST_F(WhatIf, ReadersThatSpinLetEachOtherIn) {
  begin({{.latch = "supposed latch", .site = "", .is_hand_over_free = true}}, 8);
  // The word is read and freed. Then each reader polls, reads it and takes its share, which lets in
  // the next one.
  EXPECT_EQ(last_reader_after_release(4), 1u + 8 + 4 * (1 + 1 + 8));
  begin({{.latch = "supposed latch", .site = "", .is_line_still = true}}, 8);
  EXPECT_GT(last_reader_after_release(4), 1'000u);
}

// --- whole runs ---------------------------------------------------------------------------------

using run::Json;

struct Case {
  const char* scenario;
  const char* fields;
  const char* latch;  // a hot latch
};

Json result_of(const Json& spec) {
  auto parsed = run::parse_run_spec(spec.dump());
  if (!parsed.spec) throw std::invalid_argument(run::to_json(parsed.errors));
  run::Engine engine;
  engine.create(std::move(*parsed.spec));
  engine.start();
  while (engine.state() == telemetry::RunState::running)
    engine.go_on();
  tests::expect_invariants_hold(engine);
  return Json::parse(engine.result());
}

Json spec_of(const Case& scenario) {
  Json spec = Json::parse("{" + std::string(scenario.fields) + "}");
  spec["version"] = 1;
  spec["scenario"] = scenario.scenario;
  return spec;
}

std::string without_spec(Json result) {
  result.erase("spec");
  return result.dump();
}

class WhatIfOfARun : public testing::TestWithParam<Case> {
 protected:
  // Returns the hot latch first, then as many others as a run spec may name.
  static Json every_latch(const Json& change) {
    Json latches = Json::array();
    const auto of_server = workload::find_scenario(GetParam().scenario)->latches;
    std::vector<std::string_view> names(of_server.begin(), of_server.end());
    names.insert(names.begin(), GetParam().latch);
    for (std::string_view name : names) {
      if (latches.size() == run::kWhatIfLatchesMax) break;
      Json entry = change;
      entry["latch"] = name;
      latches.push_back(entry);
    }
    return latches;
  }
};

TEST_P(WhatIfOfARun, OfAHundredPercentAndNothingFreeIsTheRunItself) {
  Json spec = spec_of(GetParam());
  const std::string as_it_is = without_spec(result_of(spec));
  for (const platform::ServerField& field : workload::server_fields()) {
    if (field.id.ends_with("_ps") || field.id.ends_with("_percent"))
      spec["what_if"]["costs"][std::string(field.id)] = 100;
  }
  spec["what_if"]["latches"] = every_latch({{"section_percent", 100}});
  EXPECT_EQ(without_spec(result_of(spec)), as_it_is);
}

// The end of an interval, when the coordinator is awake anyway.
constexpr double kMomentS = 0.002;

TEST_P(WhatIfOfARun, OfAHundredPercentFromAMomentOnIsTheRunItself) {
  Json spec = spec_of(GetParam());
  spec["interval_s"] = kMomentS / 2;
  const std::string as_it_is = without_spec(result_of(spec));
  spec["what_if"] = {{"from_s", kMomentS},
                     {"costs", {{"pause_ps", 100}}},
                     {"latches", every_latch({{"section_percent", 100}})}};
  Json supposed = result_of(spec);
  ASSERT_EQ(supposed["log"].size(), Json::parse(as_it_is)["log"].size() + 1) << "the log names the time";
  supposed["log"] = Json::parse(as_it_is)["log"];
  EXPECT_EQ(without_spec(supposed), as_it_is);
}

TEST_P(WhatIfOfARun, FromAMomentOnIsTheRunAsItIsUntilThen) {
  Json spec = spec_of(GetParam());
  spec["interval_s"] = kMomentS / 2;
  const Json as_it_is = result_of(spec);
  spec["what_if"] = {{"from_s", kMomentS},
                     {"costs", {{"pause_ps", 50}, {"local_rmw_ps", 50}, {"cross_socket_transfer_ps", 10}}},
                     {"latches", every_latch({{"section_percent", 0}, {"hand_over", "free"}})}};
  const Json supposed = result_of(spec);
  EXPECT_EQ(supposed["spec"]["what_if"]["from_s"], kMomentS);
  for (size_t i : {0u, 1u})
    EXPECT_EQ(supposed["intervals"][i], as_it_is["intervals"][i]) << "interval " << i;
  EXPECT_NE(without_spec(supposed), without_spec(as_it_is));
  spec["what_if"].erase("from_s");
  EXPECT_NE(without_spec(supposed), without_spec(result_of(spec)));
}

TEST_P(WhatIfOfARun, FromTheBeginningOnIsThatOfTheWholeRun) {
  Json spec = spec_of(GetParam());
  spec["what_if"] = {{"latches", {{{"latch", GetParam().latch}, {"section_percent", 50}}}}};
  const Json whole = result_of(spec);
  spec["what_if"]["from_s"] = 0;
  EXPECT_EQ(result_of(spec).dump(), whole.dump());
}

TEST_P(WhatIfOfARun, OfACostIsTheRunOnAServerWithThatCost) {
  for (const auto& [cost, percent] : {std::pair{"pause_ps", 50},
                                      {"wake_latency_ps", 0},
                                      {"system_call_ps", 133},
                                      {"work_percent", 77},
                                      {"same_socket_transfer_ps", 150}}) {
    Json spec = spec_of(GetParam());
    const Json of_default = Json::parse(run::to_json(*run::parse_run_spec(spec.dump()).spec))["server"];
    const auto& named = workload::named_servers();
    const auto base = std::find_if(named.begin(), named.end(), [&](const auto& server) {
      return server.id == of_default.get<std::string>();
    });
    const int32_t index = workload::index_of(workload::server_fields(), cost);
    const uint64_t value = base->profile.*workload::server_fields()[static_cast<size_t>(index)].member;
    Json with_own_server = spec;
    with_own_server["server"] = {{"based_on", of_default},
                                 {cost, value * static_cast<uint64_t>(percent) / 100}};
    spec["what_if"]["costs"][cost] = percent;
    const std::string supposed = without_spec(result_of(spec));
    EXPECT_EQ(supposed, without_spec(result_of(with_own_server))) << cost;
  }
}

TEST_P(WhatIfOfARun, KeepsItsInvariantsWhenSectionsAreEmptyAndHandOversFree) {
  Json spec = spec_of(GetParam());
  const std::string as_it_is = without_spec(result_of(spec));
  for (const Json& change :
       {Json{{"section_percent", 0}}, Json{{"hand_over", "free"}},
        Json{{"section_percent", 0}, {"hand_over", "free"}}, Json{{"section_percent", 200}}}) {
    spec["what_if"]["latches"] = every_latch(change);
    EXPECT_NE(without_spec(result_of(spec)), as_it_is) << change;
  }
}

TEST_P(WhatIfOfARun, IsTheSameEachTimeAndItsSpecIsReadBack) {
  Json spec = spec_of(GetParam());
  spec["what_if"] = {
      {"costs", {{"pause_ps", 50}}},
      {"latches", {{{"latch", GetParam().latch}, {"section_percent", 50}, {"hand_over", "free"}}}}};
  const Json first = result_of(spec);
  EXPECT_EQ(first["spec"]["what_if"], spec["what_if"]);
  EXPECT_EQ(result_of(first["spec"]).dump(), first.dump());
}

INSTANTIATE_TEST_SUITE_P(
    EveryScenario, WhatIfOfARun,
    testing::Values(
        Case{
            "fil-mutex-69276",
            R"("duration_s":0.003,"parameters":{"rows_per_table":5000,"buffer_pool_mib":16,"buffer_pool_instances":2})",
            "fil_system->mutex"},
        Case{"aio-wakeup-95491", R"("duration_s":0.004,"parameters":{"rows_per_table":20000})",
             "AIO::m_mutex"},
        Case{"xa-gtid-99638", R"("duration_s":0.05,"threads":100,"parameters":{"rows_per_table":5000})",
             "trx_sys->mutex"},
        Case{
            "binlog-purge-104615",
            R"("duration_s":0.05,"threads":100,"parameters":{"old_binlogs_gib":1},"actions":[{"at_s":0.02,"action":"expire_logs_1s"}])",
            "LOCK_log"},
        Case{"undo-read-117533",
             R"("duration_s":0.01,"parameters":{"rows":1000},"actions":[{"at_s":0.005,"action":"update_k"}])",
             "Fil_shard::m_mutex"}),
    [](const auto& parameters) {
      std::string name = parameters.param.scenario;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace latchscope
