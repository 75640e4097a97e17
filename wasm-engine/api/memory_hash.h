// A hash of a piece of memory. A host that keeps copies of the modelled server's memory (web/engine-client/keyframes.ts) asks
// which pieces have changed.
#pragma once

#include <cstdint>

namespace latchscope::api {

// 52 bits, so that the number fits a double: two pieces that differ have the same hash once in 2^52 times. Writes no memory.
// `bytes` is a multiple of 32. After the main loop of xxHash64 (Collet).
uint64_t hash_of_memory(const void* from, uint32_t bytes);

}  // namespace latchscope::api
