// A schedule as text, its effects step by step, and a shorter schedule with the same fault.
//
//   1x4 2 2b 1x3     four moves of thread 1, one of thread 2, a store of thread 2 takes effect,
//                    three of thread 1
//   2?1              random(n) gives 1 to thread 2
//   1x2 (2x3 1x3)    the part in parentheses can be repeated forever
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/check_moves.h"

namespace latchscope::lab {

inline constexpr uint32_t kNoCircle = ~0u;

struct CheckSchedule {
  std::vector<Move> moves;
  uint32_t circle_begin = kNoCircle;  // index of the first move that can be repeated

  std::string text() const;
  // Returns nothing if the text is no schedule.
  static std::optional<CheckSchedule> read(std::string_view text);
};

struct Sleeper {
  uint32_t thread;  // from 1
  uint32_t word, index;
};

// A store in its thread's buffer, which no other thread sees yet.
struct UnseenStore {
  uint32_t word, index, value;
};

struct TracedThread {
  Phase phase = Phase::outside;
  bool is_shared = false;  // the mode that it holds, enters or exits
  bool has_ended = false;
  bool goes_round = false;            // it is about to repeat an access of its present call
  bool waits_for_its_stores = false;  // it continues once they have taken effect
  uint32_t line = 0;                  // of its next instruction, or where it sleeps; 0: none
  std::vector<UnseenStore> stores;    // oldest first
};

// A snapshot of words and threads.
struct TraceMoment {
  std::vector<uint32_t> elements;  // of all words, in the order of the program
  std::vector<TracedThread> threads;
  std::vector<Sleeper> sleepers;  // on each word in the order of waking
};

struct TraceStep {
  Happening happening;
  FunctionName function = FunctionName::enter;
  uint32_t line = 0;
  Op op = Op::load;
  bool has_word = false;
  uint32_t word = 0, index = 0;
  TraceMoment afterwards;
};

struct CheckFault {
  FaultKind kind = FaultKind::none;
  std::string sentence;
  Configuration configuration;
  CheckSchedule schedule;
  TraceMoment begin;  // before the first step
  std::vector<TraceStep> steps;
};

// Returns the effects of a schedule, or nothing if a move is not possible. If the schedule ends
// without a fault, checks whether no thread can move, or no end is reachable any more.
std::optional<CheckFault> follow(const CheckedMachine& machine, const CheckSchedule& schedule);

// Returns a schedule with the same fault, fewer moves and fewer changes of threads. If no_end has a
// cycle, as with_endless_circle() gives one.
CheckSchedule shorten(const CheckedMachine& machine, const CheckSchedule& schedule, FaultKind kind);
// Extends a schedule that cannot reach an end by a cycle that can be repeated forever. Returns it
// unchanged if there are too many states.
CheckSchedule with_endless_circle(const CheckedMachine& machine, const CheckSchedule& schedule);
// Returns a schedule with the same fault, as many moves and fewer changes of threads.
CheckSchedule with_fewer_switches(const CheckedMachine& machine, const CheckSchedule& schedule,
                                  FaultKind kind);

}  // namespace latchscope::lab
