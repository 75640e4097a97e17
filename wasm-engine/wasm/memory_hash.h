// A hash of a range of memory. A host that stores copies of the modelled server's memory
// (web/engine-client/keyframes.ts) uses it to find which ranges have changed.
#pragma once

#include <cstdint>

namespace latchscope::wasm {

// Returns a hash of 52 bits, which a double represents exactly: two different ranges have the same
// hash with a probability of 2^-52. Writes no memory. Source: the main loop of xxHash64 (Collet).
//
// REQUIRES: `bytes` is a multiple of 32.
uint64_t hash_of_memory(const void* from, uint32_t bytes);

}  // namespace latchscope::wasm
