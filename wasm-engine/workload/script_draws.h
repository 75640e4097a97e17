// Random draws of workload files. They use integer arithmetic only, so every platform draws the
// same.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

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

// 2^(i / 2^10), times 2^31: the square root of 2, and its square roots, multiplied.
constexpr std::array<uint64_t, (1u << kLogBits) + 1> powers() {
  std::array<uint64_t, kLogBits> roots{};
  uint64_t power = uint64_t{1} << 63;  // 2, times 2^62
  for (uint64_t& root : roots) {
    uint64_t low = uint64_t{1} << 31, high = uint64_t{1} << 32;
    while (high - low > 1) {
      const uint64_t middle = (low + high) / 2;
      (middle * middle <= power ? low : high) = middle;
    }
    root = low;
    power = low << 31;
  }
  std::array<uint64_t, (1u << kLogBits) + 1> table{};
  for (uint32_t i = 0; i < 1u << kLogBits; ++i) {
    uint64_t product = uint64_t{1} << 31;
    for (uint32_t bit = 0; bit < kLogBits; ++bit) {
      if ((i >> (kLogBits - 1 - bit) & 1) != 0) product = product * roots[bit] >> 31;
    }
    table[i] = product;
  }
  table[1u << kLogBits] = uint64_t{1} << 32;
  return table;
}

inline constexpr auto kPowers = powers();

// 2^(fraction / 2^32), times 2^31, between the entries of the table by a straight line.
constexpr uint64_t power_of_two(uint32_t fraction) {
  const uint32_t entry = fraction >> (32 - kLogBits);
  const uint64_t rest = fraction & ((uint32_t{1} << (32 - kLogBits)) - 1);
  return kPowers[entry] + ((kPowers[entry + 1] - kPowers[entry]) * rest >> (32 - kLogBits));
}

// The largest number whose square is at most `square`.
constexpr uint64_t square_root(uint64_t square) {
  uint64_t root = 0;
  for (uint64_t bit = uint64_t{1} << 31; bit != 0; bit >>= 1) {
    if ((root | bit) * (root | bit) <= square) root |= bit;
  }
  return root;
}

// a * b / 2^64.
constexpr uint64_t high_product(uint64_t a, uint64_t b) {
  const uint64_t a_high = a >> 32, a_low = a & 0xffffffff, b_high = b >> 32, b_low = b & 0xffffffff;
  const uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
  return a_high * b_high + (middle >> 32) + (((middle & 0xffffffff) + a_low * b_high) >> 32);
}

inline constexpr uint64_t kLn2 = 2'977'044'472;    // ln 2, times 2^32
inline constexpr uint64_t kLog2E = 6'196'328'019;  // 1 / ln 2, times 2^32

// Draws from the standard normal distribution, times 2^28: the polar method of Marsaglia and Bray
// (1964), of which one of two numbers is used.
constexpr int64_t draw_normal(platform::Random& random) {
  for (;;) {
    const int64_t x = static_cast<int32_t>(random.next());  // from -1 to 1, times 2^31
    const int64_t y = static_cast<int32_t>(random.next());
    const uint64_t square = static_cast<uint64_t>(x * x >> 30) + static_cast<uint64_t>(y * y >> 30);
    if (square == 0 || square >= uint64_t{1} << 32) continue;  // of the radius, times 2^32
    const uint64_t minus_ln = scaled((uint64_t{32} << 32) - log2_of(square), kLn2);
    const auto length = static_cast<int64_t>(square_root(2 * minus_ln << 26));  // times 2^29
    const auto radius = static_cast<int64_t>(square_root(square << 32));        // times 2^32
    const int64_t direction = x * (int64_t{1} << 32) / radius;                  // times 2^31
    return length * direction / (int64_t{1} << 32);
  }
}

// mean * 2^(exponent / 2^32), at most 2^64 - 1.
constexpr uint64_t times_power_of_two(uint64_t mean, int64_t exponent) {
  const int64_t whole = exponent >> 32;
  const uint64_t value = scaled(mean, power_of_two(static_cast<uint32_t>(exponent)) << 1);
  if (whole < 0) return whole <= -64 ? 0 : value >> -whole;
  if (value == 0) return 0;
  return whole > std::countl_zero(value) ? std::numeric_limits<uint64_t>::max() : value << whole;
}

}  // namespace draws

// Draws from the exponential distribution with this mean: -ln(u) * mean, with a uniform u > 0.
constexpr uint64_t draw_exponential(platform::Random& random, uint64_t mean) {
  const uint64_t minus_log2 = (uint64_t{32} << 32) - draws::log2_of(uint64_t{random.next()} + 1);
  return scaled(mean, scaled(minus_log2, draws::kLn2));
}

inline constexpr uint64_t kVariationMax = 10 * kSharePerUnit;

// Draws from the lognormal distribution with this mean. The coefficient of variation is in parts per
// million. The formula is mean * e^(s z - s^2 / 2), with a standard normal z and
// s^2 = ln(1 + variation^2).
// REQUIRES: `variation` <= kVariationMax.
constexpr uint64_t draw_lognormal(platform::Random& random, uint64_t mean, uint64_t variation) {
  const uint64_t root = (variation << 20) / kSharePerUnit;
  const uint64_t sum = (uint64_t{1} << 40) + root * root;  // 1 + variation^2, times 2^40
  const auto shift = static_cast<uint32_t>(std::bit_width(sum)) - 32;
  const uint64_t log2 = draws::log2_of(sum >> shift) + (uint64_t{shift} << 32) - (uint64_t{40} << 32);
  const uint64_t square = scaled(log2, draws::kLn2);                      // s^2, times 2^32
  const auto s = static_cast<int64_t>(draws::square_root(square << 28));  // times 2^30
  const int64_t power = (s * draws::draw_normal(random) >> 26) - static_cast<int64_t>(square / 2);
  const auto size =
      static_cast<int64_t>(scaled(static_cast<uint64_t>(power < 0 ? -power : power), draws::kLog2E));
  return draws::times_power_of_two(mean, power < 0 ? -size : size);
}

// The weights 1 / k^s for k from 1 to 65,536, times 2^32, each with those before it.
class ZipfTable {
 public:
  // `exponent`: s, in parts per million, at most 10,000,000.
  ZipfTable(uint32_t exponent, uint32_t numbers) : exponent_(exponent) {
    sums_.reserve(numbers);
    uint64_t sum = 0;
    for (uint64_t k = 1; k <= numbers; ++k) {
      const uint64_t minus_log2 = draws::log2_of(k) * exponent / kSharePerUnit;
      sum += draws::times_power_of_two(uint64_t{1} << 32, -static_cast<int64_t>(minus_log2));
      sums_.push_back(sum);
    }
  }

  uint32_t exponent() const { return exponent_; }
  // Draws a number below `bound`; 0 if it is 0.
  // REQUIRES: `bound` is at most the count of numbers.
  uint64_t draw(platform::Random& random, uint64_t bound) const {
    if (bound == 0) return 0;
    const uint64_t high = random.next();
    const uint64_t drawn =
        draws::high_product(high << 32 | random.next(), sums_[static_cast<size_t>(bound) - 1]);
    const auto end = sums_.begin() + static_cast<std::ptrdiff_t>(bound);
    return static_cast<uint64_t>(std::upper_bound(sums_.begin(), end, drawn) - sums_.begin());
  }

 private:
  uint32_t exponent_;
  std::vector<uint64_t> sums_;
};

// Returns 1 with a probability in parts per million, else 0.
constexpr uint64_t draw_chance(platform::Random& random, uint64_t share) {
  return random.below(kSharePerUnit) < share ? 1 : 0;
}

constexpr uint64_t draw_uniform(platform::Random& random, uint64_t bound) {
  return bound == 0 ? 0 : random.below(static_cast<uint32_t>(bound));
}

}  // namespace latchscope::workload
