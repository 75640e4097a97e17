// A seeded generator: xoshiro128++, seeded through SplitMix64. It returns the same numbers on every
// platform, because it uses integer arithmetic only.
// Source: Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021.
#pragma once

#include <cstdint>

namespace latchscope::platform {

// Returns a well-mixed 64-bit hash of `value`. Random uses it to seed its state.
constexpr uint64_t split_mix_64(uint64_t value) {
  value += 0x9e3779b97f4a7c15ull;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
  return value ^ (value >> 31);
}

class Random {
 public:
  // Generators with the same seed and different streams are independent.
  explicit constexpr Random(uint64_t seed, uint64_t stream = 0) {
    uint64_t mixed = split_mix_64(seed ^ split_mix_64(stream));
    for (uint32_t& word : state_) {
      mixed = split_mix_64(mixed);
      word = static_cast<uint32_t>(mixed >> 32);
    }
  }

  constexpr uint32_t next() {
    const uint32_t result = rotate_left(state_[0] + state_[3], 7) + state_[0];
    const uint32_t shifted = state_[1] << 9;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate_left(state_[3], 11);
    return result;
  }

  // Returns a uniform number in [0, bound), by multiplication (Lemire 2019; bias below bound /
  // 2^32).
  // REQUIRES: `bound` > 0.
  constexpr uint32_t below(uint32_t bound) {
    return static_cast<uint32_t>((static_cast<uint64_t>(next()) * bound) >> 32);
  }

  // Returns a uniform number in [low, high].
  constexpr uint32_t between(uint32_t low, uint32_t high) { return low + below(high - low + 1); }

 private:
  static constexpr uint32_t rotate_left(uint32_t value, int bits) {
    return (value << bits) | (value >> (32 - bits));
  }

  uint32_t state_[4] = {};
};

}  // namespace latchscope::platform
