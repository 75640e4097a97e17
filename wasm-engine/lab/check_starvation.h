// Starvation: whether a thread can wait forever while others get in, although no thread is stopped.
//
// A positive result means that threads that enter and exit forever can repeat a cycle of states in
// which:
//   - every thread moves that does not sleep all the time;
//   - one thread, the starving one, is in enter all the time, while others get in;
//   - at no state would the starving thread get in, if first each thread in exit finished it by
//     itself and then the starving thread ran alone;
//   - every thread that would get in if it alone ran, at any state of the cycle, does get in.
// So bad luck does not count. A thread may never be there when the latch is free. A newcomer may
// take the latch each time just before a woken thread does.
#pragma once

#include <optional>
#include <vector>

#include "lab/check_search.h"

namespace latchscope::lab {

struct Starvation {
  uint32_t thread;        // the starving thread
  std::vector<Move> way;  // to the cycle
  std::vector<Move> circle;
};

// Finds starvation in the stored states of `search`, whose threads enter and exit forever.
std::optional<Starvation> find_starvation(const CheckedMachine& machine, const Search& search);

// Returns the thread that waits forever in this cycle, if any.
std::optional<uint32_t> who_starves_in(const CheckedMachine& machine, const MachineState& begin,
                                       const std::vector<Move>& circle);

}  // namespace latchscope::lab
