// Where the time of a transaction went, and what caused its waits. The hand-computed run has the
// costs of where_time_goes_test.cc, in nanoseconds:
//    load hit 1, local write 8, the first access to a line 22, transfer 40
//    system call 100, waking one thread 1,000, wake-up latency 5,000
#include "explain/transaction_chain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "explain/explain.h"
#include "latch/mysql_mutex.h"
#include "latch/rw_lock.h"
#include "run/engine.h"
#include "run/json.h"
#include "telemetry/telemetry.h"
#include "tests/scenario_run.h"
#include "tests/test_threads.h"

namespace latchscope::explain {
namespace {

using telemetry::Chronicle;
using telemetry::Span;
using telemetry::ThreadState;
using telemetry::Transaction;

const telemetry::LatchSite kHolder("chained latch", "holder_function");
const telemetry::LatchSite kWaiter("chained latch", "waiter_function");
const telemetry::LatchSite kOuter("outer latch", "outer_function");
constexpr const char* kField = "--transaction";
constexpr Span kAlways{0, telemetry::kNotYetPs};
constexpr uint64_t kBeganPs = 5'000'000;  // when the threads of the hand-computed runs begin

constexpr const char* kStateNames[] = {
#define QUOTE_NAME(name, meaning) #name,
    LATCHSCOPE_THREAD_STATES(QUOTE_NAME)
#undef QUOTE_NAME
};

std::string behind_in_words(const Part& part) {
  switch (part.behind) {
    case Behind::nothing:
      return "";
    case Behind::holder:
      return " held by " + std::to_string(part.behind_slot) + " of " + std::to_string(part.holders) +
             " since " + std::to_string((part.held_since_ps - kBeganPs) / 1'000);
    case Behind::leader:
      return " led by " + std::to_string(part.behind_slot);
    case Behind::waker:
      return " woken by " + std::to_string(part.behind_slot);
    case Behind::nobody:
      return " free";
    case Behind::timer:
      return " timer";
    case Behind::earlier:
      return " earlier";
    case Behind::unknown:
      return " unknown";
  }
  return "";
}

// Formats parts as "running 1000-1008", with the chain in braces. Times are nanoseconds after the
// threads began.
std::string in_words(const std::vector<Part>& parts) {
  std::string words;
  for (const Part& part : parts) {
    words += (words.empty() ? "" : ", ") + std::string(kStateNames[static_cast<size_t>(part.state)]) + " " +
             std::to_string((part.from_ps - kBeganPs) / 1'000) + "-" +
             std::to_string((part.to_ps - kBeganPs) / 1'000) + behind_in_words(part);
    if (!part.chain.empty()) words += " {" + in_words(part.chain) + "}";
  }
  return words;
}

void begin_hand_made_run() {
  platform::begin_run({.sockets = 1,
                       .cores_per_socket = 3,
                       .load_hit_ps = 1'000,
                       .local_rmw_ps = 8'000,
                       .same_socket_transfer_ps = 40'000,
                       .shared_load_ps = 22'000,
                       .system_call_ps = 100'000,
                       .futex_bucket_hold_ps = 0,
                       .wake_one_ps = 1'000'000,
                       .wake_latency_ps = 5'000'000,
                       .context_switch_ps = 2'000'000,
                       .sleep_slack_ps = 0});
  telemetry::reset();
}

// Runs one transaction per thread, which is all that the thread does. Returns the explanations by
// slot.
std::vector<Explained> explain_threads(Chronicle& chronicle, uint32_t threads,
                                       const std::function<void(uint32_t)>& body) {
  begin_hand_made_run();
  tests::run_threads(threads, [&](uint32_t thread) {
    telemetry::recorder().transaction_begins();
    body(thread);
    telemetry::recorder().transaction_ends();
  });
  chronicle.bring_up_to_now();
  ChainReader reader(chronicle);
  std::vector<Explained> explained(threads);
  for (const Transaction& transaction : chronicle.transactions())
    explained[transaction.slot] = reader.explain(transaction);
  return explained;
}

// Expects parts without gaps and overlaps. Returns the time of parts with an unknown state.
uint64_t expect_cover(const std::vector<Part>& parts, Span span) {
  uint64_t reached_ps = span.from_ps;
  uint64_t unknown_ps = 0;
  for (const Part& part : parts) {
    EXPECT_EQ(part.from_ps, reached_ps);
    EXPECT_GT(part.to_ps, part.from_ps);
    reached_ps = part.to_ps;
    if (part.state == ThreadState::absent) unknown_ps += part.ps();
    if (!part.chain.empty()) unknown_ps += expect_cover(part.chain, {part.from_ps, part.to_ps});
  }
  EXPECT_EQ(reached_ps, span.to_ps);
  return unknown_ps;
}

uint64_t expect_cover(const Explained& explained) {
  uint64_t sum_ps = 0;
  for (const Part& part : explained.parts)
    sum_ps += part.ps();
  EXPECT_EQ(sum_ps, explained.transaction.latency_ps());
  return expect_cover(explained.parts, {explained.transaction.began_ps, explained.transaction.ended_ps});
}

TEST(TransactionChain, OfThreeThreadsOnOneMutex) {
  Chronicle chronicle({kAlways});
  latch::MysqlMutex mutex;
  const std::vector<Explained> explained = explain_threads(chronicle, 3, [&](uint32_t thread) {
    platform::charge(thread * 1'000);
    mutex.lock(thread == 0 ? kHolder : kWaiter);
    if (thread == 0) platform::charge(10'000);
    mutex.unlock();
  });
  // The first access to the line, work, then fetching the line back from the last thread to try.
  // Then it wakes one thread.
  EXPECT_EQ(in_words(explained[0].parts),
            "stalled 0-14, running 14-10022, stalled 10022-10054, running 10054-11162");
  // The mutex is free from 10,062 on, while the first waiter is woken, gets a core and fetches the
  // line.
  const std::string until_free =
      "-10062 held by 0 of 1 since 22 {running X-10022, stalled 10022-10054, running 10054-10062}";
  const auto held_until_free = [&](const char* from) {
    std::string words = until_free;
    return words.replace(words.find('X'), 1, from);
  };
  EXPECT_EQ(
      in_words(explained[1].parts),
      "running 0-1000, stalled 1000-1032, running 1032-1040, waiting 1040" + held_until_free("1040") +
          ", waiting 10062-11162 free, ready 11162-16162, waiting 16162-16202 free, running 16202-17310");
  EXPECT_EQ(
      in_words(explained[2].parts),
      "running 0-2000, stalled 2000-2032, running 2032-2040, waiting 2040" + held_until_free("2040") +
          ", waiting 10062-16202 free, waiting 16202-16210 held by 1 of 1 since 16202 {running 16202-16210}"
          ", waiting 16210-17310 free, ready 17310-22310, waiting 22310-22350 free, running 22350-22458");
  for (const Explained& each : explained) {
    EXPECT_EQ(expect_cover(each), 0u);
    telemetry::StateTimes times{};
    for (const Part& part : each.parts)
      times[static_cast<size_t>(part.state)] += part.ps();
    telemetry::StateTimes of_lane = telemetry::lane_totals()[each.transaction.slot].state_ps;
    of_lane[0] = 0;  // before and after the transaction
    EXPECT_EQ(times, of_lane) << "a thread that does nothing but its transaction";
  }
}

TEST(TransactionChain, GoesOnThroughTheLatchThatTheHolderWaitsFor) {
  Chronicle chronicle({kAlways});
  latch::MysqlMutex inner, outer;
  const std::vector<Explained> explained =
      explain_threads(chronicle, 3, [&](uint32_t thread) NO_THREAD_SAFETY_ANALYSIS {
        platform::charge(thread * 1'000);
        if (thread > 0) outer.lock(kOuter);
        if (thread < 2) {
          inner.lock(kHolder);
          if (thread == 0) platform::charge(10'000);
          inner.unlock();
        }
        if (thread > 0) outer.unlock();
      });
  EXPECT_EQ(expect_cover(explained[2]), 0u);
  const auto waits_for_1 =
      std::find_if(explained[2].parts.begin(), explained[2].parts.end(),
                   [](const Part& part) { return part.behind == Behind::holder && part.behind_slot == 1; });
  ASSERT_NE(waits_for_1, explained[2].parts.end());
  const auto waits_for_0 =
      std::find_if(waits_for_1->chain.begin(), waits_for_1->chain.end(),
                   [](const Part& part) { return part.behind == Behind::holder && part.behind_slot == 0; });
  ASSERT_NE(waits_for_0, waits_for_1->chain.end());
  EXPECT_EQ(waits_for_0->holder_site, kHolder.id);
  EXPECT_EQ(waits_for_0->chain.front().state, ThreadState::running);
}

TEST(TransactionChain, OfManyHoldersNamesTheOneThatGivesTheLatchBackLast) {
  Chronicle chronicle({kAlways});
  latch::LatchEnvironment environment(8);
  latch::RwLock lock(environment);
  const std::vector<Explained> explained = explain_threads(chronicle, 3, [&](uint32_t thread) {
    platform::charge(thread * 1'000);
    if (thread < 2) {
      lock.s_lock(kHolder);
      platform::charge(thread == 0 ? 50'000 : 20'000);
      lock.s_unlock();
    } else {
      lock.x_lock(kWaiter);
      lock.x_unlock();
    }
  });
  EXPECT_EQ(expect_cover(explained[2]), 0u);
  const auto& parts = explained[2].parts;
  const auto held =
      std::find_if(parts.begin(), parts.end(), [](const Part& part) { return part.holders > 0; });
  ASSERT_NE(held, parts.end());
  EXPECT_EQ(held->holders, 2u);
  EXPECT_EQ(held->behind_slot, 0u);
}

TEST(TransactionChain, OfAConditionIsWhoWokeTheThreadAndThenItsMutex) {
  Chronicle chronicle({kAlways});
  latch::MysqlMutex mutex;
  latch::MysqlCond condition;
  bool is_set = false;
  const std::vector<Explained> explained =
      explain_threads(chronicle, 2, [&](uint32_t thread) NO_THREAD_SAFETY_ANALYSIS {
        platform::charge(thread * 20'000);
        mutex.lock(kWaiter);
        if (thread == 1) {
          is_set = true;
          condition.broadcast();
          platform::charge(30'000);
        }
        while (!is_set)
          condition.wait(mutex, kWaiter);
        mutex.unlock();
      });
  EXPECT_EQ(expect_cover(explained[0]), 0u);
  std::vector<std::pair<Behind, uint32_t>> behind;
  for (const Part& part : explained[0].parts) {
    if (part.behind != Behind::nothing && (behind.empty() || behind.back().first != part.behind))
      behind.emplace_back(part.behind, part.behind_slot);
  }
  ASSERT_GE(behind.size(), 2u);
  EXPECT_EQ(behind[0], std::pair(Behind::waker, 1u));
  EXPECT_EQ(behind[1], std::pair(Behind::holder, 1u)) << "the waker still holds the mutex";
}

TEST(TransactionChain, WhatAChronicleLeavesOutIsAPartThatNobodyKnows) {
  Chronicle chronicle({kAlways});
  chronicle.add(0, {kBeganPs, kBeganPs + 10'000, 0, 0, 0, 0, ThreadState::running});
  chronicle.add(0, {kBeganPs + 30'000, kBeganPs + 90'000, 0, 0, 0, 0, ThreadState::io});
  const Explained explained = ChainReader(chronicle).explain({kBeganPs + 5'000, kBeganPs + 100'000, 0, 1});
  EXPECT_EQ(in_words(explained.parts), "running 5-10, absent 10-30 unknown, io 30-90, absent 90-100 unknown");
  EXPECT_EQ(expect_cover(explained), 30'000u);
}

TEST(TransactionChain, ALongerChronicleThanThereIsRoomForIsLost) {
  constexpr size_t kRecordsMax = 20;
  Chronicle chronicle({kAlways}, kRecordsMax);
  explain_threads(chronicle, 1, [](uint32_t /*thread*/) {
    for (int i = 0; i < 30; ++i) {
      platform::charge(1'000);
      telemetry::sleep_ns(1'000);
    }
  });
  EXPECT_GT(chronicle.lost_before_ps(), chronicle.transactions().front().began_ps);
}

// --- runs of scenarios --------------------------------------------------------------------------

struct ChainCase {
  const char* scenario;
  const char* fields;
};

run::RunSpec spec_of(const ChainCase& of) {
  auto parsed = run::parse_run_spec(R"({"version":1,"platform":"virtual","scenario":")" +
                                    std::string(of.scenario) + "\"," + of.fields + "}");
  for (const run::FieldError& error : parsed.errors)
    ADD_FAILURE() << error.sentence();
  return *parsed.spec;
}

void run_whole(run::Engine& engine, const run::RunSpec& spec) {
  engine.create(spec);
  engine.start();
  while (engine.state() == telemetry::RunState::running)
    engine.go_on();
}

class ChainsOfAScenario : public testing::TestWithParam<ChainCase> {};

TEST_P(ChainsOfAScenario, CoverEachTransactionAndAreNoMoreThanTheLanes) {
  Chronicle chronicle({kAlways});
  run::Engine engine;
  run_whole(engine, spec_of(GetParam()));
  ASSERT_EQ(chronicle.lost_before_ps(), 0u);
  ASSERT_GT(chronicle.transactions().size(), 20u);
  std::vector<telemetry::StateTimes> in_transactions(telemetry::kThreadSlots);
  ChainReader reader(chronicle);
  std::map<Behind, uint64_t> behind;
  for (const Transaction& transaction : chronicle.transactions()) {
    const Explained explained = reader.explain(transaction);
    ASSERT_EQ(expect_cover(explained), 0u) << "the state of a thread is always known";
    for (const Part& part : explained.parts) {
      in_transactions[transaction.slot][static_cast<size_t>(part.state)] += part.ps();
      behind[part.behind] += part.ps();
      EXPECT_EQ(is_after_latch(part.state) && part.latch != 0, part.behind != Behind::nothing);
    }
    if (HasFailure()) return;
  }
  EXPECT_EQ(behind[Behind::unknown], 0u);
  EXPECT_GT(behind[Behind::holder] + behind[Behind::leader], 0u);
  for (uint32_t slot = 0; slot < telemetry::kThreadSlots; ++slot) {
    for (uint32_t state = 0; state < telemetry::kLaneStates; ++state)
      EXPECT_LE(in_transactions[slot][state], telemetry::lane_totals()[slot].state_ps[state])
          << slot << " " << state;
  }
}

// The states of a thread up to a time do not depend on when the run ends.
TEST_P(ChainsOfAScenario, OfATransactionThatIsNotOverGoUpToTheEndOfTheRun) {
  const run::RunSpec spec = spec_of(GetParam());
  const auto own_parts = [](const Explained& explained, uint64_t until_ps) {
    std::string words;
    for (const Part& part : explained.parts) {
      if (part.from_ps >= until_ps) break;
      words += std::to_string(static_cast<int>(part.state)) + " of latch " + std::to_string(part.site) +
               " until " + std::to_string(std::min(part.to_ps, until_ps)) + "\n";
    }
    return words;
  };
  const ExplanationOrError found = [&] {
    run::Engine engine;
    ExplanationProgress progress;
    const std::string end = "thread:0@" + std::to_string(*spec.duration_s);
    return explain(engine, spec, *read_transaction_choice(kField, end.c_str()).choice, false, progress);
  }();
  ASSERT_FALSE(found.error) << found.error->sentence();
  const Explained& explained = found.explanation->explained;
  EXPECT_FALSE(explained.transaction.is_over);
  EXPECT_EQ(found.explanation->rank, 0u);
  EXPECT_EQ(expect_cover(explained), 0u) << "the state of a thread is always known";

  run::RunSpec longer = spec;
  longer.duration_s = 2 * *spec.duration_s;
  Chronicle chronicle({kAlways});
  run::Engine engine;
  run_whole(engine, longer);
  const auto is_same = [&](const Transaction& each) {
    const Transaction& chosen = explained.transaction;
    return each.slot == chosen.slot && each.ordinal == chosen.ordinal && each.began_ps == chosen.began_ps;
  };
  std::vector<Transaction> all = chronicle.transactions();
  all.insert(all.end(), chronicle.not_over().begin(), chronicle.not_over().end());
  const auto whole = std::find_if(all.begin(), all.end(), is_same);
  ASSERT_NE(whole, all.end());
  const uint64_t until_ps = explained.transaction.ended_ps;
  EXPECT_EQ(own_parts(explained, until_ps), own_parts(ChainReader(chronicle).explain(*whole), until_ps));
}

TEST_P(ChainsOfAScenario, DoNotChangeTheRun) {
  const run::RunSpec spec = spec_of(GetParam());
  std::string without;
  {
    run::Engine engine;
    run_whole(engine, spec);
    without = engine.result();
  }
  Chronicle chronicle({kAlways});
  run::Engine engine;
  run_whole(engine, spec);
  EXPECT_FALSE(chronicle.stretches_of(0).empty());
  EXPECT_EQ(run::Json::parse(engine.result())["model"], run::Json::parse(without)["model"]);
  EXPECT_EQ(engine.result(), without);
}

// A chronicle of this transaction alone does not contain holds that ended after it
// (Behind::unknown).
void expect_same(const std::vector<Part>& a, const std::vector<Part>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].behind == Behind::unknown) continue;
    Part left = a[i], right = b[i];
    expect_same(left.chain, right.chain);
    left.chain = right.chain = {};
    left.latch = right.latch = 0;  // numbers continue from run to run
    EXPECT_EQ(left, right) << i;
    if (testing::Test::HasFailure()) return;
  }
}

TEST_P(ChainsOfAScenario, AreThoseOfASecondRunThatKeepsTheTransactionAlone) {
  const run::RunSpec spec = spec_of(GetParam());
  for (const char* which : {"slowest", "p99", "nth:7"}) {
    const auto choice = read_transaction_choice(kField, which).choice;
    run::Engine explaining;
    ExplanationProgress progress;
    const ExplanationOrError found = explain(explaining, spec, *choice, /*with_blame=*/true, progress);
    EXPECT_EQ(progress.part_done(~uint64_t{0}), 1);
    ASSERT_FALSE(found.error) << found.error->sentence();
    const Explained& explained = found.explanation->explained;
    expect_cover(explained);
    const Blame& blame = found.explanation->blame->blame;
    EXPECT_EQ(blame.transactions, one_percent_of(found.explanation->transactions));
    for (const uint64_t sum_ps :
         {std::accumulate(blame.by_state.begin(), blame.by_state.end(), uint64_t{0},
                          [](uint64_t sum, const auto& each) { return sum + each.second; }),
          std::accumulate(blame.by_end.begin(), blame.by_end.end(), uint64_t{0},
                          [](uint64_t sum, const auto& each) { return sum + each.second; })})
      EXPECT_EQ(sum_ps, blame.latency_ps);

    Chronicle chronicle({kAlways});
    run::Engine engine;
    run_whole(engine, spec);
    ChainReader reader(chronicle);
    expect_same(explained.parts, reader.explain(explained.transaction).parts);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(
    EveryScenario, ChainsOfAScenario,
    testing::Values(
        ChainCase{
            "fil-mutex-69276",
            R"("duration_s":0.003,"parameters":{"rows_per_table":5000,"buffer_pool_mib":16,"buffer_pool_instances":2})"},
        ChainCase{"aio-wakeup-95491", R"("duration_s":0.004,"parameters":{"rows_per_table":20000})"},
        ChainCase{"xa-gtid-99638", R"("duration_s":0.2,"threads":24,"parameters":{"rows_per_table":5000})"},
        ChainCase{
            "binlog-purge-104615",
            R"("duration_s":0.1,"threads":100,"parameters":{"old_binlogs_gib":1},"actions":[{"at_s":0.02,"action":"expire_logs_1s"}])"},
        ChainCase{
            "undo-read-117533",
            R"("duration_s":0.02,"parameters":{"rows":1000},"actions":[{"at_s":0.005,"action":"update_k"}])"}),
    [](const auto& parameters) {
      std::string name = parameters.param.scenario;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST(ChainsOfXaCommits, OfAFollowerAreTheDoingsOfItsLeader) {
  const run::RunSpec spec = spec_of({"xa-gtid-99638", R"("duration_s":0.1,"threads":64)"});
  run::Engine engine;
  ExplanationProgress progress;
  const ExplanationOrError found =
      explain(engine, spec, *read_transaction_choice(kField, "slowest").choice, false, progress);
  ASSERT_TRUE(found.explanation);
  uint64_t led_ps = 0, asleep_ps = 0;
  for (const Part& part : found.explanation->explained.parts) {
    if (part.behind != Behind::leader) continue;
    led_ps += part.ps();
    for (const Part& doing : part.chain) {
      if (doing.state == ThreadState::sleeping) asleep_ps += doing.ps();
    }
  }
  EXPECT_GT(led_ps, found.explanation->explained.transaction.latency_ps() / 2);
  EXPECT_GT(asleep_ps, led_ps / 2) << "the leader polls the GTID persister once a millisecond";
}

// --- which transaction --------------------------------------------------------------------------

std::string error_of(const char* text) {
  const TransactionChoiceOrError read = read_transaction_choice(kField, text);
  return read.error ? read.error->sentence() : "";
}

TEST(TransactionChoice, IsReadOrRefusedByName) {
  for (const char* text :
       {"slowest", "p99", "oldest", "slowest@0-0.5", "p99@0.1-0.25", "nth:1", "thread:0@0", "thread:12@0.5"})
    EXPECT_EQ(error_of(text), "") << text;
  for (const char* text : {"",
                           "fastest",
                           "nth:0",
                           "nth:",
                           "nth:-1",
                           "nth:1x",
                           "thread:1",
                           "thread:@1",
                           "thread:1@",
                           "thread:1@.",
                           "slowest@",
                           "slowest@1",
                           "slowest@0.2-0.1",
                           "p99@1-1",
                           "p99@-1-1",
                           "nth:1@0-1",
                           "thread:1@1e3",
                           "thread:1@-1",
                           "thread:1@9999999",
                           "oldest@0-1"}) {
    EXPECT_NE(error_of(text).find("; allowed: slowest, p99, oldest, nth:N or thread:CLIENT@SECONDS"),
              std::string::npos)
        << text;
  }
}

ListOfTransactions list_of(uint32_t count) {
  ListOfTransactions list{1'000, {}, {}};
  for (uint32_t i = 0; i < count; ++i)
    list.by_begin.push_back({1'000 + 10 * i, 1'000 + 10 * i + 1 + i, i % 2, i / 2 + 1});
  return list;
}

TEST(TransactionChoice, IsTheOneThatWasMeant) {
  const auto latency = [](const char* text, uint32_t count) {
    const ChosenOrError found = choose(list_of(count), *read_transaction_choice(kField, text).choice);
    return found.chosen ? found.chosen->latency_ps() : 0;
  };
  EXPECT_EQ(latency("slowest", 200), 200u);
  EXPECT_EQ(latency("p99", 200), 198u);
  EXPECT_EQ(latency("p99", 1), 1u);
  EXPECT_EQ(latency("nth:3", 200), 3u);
  EXPECT_EQ(latency("thread:1@0.00000000001", 200), 2u) << "10 ps after the begin of the run";
  EXPECT_EQ(latency("thread:2@0", 200), 0u);
  EXPECT_EQ(latency("nth:201", 200), 0u);
  EXPECT_EQ(choose(list_of(5), *read_transaction_choice(kField, "nth:6").choice).error->sentence(),
            "--transaction: got nth:6; allowed: nth:1 to nth:5");
  EXPECT_EQ(choose(list_of(5), *read_transaction_choice(kField, "oldest").choice).error->sentence(),
            "--transaction: got oldest; allowed: a run that ends with a transaction in progress");
  EXPECT_EQ(choose({}, *read_transaction_choice(kField, "slowest").choice).error->sentence(),
            "--transaction: got slowest; allowed: none: no transaction ended during the run");
}

TEST(TransactionChoice, OfAClientIsAlsoTheOneThatIsUnderWayAtTheEndOfTheRun) {
  ListOfTransactions list = list_of(1);
  list.not_over.push_back({.began_ps = 1'500, .ended_ps = 2'000, .slot = 0, .ordinal = 2, .is_over = false});
  const auto chosen_at = [&](const char* text) {
    return choose(list, *read_transaction_choice(kField, text).choice).chosen;
  };
  EXPECT_TRUE(chosen_at("thread:0@0")->is_over);
  EXPECT_FALSE(chosen_at("thread:0@0.000000000499")) << "between the two";
  for (const char* text : {"thread:0@0.0000000005", "thread:0@0.000000001"}) {
    ASSERT_TRUE(chosen_at(text)) << text;
    EXPECT_FALSE(chosen_at(text)->is_over);
  }
  EXPECT_FALSE(chosen_at("thread:0@0.000000001001")) << "after the end of the run";
  EXPECT_TRUE(chosen_at("slowest")->is_over);
  list.not_over.push_back({.began_ps = 1'400, .ended_ps = 2'000, .slot = 1, .ordinal = 1, .is_over = false});
  EXPECT_EQ(chosen_at("oldest")->slot, 1u);
  list.by_begin.clear();
  EXPECT_EQ(chosen_at("oldest")->slot, 1u);
  EXPECT_FALSE(chosen_at("slowest"));
  EXPECT_TRUE(chosen_at("thread:0@0.000000001"));
}

TEST(TransactionChoice, OfOnePercentIsAtLeastOneIfThereIsOne) {
  EXPECT_EQ(one_percent_of(0), 0u);
  EXPECT_EQ(one_percent_of(1), 1u);
  EXPECT_EQ(one_percent_of(100), 1u);
  EXPECT_EQ(one_percent_of(101), 2u);
}

// Transaction i of list_of() ends 11 i + 1 ps after the start of the run.
TEST(TransactionChoice, OfAWindowIsOneThatEndedInIt) {
  const auto ended_in = [](const char* text) {
    const TransactionChoice choice = *read_transaction_choice(kField, text).choice;
    const ListOfTransactions list = within_window(list_of(200), choice);
    const ChosenOrError found = choose(list, choice);
    return found.chosen ? std::pair(list.by_begin.size(), found.chosen->ended_ps - list.run_began_ps)
                        : std::pair(list.by_begin.size(), uint64_t{0});
  };
  EXPECT_EQ(ended_in("slowest"), std::pair(size_t{200}, uint64_t{2'190}));
  EXPECT_EQ(ended_in("slowest@0-0.000000001"), std::pair(size_t{91}, uint64_t{991}));
  EXPECT_EQ(ended_in("slowest@0-0.000000000991"), std::pair(size_t{91}, uint64_t{991})) << "until TO";
  EXPECT_EQ(ended_in("slowest@0.00000000099-0.000000001"), std::pair(size_t{1}, uint64_t{991}));
  EXPECT_EQ(ended_in("slowest@0.000000000991-0.000000001"), std::pair(size_t{0}, uint64_t{0}))
      << "after FROM";
  EXPECT_EQ(ended_in("p99@0-0.0000000022"), std::pair(size_t{200}, uint64_t{2'168}));
  const TransactionChoice empty = *read_transaction_choice(kField, "slowest@1-2").choice;
  EXPECT_EQ(choose(within_window(list_of(5), empty), empty).error->sentence(),
            "--transaction: got slowest@1-2; allowed: a window of run time in which a transaction ended");
}

}  // namespace
}  // namespace latchscope::explain
