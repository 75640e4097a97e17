// Random schedules, for more threads than an exhaustive search can handle. They are chosen as
// docs/explanation/schedules.md says.
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

  // Runs schedule `number`, which is also its seed.
  void run(uint32_t number);

  struct Found {
    Configuration configuration;
    CheckSchedule schedule;
    FaultKind kind;
  };
  const std::optional<Found>& found() const { return found_; }
  // configuration() and moves() describe the last schedule.
  const Configuration& configuration() const { return configuration_; }
  const std::vector<Move>& moves() const { return moves_; }
  uint32_t schedules() const { return schedules_; }
  uint64_t steps() const { return steps_; }
  // Schedules that had not ended after kRandomStepsMax steps, although an end was reachable or this
  // stayed undecided.
  uint32_t without_end() const { return without_end_; }

 private:
  // Detects polling: a thread polls in vain if it returns to the same place while no word has
  // changed.
  struct Watch {
    uint64_t place = 0, version = 0;
    uint32_t moves = 0, renewed = 1;
    bool has_come_back = false;
    bool waits = false;

    bool stands = false;  // its last move led back to the same place
    // A version of the words. While they have it, each move of the thread leads back and changes
    // nothing.
    uint64_t polls_at = kNever;
  };
  static constexpr uint64_t kNever = 0;

  // The possible moves. They are reused from move to move: most moves change only whether their own
  // thread waits.
  struct Ready {
    uint32_t count = 0, timers = 0;
    bool draws = false;  // a thread is about to draw from random(n), so no other move is possible
    std::array<platform::Candidate, kMovesMax> candidates;
    std::array<Move, kMovesMax> moves;
    std::array<uint8_t, kCheckedThreadsMax> ways;   // of each thread
    std::array<uint8_t, kCheckedThreadsMax> first;  // index of each thread's first candidate
  };

  const CheckedMachine& machine_of(uint32_t number);
  uint32_t expected_steps() const { return static_cast<uint32_t>(steps_ / (schedules_ + 1)) + 1; }
  template <class Picks>
  void run_with(Picks picks, const CheckedMachine& machine, uint32_t number);
  void look_what_is_ready(const CheckedMachine& machine);
  static uint8_t ways_of(const CheckedMachine& machine, const ThreadState& thread);
  bool is_ready_as_before(const CheckedMachine& machine, const Happening& happening);
  Move draw(const CheckedMachine& machine, platform::Random& random) const;
  Happening carry_out(const CheckedMachine& machine, const Move& move);
  void poll_again(Watch& it) const;
  void watch(const CheckedMachine& machine, const Happening& happening);
  void watch_whether_it_stands(const CheckedMachine& machine, const Happening& happening, uint32_t pc);
  bool is_trapped(const CheckedMachine& machine);
  void keep(const CheckedMachine& machine, FaultKind kind);

  const CheckedProgram& program_;
  const RandomLimits limits_;
  std::array<std::array<std::unique_ptr<CheckedMachine>, kCheckedThreadsMax + 1>, 2> machines_;
  Configuration configuration_;
  MachineState state_;
  Ready ready_;
  std::vector<Move> moves_;
  std::array<Watch, kCheckedThreadsMax> watches_;
  // Of each thread that returns to the same place: its registers there.
  std::array<Registers, kCheckedThreadsMax> stood_with_;
  uint64_t version_ = 0;  // of the words
  uint32_t schedules_ = 0, without_end_ = 0;
  uint64_t steps_ = 0;
  std::optional<Found> found_;
};

}  // namespace latchscope::lab
