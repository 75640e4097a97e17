// Schedules at random, of more threads than all schedules can be tried of. They are chosen as docs/explanation/schedules.md says.
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
  // Of the last schedule.
  const Configuration& configuration() const { return configuration_; }
  const std::vector<Move>& moves() const { return moves_; }
  uint32_t schedules() const { return schedules_; }
  uint64_t steps() const { return steps_; }
  // Schedules that had not ended after kRandomStepsMax steps, though an end could be reached or it could not be found out.
  uint32_t without_end() const { return without_end_; }

 private:
  // A thread that comes back to where it was while no word has changed polls in vain.
  struct Watch {
    uint64_t place = 0, version = 0;
    uint32_t moves = 0, renewed = 1;
    bool has_come_back = false;
    bool waits = false;

    bool stands = false;  // its last move led back to where it stood
    // A version of the words: while they have it, each of its moves leads back and changes nothing.
    uint64_t polls_at = kNever;
  };
  static constexpr uint64_t kNever = 0;

  // What can happen next. It is kept from move to move: most change nothing of it but whether their own thread waits.
  struct Ready {
    uint32_t count = 0, timers = 0;
    bool draws = false;  // a thread stands before random(n): nothing else moves
    std::array<platform::Candidate, kMovesMax> candidates;
    std::array<Move, kMovesMax> moves;
    std::array<uint8_t, kCheckedThreadsMax> ways;   // of each thread
    std::array<uint8_t, kCheckedThreadsMax> first;  // the first of each thread
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
  std::array<Registers, kCheckedThreadsMax> stood_with_;  // what a thread that stands has in its registers
  uint64_t version_ = 0;                                  // of the words
  uint32_t schedules_ = 0, without_end_ = 0;
  uint64_t steps_ = 0;
  std::optional<Found> found_;
};

}  // namespace latchscope::lab
