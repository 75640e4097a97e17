// Whether a thread can wait for ever while others get in, though nobody is stopped.
//
// What is claimed: threads that enter and exit for ever can go round a circle of states again and again, in which
//   each thread moves that does not sleep all the time,
//   thread t is in enter all the time, while another one gets in, and
//   at no state of it would t get in if first all who are in exit finished it, each by itself, and then t alone went on.
// So a thread that only has bad luck, because it does not come at a moment when the latch is free, is not meant.
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
