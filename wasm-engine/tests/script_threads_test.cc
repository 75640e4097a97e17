// Workload files on the engine: when the server's threads run, and what bodies share beside latches.
// These are words to sleep on, counters, devices, latches of the lab, and checks at the end.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "tests/lab_mutexes.h"
#include "tests/scenario_run.h"
#include "tests/script_assembler.h"
#include "tests/test_threads.h"

namespace latchscope {

namespace {

using tests::kUs;
using tests::ScenarioRun;
using tests::ScriptAssembler;
using tests::spec_of;
using workload::kScriptNoIndex;
using workload::ScriptDeviceKind;
using workload::ScriptKind;
using workload::ScriptLatchKind;
using workload::ScriptRuns;
using Op = workload::ScriptOp;

constexpr uint64_t kShort = 10 * kUs;

void simple_clients(ScriptAssembler& script, uint32_t clients = 2) {
  script.group("client", clients);
  script.transaction_begin();
  script.spend(Op::work, kUs);
  script.transaction_end();
  script.spend(Op::think, kShort);
}

uint32_t site_of_latch(std::string_view latch) {
  uint32_t site = 0;
  while (site < telemetry::latch_sites_count() && telemetry::latch_name_of_site(site) != latch)
    ++site;
  return site;
}

uint64_t counted(uint32_t counter) {
  return telemetry::counter_of_script(counter - 1);
}

// --- when bodies run -----------------------------------------------------------------------------

TEST(ScriptThreads, AThreadRunsItsBodyOnce) {
  ScriptAssembler script;
  const uint32_t loads = script.counter("loads");
  simple_clients(script);
  script.thread("loader", ScriptRuns::once);
  script.spend(Op::work, kUs);
  script.count(loads);
  ScenarioRun run(spec_of(script.program(), R"("threads":2)"));
  run.run_until([&] { return counted(loads) > 0; });
  run.run_transactions(200);
  run.stop_and_check();
  EXPECT_EQ(counted(loads), 1u);
}

TEST(ScriptThreads, AnActionRunsWhenItIsFiredAndIsRefusedMeanwhile) {
  ScriptAssembler script;
  const uint32_t begun = script.counter("begun"), done = script.counter("done");
  const uint32_t may_end = script.word("may_end");
  simple_clients(script);
  script.thread("drop", ScriptRuns::on_action);
  script.count(begun);
  script.change(Op::futex_wait, may_end, 0, script.constant(0));
  script.count(done);
  script.thread("open", ScriptRuns::on_action);
  script.change(Op::store, may_end, 0, script.constant(1));
  script.change(Op::futex_wake, may_end, script.take_register(), script.constant(8));
  ScenarioRun run(spec_of(script.program(), R"("threads":2)"));
  run.run_transactions(10);
  EXPECT_EQ(counted(begun), 0u);
  EXPECT_EQ(run.fire("drop"), "");
  run.run_until([&] { return counted(begun) > 0; });
  EXPECT_EQ(run.fire("drop"), "it is under way already");
  EXPECT_EQ(run.fire("open"), "");
  run.run_until([&] { return counted(done) > 0 && run.fire("drop").empty(); });
  run.run_until([&] { return counted(done) > 1; });
  run.stop_and_check();
  EXPECT_EQ(counted(begun), 2u);
}

TEST(ScriptThreads, ARunEndsWhileItsActionIsUnderWay) {
  ScriptAssembler script;
  const uint32_t latch = script.latch("m", {ScriptLatchKind::innodb_mutex, 0});
  const uint32_t begun = script.counter("begun");
  simple_clients(script);
  script.thread("drop", ScriptRuns::on_action);
  script.enter(latch);
  script.count(begun);
  script.spend(Op::work, 3'000'000'000 * kUs);  // 50 min
  script.leave();
  ScenarioRun run(spec_of(script.program(), R"("threads":2)"));
  EXPECT_EQ(run.fire("drop"), "");
  run.run_until([&] { return counted(begun) > 0; });
  run.stop_and_check();
}

// --- words to sleep on ---------------------------------------------------------------------------

// Each client hands a job to a worker, and sleeps until it is done.
workload::ScriptProgram jobs() {
  ScriptAssembler script;
  const uint32_t latch =
      script.latch_of_knob("kind", {{ScriptLatchKind::innodb_mutex, 0}, {ScriptLatchKind::pthread_mutex, 0}});
  const uint32_t asked = script.word("asked"), done = script.word("done");
  const uint32_t of_worker = script.counter("jobs");
  script.group("client", 1);
  script.transaction_begin();
  const uint8_t job = script.take_register(), one = script.constant(1), unused = script.take_register();
  script.change(Op::fetch_add, asked, job, one);
  script.change(Op::futex_wake, asked, unused, one);
  const uint32_t again = script.here();
  const uint8_t now = script.take_register();
  script.change(Op::load, done, now, 0);
  const uint32_t is_done = script.jump_if_zero(script.compute(Op::less_or_equal, now, job));
  script.change(Op::futex_wait, done, 0, now);
  script.jump(again);
  script.lands_here(is_done);
  script.enter(latch);
  script.leave();
  script.transaction_end();
  script.group("worker", 1, false);
  const uint8_t wanted = script.take_register(), until_now = script.take_register();
  script.change(Op::load, asked, wanted, 0);
  script.change(Op::load, done, until_now, 0);
  const uint32_t has_work = script.jump_if_zero(script.compute(Op::equal, wanted, until_now));
  script.change(Op::futex_wait, asked, 0, wanted);
  const uint32_t to_end = script.jump();
  script.lands_here(has_work);
  script.change(Op::fetch_add, done, until_now, script.constant(1));
  script.count(of_worker);
  script.change(Op::futex_wake, done, script.take_register(), script.constant(1));
  script.lands_here(to_end);
  script.thread("checks", ScriptRuns::at_end);
  const uint8_t jobs_done = script.take_register(), transactions = script.take_register();
  script.add(Op::counted, jobs_done, 0, 0, of_worker);
  script.add(Op::counted, transactions, 0, 0, 0);
  script.add(Op::check, 0, script.compute(Op::equal, jobs_done, transactions));
  return script.program();
}

TEST(ScriptThreads, ThreadsSleepOnWordsUntilTheyAreWoken) {
  ScenarioRun run(spec_of(jobs(), R"("threads":1)"));
  run.run_transactions(tests::kIsSanitized ? 100 : 1'000);
  // The worker sleeps while the clients stand still, so each flip has to wake it.
  tests::flip_every_pair(run, 5);
  run.stop_and_check();
  EXPECT_EQ(counted(1), tests::total(telemetry::Counter::transactions));
}

TEST(ScriptThreads, AClientThatIsNeverWokenIsCutAfterTheRun) {
  ScriptAssembler script;
  const uint32_t word = script.word("word");
  script.group("client", 2);
  script.transaction_begin();
  script.spend(Op::work, kUs);
  const uint32_t others =
      script.jump_if_zero(script.compute(Op::equal, workload::kScriptThreadNumber, script.constant(1)));
  const uint32_t again = script.here();
  script.change(Op::futex_wait, word, 0, script.constant(0));
  script.jump(again);
  script.lands_here(others);
  script.transaction_end();
  script.spend(Op::think, kShort);
  ScenarioRun run(spec_of(script.program(), R"("threads":2)"));
  run.run_transactions(20);
  run.stop_and_check();
}

// Clients take from a stock that a thread fills. They wait for it with the latch given away.
workload::ScriptProgram stock_and_customers(uint32_t clients) {
  ScriptAssembler script;
  const uint32_t outer = script.latch("outer", {ScriptLatchKind::innodb_rw_lock, 0});
  const uint32_t latch = script.latch_of_knob("kind", {{ScriptLatchKind::pthread_mutex, 0},
                                                       {ScriptLatchKind::innodb_mutex, 0},
                                                       {ScriptLatchKind::innodb_rw_lock, 0}});
  const uint32_t stock = script.word("stock"), ready = script.word("ready");
  const uint32_t filled = script.counter("filled");
  script.group("client", clients);
  script.enter(outer, true);
  script.leave();
  script.transaction_begin();
  script.enter(latch);
  const uint32_t again = script.here();
  const uint8_t left = script.take_register(), one = script.constant(1);
  script.change(Op::load, stock, left, 0);
  const uint32_t is_empty = script.jump_if_zero(left);
  script.change(Op::store, stock, 0, script.compute(Op::subtract, left, one));
  script.leave();
  const uint32_t to_end = script.jump();
  script.lands_here(is_empty);
  script.change(Op::wait, ready, 0, 0);
  script.jump(again);
  script.lands_here(to_end);
  script.transaction_end();
  script.group("filler", 1, false);
  const uint8_t before = script.take_register(), unused = script.take_register();
  script.enter(latch);
  script.change(Op::load, stock, before, 0);
  script.change(Op::store, stock, 0, script.compute(Op::add, before, script.constant(1)));
  script.count(filled);
  script.leave();
  script.change(Op::fetch_add, ready, unused, script.constant(1));
  script.change(Op::futex_wake, ready, unused, script.constant(1));
  script.spend(Op::sleep, kUs);
  script.thread("checks", ScriptRuns::at_end);
  const uint8_t all = script.take_register(), rest = script.take_register(),
                transactions = script.take_register();
  script.add(Op::counted, all, 0, 0, filled);
  script.add(Op::counted, transactions, 0, 0, 0);
  script.change(Op::load, stock, rest, 0);
  script.add(Op::check, 0, script.compute(Op::equal, all, script.compute(Op::add, transactions, rest)));
  return script.program();
}

TEST(ScriptThreads, AWaitGivesItsLatchAwayAndTakesItAgain) {
  ScenarioRun run(spec_of(stock_and_customers(4), R"("threads":4)"));
  run.run_transactions(tests::kIsSanitized ? 100 : 500);
  tests::flip_every_pair(run, 20);
  run.stop_and_check();
  EXPECT_GT(telemetry::latch_site_total(site_of_latch("ready")).contended, 0u);
}

// All clients sleep inside a transaction, and hold nothing.
TEST(ScriptThreads, ClientsThatWaitForAnEventDoNotDelayAFlipOrAPause) {
  ScriptAssembler script;
  const uint32_t latch =
      script.latch_of_knob("kind", {{ScriptLatchKind::innodb_mutex, 0}, {ScriptLatchKind::pthread_mutex, 0}});
  const uint32_t is_open = script.word("is_open"), inside = script.word("inside");
  script.group("client", 3);
  script.transaction_begin();
  const uint8_t found = script.take_register(), one = script.constant(1), none = script.constant(0);
  script.change(Op::fetch_add, inside, found, one);
  const uint32_t again = script.here();
  script.change(Op::load, is_open, found, 0);
  const uint32_t is_closed = script.jump_if_zero(found);
  script.enter(latch);
  script.leave();
  const uint32_t to_end = script.jump();
  script.lands_here(is_closed);
  script.change(Op::futex_wait, is_open, 0, none);
  script.jump(again);
  script.lands_here(to_end);
  script.transaction_end();
  script.spend(Op::think, kShort);
  script.thread("open", ScriptRuns::on_action);
  script.change(Op::store, is_open, 0, script.constant(1));
  script.change(Op::futex_wake, is_open, script.take_register(), script.constant(8));
  script.thread("checks", ScriptRuns::at_end);
  const uint8_t entered = script.take_register(), transactions = script.take_register();
  script.change(Op::load, inside, entered, 0);
  script.add(Op::counted, transactions, 0, 0, 0);
  script.add(Op::check, 0, script.compute(Op::equal, entered, transactions));
  ScenarioRun run(spec_of(script.program(), R"("threads":3)"));
  run.run_until([&] { return telemetry::latch_site_total(site_of_latch("is_open")).contended >= 3; });
  run.set_knob("kind", "v1");
  run.engine.pause();
  run.engine.resume();
  run.set_knob("kind", "v0");
  EXPECT_EQ(tests::total(telemetry::Counter::transactions), 0u);
  EXPECT_EQ(run.fire("open"), "");
  run.run_transactions(20);
  run.stop_and_check();
  EXPECT_EQ(run.engine.invariants().size(), 4u) << "no transaction was cut";
}

// --- checks at the end ---------------------------------------------------------------------------

workload::ScriptProgram with_checks(uint32_t expected) {
  ScriptAssembler script;
  const uint32_t word = script.word("word", 2, 7);
  simple_clients(script);
  script.thread("checks", ScriptRuns::at_end);
  const uint8_t found = script.take_register();
  script.change(Op::load, word, found, 0, 0, script.constant(1));
  script.add(Op::check, 0, script.compute(Op::equal, found, script.constant(expected)));
  script.add(Op::check, 0, script.constant(1));
  script.compute(Op::divide, found, script.constant(expected == 7 ? 1 : 0));
  return script.program();
}

TEST(ScriptThreads, ChecksAtTheEndAreInvariants) {
  ScenarioRun run(spec_of(with_checks(7), R"("threads":1)"));
  run.run_transactions(1);
  run.stop_and_check();
  EXPECT_EQ(run.engine.invariants().size(), 5u);
}

TEST(ScriptThreads, AFailedCheckNamesItsLine) {
  ScenarioRun run(spec_of(with_checks(8), R"("threads":1)"));
  run.run_transactions(1);
  run.engine.stop();
  const std::string text = tests::broken(run.engine);
  EXPECT_NE(text.find(" at the end: its check failed"), std::string::npos) << text;
  EXPECT_NE(text.find(" at the end: divided by zero"), std::string::npos) << text;
}

// --- devices and counters ------------------------------------------------------------------------

TEST(ScriptThreads, ReadsWaitForTheirDevice) {
  ScriptAssembler script;
  const uint32_t network = script.device("net", ScriptDeviceKind::network, 2'000 * kUs);
  const uint32_t reads = script.counter("reads");
  script.group("client", 2);
  script.transaction_begin();
  script.add(Op::io, 0, script.constant(4096), 0, network);
  script.count(reads);
  script.transaction_end();
  ScenarioRun run(spec_of(script.program(), R"("threads":2)"));
  const uint64_t began_ns = platform::now_ns();
  run.run_transactions(10);
  EXPECT_GE(platform::now_ns() - began_ns, 5u * 2'000'000);
  run.stop_and_check();
  EXPECT_EQ(counted(reads), tests::total(telemetry::Counter::transactions));
  EXPECT_NE(run.engine.result().find(R"("reads":)" + std::to_string(counted(reads))), std::string::npos);
}

// --- latches written in the lab's language -------------------------------------------------------

// Clients count in a word without atomic operations, under two latches of the lab at once.
workload::ScriptProgram in_the_lab(lab::Program latch, uint32_t clients, bool is_shared = false) {
  ScriptAssembler script;
  const ScriptKind rw = script.kind("spins", tests::rw_spin_latch());
  const ScriptKind mutex = script.kind("mutex", std::move(latch));
  const uint32_t outer = script.latch("outer", rw), second = script.latch("second", rw);
  const uint32_t inner = script.latch_of_knob("inner", {mutex, {ScriptLatchKind::innodb_mutex, 0, 0}, rw});
  const uint32_t word = script.word("word");
  script.group("client", clients);
  script.transaction_begin();
  const uint8_t before = script.take_register();
  script.enter(outer, true);
  script.enter(second, true);
  script.enter(inner, is_shared);
  script.change(Op::load, word, before, 0);
  script.spend(Op::work, 100'000);
  script.change(Op::store, word, 0, script.compute(Op::add, before, script.constant(1)));
  script.leave();
  script.leave();
  script.leave();
  script.transaction_end();
  script.thread("checks", ScriptRuns::at_end);
  const uint8_t sum = script.take_register(), transactions = script.take_register();
  script.change(Op::load, word, sum, 0);
  script.add(Op::counted, transactions, 0, 0, 0);
  script.add(Op::check, 0, script.compute(Op::equal, sum, transactions));
  return script.program();
}

TEST(ScriptThreads, LatchesOfTheLabGuardTheirWork) {
  ScenarioRun run(spec_of(in_the_lab(tests::futex_mutex(), 4), R"("threads":4)"));
  run.run_transactions(tests::kIsSanitized ? 100 : 500);
  tests::flip_every_pair(run, 20);
  run.stop_and_check();
  const uint64_t transactions = tests::total(telemetry::Counter::transactions);
  EXPECT_EQ(tests::acquisitions_of("outer"), transactions);
  EXPECT_EQ(tests::acquisitions_of("inner"), transactions);
}

TEST(ScriptThreads, SharedTakesAKindWithoutReadersExclusively) {
  for (uint32_t kind : {0, 1}) {
    run::RunSpec spec = spec_of(in_the_lab(tests::futex_mutex(), 4, true), R"("threads":4)");
    spec.config.design = {kind};
    ScenarioRun run(std::move(spec));
    run.run_transactions(tests::kIsSanitized ? 100 : 500);
    run.stop_and_check();
    EXPECT_EQ(tests::acquisitions_of("inner"), tests::total(telemetry::Counter::transactions)) << kind;
  }
}

TEST(ScriptThreads, AWrongLatchOfTheLabEndsTheRunAndLosesNothing) {
  for (const auto& [latch, why] : {std::pair(tests::open_door(), "got in while thread"),
                                   std::pair(tests::never_lets_go(), "nobody got in for"),
                                   std::pair(tests::beyond_its_words(), "could not go on in line")}) {
    run::RunSpec spec = spec_of(in_the_lab(latch, 4), R"("threads":4)");
    spec.config.latch_patience_ns = 20'000'000;
    ScenarioRun run(std::move(spec));
    run.run_until([&] { return run.engine.state() == telemetry::RunState::finished; });
    const std::string& text = run.engine.stopped_early();
    EXPECT_NE(text.find("the latch mutex was stopped: "), std::string::npos) << text;
    EXPECT_NE(text.find(why), std::string::npos) << text;
    EXPECT_EQ(tests::broken(run.engine), "no thread had to be stopped: " + text);
  }
}

// --- words that share a line ---------------------------------------------------------------------

TEST(ScriptThreads, WordsKeepTheirValuesWhenTheirLineChanges) {
  ScriptAssembler script;
  const uint32_t a = script.word("a", 3), b = script.word("b", 1, 5), alone = script.word("alone", 1, 9);
  script.shared_line("layout", {a, b});
  script.group("client", 2);
  script.transaction_begin();
  const uint8_t unused = script.take_register(), one = script.constant(1);
  script.change(Op::fetch_add, a, unused, one, 0, script.constant(2));
  script.change(Op::fetch_add, b, unused, one);
  script.transaction_end();
  script.thread("checks", ScriptRuns::at_end);
  const uint8_t sum = script.take_register(), also = script.take_register(),
                transactions = script.take_register();
  script.add(Op::counted, transactions, 0, 0, 0);
  script.change(Op::load, a, sum, 0, 0, script.constant(2));
  script.change(Op::load, b, also, 0);
  script.add(Op::check, 0, script.compute(Op::equal, sum, transactions));
  script.add(Op::check, 0,
             script.compute(Op::equal, also, script.compute(Op::add, transactions, script.constant(5))));
  script.change(Op::load, alone, sum, 0);
  script.add(Op::check, 0, script.compute(Op::equal, sum, script.constant(9)));
  ScenarioRun run(spec_of(script.program(), R"("threads":2)"));
  tests::flip_every_pair(run, 100);
  run.stop_and_check();
}

}  // namespace

}  // namespace latchscope
