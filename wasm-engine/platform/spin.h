// How a thread spins: the policy of spin_until, which both platforms follow.
#pragma once

#include <cstdint>

#include "platform/random.h"

namespace latchscope::platform {

template <class T>
class Atomic;

// After each failed poll the spinner delays by a random number of units, from 0 to delay_units_max.
// One unit is `pauses_per_unit` PAUSE instructions.
struct SpinPolicy {
  uint32_t rounds_max;       // polls
  uint32_t delay_units_max;  // per poll
  uint32_t pauses_per_unit;
  Random* generator;  // of the calling thread
  // If not null, all threads draw their delays from this one word, each time with a load and a
  // store. MySQL 5.6 does this (ut_rnd_ulint_counter).
  Atomic<uint32_t>* shared_generator;
};

// The result of spin_until.
struct SpinOutcome {
  bool satisfied;   // the predicate held at the last poll
  uint32_t rounds;  // polls made, 1 or more
};

// Returns the next state of a linear congruential generator (Knuth's MMIX multiplier, cut to 32
// bits).
constexpr uint32_t next_of_shared_generator(uint32_t value) {
  return value * 1664525u + 1013904223u;
}

// Maps 32 random bits to a uniform number in [0, max].
constexpr uint32_t scale_to(uint32_t bits, uint32_t max) {
  return static_cast<uint32_t>((uint64_t{bits} * (uint64_t{max} + 1)) >> 32);
}

}  // namespace latchscope::platform
