// Schedules at random, of more threads than all schedules can be tried of. They are chosen as docs/schedules.md says.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "lab/check_trace.h"
#include "platform/virtual/schedule.h"

namespace latchscope::lab {

inline constexpr uint32_t kRandomStepsMax = 5'000;

struct RandomLimits {
  uint32_t threads_min = 3, threads_max = kCheckedThreadsMax;
  uint32_t rounds = 3;
  bool with_sequential = true, with_store_buffers = true;
};

class RandomSchedules {
 public:
  RandomSchedules(const CheckedProgram& program, const RandomLimits& limits);

  // Carries out schedule `number`, which is its seed, too.
  void run(uint32_t number);

  struct Found {
    Configuration configuration;
    CheckSchedule schedule;
    FaultKind kind;
  };
  const std::optional<Found>& found() const { return found_; }
  uint32_t schedules() const { return schedules_; }
  uint64_t steps() const { return steps_; }
  // Schedules that had not ended after kRandomStepsMax steps, though an end could be reached or it could not be found out.
  uint32_t without_end() const { return without_end_; }

 private:
  // A thread that comes back to where it was while no word has changed polls in vain.
  struct Watch {
    uint64_t place = 0, version = 0;
    uint32_t moves = 0, renewed = 1;
    bool waits = false;
  };

  const CheckedMachine& machine_of(uint32_t number);
  std::unique_ptr<platform::Schedule> schedule_of(uint32_t number) const;
  Move choose(const CheckedMachine& machine, const Moves& possible, platform::Schedule& schedule,
              platform::Random& random) const;
  void watch(const CheckedMachine& machine, const Happening& happening);
  void keep(const CheckedMachine& machine, FaultKind kind);

  const CheckedProgram& program_;
  const RandomLimits limits_;
  std::array<std::array<std::unique_ptr<CheckedMachine>, kCheckedThreadsMax + 1>, 2> machines_;
  MachineState state_;
  std::vector<Move> moves_;
  std::array<Watch, kCheckedThreadsMax> watches_;
  uint64_t version_ = 0;  // of the words
  uint32_t schedules_ = 0, without_end_ = 0;
  uint64_t steps_ = 0;
  std::optional<Found> found_;
};

}  // namespace latchscope::lab
