// Workload files on the engine: their latches, flips, errors and names, on real threads and on the
// virtual server.
#include "workload/scripted_workload.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/scenario_run.h"
#include "tests/script_assembler.h"
#include "tests/test_threads.h"

namespace latchscope {

namespace {

using tests::kUs;
using tests::ScenarioRun;
using tests::ScriptAssembler;
using tests::spec_of;
using workload::ScriptKind;
using workload::ScriptLatchKind;
using Op = workload::ScriptOp;

const std::vector<ScriptKind> kExclusiveKinds = {
    {ScriptLatchKind::innodb_mutex, 0},    {ScriptLatchKind::innodb_rw_lock, 0},
    {ScriptLatchKind::sharded_rw_lock, 4}, {ScriptLatchKind::pthread_mutex, 0},
    {ScriptLatchKind::semaphore, 1},       {ScriptLatchKind::none, 0},
};
const std::vector<ScriptKind> kSharedKinds = {
    {ScriptLatchKind::innodb_rw_lock, 0}, {ScriptLatchKind::sharded_rw_lock, 4}, {ScriptLatchKind::none, 0}};

std::string broken(const run::Engine& engine) {
  std::string text;
  for (const auto& invariant : engine.invariants()) {
    if (!invariant.ok) text += invariant.name + ": " + invariant.detail;
  }
  return text;
}

uint64_t acquisitions_of(std::string_view latch) {
  uint64_t sum = 0;
  for (uint32_t site = 0; site < telemetry::latch_sites_count(); ++site) {
    if (telemetry::latch_name_of_site(site) == latch) sum += telemetry::latch_site_total(site).acquisitions;
  }
  return sum;
}

// Clients that take a latch of each kind in turn, exclusively, shared, and by a try.
workload::ScriptProgram all_kinds() {
  ScriptAssembler script;
  const uint32_t exclusive = script.latch_of_knob("exclusive", kExclusiveKinds);
  const uint32_t shared = script.latch_of_knob("readers", kSharedKinds);
  script.group("client", 4);
  script.transaction_begin();
  script.enter(exclusive);
  script.spend(Op::work, kUs);
  script.enter(shared, true);
  script.spend(Op::work, kUs);
  script.leave();
  script.leave();
  const uint32_t fails = script.try_enter(exclusive);
  script.enter(shared);
  script.leave();
  script.leave();
  script.lands_here(fails);
  const uint32_t fails_too = script.try_enter(shared, true);
  script.leave();
  script.lands_here(fails_too);
  script.transaction_end();
  script.spend(Op::think, 10 * kUs);
  return script.program();
}

TEST(ScriptedWorkload, KnobsReplaceTheKindOfALatchWhileClientsRun) {
  ScenarioRun run(spec_of(all_kinds(), R"("threads":4)"));
  run.run_transactions(100);
  tests::flip_every_pair(run, tests::kIsSanitized ? 20 : 50);
  run.stop_and_check();
  EXPECT_EQ(broken(run.engine), "");
}

TEST(ScriptedWorkload, ThreadsOfTheServerRunBesideTheClients) {
  ScriptAssembler script;
  const uint32_t latch = script.latch_of_knob("m", kExclusiveKinds);
  script.group("client", 2);
  script.transaction_begin();
  script.enter(latch);
  script.leave();
  script.transaction_end();
  script.spend(Op::think, 100 * kUs);
  script.group("flusher", 2, false);
  script.enter(latch);
  script.spend(Op::sleep, 100 * kUs);
  script.leave();
  script.spend(Op::sleep, 200 * kUs);
  ScenarioRun run(spec_of(script.program(), R"("threads":2)"));
  EXPECT_EQ(run.engine.engine_thread_names(), (std::vector<std::string>{"flusher 1", "flusher 2"}));
  tests::flip_every_pair(run, 2);
  run.stop_and_check();
  EXPECT_GT(acquisitions_of("m"), tests::total(telemetry::Counter::transactions));
}

TEST(ScriptedWorkload, ASemaphoreAdmitsAsManyThreadsAsItHasUnits) {
  ScriptAssembler script;
  const uint32_t units = script.latch("units", {ScriptLatchKind::semaphore, 2});
  script.group("client", 2);
  script.transaction_begin();
  script.enter(units);
  script.enter(units);
  script.leave();
  script.leave();
  script.transaction_end();
  ScenarioRun run(spec_of(script.program(), R"("threads":1)"));
  run.run_transactions(50);
  run.stop_and_check();
  EXPECT_EQ(acquisitions_of("units"), 2 * tests::total(telemetry::Counter::transactions));
}

// Four clients count in one word and check that no other value was lost or seen.
TEST(ScriptedWorkload, WordsAreAtomicAndBelongToTheRun) {
  ScriptAssembler script;
  const uint32_t latch = script.latch("m", {ScriptLatchKind::innodb_mutex, 0});
  const uint32_t counted = script.word("counted"), stored = script.word("stored"),
                 slots = script.word("slots", 8, 5);
  script.group("client", 4);
  script.transaction_begin();
  const uint8_t one = script.constant(1);
  script.enter(latch);
  // A counter without atomic operations, under the latch, and one with them.
  const uint8_t before = script.take_register(), now = script.take_register();
  script.change(Op::load, stored, before, 0);
  script.change(Op::fetch_add, counted, now, one);
  script.add(Op::check, 0, script.compute(Op::equal, before, now));
  script.change(Op::store, stored, 0, script.compute(Op::add, before, one));
  script.leave();
  const uint8_t slot = script.take_register();
  script.change(Op::compare_exchange, slots, slot, script.constant(6), one, workload::kScriptThreadNumber);
  script.add(Op::check, 0, script.compute(Op::equal, slot, script.constant(5)));
  script.transaction_end();
  ScenarioRun run(spec_of(script.program(), R"("threads":4)"));
  run.run_transactions(tests::kIsSanitized ? 200 : 2'000);
  run.stop_and_check();
}

TEST(ScriptedWorkload, AnIndexBeyondAWordEndsTheRun) {
  ScriptAssembler script;
  const uint32_t slots = script.word("slots", 4);
  script.group("client", 2);
  script.transaction_begin();
  script.spend(Op::work, 10 * kUs);
  script.change(Op::load, slots, script.take_register(), 0, 0, script.constant(4));
  script.transaction_end();
  ScenarioRun run(spec_of(script.program(), R"("threads":1)"));
  run.run_until([&] { return run.engine.state() == telemetry::RunState::finished; });
  const std::string& why = run.engine.stopped_early();
  EXPECT_NE(why.find("client 1 named a word beyond the end of its array"), std::string::npos) << why;
}

// --- bodies that cannot go on --------------------------------------------------------------------

// A client whose number is 1 does something wrong while it holds a latch.
template <class Mistake>
workload::ScriptProgram with_mistake(Mistake mistake) {
  ScriptAssembler script;
  const uint32_t latch = script.latch("m", {ScriptLatchKind::innodb_mutex, 0}, 2);
  script.group("client", 2);
  script.transaction_begin();
  script.spend(Op::work, 10 * kUs);
  const uint32_t others =
      script.jump_if_zero(script.compute(Op::equal, workload::kScriptThreadNumber, script.constant(1)));
  script.enter(latch);
  mistake(script, latch);
  script.leave();
  script.lands_here(others);
  script.transaction_end();
  return script.program();
}

void expect_stops_early(const workload::ScriptProgram& program, const std::string& why) {
  ScenarioRun run(spec_of(program, R"("threads":2)"));
  run.run_until([&] { return run.engine.state() == telemetry::RunState::finished; });
  EXPECT_NE(run.engine.stopped_early().find(why), std::string::npos) << run.engine.stopped_early();
  EXPECT_EQ(broken(run.engine), "no thread had to be stopped: " + run.engine.stopped_early());
}

TEST(ScriptedWorkload, DivisionByZeroEndsTheRunWithItsLine) {
  expect_stops_early(with_mistake([](ScriptAssembler& script, uint32_t) {
                       script.compute(Op::divide, workload::kScriptThreadNumber, script.constant(0));
                     }),
                     "client 1 divided by zero");
}

TEST(ScriptedWorkload, AnIndexBeyondTheArrayEndsTheRun) {
  expect_stops_early(with_mistake([](ScriptAssembler& script, uint32_t latch) {
                       script.enter(latch, false, script.constant(2));
                       script.leave();
                     }),
                     "client 1 named a latch beyond the end of its array");
}

TEST(ScriptedWorkload, ALatchTakenTwiceEndsTheRun) {
  expect_stops_early(with_mistake([](ScriptAssembler& script, uint32_t latch) {
                       script.enter(latch);
                       script.leave();
                     }),
                     "client 1 took a latch that it holds already");
}

TEST(ScriptedWorkload, MoreThanAnHourOfWorkEndsTheRun) {
  expect_stops_early(
      with_mistake([](ScriptAssembler& script, uint32_t) { script.spend(Op::work, 3'600'000'001 * kUs); }),
      "client 1 asked for more than one hour");
}

TEST(ScriptedWorkload, ALoopWithoutEffectEndsTheRun) {
  expect_stops_early(with_mistake([](ScriptAssembler& script, uint32_t) {
                       const uint32_t leaves = script.jump_if_zero(workload::kScriptThreadNumber);
                       script.jump(leaves);
                       script.lands_here(leaves);
                     }),
                     "client 1 ran a loop without work, sleep or latches");
}

// Client 1 works for ever.
workload::ScriptProgram without_end() {
  return with_mistake([](ScriptAssembler& script, uint32_t) {
    const uint32_t again = script.here();
    script.spend(Op::work, 100 * kUs);
    const uint32_t leaves = script.jump_if_zero(workload::kScriptThreadNumber);
    script.jump(again);
    script.lands_here(leaves);
  });
}

TEST(ScriptedWorkload, ATransactionWithoutEndIsCutAfterTheRun) {
  ScenarioRun run(spec_of(without_end(), R"("threads":2)"));
  run.run_transactions(20);
  run.stop_and_check();
}

TEST(ScriptedWorkload, ATransactionWithoutEndStopsARunWhoseClientsMustStandStill) {
  ScenarioRun run(spec_of(without_end(), R"("threads":2)"));
  run.run_transactions(20);
  run.engine.pause();
  run.engine.resume();
  run.run_until([&] { return run.engine.state() == telemetry::RunState::finished; });
  const std::string& why = run.engine.stopped_early();
  EXPECT_NE(why.find("client 1 did not end its transaction"), std::string::npos) << why;
}

// --- names ---------------------------------------------------------------------------------------

bool is_known(std::string_view latch) {
  const std::vector<std::string_view> names = telemetry::latch_names();
  return std::ranges::find(names, latch) != names.end();
}

TEST(ScriptedWorkload, NamesBelongToTheRun) {
  {
    ScenarioRun run(spec_of(all_kinds(), R"("threads":2)"));
    run.run_transactions(1);
    run.stop_and_check();
    EXPECT_TRUE(is_known("readers"));
  }
  const uint32_t sites = telemetry::latch_sites_count();
  ScenarioRun next("fil-mutex-69276", R"("threads":2,"parameters":{"tables":1,"rows_per_table":1000})");
  next.run_transactions(1);
  next.stop_and_check();
  EXPECT_FALSE(is_known("readers"));
  EXPECT_EQ(telemetry::latch_sites_count(), sites - 2);
  EXPECT_TRUE(is_known("fil_system->mutex"));
}

}  // namespace

}  // namespace latchscope
