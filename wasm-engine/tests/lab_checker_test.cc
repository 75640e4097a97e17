// Tests of the latch checker: it accepts correct latches and finds a shortest schedule for wrong
// ones.
#include "lab/checker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "platform/random.h"
#include "tests/lab_assembler.h"
#include "tests/lab_given.h"
#include "tests/lab_mutexes.h"
#include "tests/test_threads.h"

namespace latchscope::tests::lab_checker {

namespace {

using lab::CheckOptions;
using lab::CheckResult;
using lab::Configuration;
using lab::FaultKind;
using lab::FunctionName;
using lab::MemoryModel;
using lab::Op;
using lab::Program;
using tests::LabAssembler;

constexpr uint32_t kMe = LabAssembler::kMe;

CheckResult check(const Program& program, CheckOptions options = {}) {
  // Tests are not optimized.
  if (options.schedules == CheckOptions{}.schedules) options.schedules = 400;
  lab::Checker checker(program, options);
  while (checker.go_on(1'000)) {
  }
  return checker.result();
}

void expect_right(const Program& program) {
  CheckOptions options;
  options.states = 60'000;
  const CheckResult result = check(program, options);
  EXPECT_EQ(result.refused, "");
  EXPECT_FALSE(result.fault) << result.fault->sentence << " " << result.fault->schedule.text();
  EXPECT_FALSE(result.starvation) << result.starvation->sentence << " " << result.starvation->schedule.text();
}

// Returns the fault, or else the starvation, which does not count as a fault.
const std::optional<lab::CheckFault>& found_in(const CheckResult& result) {
  return result.fault ? result.fault : result.starvation;
}

// Expects this kind of fault or starvation, and that its schedule reproduces it. Returns it.
lab::CheckFault expect_wrong(const Program& program, FaultKind kind, const CheckOptions& options = {}) {
  const CheckResult result = check(program, options);
  const std::optional<lab::CheckFault>& found = found_in(result);
  EXPECT_TRUE(found) << "not found: " << lab::name_of(kind);
  if (!found) return {};
  EXPECT_EQ(lab::name_of(found->kind), lab::name_of(kind)) << found->sentence;
  const std::string text = found->schedule.text();
  const lab::Replayed replayed = lab::replay_schedule(program, found->configuration, text);
  EXPECT_EQ(replayed.refused, "") << text;
  if (!replayed.trace) return *found;
  EXPECT_EQ(replayed.trace->sentence, found->sentence) << text;
  EXPECT_EQ(replayed.trace->schedule.text(), text);
  EXPECT_EQ(replayed.trace->steps.size(), found->steps.size());
  EXPECT_EQ(found_in(check(program, options))->schedule.text(), text) << "it is found in the same way again";
  return *found;
}

// --- latches ------------------------------------------------------------------------------------

Program test_and_test_and_set() {
  LabAssembler a;
  const uint32_t locked = a.word("locked");
  a.function(FunctionName::enter);
  a.constant(3, 1);
  const uint32_t again = a.here();
  a.load(2, locked);
  const uint32_t is_free = a.jump_if_zero(2);
  a.pause();
  a.jump(again);
  a.lands_here(is_free);
  a.change(Op::exchange, 2, locked, 3);
  a.jump_if_not_zero(2, again);
  a.give_back();
  store_zero_and_return(a, locked);
  return a.program();
}

Program load_then_store() {
  LabAssembler a;
  const uint32_t locked = a.word("locked");
  a.function(FunctionName::enter);
  a.constant(3, 1);
  const uint32_t again = a.here();
  a.load(2, locked);
  a.jump_if_not_zero(2, again);
  a.store(locked, 3);
  a.give_back();
  store_zero_and_return(a, locked);
  return a.program();
}

// Source: Mellor-Crummey and Scott 1991.
Program mcs() {
  LabAssembler a;
  const uint32_t tail = a.word("tail"), next = a.word("next", 0, 1, true),
                 waiting = a.word("waiting", 0, 1, true);
  a.function(FunctionName::enter);
  a.constant(3, 0);
  a.constant(4, 1);
  a.store(next, 3, kMe);
  a.store(waiting, 4, kMe);
  a.change(Op::exchange, 2, tail, kMe);
  const uint32_t alone = a.jump_if_zero(2);
  a.store(next, kMe, 2);
  const uint32_t again = a.here();
  a.load(5, waiting, kMe);
  a.jump_if_not_zero(5, again);
  a.lands_here(alone);
  a.give_back();
  a.function(FunctionName::exit);
  a.constant(3, 0);
  a.load(2, next, kMe);
  const uint32_t has_next = a.jump_if_not_zero(2);
  a.change(Op::compare_exchange, 4, tail, kMe, 3);
  a.compute(Op::equal, 4, 4, kMe);
  const uint32_t was_last = a.jump_if_not_zero(4);
  const uint32_t linking = a.here();
  a.load(2, next, kMe);
  a.jump_if_zero(2, linking);
  a.lands_here(has_next);
  a.store(waiting, 3, 2);
  a.lands_here(was_last);
  a.give_back();
  return a.program();
}

// Source: Peterson 1981, for two threads.
Program peterson(bool with_fence) {
  LabAssembler a;
  a.made_for(2);
  const uint32_t wants = a.word("wants", 0, 3), turn = a.word("turn");
  a.function(FunctionName::enter);
  a.constant(2, 1);
  a.constant(3, 3);
  a.compute(Op::subtract, 4, 3, kMe);  // the other thread
  a.store(wants, 2, kMe);
  a.store(turn, 4);
  if (with_fence) a.fence();
  const uint32_t again = a.here();
  a.load(5, wants, 4);
  const uint32_t does_not_want = a.jump_if_zero(5);
  a.load(5, turn);
  a.compute(Op::equal, 5, 5, 4);
  a.jump_if_not_zero(5, again);
  a.lands_here(does_not_want);
  a.give_back();
  a.function(FunctionName::exit);
  a.constant(2, 0);
  a.store(wants, 2, kMe);
  a.give_back();
  return a.program();
}

Program compare_and_swap() {
  LabAssembler a;
  const uint32_t locked = a.word("locked");
  a.function(FunctionName::enter);
  a.constant(3, 0);
  a.constant(4, 1);
  const uint32_t again = a.here();
  a.change(Op::compare_exchange, 2, locked, 3, 4);
  a.jump_if_not_zero(2, again);
  a.give_back();
  store_zero_and_return(a, locked);
  return a.program();
}

// A count of readers, or all ones while a writer is inside. Readers may enter while readers are
// inside. With `counts` they also count their entries.
Program reader_preference(bool counts = false) {
  LabAssembler a;
  const uint32_t word = a.word("word"), went = counts ? a.word("went") : 0;
  a.function(FunctionName::enter);
  a.constant(3, 0);
  a.constant(4, ~0u);
  const uint32_t again = a.here();
  a.change(Op::compare_exchange, 2, word, 3, 4);
  a.jump_if_not_zero(2, again);
  a.give_back();
  store_zero_and_return(a, word);
  a.function(FunctionName::enter_shared);
  a.constant(4, ~0u);
  a.constant(5, 1);
  const uint32_t look = a.here();
  a.load(2, word);
  a.compute(Op::equal, 6, 2, 4);
  a.jump_if_not_zero(6, look);
  a.compute(Op::add, 7, 2, 5);
  a.change(Op::compare_exchange, 6, word, 2, 7);
  a.compute(Op::not_equal, 6, 6, 2);
  a.jump_if_not_zero(6, look);
  a.give_back();
  a.function(FunctionName::exit_shared);
  a.constant(5, 1);
  if (counts) a.change(Op::fetch_add, 2, went, 5);
  a.change(Op::fetch_sub, 2, word, 5);
  a.give_back();
  return a.program();
}

// Waiters form a stack; exit hands off to the top one. A test-and-set word guards the stack.
Program last_come_first_served() {
  LabAssembler a;
  const uint32_t guard = a.word("guard"), held = a.word("held"), top = a.word("top"),
                 below = a.word("below", 0, 1, true), go = a.word("go", 0, 1, true);
  const auto take_guard = [&] {
    a.constant(3, 1);
    const uint32_t again = a.here();
    a.change(Op::exchange, 2, guard, 3);
    a.jump_if_not_zero(2, again);
    a.constant(3, 0);
    a.constant(4, 1);
  };
  a.function(FunctionName::enter);
  take_guard();
  a.load(2, held);
  const uint32_t is_free = a.jump_if_zero(2);
  a.load(2, top);
  a.store(below, 2, kMe);
  a.store(top, kMe);
  a.store(go, 3, kMe);
  a.store(guard, 3);
  const uint32_t again = a.here();
  a.load(2, go, kMe);
  a.jump_if_zero(2, again);
  a.give_back();
  a.lands_here(is_free);
  a.store(held, 4);
  a.store(guard, 3);
  a.give_back();
  a.function(FunctionName::exit);
  take_guard();
  a.load(2, top);
  const uint32_t nobody = a.jump_if_zero(2);
  a.load(5, below, 2);
  a.store(top, 5);
  a.store(go, 4, 2);
  const uint32_t handed_over = a.jump();
  a.lands_here(nobody);
  a.store(held, 3);
  a.lands_here(handed_over);
  a.store(guard, 3);
  a.give_back();
  return a.program();
}

// Calls enter and exit in the given order. Each makes one access.
Program with_client(const std::vector<FunctionName>& calls) {
  LabAssembler a;
  const uint32_t locked = a.word("locked");
  a.function(FunctionName::enter);
  a.constant(3, 1);
  const uint32_t again = a.here();
  a.change(Op::exchange, 2, locked, 3);
  a.jump_if_not_zero(2, again);
  a.give_back();
  store_zero_and_return(a, locked);
  a.function(FunctionName::client);
  for (const FunctionName each : calls)
    a.call(each);
  a.give_back();
  return a.program();
}

// --- correct latches ----------------------------------------------------------------------------

TEST(LabChecker, DoesNotAccuseRightLatches) {
  {
    SCOPED_TRACE("test and set");
    expect_right(test_and_set());
  }
  {
    SCOPED_TRACE("test, test and set");
    expect_right(test_and_test_and_set());
  }
  {
    SCOPED_TRACE("ticket");
    expect_right(ticket());
  }
  {
    SCOPED_TRACE("MCS");
    expect_right(mcs());
  }
  {
    SCOPED_TRACE("futex");
    expect_right(futex_mutex());
  }
  {
    SCOPED_TRACE("Peterson");
    expect_right(peterson(true));
  }
}

TEST(LabChecker, SaysHowFarItHasChecked) {
  const CheckResult result = check(test_and_set());
  ASSERT_EQ(result.parts.size(), 8u);
  EXPECT_EQ(result.parts[0].sentence().substr(0, 61),
            "Every schedule of 2 threads, 3 rounds, without store buffers ");
  for (const lab::CheckedPart& part : result.parts)
    EXPECT_TRUE(part.is_complete) << part.sentence();
  EXPECT_EQ(result.parts.back().schedules, 400u);
  EXPECT_EQ(result.sentence(), "No fault found. Every part of the check is complete.");
}

// --- wrong latches ------------------------------------------------------------------------------

TEST(LabChecker, FindsTwoWhoHoldIt) {
  const lab::CheckFault fault = expect_wrong(test_and_set(false), FaultKind::mutual_exclusion);
  EXPECT_EQ(fault.schedule.text(), "1 2");
  EXPECT_EQ(fault.sentence, "Thread 1 and thread 2 hold the latch at the same time.");
  EXPECT_EQ(expect_wrong(load_then_store(), FaultKind::mutual_exclusion).steps.size(), 4u);
}

TEST(LabChecker, FindsLostWakeUps) {
  const lab::CheckFault early =
      expect_wrong(futex_mutex(FutexMistake::wakes_before_it_unlocks), FaultKind::lost_wake_up);
  EXPECT_EQ(early.configuration.threads, 2u);
  const lab::CheckFault late =
      expect_wrong(futex_mutex(FutexMistake::marks_after_it_looked), FaultKind::lost_wake_up);
  EXPECT_NE(late.sentence.find("sleep"), std::string::npos);
}

TEST(LabChecker, PetersonNeedsAFenceBecauseOfStoreBuffers) {
  const lab::CheckFault fault = expect_wrong(peterson(false), FaultKind::mutual_exclusion);
  EXPECT_EQ(fault.configuration.memory, MemoryModel::store_buffers);
  CheckOptions sequential;
  sequential.with_store_buffers = false;
  EXPECT_FALSE(check(peterson(false), sequential).fault);
}

TEST(LabChecker, FindsWhoIsLeftToStarve) {
  const lab::CheckFault writer = expect_wrong(reader_preference(), FaultKind::starvation);
  EXPECT_EQ(writer.configuration.roles_text(), "XSS");
  EXPECT_NE(writer.schedule.circle_begin, lab::kNoCircle);
  EXPECT_NE(writer.sentence.find(" in enter forever"), std::string::npos) << writer.sentence;
  const lab::CheckFault oldest = expect_wrong(last_come_first_served(), FaultKind::starvation);
  EXPECT_EQ(oldest.configuration.threads, 3u);
}

TEST(LabChecker, GoesOnWhereAThreadCanStarve) {
  const CheckResult result = check(last_come_first_served());
  EXPECT_FALSE(result.fault);
  EXPECT_EQ(result.parts.back().how, lab::CheckedPart::How::at_random);
  const auto part = std::ranges::find(result.parts, true, &lab::CheckedPart::can_starve);
  ASSERT_NE(part, result.parts.end());
  EXPECT_NE(part->sentence().find("a thread can starve"), std::string::npos) << part->sentence();
  CheckOptions without;
  without.with_starvation = false;
  EXPECT_FALSE(check(last_come_first_served(), without).starvation);
}

// A woken thread loses to newcomers, each time just before it would acquire the latch.
TEST(LabChecker, BadLuckIsNoStarvation) {
  EXPECT_FALSE(check(futex_mutex()).starvation);
  EXPECT_FALSE(check(test_and_test_and_set()).starvation);
}

TEST(LabChecker, FindsTheShortestScheduleWithFewerRounds) {
  const lab::CheckFault fault =
      expect_wrong(futex_mutex(FutexMistake::wakes_before_it_unlocks), FaultKind::lost_wake_up);
  EXPECT_EQ(fault.configuration.rounds, 1u);
  CheckOptions more_rounds;
  more_rounds.rounds = 3;
  EXPECT_LT(fault.steps.size(), expect_wrong(futex_mutex(FutexMistake::wakes_before_it_unlocks),
                                             FaultKind::lost_wake_up, more_rounds)
                                    .steps.size());
}

TEST(LabChecker, SaysWhichLimitTheStatesExceed) {
  const auto sentence_with = [](uint32_t states, uint64_t bytes) {
    CheckOptions options;
    options.states = states;
    options.bytes = bytes;
    options.schedules = 1;
    return check(mcs(), options).parts.front().sentence();
  };
  EXPECT_NE(sentence_with(20, 1'000'000'000).find("stopped at the state limit"), std::string::npos);
  EXPECT_NE(sentence_with(2'000'000, 2'000).find("stopped at the memory limit"), std::string::npos);
}

TEST(LabChecker, FindsThatNoEndCanBeReached) {
  CheckOptions every_schedule;
  every_schedule.schedules = 0;
  const lab::CheckFault fault = expect_wrong(ticket(false), FaultKind::no_end, every_schedule);
  EXPECT_NE(fault.sentence.find("loops in enter"), std::string::npos) << fault.sentence;
  // The schedule continues into the loop.
  ASSERT_NE(fault.schedule.circle_begin, lab::kNoCircle);
  EXPECT_LT(fault.schedule.circle_begin, fault.schedule.moves.size());
  // exit never lets a thread in, which is visible before the first step.
  EXPECT_EQ(fault.sentence.find("From the start no schedule terminates."), 0u) << fault.sentence;
}

TEST(LabChecker, FindsCallsInTheWrongOrder) {
  using enum FunctionName;
  EXPECT_EQ(expect_wrong(with_client({exit}), FaultKind::exit_without_enter).steps.size(), 0u);
  EXPECT_EQ(expect_wrong(with_client({enter, enter}), FaultKind::exit_without_enter).steps.size(), 1u);
  EXPECT_FALSE(check(with_client({enter, exit})).fault);
  expect_wrong(with_client({enter}), FaultKind::no_end);
}

// A latch of two accesses whose first function fails in a way chosen by `how`.
Program that_goes_wrong(Op how) {
  LabAssembler a;
  const uint32_t word = a.word("word", 0, 2);
  a.function(FunctionName::enter);
  a.load(2, word);
  a.constant(3, 7);
  if (how == Op::load) a.load(4, word, 3);
  if (how == Op::check || how == Op::divide) a.compute(how, 4, 2, 2);
  if (how == Op::jump) a.jump(a.here());
  if (how == Op::futex_wait) a.futex_wait(word, 2);
  a.give_back();
  store_zero_and_return(a, word);
  return a.program();
}

TEST(LabChecker, FindsWhatGoesWrongInTheCode) {
  EXPECT_EQ(expect_wrong(that_goes_wrong(Op::load), FaultKind::index_too_large).steps.size(), 2u);
  EXPECT_EQ(expect_wrong(that_goes_wrong(Op::check), FaultKind::check_failed).steps.size(), 1u);
  EXPECT_EQ(expect_wrong(that_goes_wrong(Op::divide), FaultKind::division_by_zero).steps.size(), 1u);
  EXPECT_EQ(expect_wrong(that_goes_wrong(Op::jump), FaultKind::no_access).steps.size(), 1u);
  expect_wrong(that_goes_wrong(Op::futex_wait), FaultKind::lost_wake_up);
}

TEST(LabChecker, NamesTheLoopThatIsTheVeryFirstInstruction) {
  LabAssembler a;
  const uint32_t word = a.word("word");
  a.function(FunctionName::enter);
  a.jump(a.here());
  store_zero_and_return(a, word);
  const lab::CheckFault fault = expect_wrong(a.program(), FaultKind::no_access);
  EXPECT_EQ(fault.sentence, "Thread 1 loops in enter (line 1) without accessing a word.");
}

TEST(LabChecker, FindsADeadlockWhileItIsHeld) {
  LabAssembler a;
  const uint32_t word = a.word("word");
  a.function(FunctionName::enter);
  a.constant(3, 1);
  a.constant(4, 1);
  a.change(Op::exchange, 2, word, 3);
  const uint32_t got_it = a.jump_if_zero(2);
  a.futex_wait(word, 4);
  a.lands_here(got_it);
  a.give_back();
  store_zero_and_return(a, word);
  a.function(FunctionName::client);
  a.call(FunctionName::enter);
  a.give_back();
  EXPECT_NE(expect_wrong(a.program(), FaultKind::deadlock).sentence.find("still holds"), std::string::npos);
}

// Thread 1 enters and wakes two others. Their check then fails.
Program wakes_two() {
  LabAssembler a;
  const uint32_t gate = a.word("gate");
  a.function(FunctionName::enter);
  a.constant(3, 1);
  a.constant(4, 0);
  a.compute(Op::equal, 2, kMe, 3);
  const uint32_t is_the_first = a.jump_if_not_zero(2);
  a.futex_wait(gate, 4);
  a.add(Op::check, 0, 4, 0, 0);
  a.lands_here(is_the_first);
  a.give_back();
  a.function(FunctionName::exit);
  a.constant(3, 2);
  a.futex_wake(2, gate, 3);
  a.give_back();
  return a.program();
}

TEST(LabChecker, WakesThoseFirstWhoHaveSleptLongest) {
  const lab::CheckedProgram checked(wakes_two());
  Configuration configuration;
  configuration.threads = 4;
  const lab::CheckedMachine machine(checked, configuration);
  const std::vector<std::vector<uint32_t>> orders = {{1, 2, 3}, {1, 3, 2}, {2, 1, 3},
                                                     {2, 3, 1}, {3, 1, 2}, {3, 2, 1}};
  for (const std::vector<uint32_t>& order : orders) {
    lab::MachineState state{};
    machine.begin(state);
    for (const uint32_t thread : order)
      EXPECT_TRUE(machine.carry_out(state, {thread, lab::Move::Kind::step, 0}).fell_asleep);
    const lab::Happening woken = machine.carry_out(state, {0, lab::Move::Kind::step, 0});
    EXPECT_EQ(woken.result, 2u);
    EXPECT_EQ(woken.fault, FaultKind::check_failed);
    EXPECT_EQ(woken.fault_thread, order[0]) << "the longest sleeper continues first";
    EXPECT_EQ(state.threads[order[1]].status, lab::Status::running);
    EXPECT_EQ(state.threads[order[2]].status, lab::Status::asleep);
    EXPECT_EQ(state.threads[order[2]].sleep_order, 0u);
  }
}

// --- state reported for each step ---------------------------------------------------------------

std::vector<lab::TraceMoment> moments_of(const Program& program, const Configuration& configuration,
                                         const char* schedule) {
  const lab::Replayed replayed = lab::replay_schedule(program, configuration, schedule);
  EXPECT_EQ(replayed.refused, "");
  if (!replayed.trace) return {};
  std::vector<lab::TraceMoment> moments = {replayed.trace->begin};
  for (const lab::TraceStep& step : replayed.trace->steps)
    moments.push_back(step.afterwards);
  return moments;
}

TEST(LabChecker, TellsWhoSleepsInTheOrderInWhichTheyWillBeWoken) {
  Configuration configuration;
  configuration.threads = 4;
  const auto moments = moments_of(wakes_two(), configuration, "3 2 4 1");
  ASSERT_EQ(moments.size(), 5u);
  const auto sleepers = [&](size_t moment) {
    std::vector<uint32_t> threads;
    for (const lab::Sleeper& sleeper : moments[moment].sleepers)
      threads.push_back(sleeper.thread);
    return threads;
  };
  EXPECT_EQ(sleepers(0), std::vector<uint32_t>{});
  EXPECT_EQ(sleepers(3), (std::vector<uint32_t>{3, 2, 4}));
  EXPECT_EQ(sleepers(4), (std::vector<uint32_t>{4}));
  EXPECT_EQ(moments[1].threads[2].line, moments[0].threads[2].line) << "it sleeps at the same line";
}

// The value that each step read and the value that it wrote; "-": none.
std::vector<std::string> values_of(const Program& program, const Configuration& configuration,
                                   const char* schedule) {
  const lab::Replayed replayed = lab::replay_schedule(program, configuration, schedule);
  EXPECT_EQ(replayed.refused, "");
  if (!replayed.trace) return {};
  std::vector<std::string> values;
  for (const lab::TraceStep& step : replayed.trace->steps) {
    const lab::Happening& happening = step.happening;
    const std::string read = happening.has_read ? std::to_string(happening.before) : "-";
    values.push_back(read + " " + (happening.has_written ? std::to_string(happening.after) : "-"));
  }
  return values;
}

TEST(LabChecker, TellsWhatEachStepReadAndWrote) {
  using Values = std::vector<std::string>;
  EXPECT_EQ(values_of(compare_and_swap(), {}, "1 2 1 2"), (Values{"0 1", "1 -", "- 0", "0 1"}))
      << "a compare_exchange that fails writes nothing";
  EXPECT_EQ(values_of(test_and_set(), {}, "1 2"), (Values{"0 1", "1 1"})) << "a write of the same value";
  EXPECT_EQ(values_of(futex_mutex(), {}, "1 2x3 1x2"), (Values{"0 1", "1 -", "1 2", "2 -", "2 0", "- -"}))
      << "a futex_wait reads, a futex_wake neither reads nor writes";
  Configuration configuration;
  configuration.memory = MemoryModel::store_buffers;
  EXPECT_EQ(values_of(peterson(false), configuration, "1x2 2 2b 1x2"),
            (Values{"- 1", "- 2", "- 1", "- 1", "1 -", "2 -"}))
      << "a store writes its value, and again when it takes effect; its thread reads it at once";
}

TEST(LabChecker, TellsWhoIsInsideAndWhoGoesRound) {
  const auto moments = moments_of(test_and_test_and_set(), {}, "1x2 2x2 1 2x2");
  ASSERT_EQ(moments.size(), 8u);
  const auto second = [&](size_t moment) { return moments[moment].threads[1]; };
  EXPECT_EQ(moments[2].threads[0].phase, lab::Phase::holding);
  EXPECT_EQ(moments[2].elements, std::vector<uint32_t>{1});
  EXPECT_FALSE(second(2).goes_round) << "it has not looked yet";
  EXPECT_TRUE(second(3).goes_round) << "it has looked, and is about to look again";
  EXPECT_TRUE(second(4).goes_round);
  EXPECT_FALSE(second(6).goes_round) << "the latch is free, and the next step has not happened yet";
  EXPECT_EQ(second(7).phase, lab::Phase::holding);
  EXPECT_TRUE(moments[7].threads[0].has_ended);
  EXPECT_EQ(moments[7].threads[0].line, 0u);
}

TEST(LabChecker, TellsOfNobodyThatItGoesRoundWhoEntersOnceMore) {
  Configuration configuration;
  configuration.rounds = 2;
  const auto moments = moments_of(test_and_test_and_set(), configuration, "1x3");
  ASSERT_EQ(moments.size(), 4u);
  EXPECT_EQ(moments[3].threads[0].phase, lab::Phase::entering);
  EXPECT_EQ(moments[3].threads[0].line, moments[0].threads[0].line);
  EXPECT_FALSE(moments[3].threads[0].goes_round);
}

TEST(LabChecker, TellsWhichStoresNobodyElseSees) {
  Configuration configuration;
  configuration.memory = MemoryModel::store_buffers;
  const auto moments = moments_of(peterson(true), configuration, "1x2 1bx2");
  ASSERT_EQ(moments.size(), 5u);
  const auto stores = [&](size_t moment) { return moments[moment].threads[0].stores; };
  ASSERT_EQ(stores(2).size(), 2u);
  EXPECT_EQ(std::tuple(stores(2)[0].word, stores(2)[0].index, stores(2)[0].value), std::tuple(0u, 1u, 1u));
  EXPECT_EQ(std::tuple(stores(2)[1].word, stores(2)[1].index, stores(2)[1].value), std::tuple(1u, 0u, 2u));
  EXPECT_EQ(moments[2].elements, (std::vector<uint32_t>{0, 0, 0, 0}));
  EXPECT_FALSE(moments[1].threads[0].waits_for_its_stores) << "another store may follow";
  EXPECT_TRUE(moments[2].threads[0].waits_for_its_stores) << "a fence is next";
  EXPECT_EQ(moments[3].elements, (std::vector<uint32_t>{0, 1, 0, 0}));
  EXPECT_TRUE(moments[3].threads[0].waits_for_its_stores);
  EXPECT_EQ(moments[4].elements, (std::vector<uint32_t>{0, 1, 0, 2}));
  EXPECT_FALSE(moments[4].threads[0].waits_for_its_stores);
}

// Correct with two and three threads, wrong with four.
TEST(LabChecker, FindsAtRandomWhatMoreThreadsNeed) {
  LabAssembler a;
  const uint32_t locked = a.word("locked"), inside = a.word("came");
  a.function(FunctionName::enter);
  a.constant(3, 1);
  a.change(Op::fetch_add, 5, inside, 3);
  a.constant(4, 3);
  a.compute(Op::equal, 5, 5, 4);
  const uint32_t is_the_fourth = a.jump_if_not_zero(5);
  const uint32_t again = a.here();
  a.change(Op::exchange, 2, locked, 3);
  a.jump_if_not_zero(2, again);
  a.lands_here(is_the_fourth);
  a.give_back();
  a.function(FunctionName::exit);
  a.constant(3, 1);
  a.change(Op::fetch_sub, 5, inside, 3);
  a.constant(3, 0);
  a.store(locked, 3);
  a.give_back();
  const lab::CheckFault fault = expect_wrong(a.program(), FaultKind::mutual_exclusion);
  EXPECT_GT(fault.configuration.threads, 3u);
  EXPECT_LE(fault.steps.size(), 8u) << fault.schedule.text();
}

TEST(LabChecker, RefusesSchedulesThatDoNotFit) {
  for (const char* text : {"x", "1x0", "9", "1 2 (", "1 1 1 1", "1?1", "1b", "1x99999999", "1)", "(1) 2"}) {
    const lab::Replayed replayed = lab::replay_schedule(test_and_set(false), {}, text);
    EXPECT_NE(replayed.refused, "") << text;
  }
  EXPECT_EQ(lab::replay_schedule(test_and_set(), {}, "1 2").refused, "");
}

TEST(LabChecker, RefusesWhatIsTooLarge) {
  LabAssembler a;
  a.word("large", 0, 256);
  const uint32_t locked = a.word("locked");
  a.function(FunctionName::enter);
  a.give_back();
  store_zero_and_return(a, locked);
  EXPECT_NE(check(a.program()).refused, "");
}

// --- numbers that only rise ---------------------------------------------------------------------

// Phase-fair for writers: tickets whose lowest bit matters, and counts with flags below them.
// Source: Brandenburg and Anderson 2010.
Program tickets_with_flags() {
  LabAssembler a;
  const uint32_t in = a.word("in"), out = a.word("out"), next = a.word("next"), serving = a.word("serving");
  a.function(FunctionName::enter);
  a.constant(3, 1);
  a.change(Op::fetch_add, 2, next, 3);
  const uint32_t again = a.here();
  a.load(4, serving);
  a.compute(Op::not_equal, 4, 4, 2);
  a.jump_if_not_zero(4, again);
  a.compute(Op::bit_and, 4, 2, 3);
  a.constant(5, 2);
  a.compute(Op::bit_or, 4, 4, 5);
  a.change(Op::fetch_add, 6, in, 4);
  a.constant(5, ~3u);
  a.compute(Op::bit_and, 6, 6, 5);
  const uint32_t readers_leave = a.here();
  a.load(7, out);
  a.compute(Op::not_equal, 7, 7, 6);
  a.jump_if_not_zero(7, readers_leave);
  a.give_back();
  a.function(FunctionName::exit);
  a.constant(3, ~3u);
  a.change(Op::fetch_and, 2, in, 3);
  a.load(2, serving);
  a.constant(3, 1);
  a.compute(Op::add, 2, 2, 3);
  a.store(serving, 2);
  a.give_back();
  a.function(FunctionName::enter_shared);
  a.constant(3, 0x100);
  a.constant(4, 3);
  a.change(Op::fetch_add, 2, in, 3);
  a.compute(Op::bit_and, 2, 2, 4);
  const uint32_t no_writer = a.jump_if_zero(2);
  const uint32_t look = a.here();
  a.load(5, in);
  a.compute(Op::bit_and, 5, 5, 4);
  a.compute(Op::equal, 5, 5, 2);
  a.jump_if_not_zero(5, look);
  a.lands_here(no_writer);
  a.give_back();
  a.function(FunctionName::exit_shared);
  a.constant(3, 0x100);
  a.change(Op::fetch_add, 2, out, 3);
  a.give_back();
  return a.program();
}

// A test-and-set mutex whose waiters sleep until an event count changes. They read the count before
// they test the word a second time. Variants test by how much the count has changed.
enum class HowMany : uint8_t { does_not_matter, seen_and_two, two_and_seen };
Program event_count(HowMany how_many = HowMany::does_not_matter) {
  LabAssembler a;
  const uint32_t locked = a.word("locked"), count = a.word("count");
  a.function(FunctionName::enter);
  const uint32_t again = a.here();
  a.load(3, count);
  a.constant(4, 1);
  a.change(Op::exchange, 2, locked, 4);
  const uint32_t got_it = a.jump_if_zero(2);
  if (how_many != HowMany::does_not_matter) {
    const bool seen_first = how_many == HowMany::seen_and_two;
    a.constant(6, 2);
    a.compute(Op::add, 5, seen_first ? 3 : 6, seen_first ? 6 : 3);
    a.load(7, count);
    a.compute(Op::not_equal, 5, 5, 7);
    a.jump_if_zero(5, again);
  }
  a.futex_wait(count, 3);
  a.jump(again);
  a.lands_here(got_it);
  a.give_back();
  a.function(FunctionName::exit);
  a.constant(3, 0);
  a.store(locked, 3);
  a.constant(3, 1);
  a.change(Op::fetch_add, 2, count, 3);
  a.futex_wake(2, count, 3);
  a.give_back();
  return a.program();
}

TEST(LabChecker, DecidesWhetherTicketsStarveAnybody) {
  CheckOptions options;
  options.states = 3'000;
  options.schedules = 10;
  for (const Program& program : {ticket(), tickets_with_flags(), event_count()}) {
    const CheckResult result = check(program, options);
    EXPECT_FALSE(result.fault);
    for (const lab::CheckedPart& part : result.parts) {
      if (part.how == lab::CheckedPart::How::starvation) EXPECT_TRUE(part.is_complete) << part.sentence();
    }
  }
  EXPECT_EQ(
      expect_wrong(reader_preference(/*counts=*/true), FaultKind::starvation, options).configuration.threads,
      3u);
}

// A state and its representative must take the same steps. Returns whether the program has rising
// numbers.
bool shifts_change_nothing(const Program& program, uint64_t seed) {
  const lab::CheckedProgram checked(program);
  if (checked.rising_numbers().empty() || checked.elements_for(3) > lab::kCheckedElementsMax) return false;
  Configuration configuration;
  configuration.threads = std::min(3u, checked.threads_max());
  configuration.rounds = lab::kForEver;
  if (program.is_rw_latch()) configuration.roles[1] = lab::Role::shared;
  const lab::CheckedMachine machine(checked, configuration);
  const lab::StatePacking packing(checked, configuration.threads, lab::Shifts::leaves_out);
  platform::Random random(seed);
  lab::MachineState state{}, other{};
  if (machine.begin(state).fault != FaultKind::none) return true;
  other = state;
  for (uint32_t step = 0; step < 200; ++step) {
    std::vector<uint32_t> packed, packed_other;
    packing.pack(state, packed);
    packing.pack(other, packed_other);
    EXPECT_EQ(packed, packed_other);
    packing.unpack(packed_other.data(), other);
    const lab::Moves moves = machine.possible(state), moves_of_other = machine.possible(other);
    EXPECT_TRUE(std::ranges::equal(moves.all(), moves_of_other.all()));
    if (moves.count == 0 || testing::Test::HasFailure()) return true;
    const lab::Move& move = moves.moves[random.below(moves.count)];
    const lab::Happening it = machine.carry_out(state, move), its = machine.carry_out(other, move);
    EXPECT_EQ(
        std::tie(it.place, it.element, it.got_in, it.fell_asleep, it.others_go_on, it.has_waited, it.fault),
        std::tie(its.place, its.element, its.got_in, its.fell_asleep, its.others_go_on, its.has_waited,
                 its.fault));
    if (it.fault != FaultKind::none) return true;
  }
  return true;
}

// --- random schedules ---------------------------------------------------------------------------

uint64_t hash_of_schedules(const Program& program, uint32_t schedules) {
  const lab::CheckedProgram checked(program);
  lab::RandomLimits limits;
  limits.threads_max = checked.threads_max();
  limits.threads_min = std::min(limits.threads_min, limits.threads_max);
  lab::RandomSchedules random(checked, limits);
  uint64_t hash = 0;
  for (uint32_t number = 0; number < schedules; ++number) {
    random.run(number);
    EXPECT_FALSE(random.found());
    for (const char c : lab::CheckSchedule{random.moves(), lab::kNoCircle}.text() + "\n")
      hash = platform::split_mix_64(hash ^ static_cast<uint8_t>(c));
  }
  return hash;
}

// Reports and links contain seeds, so a seed must always give the same schedule.
TEST(LabChecker, ASeedIsTheSameScheduleAsEver) {
  EXPECT_EQ(hash_of_schedules(test_and_set(), 300), 17383800607294351262u);
  EXPECT_EQ(hash_of_schedules(mcs(), 300), 10684497043905773338u);
  EXPECT_EQ(hash_of_schedules(futex_mutex(), 300), 8231403727313001186u);
  EXPECT_EQ(hash_of_schedules(peterson(true), 300), 4356796786194517669u);
  EXPECT_EQ(hash_of_schedules(reader_preference(), 300), 8195725865219748755u);
}

// The checker skips moves of threads that poll in vain. This test executes them; they lead to the
// same end.
TEST(LabChecker, ASchedulesMovesLeadToItsEnd) {
  for (const Program& program : {test_and_test_and_set(), ticket(), mcs(), last_come_first_served()}) {
    const lab::CheckedProgram checked(program);
    lab::RandomSchedules random(checked, {});
    for (uint32_t number = 0; number < 200; ++number) {
      random.run(number);
      ASSERT_FALSE(random.found());
      const lab::CheckedMachine machine(checked, random.configuration());
      lab::MachineState state;
      machine.begin(state);
      for (const lab::Move& move : random.moves()) {
        ASSERT_TRUE(machine.is_possible(state, move)) << number;
        machine.carry_out(state, move);
      }
      EXPECT_EQ(state.stage, lab::Stage::done) << number;
    }
  }
}

// --- comparison with a search without reduction -------------------------------------------------

// Explores all runs, one by one, with every register in the state.
void all_outcomes(const lab::CheckedMachine& machine, const lab::MachineState& state,
                  std::set<std::string>& seen, std::set<std::string>& outcomes) {
  std::string text;
  for (uint32_t i = 0; i < machine.layout().elements(); ++i)
    text += std::to_string(state.elements[i]) + ",";
  const std::string words = text;
  for (uint32_t number = 0; number < machine.configuration().threads; ++number) {
    const lab::ThreadState& thread = state.threads[number];
    for (const uint32_t value :
         {thread.pc, thread.return_to, thread.rounds_left, static_cast<uint32_t>(thread.phase), thread.stores,
          static_cast<uint32_t>(thread.calls_exit), static_cast<uint32_t>(thread.status), thread.sleep_order})
      text += std::to_string(value) + " ";
    for (uint32_t store = 0; store < thread.stores; ++store)
      text += std::to_string(thread.buffer[store].element) + "=" +
              std::to_string(thread.buffer[store].value) + " ";
    for (const uint32_t value : thread.registers.values)
      text += std::to_string(value) + " ";
  }
  if (!seen.insert(text).second) return;
  const lab::Moves moves = machine.possible(state);
  if (moves.count == 0) outcomes.insert(words + std::string(lab::name_of(machine.fault_at_the_end(state))));
  for (const lab::Move& move : moves.all()) {
    lab::MachineState next = state;
    const lab::Happening happening = machine.carry_out(next, move);
    if (happening.fault == FaultKind::none) {
      all_outcomes(machine, next, seen, outcomes);
    } else {
      outcomes.insert(std::string(lab::name_of(happening.fault)));
    }
  }
}

TEST(LabChecker, FindsTheSameOutcomesAsASearchWithoutReduction) {
  const std::vector<Program> programs = {test_and_set(), load_then_store(), futex_mutex(), peterson(false),
                                         futex_mutex(FutexMistake::wakes_before_it_unlocks)};
  for (const Program& program : programs) {
    for (const MemoryModel memory : {MemoryModel::sequential, MemoryModel::store_buffers}) {
      const lab::CheckedProgram checked(program);
      Configuration configuration;
      configuration.memory = memory;
      configuration.rounds = 2;
      const lab::CheckedMachine machine(checked, configuration);
      lab::MachineState state{};
      machine.begin(state);
      std::set<std::string> seen, outcomes;
      all_outcomes(machine, state, seen, outcomes);
      lab::Search search(machine, {}, false);
      while (search.go_on(1'000)) {
      }
      const bool is_wrong =
          std::ranges::any_of(outcomes, [](const std::string& each) { return !each.ends_with("none"); });
      EXPECT_EQ(search.found().has_value(), is_wrong);
      if (search.found()) {
        const std::string kind(lab::name_of(search.found()->kind));
        EXPECT_TRUE(std::ranges::any_of(
            outcomes, [&](const std::string& each) { return each.find(kind) != std::string::npos; }));
      } else {
        EXPECT_LE(search.states(), seen.size());
        EXPECT_EQ(search.ends(), outcomes.size());
      }
    }
  }
}

// --- arbitrary programs -------------------------------------------------------------------------

uint32_t fuzzed_programs() {
  if (const char* text = getenv("LATCHSCOPE_FUZZ")) return static_cast<uint32_t>(strtoul(text, nullptr, 10));
  const bool is_long = getenv("LATCHSCOPE_LONG") != nullptr;
  // The checker is single-threaded, so there are no races to find.
  if (tests::kHasThreadSanitizer) return 300;
  if (tests::kIsSanitized) return is_long ? 10'000 : 300;
  return is_long ? 100'000 : 3'000;
}

void mutate(Program& program, platform::Random& random) {
  for (uint32_t changes = random.between(1, 3); changes > 0; --changes) {
    lab::Instruction& instruction = program.code[random.below(static_cast<uint32_t>(program.code.size()))];
    switch (random.below(6)) {
      case 0:
        instruction.op = static_cast<Op>(random.below(lab::kOps + 1));
        break;
      case 1:
        instruction.target = static_cast<uint8_t>(random.below(14));
        break;
      case 2:
        instruction.a = static_cast<uint8_t>(random.below(14));
        break;
      case 3:
        instruction.b = static_cast<uint8_t>(random.below(14));
        break;
      case 4:
        instruction.immediate = random.below(40);
        break;
      default:
        instruction.immediate ^= 1u << random.below(32);
    }
  }
}

struct Verdict {
  bool is_wrong = false, is_decided = false;
  uint32_t states = 0;
};

Verdict verdict_with(const lab::CheckedMachine& machine, lab::Reduction reduction) {
  constexpr uint32_t kStatesMax = 20'000;
  lab::Search search(machine, {kStatesMax, 100'000'000}, /*keeps_states=*/false, reduction);
  while (search.go_on(1'000)) {
  }
  const bool is_wrong = search.found().has_value() || search.find_trap().has_value();
  return {is_wrong, is_wrong || search.is_complete(), search.states()};
}

// Numbers of states found without and with the reduction, for programs without a fault.
struct StatesOf {
  uint64_t all = 0, reduced = 0;
};

void expect_the_same_verdict(const Program& program, StatesOf& states) {
  const lab::CheckedProgram checked(program);
  for (const auto& [threads, rounds] : {std::pair{2u, 2u}, std::pair{3u, 1u}}) {
    if (threads > checked.threads_max() || checked.elements_for(threads) > lab::kCheckedElementsMax) continue;
    Configuration configuration;
    configuration.memory = MemoryModel::store_buffers;
    configuration.threads = threads;
    configuration.rounds = rounds;
    if (program.is_rw_latch()) configuration.roles[1] = lab::Role::shared;
    const lab::CheckedMachine machine(checked, configuration);
    const Verdict all = verdict_with(machine, lab::Reduction::none);
    const Verdict reduced = verdict_with(machine, lab::Reduction::unseen_first);
    if (!all.is_decided || !reduced.is_decided) continue;
    EXPECT_EQ(reduced.is_wrong, all.is_wrong) << threads << " threads, " << rounds << " rounds";
    if (all.is_wrong) continue;
    EXPECT_LE(reduced.states, all.states);
    states.all += all.states;
    states.reduced += reduced.states;
  }
}

TEST(LabChecker, FindsTheSameWithStoresThatNobodySeesFirst) {
  const std::vector<Program> programs = {test_and_set(),
                                         load_then_store(),
                                         ticket(),
                                         mcs(),
                                         futex_mutex(),
                                         futex_mutex(FutexMistake::wakes_before_it_unlocks),
                                         peterson(true),
                                         peterson(false),
                                         reader_preference(),
                                         last_come_first_served(),
                                         with_client({FunctionName::enter, FunctionName::exit})};
  StatesOf states;
  for (const Program& program : programs)
    expect_the_same_verdict(program, states);
  printf("%llu states without the reduction, %llu with it\n", static_cast<unsigned long long>(states.all),
         static_cast<unsigned long long>(states.reduced));
  EXPECT_LT(3 * states.reduced, 2 * states.all);
  platform::Random random(/*seed=*/3);
  for (uint32_t i = 0; i < fuzzed_programs() / 3 && !HasFailure(); ++i) {
    Program program = programs[i % programs.size()];
    mutate(program, random);
    if (!lab::find_fault(program)) expect_the_same_verdict(program, states);
  }
}

TEST(LabChecker, FindsTheSameInLatchesThatAreGiven) {
  const std::vector<GivenProgram> programs = given_programs();
  if (programs.empty()) GTEST_SKIP() << "no programs are given";
  for (const GivenProgram& given : programs) {
    SCOPED_TRACE(given.name);
    StatesOf states;
    expect_the_same_verdict(given.program, states);
    printf("%s: %llu states without the reduction, %llu with it\n", given.name.c_str(),
           static_cast<unsigned long long>(states.all), static_cast<unsigned long long>(states.reduced));
  }
}

TEST(LabChecker, NumbersThatRiseCanBeShifted) {
  const std::vector<Program> programs = {ticket(),
                                         tickets_with_flags(),
                                         event_count(),
                                         event_count(HowMany::seen_and_two),
                                         event_count(HowMany::two_and_seen),
                                         reader_preference(/*counts=*/true)};
  for (const Program& program : programs) {
    for (uint32_t seed = 0; seed < 20; ++seed)
      EXPECT_TRUE(shifts_change_nothing(program, seed));
  }
  platform::Random random(/*seed=*/2);
  uint32_t shifted = 0;
  for (uint32_t i = 0; i < fuzzed_programs() && !HasFailure(); ++i) {
    Program program = programs[i % programs.size()];
    mutate(program, random);
    if (!lab::find_fault(program)) shifted += shifts_change_nothing(program, i) ? 1 : 0;
  }
  EXPECT_GT(shifted, fuzzed_programs() / 8);
}

TEST(LabChecker, RefusesOrChecksWhateverComes) {
  const std::vector<Program> programs = {test_and_set(),
                                         mcs(),
                                         futex_mutex(),
                                         peterson(true),
                                         reader_preference(),
                                         last_come_first_served(),
                                         with_client({FunctionName::enter, FunctionName::exit})};
  platform::Random random(/*seed=*/1);
  uint32_t checked = 0;
  for (uint32_t i = 0; i < fuzzed_programs(); ++i) {
    Program program = programs[i % programs.size()];
    mutate(program, random);
    if (lab::find_fault(program)) continue;
    ++checked;
    CheckOptions options;
    options.states = 60;
    options.schedules = 2;
    lab::Checker checker(program, options);
    while (checker.go_on(100)) {
    }
    if (!checker.result().fault) continue;
    const lab::CheckFault& fault = *checker.result().fault;
    const lab::Replayed replayed = lab::replay_schedule(program, fault.configuration, fault.schedule.text());
    ASSERT_EQ(replayed.refused, "");
    ASSERT_EQ(replayed.trace->kind, fault.kind) << fault.schedule.text();
  }
  EXPECT_GT(checked, fuzzed_programs() / 4);
}

}  // namespace

}  // namespace latchscope::tests::lab_checker
