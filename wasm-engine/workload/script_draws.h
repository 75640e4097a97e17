// Random draws of workload files. They use integer arithmetic only, so every platform draws the
// same.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "platform/random.h"

namespace latchscope::workload {

inline constexpr uint32_t kSharePerUnit = 1'000'000;

// a * b / 2^32, at most 2^64 - 1.
// REQUIRES: b < 2^40.
constexpr uint64_t scaled(uint64_t a, uint64_t b) {
  const uint64_t high = a >> 32;
  const uint64_t low =
      (a & 0xffffffff) * (b & 0xffffffff) / (uint64_t{1} << 32) + (a & 0xffffffff) * (b >> 32);
  if (b != 0 && high > (std::numeric_limits<uint64_t>::max() - low) / b)
    return std::numeric_limits<uint64_t>::max();
  return high * b + low;
}

namespace draws {

inline constexpr uint32_t kLogBits = 10;

// log2(1 + i / 2^10), times 2^32, bit by bit: squaring doubles a logarithm.
constexpr std::array<uint64_t, (1u << kLogBits) + 1> logarithms() {
  std::array<uint64_t, (1u << kLogBits) + 1> table{};
  for (uint32_t i = 0; i < 1u << kLogBits; ++i) {
    uint64_t x = (uint64_t{1} << 31) + (uint64_t{i} << (31 - kLogBits));
    uint64_t log = 0;
    for (uint32_t digit = 0; digit < 32; ++digit) {
      x = x * x >> 31;
      const uint64_t one = x >> 32;
      log = log << 1 | one;
      x >>= one;
    }
    table[i] = log;
  }
  table[1u << kLogBits] = uint64_t{1} << 32;
  return table;
}

inline constexpr auto kLogarithms = logarithms();

// log2(u), times 2^32, between the entries of the table by a straight line.
// REQUIRES: 0 < u <= 2^32.
constexpr uint64_t log2_of(uint64_t u) {
  const auto whole = static_cast<uint32_t>(std::bit_width(u) - 1);
  const uint64_t mantissa = (u << (32 - whole)) & 0xffffffff;  // beyond the first digit
  const auto entry = static_cast<uint32_t>(mantissa >> (32 - kLogBits));
  const uint64_t rest = mantissa & ((uint64_t{1} << (32 - kLogBits)) - 1);
  const uint64_t step = kLogarithms[entry + 1] - kLogarithms[entry];
  return (uint64_t{whole} << 32) + kLogarithms[entry] + (step * rest >> (32 - kLogBits));
}

}  // namespace draws

// Draws from the exponential distribution with this mean: -ln(u) * mean, with a uniform u > 0.
constexpr uint64_t draw_exponential(platform::Random& random, uint64_t mean) {
  constexpr uint64_t kLn2 = 2'977'044'472;  // ln 2, times 2^32
  const uint64_t minus_log2 = (uint64_t{32} << 32) - draws::log2_of(uint64_t{random.next()} + 1);
  return scaled(mean, scaled(minus_log2, kLn2));
}

// Returns 1 with a probability in parts per million, else 0.
constexpr uint64_t draw_chance(platform::Random& random, uint64_t share) {
  return random.below(kSharePerUnit) < share ? 1 : 0;
}

constexpr uint64_t draw_uniform(platform::Random& random, uint64_t bound) {
  return bound == 0 ? 0 : random.below(static_cast<uint32_t>(bound));
}

}  // namespace latchscope::workload
