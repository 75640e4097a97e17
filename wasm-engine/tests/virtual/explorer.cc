#include "tests/virtual/explorer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "platform/platform.h"
#include "platform/virtual/exploring_scheduler.h"
#include "telemetry/telemetry.h"

namespace latchscope::tests {

namespace {

using platform::ExploringScheduler;
using platform::machine;
using platform::Schedule;
using Outcome = ExploringScheduler::Outcome;

ExploringScheduler* explored_by = nullptr;  // non-null while the machine is explored
std::string failure_found;                  // set by the thread that abandoned its schedule

void abandon_with(const char* text) {
  if (explored_by == nullptr || !explored_by->is_in_thread()) return;
  failure_found = text;
  explored_by->abandon();
}

// Explores the machine for the lifetime of this object. An assertion that fails in an explored
// thread then ends its schedule, not the process.
class ExploredMachine {
 public:
  ExploredMachine() : scheduler_(machine()) {
    explored_by = &scheduler_;
    platform::set_failure_handler(abandon_with);
  }
  ~ExploredMachine() {
    platform::set_failure_handler(nullptr);
    explored_by = nullptr;
  }
  ExploredMachine(const ExploredMachine&) = delete;
  ExploredMachine& operator=(const ExploredMachine&) = delete;

 private:
  ExploringScheduler scheduler_;
};

std::string innermost_function(uint32_t thread) {
  const telemetry::ThreadSlot& slot = telemetry::block().threads[thread];
  const uint32_t depth = slot.stack_word[0].read() & 0xff;
  if (depth == 0 || depth > telemetry::kFramesMax) return "its own code";
  return telemetry::function_name(telemetry::function_of_frame(slot.frames[depth - 1].read()));
}

std::string describe_stuck(uint32_t threads) {
  std::string text = kStuck;
  for (uint32_t thread = 0; thread < threads; ++thread) {
    if (telemetry::block().threads[thread].state[0].read() == 0) continue;
    text += (text == kStuck ? " thread " : ", thread ") + std::to_string(thread + 1) + " in " +
            innermost_function(thread);
  }
  return text;
}

std::string describe(Outcome outcome, uint32_t threads) {
  switch (outcome) {
    case Outcome::all_ended:
      return "";
    case Outcome::some_are_stuck:
      return describe_stuck(threads);
    case Outcome::too_many_steps:
      return std::string(kNoEnd) + " after " + std::to_string(kStepsMax) + " steps";
    case Outcome::abandoned:
      return failure_found;
  }
  return "";
}

void spawn_threads(Scenario& world, uint32_t& ended) {
  for (uint32_t thread = 0; thread < world.threads(); ++thread) {
    machine().spawn(
        [&world, &ended, thread] {
          telemetry::ThreadScope scope({thread, 0, thread, /*seed=*/1});
          world.run(thread);
          if (++ended == world.threads()) world.check();
        },
        platform::Machine::Place::on_server);
  }
}

// Returns how the schedule failed, or "" if it did not.
std::string run_schedule(const BuildScenario& build, Schedule& schedule, Timeouts timeouts) {
  explored_by->begin(schedule, timeouts == Timeouts::end_waits);
  std::unique_ptr<Scenario> world = build();
  const uint32_t threads = world->threads();
  uint32_t ended = 0;
  spawn_threads(*world, ended);
  std::string failure = describe(explored_by->run(kStepsMax), threads);
  if (failure.empty()) return failure;
  // Leaks the scenario: a thread that never continues may hold latches that destructors need.
  static_cast<void>(world.release());
  clear_slots(threads);
  return failure;
}

// Alternates between kinds of schedules, because each kind finds different faults. `length` is the
// length of a schedule observed so far.
std::unique_ptr<Schedule> make_schedule(uint32_t number, uint32_t length) {
  constexpr uint32_t kLongRun = 8;
  const uint64_t seed = number;
  switch (number % 4) {
    case 0:
      return std::make_unique<platform::RandomSchedule>(seed, /*run_length=*/1);
    case 1:
      return std::make_unique<platform::RandomSchedule>(seed, kLongRun);
    default:
      return std::make_unique<platform::PctSchedule>(seed, /*depth=*/2 + number / 4 % 3, length);
  }
}

// Returns the part of LATCHSCOPE_SCHEDULE after the scenario's name, or null if it names another
// scenario.
const char* schedule_from_environment(const std::string& name) {
  const char* text = getenv("LATCHSCOPE_SCHEDULE");
  const std::string prefix = name + ": ";
  if (text == nullptr || strncmp(text, prefix.c_str(), prefix.size()) != 0) return nullptr;
  return text + prefix.size();
}

uint32_t schedules_wanted() {
  if (const char* text = getenv("LATCHSCOPE_SCHEDULES"))
    return static_cast<uint32_t>(strtoul(text, nullptr, 10));
  return getenv("LATCHSCOPE_LONG") == nullptr ? kSchedules : kSchedulesOfLongRun;
}

std::string how_to_replay(const std::string& name, const Exploration& exploration) {
  return "replay with LATCHSCOPE_SCHEDULE=\"" + name + ": " + exploration.schedule + "\"";
}

// Explores what the environment variables request: all schedules, or one.
Exploration explore_and_report(const std::string& name, const BuildScenario& build, Timeouts timeouts) {
  if (const char* schedule = schedule_from_environment(name)) {
    const Exploration replayed = replay(build, schedule, timeouts);
    printf("[ replayed ] %s: %s\n", name.c_str(),
           replayed.failure.empty() ? "holds" : replayed.failure.c_str());
    return replayed;
  }
  const auto began = std::chrono::steady_clock::now();
  const Exploration explored = explore(build, schedules_wanted(), timeouts);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
  printf("[ explored ] %s: %llu schedules, %llu steps, %.2f s\n", name.c_str(),
         static_cast<unsigned long long>(explored.schedules), static_cast<unsigned long long>(explored.steps),
         taken.count());
  return explored;
}

}  // namespace

void clear_slots(uint32_t threads) {
  for (uint32_t thread = 0; thread < threads; ++thread) {
    telemetry::ThreadSlot& slot = telemetry::block().threads[thread];
    slot.state[0].set(0);
    slot.held_count[0].set(0);
    slot.stack_word[0].set(0);
  }
}

void require(bool holds, const char* what) {
  if (!holds) abandon_with(what);
}

Exploration explore(const BuildScenario& build, uint32_t schedules, Timeouts timeouts) {
  ExploredMachine explored_machine;
  Exploration exploration;
  uint32_t length = 1;
  while (exploration.schedules < schedules && exploration.failure.empty()) {
    const auto schedule = make_schedule(static_cast<uint32_t>(exploration.schedules++), length);
    exploration.failure = run_schedule(build, *schedule, timeouts);
    const auto steps = static_cast<uint32_t>(schedule->steps());
    exploration.steps += steps;
    length = static_cast<uint32_t>(exploration.steps / exploration.schedules) + 1;
    if (!exploration.failure.empty()) exploration.schedule = schedule->text();
  }
  return exploration;
}

Exploration replay(const BuildScenario& build, const std::string& text, Timeouts timeouts) {
  ExploredMachine explored_machine;
  platform::ReplaySchedule schedule(text);
  Exploration exploration{1, 0, run_schedule(build, schedule, timeouts), schedule.text()};
  exploration.steps = schedule.steps();
  if (!schedule.fits())
    exploration.failure = "the schedule does not fit this scenario: " + exploration.failure;
  return exploration;
}

void expect_holds(const std::string& scenario, const BuildScenario& build, Timeouts timeouts) {
  const Exploration explored = explore_and_report(scenario, build, timeouts);
  EXPECT_EQ(explored.failure, "") << "schedule " << explored.schedules << "; "
                                  << how_to_replay(scenario, explored);
}

void expect_found(const std::string& twin, const std::string& failure, const BuildScenario& build,
                  Timeouts timeouts) {
  const Exploration explored = explore_and_report(twin, build, timeouts);
  ASSERT_NE(explored.failure, "") << "the fault of this twin was not found";
  printf("[ found    ] %s after %llu: %s; %s\n", twin.c_str(),
         static_cast<unsigned long long>(explored.schedules), explored.failure.c_str(),
         how_to_replay(twin, explored).c_str());
  EXPECT_NE(explored.failure.find(failure), std::string::npos) << explored.failure;
  const Exploration again = replay(build, explored.schedule, timeouts);
  EXPECT_EQ(again.failure, explored.failure);
  EXPECT_EQ(again.schedule, explored.schedule);
}

}  // namespace latchscope::tests
