// Where two runs diverge: found by their event trails, and reported as each run's state at the
// first event that differs.
#include "explain/course.h"

#include <gtest/gtest.h>

#include <string>

#include "explain/course_diff.h"
#include "platform/virtual/event_trail.h"
#include "run/engine.h"
#include "telemetry/event_notes.h"

namespace latchscope::explain {
namespace {

constexpr const char* kFlip = R"([{"at_s":0.0101,"knob":"tablespace_lookup","variant":"atomic_word"}])";

std::string spec_text(uint32_t seed = 1, const std::string& actions = "[]", const char* duration_s = "0.02") {
  return R"({"version":1,"scenario":"fil-mutex-69276","platform":"virtual","threads":8,"interval_s":0.005,)"
         R"("parameters":{"tables":2,"rows_per_table":2000},"seed":)" +
         std::to_string(seed) + R"(,"duration_s":)" + duration_s + R"(,"actions":)" + actions + "}";
}

// The results of a run, and its recorded events.
struct Told {
  run::Json trail, hashes, server_events, figures, event;
};

Told run(const std::string& spec, const EventWindow& noted = {}, uint64_t event = 0) {
  telemetry::ThreadScope scope({run::kCoordinatorSlot, run::kCoordinatorKind, 0, 0});
  run::RunSpecOrErrors read = run::parse_run_spec(spec);
  EXPECT_TRUE(read.spec) << run::to_json(read.errors);
  run::Engine engine;
  note_course(noted.after, noted.count);
  engine.create(*read.spec);
  engine.start();
  while (engine.state() == telemetry::RunState::running)
    engine.go_on();
  return {event_trail_json(), noted_hashes_json(), noted_server_events_json(), course_figures_json(engine),
          noted_event_json(engine, event)};
}

struct Parted {
  uint64_t event;
  run::Json a, b;
};

Parted part(const std::string& a, const std::string& b) {
  const EventWindow window = window_of_difference(run(a).trail, run(b).trail);
  const uint64_t event =
      window.count == 0 ? 0 : first_different_event(window, run(a, window).hashes, run(b, window).hashes);
  return {event, run(a, window, event).event, run(b, window, event).event};
}

TEST(Course, WithoutAChangeNoEventDiffers) {
  EXPECT_EQ(part(spec_text(), spec_text()).event, 0u);
}

TEST(Course, WithAFlipTheRunsPartAtItsMoment) {
  const Parted parted = part(spec_text(), spec_text(1, kFlip));
  ASSERT_GT(parted.event, 0u);
  EXPECT_EQ(parted.b["thread"], "coordinator");
  EXPECT_EQ(parted.b["kind"], "timer");
  EXPECT_NEAR(parted.b["run_ns"], 10'100'000, 1) << "the clients begin between two nanoseconds";
  EXPECT_GE(parted.a["run_ns"], parted.b["run_ns"]);
}

TEST(Course, AfterAFlipAThreadOfTheServerIsTheFirstToDoSomethingElse) {
  const std::string flipped = spec_text(1, kFlip);
  const EventWindow window = window_of_difference(run(spec_text()).trail, run(flipped).trail);
  const auto differ =
      first_different_on_server(run(spec_text(), window).server_events, run(flipped, window).server_events);
  ASSERT_TRUE(differ);
  const run::Json event = run(flipped, window, (*differ)[1]).event;
  EXPECT_EQ(event["thread"].get<std::string>().substr(0, 7), "client ") << event;
  EXPECT_GT(event["run_ns"], 10'100'000);
}

TEST(Course, OfAVeryLongWindowOnlyHashesAreKept) {
  const EventWindow window{0, telemetry::kNotesInFullMax + 1};
  const Told told = run(spec_text(), window, 30'000);
  EXPECT_EQ(told.hashes.size(), window.count);
  EXPECT_EQ(told.event["thread"], "") << told.event;
  EXPECT_EQ(run(spec_text(), window_around(30'000), 30'000).event["run_ns"], told.event["run_ns"]);
  EXPECT_NE(run(spec_text(), window_around(30'000), 30'000).event["thread"], "");
}

TEST(Course, RunsOfDifferentSeedsPartWhenTheirClientsDrawTheirFirstNumbers) {
  const Parted parted = part(spec_text(1), spec_text(2));
  EXPECT_GT(parted.event, 0u);
  EXPECT_LT(parted.a["run_ns"], 1'000'000);
}

TEST(Course, AShorterRunPartsAtItsEnd) {
  const Parted parted = part(spec_text(), spec_text(1, "[]", "0.0101"));
  EXPECT_EQ(parted.b["thread"], "coordinator");
  EXPECT_NEAR(parted.b["run_ns"], 10'100'000, 1) << "the clients begin between two nanoseconds";
}

TEST(Course, AnEventSaysWhichWordOfWhichLatchItChanges) {
  const EventWindow window{20'000, 2'000};
  telemetry::ThreadScope scope({run::kCoordinatorSlot, run::kCoordinatorKind, 0, 0});
  run::Engine engine;
  note_course(window.after, window.count);
  engine.create(*run::parse_run_spec(spec_text()).spec);
  engine.start();
  while (engine.state() == telemetry::RunState::running)
    engine.go_on();
  ASSERT_EQ(noted_hashes_json().size(), window.count);
  uint32_t changes = 0;
  for (uint64_t number = window.after + 1; number <= window.after + window.count; ++number) {
    const run::Json event = noted_event_json(engine, number);
    if (event.value("access", "") != "read_modify_write" || event["latch"] != "buf_block_t::lock") continue;
    ++changes;
    EXPECT_EQ(event["word"], "lock_word");
    EXPECT_FALSE(event["stack"].empty());
  }
  EXPECT_GT(changes, 10u);
}

TEST(Course, NotingEventsChangesNothing) {
  EXPECT_EQ(run(spec_text(), {5'000, 9'000}).trail, run(spec_text()).trail);
}

TEST(Course, WhatIsCountedFromTheBeginningIsTheWholeRun) {
  const run::Json figures = run(spec_text(), {0, 4'096}).figures;
  EXPECT_EQ(figures["from_s"], 0);
  EXPECT_EQ(figures["to_s"], 0.02);
  EXPECT_GT(figures["latches"]["buf_block_t::lock"]["acquisitions"], 0);
  const run::Json later = run(spec_text(), {60'000, 4'096}).figures;
  EXPECT_GT(later["from_s"], 0);
  EXPECT_LT(later["transactions"], figures["transactions"]);
}

TEST(EventTrail, WithTooManyHashesEveryOtherOneGoes) {
  platform::EventTrail trail;
  const size_t most = platform::EventTrail::kHashesMax;
  for (uint64_t i = 1; i <= most; ++i) {
    EXPECT_EQ(trail.next_at(), i * platform::EventTrail::kFirstStep);
    trail.add(i);
  }
  EXPECT_EQ(trail.step(), 2 * platform::EventTrail::kFirstStep);
  ASSERT_EQ(trail.hashes().size(), most / 2);
  EXPECT_EQ(trail.hashes().front(), 2u);
  EXPECT_EQ(trail.hashes().back(), most);
  EXPECT_EQ(trail.next_at(), (most + 2) * platform::EventTrail::kFirstStep);
}

TEST(CourseDiff, TrailsOfDifferentStepsAreComparedWhereBothHaveHashes) {
  const run::Json fine = {{"events", 35}, {"every", 10}, {"hashes", {"a", "b", "c", "end"}}};
  const run::Json coarse = {{"events", 45}, {"every", 20}, {"hashes", {"b", "d", "other"}}};
  const EventWindow window = window_of_difference(fine, coarse);
  EXPECT_EQ(window.after, 0u) << "a step of known events before what differs";
  EXPECT_EQ(window.count, 60u);
  EXPECT_EQ(first_different_event({100, 9}, {"x", "y"}, {"x", "z"}), 102u);
  EXPECT_EQ(first_different_event({100, 9}, {"x", "y"}, {"x"}), 102u) << "the other run is over";
  EXPECT_EQ(first_different_event({100, 9}, {"x"}, {"x"}), 0u);
}

TEST(CourseDiff, EventsOfTheServersThreadsAreComparedWithoutWhatLiesBetween) {
  const run::Json a = {{5, "x"}, {6, "y"}, {8, "z"}};
  const run::Json b = {{5, "x"}, {7, "y"}, {9, "other"}};
  const auto differ = first_different_on_server(a, b);
  ASSERT_TRUE(differ);
  EXPECT_EQ((*differ)[0], 8u);
  EXPECT_EQ((*differ)[1], 9u);
  EXPECT_FALSE(first_different_on_server(a, {{5, "x"}})) << "nothing is known of the rest";
}

TEST(CourseDiff, AWindowGrowsUpToWhatIsNotedInFull) {
  EXPECT_EQ(longer({100, 5'000})->count, 20'000u);
  EXPECT_EQ(longer({100, 5'000})->after, 100u);
  EXPECT_FALSE(longer({100, telemetry::kNotesInFullMax}));
  EXPECT_EQ(window_around(3).after, 0u);
  EXPECT_EQ(window_around(100'000).after, 99'999u - 4'096u);
}

}  // namespace
}  // namespace latchscope::explain
