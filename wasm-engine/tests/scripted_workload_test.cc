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

using tests::acquisitions_of;
using tests::broken;
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

TEST(ScriptedWorkload, AThreadThatWaitsForItsActionDoesNotDelayAKnob) {
  ScriptAssembler script;
  const uint32_t latch = script.latch_of_knob("m", kExclusiveKinds);
  script.group("client", 2);
  script.transaction_begin();
  script.enter(latch);
  script.spend(Op::work, kUs);
  script.leave();
  script.transaction_end();
  script.thread("action", workload::ScriptRuns::on_action);
  script.spend(Op::work, kUs);
  ScenarioRun run(spec_of(script.program(), R"("threads":2)"));
  run.run_transactions(100);
  run.set_knob("m", "v1");
  run.run_transactions(100);
  run.stop_and_check();
  if (!platform::kIsModelled) return;
  const std::string& line = run.engine.log().front();
  const size_t at = line.find("stood for ");
  ASSERT_NE(at, std::string::npos) << line;
  EXPECT_LT(std::stoul(line.substr(at + 10)), 1'000u) << line;
}

TEST(ScriptedWorkload, AnAcquisitionOfAnRwLockIsContendedOnce) {
  ScriptAssembler script;
  const uint32_t latch = script.latch("rw", {ScriptLatchKind::innodb_rw_lock, 0});
  script.group("client", 8);
  script.transaction_begin();
  script.enter(latch, true);
  script.spend(Op::work, 5 * kUs);
  script.leave();
  script.enter(latch);
  script.spend(Op::work, 5 * kUs);
  script.leave();
  script.transaction_end();
  ScenarioRun run(spec_of(script.program(), R"("threads":8)"));
  run.run_transactions(tests::kIsSanitized ? 100 : 1'000);
  run.stop_and_check();
  uint64_t contended = 0;
  for (uint32_t site = 0; site < telemetry::latch_sites_count(); ++site) {
    if (telemetry::latch_name_of_site(site) == std::string("rw"))
      contended += telemetry::latch_site_total(site).contended;
  }
  EXPECT_GT(contended, 0u);
  EXPECT_LE(contended, acquisitions_of("rw"));
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

TEST(ScriptedWorkload, MoreThanTenSecondsOfIoEndTheRun) {
  expect_stops_early(with_mistake([](ScriptAssembler& script, uint32_t) {
                       const uint32_t disk = script.device("disk", workload::ScriptDeviceKind::hdd);
                       script.add(Op::io, 0, script.constant(1'600'000'000), 0, disk);
                     }),
                     "client 1 asked for more bytes than the device transfers in 10 seconds");
}

TEST(ScriptedWorkload, ALoopWithoutEffectEndsTheRun) {
  expect_stops_early(with_mistake([](ScriptAssembler& script, uint32_t) {
                       const uint32_t leaves = script.jump_if_zero(workload::kScriptThreadNumber);
                       script.jump(leaves);
                       script.lands_here(leaves);
                     }),
                     "client 1 ran a loop without work, sleep or latches");
}

// Client 1 works for ever, step by step.
workload::ScriptProgram without_end(uint64_t step_ps) {
  return with_mistake([step_ps](ScriptAssembler& script, uint32_t) {
    const uint32_t again = script.here();
    script.spend(Op::work, step_ps);
    const uint32_t leaves = script.jump_if_zero(workload::kScriptThreadNumber);
    script.jump(again);
    script.lands_here(leaves);
  });
}

TEST(ScriptedWorkload, ATransactionWithoutEndIsCutAfterTheRun) {
  ScenarioRun run(spec_of(without_end(100 * kUs), R"("threads":2)"));
  run.run_transactions(20);
  run.stop_and_check();
  ASSERT_FALSE(run.engine.log().empty());
  EXPECT_NE(run.engine.log().back().find(
                "1 transaction did not end with the run, and was cut; client 1 was in line "),
            std::string::npos)
      << run.engine.log().back();
}

// On the modelled server the patience of 3 s would be 10^8 steps.
TEST(ScriptedWorkload, AfterManyStepsPatienceEndsEarly) {
  ScenarioRun run(spec_of(without_end(kUs / 100), R"("threads":2)"));
  run.run_transactions(20);
  run.stop_and_check();
  if (platform::kIsModelled) EXPECT_LT(run.engine.drain_figures().seconds, 1);
}

TEST(ScriptedWorkload, AWaitThatIsCutIsNamed) {
  ScriptAssembler script;
  const uint32_t latch = script.latch("m", {ScriptLatchKind::pthread_mutex, 0});
  const uint32_t came = script.word("came");
  script.group("client", 2);
  script.transaction_begin();
  script.spend(Op::work, kUs);
  script.enter(latch);
  const uint8_t old = script.take_register();
  script.change(Op::fetch_add, came, old, script.constant(1));
  const uint32_t first = script.jump_if_zero(script.compute(Op::less, old, script.constant(20)));
  const uint32_t leaves = script.jump();
  script.lands_here(first);
  const uint32_t again = script.here();
  script.change(Op::wait, came, 0, 0);
  script.jump(again);
  script.lands_here(leaves);
  script.leave();
  script.transaction_end();
  ScenarioRun run(spec_of(script.program(), R"("threads":1)"));
  run.run_transactions(20);
  run.stop_and_check();
  ASSERT_FALSE(run.engine.log().empty());
  EXPECT_NE(run.engine.log().back().find("client 1 waited for came in line "), std::string::npos)
      << run.engine.log().back();
}

telemetry::ThreadState state_of(uint32_t thread) {
  return static_cast<telemetry::ThreadState>(telemetry::block().threads[thread - 1].state[0].read_acquire());
}

TEST(ScriptedWorkload, AClientAsleepBeforeItsTransactionIsNamed) {
  ScriptAssembler script;
  const uint32_t jobs = script.word("jobs");
  script.group("client", 2);
  script.change(Op::futex_wait, jobs, 0, script.constant(0));
  script.transaction_begin();
  script.spend(Op::work, kUs);
  script.transaction_end();
  ScenarioRun run(spec_of(script.program(), R"("threads":1)"));
  run.run_until([] { return state_of(1) == telemetry::ThreadState::sleeping; });
  run.stop_and_check();
  ASSERT_FALSE(run.engine.log().empty());
  EXPECT_NE(run.engine.log().back().find("no transaction ended: client 1 waited for jobs in line "),
            std::string::npos)
      << run.engine.log().back();
}

void expect_too_slow(const workload::ScriptProgram& program, const std::string& who = "client 1") {
  ScenarioRun run(spec_of(program, R"("threads":2)"));
  run.run_until([] { return state_of(1) != telemetry::ThreadState::parked; });
  if (who != "client 1") run.run_until([] { return telemetry::is_after_latch(state_of(1)); });
  run.engine.pause();
  run.engine.resume();
  run.run_until([&] { return run.engine.state() == telemetry::RunState::finished; });
  const std::string& why = run.engine.stopped_early();
  EXPECT_NE(why.find(who + " did not end its transaction"), std::string::npos) << why;
}

TEST(ScriptedWorkload, ATransactionWithoutEndStopsARunWhoseClientsMustStandStill) {
  for (const uint64_t step_ps : {100 * kUs, kUs / 100}) {
    SCOPED_TRACE(step_ps);
    expect_too_slow(without_end(step_ps));
  }
}

TEST(ScriptedWorkload, TheHolderOfALatchIsNamedBeforeItsWaiters) {
  ScriptAssembler script;
  const uint32_t latch = script.latch("m", {ScriptLatchKind::pthread_mutex, 0});
  script.group("client", 2);
  script.transaction_begin();
  // Client 1 comes second.
  const uint32_t first =
      script.jump_if_zero(script.compute(Op::equal, workload::kScriptThreadNumber, script.constant(1)));
  script.spend(Op::work, 1'000 * kUs);
  script.lands_here(first);
  script.enter(latch);
  const uint32_t again = script.here();
  script.spend(Op::work, 100 * kUs);
  const uint32_t leaves = script.jump_if_zero(script.constant(1));
  script.jump(again);
  script.lands_here(leaves);
  script.leave();
  script.transaction_end();
  expect_too_slow(script.program(), "client 2");
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
