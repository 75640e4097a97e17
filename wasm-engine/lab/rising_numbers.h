// Numbers of a latch that have no meaning by themselves, but only when compared with each other,
// such as the tickets of a ticket lock. They rise forever, so no state would ever come back. But if
// all of them are larger by the same amount, the latch does the same. So states that differ only in
// that amount are equal.
//
// The numbers are found from the code of enter and exit. A set of words, and of registers at each
// place, may be shifted together under two conditions:
//   - Their values are only copied, added to by values outside the set, subtracted from each other,
//     or compared with each other by == and != (futex_wait is one).
//   - The bits below a power of two are read or changed only if the shift is a multiple of that
//     power.
// Any other use of a number, or a constant written to it, removes it from all sets. Numbers have 32
// bits and wrap around, which changes none of this.
//
// A thread reads an event's count before it sleeps. That count can fall behind by any amount while
// the thread does not run. Suppose the word is only added to, and the value read is used only as
// futex_wait's expected value. Then it matters only whether the word has risen since. A rise by
// exactly 2^32 is ignored.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/program.h"

namespace latchscope::lab {

struct RisingNumbers {
  uint32_t words = 0;               // a bit for each
  std::vector<uint64_t> registers;  // at each place of the code, a bit for each register
  // The registers for which only matters whether the word has risen since.
  std::vector<uint64_t> expected;
  uint32_t measured_by = 0;  // one of the words
  uint32_t multiple_of = 1;  // a power of two: shifts are multiples of it

  bool has_word(uint32_t word) const { return (words >> word & 1) != 0; }
};

// Returns the sets that can be shifted independently. `live` is the result of live_registers().
std::vector<RisingNumbers> find_rising_numbers(const Program& program, const std::vector<uint64_t>& live);

}  // namespace latchscope::lab
