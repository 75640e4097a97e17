// A hash of a range of memory. A host that stores copies of the modelled server's memory
// (web/engine-client/keyframes.ts) uses it to find which ranges have changed.
#include <bit>
#include <cstring>

#include "wasm/latchscope.h"

namespace {

constexpr uint64_t kPrime1 = 0x9e3779b185ebca87ull;
constexpr uint64_t kPrime2 = 0xc2b2ae3d27d4eb4full;
constexpr uint64_t kPrime3 = 0x165667b19e3779f9ull;
constexpr uint32_t kStripeBytes = 32;
constexpr uint32_t kBitsKept = 52;

uint64_t word_at(const char* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

uint64_t with_word(uint64_t sum, uint64_t word) {
  return std::rotl(sum + word * kPrime2, 31) * kPrime1;
}

uint64_t avalanche(uint64_t hash) {
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

}  // namespace

// Returns a hash of 52 bits, which a double represents exactly: two different ranges have the same
// hash with a probability of 2^-52. Source: the main loop of xxHash64 (Collet).
double latchscope_hash_of_memory(const void* from, uint32_t bytes) {
  const char* at = static_cast<const char*>(from);
  uint64_t a = kPrime1 + kPrime2, b = kPrime2, c = 0, d = 0 - kPrime1;
  for (const char* end = at + bytes; at < end; at += kStripeBytes) {
    a = with_word(a, word_at(at));
    b = with_word(b, word_at(at + 8));
    c = with_word(c, word_at(at + 16));
    d = with_word(d, word_at(at + 24));
  }
  const uint64_t sum = std::rotl(a, 1) + std::rotl(b, 7) + std::rotl(c, 12) + std::rotl(d, 18);
  return static_cast<double>(avalanche(sum) >> (64 - kBitsKept));
}
