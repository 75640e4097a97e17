// A schedule as text, what happens under it step by step, and a shorter one with the same fault.
//
//   1x4 2 2b 1x3     four moves of thread 1, one of thread 2, a store of thread 2 takes effect, three of thread 1
//   2?1              random(n) gives 1 to thread 2
//   1x2 (2x3 1x3)    what is in parentheses can be repeated for ever
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
  uint32_t circle_begin = kNoCircle;  // number of the move from which on it can be repeated

  std::string text() const;
  // Nothing if it is not a schedule.
  static std::optional<CheckSchedule> read(std::string_view text);
};

struct Sleeper {
  uint32_t thread;  // from 1
  uint32_t word, index;
};

// It waits in a thread's buffer: nobody else sees it yet.
struct UnseenStore {
  uint32_t word, index, value;
};

struct TracedThread {
  Phase phase = Phase::outside;
  bool is_shared = false;  // what it holds, enters or exits
  bool has_ended = false;
  bool goes_round = false;            // it is about to repeat an access of the call that it is in
  bool waits_for_its_stores = false;  // it goes on once they have taken effect
  uint32_t line = 0;                  // of what it carries out next, or sleeps in; 0: nothing
  std::vector<UnseenStore> stores;    // the oldest first
};

// How it all stands.
struct TraceMoment {
  std::vector<uint32_t> elements;  // of all words, in the order of the program
  std::vector<TracedThread> threads;
  std::vector<Sleeper> sleepers;  // on each word in the order in which they will be woken
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

// What happens under a schedule: nothing if a move is not possible. Of a schedule that is at its end without a fault it is found out whether
// nobody can move, or no end can be reached any more.
std::optional<CheckFault> follow(const CheckedMachine& machine, const CheckSchedule& schedule);

// The same fault with fewer moves, and fewer changes of threads. Of no_end with a circle, as with_endless_circle.
CheckSchedule shorten(const CheckedMachine& machine, const CheckSchedule& schedule, FaultKind kind);
// From a state from which no end can be reached, goes on to a circle that can be repeated for ever; stays as it is if there are too many
// states.
CheckSchedule with_endless_circle(const CheckedMachine& machine, const CheckSchedule& schedule);
// The same fault with as many moves and fewer changes of threads.
CheckSchedule with_fewer_switches(const CheckedMachine& machine, const CheckSchedule& schedule,
                                  FaultKind kind);

}  // namespace latchscope::lab
