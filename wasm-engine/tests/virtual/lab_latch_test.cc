// A lab latch on the virtual server behaves as its code says, to the picosecond.
#include "lab/lab_latch.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lab/contest.h"
#include "latch/sys_mutex.h"
#include "telemetry/latch_trace.h"
#include "tests/lab_assembler.h"
#include "tests/lab_mutexes.h"

namespace latchscope {

namespace {

using lab::Op;
using lab::Program;
using tests::LabAssembler;

const telemetry::LatchSite kSite("lab_latch", "lab_latch_test");

// Totals of a virtual server after threads competed for a latch.
struct Course {
  platform::ModelTotals totals;
  bool operator==(const Course& other) const {
    return totals.time_ps == other.totals.time_ps && totals.events == other.totals.events &&
           totals.hash == other.totals.hash && totals.futex_waits == other.totals.futex_waits &&
           totals.futex_wakes == other.totals.futex_wakes &&
           totals.line_transfers == other.totals.line_transfers;
  }
};

constexpr uint32_t kEntriesOfEach = 200;

template <class Enter, class Exit>
Course compete(uint32_t threads, Enter enter, Exit exit) {
  std::vector<platform::Thread> running;
  for (uint32_t thread = 0; thread < threads; ++thread) {
    running.emplace_back([=] {
      telemetry::ThreadScope scope({thread, 0, thread, /*seed=*/1});
      for (uint32_t round = 0; round < kEntriesOfEach; ++round) {
        enter(thread + 1);
        platform::charge(70 + thread);
        exit(thread + 1);
        platform::charge(platform::scale_to(telemetry::recorder().random().next(), 400));
      }
    });
  }
  for (platform::Thread& thread : running)
    thread.join();
  return {platform::model_totals()};
}

Course of_compiled(uint32_t threads) {
  platform::begin_run({});
  latch::SysMutex mutex;
  return compete(
      threads, [&](uint32_t) NO_THREAD_SAFETY_ANALYSIS { mutex.enter(kSite); },
      [&](uint32_t) NO_THREAD_SAFETY_ANALYSIS { mutex.exit(); });
}

Course of_lab(const Program& program, uint32_t threads) {
  platform::begin_run({});
  lab::LabLatch latch(program, threads);
  return compete(
      threads, [&](uint32_t thread) { latch.enter(kSite, thread); },
      [&](uint32_t thread) { latch.exit(thread); });
}

TEST(LabLatch, TakesTheCourseOfTheCompiledLatchOfTheSameAlgorithm) {
  const Program program = tests::futex_mutex();
  for (const uint32_t threads : {1u, 2u, 7u, 60u}) {
    const Course compiled = of_compiled(threads);
    const Course written = of_lab(program, threads);
    EXPECT_TRUE(compiled == written) << threads << " threads: " << compiled.totals.time_ps << " ps and "
                                     << compiled.totals.events << " events compiled, "
                                     << written.totals.time_ps << " ps and " << written.totals.events
                                     << " events written";
  }
}

TEST(LabLatch, TellsTheLineAndTheWordOfEachAccess) {
  LabAssembler code;
  const uint32_t first = code.word("first");
  const uint32_t slots = code.word("slots", 0, /*elements=*/3);
  code.function(lab::FunctionName::enter);
  code.constant(2, 2);
  code.load(3, first);
  code.load(3, slots, 2);
  code.give_back();
  code.function(lab::FunctionName::exit);
  code.give_back();
  const Program program = code.program();
  platform::begin_run({});
  lab::LabLatch latch(program, 1);
  telemetry::reset_latch_trace();
  const uint32_t number = latch.number();
  telemetry::watch_latches({&number, 1});
  platform::Thread([&] {
    telemetry::ThreadScope scope({0, 0, 0, /*seed=*/1});
    latch.enter(kSite, 1);
    latch.exit(1);
  }).join();
  telemetry::watch_latches({});
  std::vector<uint32_t> lines;
  for (uint64_t i = 0; i < telemetry::latch_events_written(); ++i) {
    const telemetry::LatchEvent& event = telemetry::latch_events()[i];
    if (static_cast<telemetry::LatchEventKind>(event.kind) != telemetry::LatchEventKind::load) continue;
    EXPECT_EQ(event.word, 0) << "each word has a line of its own";
    lines.push_back(event.line);
  }
  EXPECT_EQ(lines,
            (std::vector<uint32_t>{first << lab::kLineElementBits, slots << lab::kLineElementBits | 2}));
}

lab::ContestResult contest(const Program& program, uint32_t threads, uint64_t hold_ns = 60) {
  lab::ContestSpec spec;
  spec.hold_ns = hold_ns;
  spec.threads = threads;
  spec.duration_ns = 300'000;
  return lab::hold_contest(program, spec);
}

TEST(LabContest, OfARightLatchIsSoundAndTheSameEachTime) {
  const Program program = tests::futex_mutex();
  const lab::ContestResult once = contest(program, 8);
  const lab::ContestResult again = contest(program, 8);
  EXPECT_TRUE(once.is_sound());
  EXPECT_GT(once.acquisitions, 100u);
  EXPECT_EQ(once.acquisitions, again.acquisitions);
  EXPECT_EQ(once.hand_over_ps, again.hand_over_ps);
  EXPECT_EQ(once.wait_max_ps, again.wait_max_ps);
  EXPECT_EQ(once.line_transfers, again.line_transfers);
}

TEST(LabContest, ATicketLockServesInOrder) {
  const lab::ContestResult result = contest(tests::ticket(), 8);
  EXPECT_TRUE(result.is_sound());
  EXPECT_LE(result.overtaken_max, 8u);
  EXPECT_GT(result.fairness(), 0.99);
}

TEST(LabContest, WhoHasBegunToWaitAfterTheEndHasNotWaited) {
  const Program program = tests::test_and_set();
  lab::ContestSpec spec;
  spec.threads = 1;
  spec.think_ns = 5;
  for (spec.duration_ns = 20'000; spec.duration_ns < 20'080; ++spec.duration_ns)
    EXPECT_LT(lab::hold_contest(program, spec).wait_max_ps, 1'000'000u) << spec.duration_ns;
}

TEST(LabContest, NamesThoseWhoWereInTogether) {
  const lab::ContestResult result = contest(tests::test_and_set(/*tries_again=*/false), 4, /*hold_ns=*/500);
  ASSERT_TRUE(result.broken);
  EXPECT_NE(result.broken->thread, result.broken->other);
}

TEST(LabContest, SaysThatALatchHangsAndLetsItsThreadsGo) {
  const lab::ContestResult result = contest(tests::never_wakes(), 4);
  EXPECT_TRUE(result.hangs);
  EXPECT_FALSE(result.is_sound());
  EXPECT_TRUE(contest(tests::ticket(), 4).is_sound()) << "the next contest is unaffected";
}

TEST(LabContest, SaysWhereALatchCannotGoOn) {
  LabAssembler code;
  const uint32_t word = code.word("slots", 0, 2);
  code.function(lab::FunctionName::enter);
  code.constant(2, 5);
  code.load(3, word, 2);
  code.give_back();
  code.function(lab::FunctionName::exit);
  code.give_back();
  const lab::ContestResult result = contest(code.program(), 2);
  EXPECT_EQ(result.problem.wrong, lab::Wrong::index_too_large);
  EXPECT_EQ(result.problem.instruction, 1u);
}

TEST(LabContest, WhatASourceLineCostsAddsUpToTheEventsOfTheWords) {
  const lab::ContestResult result = contest(tests::ticket(), 1);
  uint64_t entered = 0;
  for (const lab::InstructionCost& cost : result.costs)
    entered = std::max(entered, cost.times);
  EXPECT_GE(entered, result.acquisitions);
  EXPECT_EQ(result.line_transfers, 0u) << "a thread alone keeps its lines";
}

// Except for accesses in progress at the beginning or at the end.
TEST(LabContest, TransfersOfTheSourceLinesAddUpToThoseOfTheContest) {
  for (const uint32_t threads : {2u, 8u, 24u}) {
    const lab::ContestResult result = contest(tests::ticket(), threads);
    uint64_t of_lines = 0;
    for (const lab::InstructionCost& cost : result.costs)
      of_lines += cost.transfers;
    EXPECT_NEAR(static_cast<double>(of_lines), static_cast<double>(result.line_transfers), 2.0 * threads)
        << threads;
  }
}

}  // namespace

}  // namespace latchscope
