// How a thread spins: the policy of spin_until, which every platform follows.
#pragma once

#include <cstdint>

#include "platform/random.h"

namespace latchscope::platform {

template <class T>
class Atomic;

// After each failed poll the spinner waits a random number of units, 0 to delay_units_max, of PAUSEs.
struct SpinPolicy {
  uint32_t rounds_max;       // polls
  uint32_t delay_units_max;  // per poll
  uint32_t pauses_per_unit;
  Random* generator;  // of the thread
  // Not null: the delays are drawn from this one word by all threads, each time by a load and a store, as
  // MySQL 5.6 does (ut_rnd_ulint_counter).
  Atomic<uint32_t>* shared_generator;
};

// What happened in spin_until.
struct SpinOutcome {
  bool satisfied;   // the predicate held at the last poll
  uint32_t rounds;  // polls made, 1 or more
};

// The step of a linear congruential generator (Knuth's MMIX multiplier, cut to 32 bits).
constexpr uint32_t next_of_shared_generator(uint32_t value) {
  return value * 1664525u + 1013904223u;
}

// A generator's 32 bits as a uniform number in [0, max].
constexpr uint32_t scale_to(uint32_t bits, uint32_t max) {
  return static_cast<uint32_t>((uint64_t{bits} * (uint64_t{max} + 1)) >> 32);
}

}  // namespace latchscope::platform
