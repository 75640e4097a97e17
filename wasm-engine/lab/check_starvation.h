// Whether a thread can wait for ever while others get in, though no thread is stopped.
//
// What is claimed: threads that enter and exit for ever can repeat a circle of states in which
//   every thread moves that does not sleep all the time;
//   one thread, the starving one, is in enter all the time, while others get in;
//   at no state would the starving thread get in if first all threads in exit finished it, each by itself, and then it alone went on;
//   every thread that would get in if it alone went on, at any state of the circle, does get in.
// So bad luck does not count: that a thread is never there when the latch is free, or that a newcomer takes the latch each time just
// before a woken thread does.
#pragma once

#include <optional>
#include <vector>

#include "lab/check_search.h"

namespace latchscope::lab {

struct Starvation {
  uint32_t thread;        // who waits
  std::vector<Move> way;  // to the circle
  std::vector<Move> circle;
};

// In the states that a search of threads that enter and exit for ever has found and kept.
std::optional<Starvation> find_starvation(const CheckedMachine& machine, const Search& search);

// Who waits for ever in this circle, if anybody does.
std::optional<uint32_t> who_starves_in(const CheckedMachine& machine, const MachineState& begin,
                                       const std::vector<Move>& circle);

}  // namespace latchscope::lab
