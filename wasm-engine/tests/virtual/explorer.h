// Runs a small scenario under many schedules and searches for one under which it fails. A scenario
// builds its state, runs a few threads and states what must hold. A schedule chooses which thread
// runs next at each shared access, system call and wake-up (platform/virtual/schedule.h). A
// schedule fails if
//
//   - a thread finds that a condition does not hold (require(), or an assertion of the engine),
//   - a thread waits and no other thread can wake it (a lost wake-up, a deadlock), or
//   - the threads have not ended after kStepsMax steps.
//
// A failure is printed with its schedule. To run that schedule alone:
//
//   LATCHSCOPE_SCHEDULE="<scenario>: 1x12 2 1x3" engine_tests --gtest_filter=<the test>
//
// LATCHSCOPE_SCHEDULES=<number> explores that many schedules of each scenario, instead of
// kSchedules or kSchedulesOfLongRun.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace latchscope::tests {

// Schedules per latch and protocol. The deliberate faults of all twins are found in the first few
// hundred (docs/explanation/schedules.md).
inline constexpr uint32_t kSchedules = 20'000;
inline constexpr uint32_t kSchedulesOfLongRun = 500'000;
inline constexpr uint64_t kStepsMax = 5'000;

// One instance is built for each schedule and belongs to its threads. After a failure it is leaked.
class Scenario {
 public:
  virtual ~Scenario() = default;
  virtual uint32_t threads() const = 0;
  virtual void run(uint32_t thread) = 0;
  // Called once all threads have ended, by the last of them.
  virtual void check() {}
};

using BuildScenario = std::function<std::unique_ptr<Scenario>()>;

// Whether a timeout may end a futex wait. `never` reveals waits that depend on their timeout.
enum class Timeouts : uint8_t { end_waits, never };

struct Exploration {
  uint64_t schedules = 0;
  uint64_t steps = 0;
  std::string failure;   // empty: none
  std::string schedule;  // the schedule that failed
};

Exploration explore(const BuildScenario& build, uint32_t schedules, Timeouts timeouts);
// Runs one schedule, given by its choices.
Exploration replay(const BuildScenario& build, const std::string& schedule, Timeouts timeouts);

// Clears the telemetry slots of threads that will never continue.
void clear_slots(uint32_t threads);

// Called by the threads of a scenario: if `holds` is false, ends the schedule as failed.
void require(bool holds, const char* what);

// Expects that no schedule fails.
void expect_holds(const std::string& scenario, const BuildScenario& build,
                  Timeouts timeouts = Timeouts::end_waits);
// Expects that the broken twin of a protocol fails with a text that contains `failure`, and fails
// again when the schedule is replayed.
void expect_found(const std::string& twin, const std::string& failure, const BuildScenario& build,
                  Timeouts timeouts = Timeouts::end_waits);

template <class World>
BuildScenario scenario() {
  return [] { return std::make_unique<World>(); };
}

inline constexpr const char* kStuck = "no thread is left that could wake";
inline constexpr const char* kNoEnd = "no end";

}  // namespace latchscope::tests
