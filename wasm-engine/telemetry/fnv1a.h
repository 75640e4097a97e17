// 32-bit FNV-1a. Two builds compare these hashes to check that their declarations match.
#pragma once

#include <cstdint>

namespace latchscope::telemetry {

inline constexpr uint32_t kFnv1aBasis = 2166136261u;

constexpr uint32_t fnv1a(uint32_t hash, uint32_t value) {
  return (hash ^ value) * 16777619u;
}

constexpr uint32_t fnv1a(uint32_t hash, const char* text) {
  for (; *text != 0; ++text)
    hash = fnv1a(hash, uint32_t{static_cast<uint8_t>(*text)});
  return hash;
}

}  // namespace latchscope::telemetry
