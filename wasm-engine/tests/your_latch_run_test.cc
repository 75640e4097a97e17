// Runs in which a latch written in the lab replaces one of the server's latches.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "run/engine.h"
#include "tests/lab_mutexes.h"
#include "tests/scenario_run.h"

namespace latchscope::tests {
namespace {

using telemetry::Counter;
using telemetry::MarkKind;

constexpr uint64_t kShortPatienceNs = 60'000'000;

struct Place {
  const char* name;
  const char* scenario;
  const char* fields;
  const char* knob;
  uint64_t transactions;  // enough for frequent acquisitions
};

constexpr Place kPlaces[] = {
    {"FilSystem", "fil-mutex-69276",
     R"("threads":4,"parameters":{"tables":2,"rows_per_table":4000,"buffer_pool_mib":2,"buffer_pool_instances":1})",
     "tablespace_lookup", 400},
    {"FilShard", "undo-read-117533", R"("threads":4,"parameters":{"rows":1000,"buffer_pool_mib":8})",
     "undo_page_size_lookup", 20},
    {"PurgeSys", "undo-read-117533", R"("threads":4,"parameters":{"rows":1000,"buffer_pool_mib":8})",
     "purge_latch", 20},
    {"LockLog", "binlog-purge-104615",
     R"("threads":4,"parameters":{"rows_per_table":1000,"max_binlog_size_kib":64,"old_binlogs_gib":2,"unlink_ms_per_gib":1})",
     "lock_log", 100},
};

class YourLatchRun : public testing::TestWithParam<Place> {
 protected:
  static run::RunSpec spec(lab::Program program, uint64_t patience_ns = kNoEndOfPatienceNs) {
    return with_latch(parsed_spec(GetParam().scenario, GetParam().fields), std::move(program), patience_ns);
  }
  void flip_to_yours(ScenarioRun& run) {
    if (GetParam().scenario == std::string("undo-read-117533")) update(run);
    run.run_transactions(GetParam().transactions);
    run.set_knob(GetParam().knob, "yours");
  }
  // An UPDATE leaves old versions to read only for open read views. The previous UPDATE may still
  // be running.
  void update(ScenarioRun& run) {
    const uint32_t clients = run.engine.spec().config.clients;
    run.run_until([&] {
      return tests::total(telemetry::Counter::read_views_opened) == clients &&
             tests::total(telemetry::Counter::queries_write) == updates_;
    });
    EXPECT_EQ(run.fire("update_k"), "");
    ++updates_;
  }
  static uint32_t knob_of(const ScenarioRun& run) {
    return static_cast<uint32_t>(index_of(run.manifest().knobs, GetParam().knob));
  }
  static void flip_back(ScenarioRun& run) { run.engine.set_knob(knob_of(run), 0); }

  uint64_t updates_ = 0;
};

uint32_t marks_of(MarkKind kind, uint32_t subject) {
  const telemetry::TelemetryBlock& block = telemetry::block();
  uint32_t count = 0;
  for (uint32_t mark = 0; mark < block.header.marks_count[0].read(); ++mark)
    count += block.marks[mark].kind[0].read() == static_cast<uint32_t>(kind) &&
                     block.marks[mark].subject[0].read() == subject
                 ? 1
                 : 0;
  return count;
}

bool has_invariant(const run::Engine& engine, const std::string& name) {
  return std::ranges::find(engine.invariants(), name, &workload::Invariant::name) !=
         engine.invariants().end();
}

bool log_says(const run::Engine& engine, const std::string& text) {
  return std::ranges::any_of(engine.log(),
                             [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

}  // namespace

TEST_P(YourLatchRun, ARightOneIsFlippedLikeAnyOtherVariant) {
  ScenarioRun run(spec(rw_spin_latch()));
  for (int round = 0; round < 3; ++round) {
    flip_to_yours(run);
    run.run_transactions(GetParam().transactions);
    flip_back(run);
    run.run_transactions(GetParam().transactions);
  }
  run.stop_and_check();
  EXPECT_EQ(marks_of(MarkKind::latch_stopped, knob_of(run)), 0u);
  EXPECT_FALSE(nlohmann::json::parse(run.engine.result()).contains("latches_stopped"));
}

TEST_P(YourLatchRun, OneThatHangsIsStoppedAndNamedAndNothingElseIsLost) {
  ScenarioRun run(spec(GetParam().knob == std::string("purge_latch")
                           ? rw_spin_latch(RwMistake::writers_never_let_go)
                           : never_lets_go(),
                       kShortPatienceNs));
  flip_to_yours(run);
  run.run_until([&] { return marks_of(MarkKind::latch_stopped, knob_of(run)) == 1; });
  run.run_transactions(GetParam().transactions);
  run.engine.stop();
  EXPECT_TRUE(
      log_says(run.engine, "the latch of " + std::string(GetParam().knob) + " was stopped: nobody got in"));
  uint32_t broken = 0;
  for (const workload::Invariant& invariant : run.engine.invariants()) {
    if (invariant.ok) continue;
    ++broken;
    EXPECT_EQ(invariant.name.find("the reader's latch of "), 0u)
        << invariant.name << ": " << invariant.detail;
  }
  EXPECT_EQ(broken, 1u);
  const nlohmann::json result = nlohmann::json::parse(run.engine.result());
  ASSERT_TRUE(result.contains("latches_stopped"));
  ASSERT_EQ(result["latches_stopped"].size(), 1u);
  EXPECT_EQ(result["latches_stopped"][0]["knob"], GetParam().knob);
  EXPECT_GT(result["latches_stopped"][0]["at_s"], 0);
  EXPECT_LE(result["latches_stopped"][0]["at_s"], result["totals"]["seconds"]);
}

INSTANTIATE_TEST_SUITE_P(EachPlace, YourLatchRun, testing::ValuesIn(kPlaces),
                         [](const auto& info) { return info.param.name; });

TEST(YourLatch, OneThatLetsTwoInIsStoppedAndTheRowsAreRight) {
  ScenarioRun run(with_latch(parsed_spec(kPlaces[0].scenario, kPlaces[0].fields), open_door()));
  run.set_knob("tablespace_lookup", "yours");
  run.run_until([&] { return marks_of(MarkKind::latch_stopped, 0) == 1; });
  run.run_transactions(200);
  run.set_knob("tablespace_lookup", "global_mutex");
  run.set_knob("tablespace_lookup", "yours");  // now the engine's own latch replaces it
  run.run_transactions(200);
  run.engine.stop();
  EXPECT_EQ(marks_of(MarkKind::latch_stopped, 0), 1u);
  EXPECT_EQ(total(Counter::rows_verified), total(Counter::transactions));
  EXPECT_EQ(total(Counter::rows_wrong), 0u);
}

TEST(YourLatch, OneThatHangsDuringThePauseOrAtTheEndOfTheRunHoldsUpNeither) {
  ScenarioRun run(
      with_latch(parsed_spec(kPlaces[0].scenario, kPlaces[0].fields), never_wakes(), kShortPatienceNs));
  run.set_knob("tablespace_lookup", "yours");
  run.engine.pause();  // returns once every transaction has ended
  run.engine.resume();
  run.engine.stop();
  EXPECT_EQ(total(Counter::rows_verified), total(Counter::transactions));
}

TEST(YourLatch, OneThatWasNeverTakenIsNotCalledRight) {
  const Place& place = kPlaces[2];
  ScenarioRun run(with_latch(parsed_spec(place.scenario, place.fields), open_door()));
  run.set_knob(place.knob,
               // Without an UPDATE there are no old versions to read and nothing to purge.
               "yours");
  run.run_transactions(place.transactions);
  run.stop_and_check();
  EXPECT_TRUE(has_invariant(
      run.engine, "the reader's latch of purge_latch was never taken: this run says nothing about it"));
}

TEST(YourLatch, OneThatEachTransactionTakesNeverHadToBeStopped) {
  const Place& place = kPlaces[3];
  ScenarioRun run(with_latch(parsed_spec(place.scenario, place.fields), rw_spin_latch()));
  run.set_knob(place.knob, "yours");
  run.run_transactions(place.transactions);
  run.stop_and_check();
  EXPECT_TRUE(has_invariant(run.engine, "the reader's latch of lock_log never had to be stopped"));
}

TEST(YourLatch, WithoutALatchAFlipByHandIsRefused) {
  ScenarioRun run(kPlaces[0].scenario, kPlaces[0].fields);
  std::string refusal;
  run.engine.on_done_by_hand = [&](run::Engine::DoneByHand outcome, const std::string& why) {
    EXPECT_EQ(outcome, run::Engine::DoneByHand::refused_by_server);
    refusal = why;
  };
  const auto variants = run.manifest().knobs[0].variants;
  run::TimedStep step;
  step.variant = static_cast<uint32_t>(index_of(variants, "yours"));
  run.engine.do_by_hand(step);
  EXPECT_EQ(refusal.find("yours with a latch (the field latch), or one of global_mutex, "), 0u) << refusal;
  run.stop_and_check();
}

}  // namespace latchscope::tests
