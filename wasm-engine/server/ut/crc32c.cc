#include "server/ut/crc32c.h"

#include <array>
#include <cstring>

namespace latchscope::server::ut {

namespace {

constexpr uint32_t kPolynomialReflected = 0x82f63b78;
// Long inputs are cut into pieces of three streams of this length, whose calculations do not wait for each
// other.
constexpr size_t kStreamBytes = 1360;

using Slices = std::array<std::array<uint32_t, 256>, 8>;

constexpr Slices make_slices() {
  Slices slices{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomialReflected : 0);
    slices[0][byte] = crc;
  }
  for (size_t slice = 1; slice < 8; ++slice) {
    for (uint32_t byte = 0; byte < 256; ++byte) {
      const uint32_t previous = slices[slice - 1][byte];
      slices[slice][byte] = (previous >> 8) ^ slices[0][previous & 0xff];
    }
  }
  return slices;
}

constexpr Slices kSlices = make_slices();

inline uint32_t step_8(uint32_t crc, const uint8_t* bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  word ^= crc;
  return kSlices[7][word & 0xff] ^ kSlices[6][(word >> 8) & 0xff] ^ kSlices[5][(word >> 16) & 0xff] ^
         kSlices[4][(word >> 24) & 0xff] ^ kSlices[3][(word >> 32) & 0xff] ^ kSlices[2][(word >> 40) & 0xff] ^
         kSlices[1][(word >> 48) & 0xff] ^ kSlices[0][word >> 56];
}

// Linear map "append kStreamBytes zero bytes" on CRC states, as four tables of 256 (one per state byte).
using ZeroShift = std::array<std::array<uint32_t, 256>, 4>;

ZeroShift make_zero_shift() {
  ZeroShift shift{};
  for (size_t byte_index = 0; byte_index < 4; ++byte_index) {
    for (uint32_t byte = 0; byte < 256; ++byte) {
      uint32_t crc = byte << (8 * byte_index);
      for (size_t i = 0; i < kStreamBytes; ++i)
        crc = (crc >> 8) ^ kSlices[0][crc & 0xff];
      shift[byte_index][byte] = crc;
    }
  }
  return shift;
}

const ZeroShift kZeroShift = make_zero_shift();

inline uint32_t append_zero_stream(uint32_t crc) {
  return kZeroShift[0][crc & 0xff] ^ kZeroShift[1][(crc >> 8) & 0xff] ^ kZeroShift[2][(crc >> 16) & 0xff] ^
         kZeroShift[3][crc >> 24];
}

uint32_t three_streams(uint32_t crc, const uint8_t* bytes) {
  uint32_t first = crc;
  uint32_t second = 0;
  uint32_t third = 0;
  for (size_t i = 0; i < kStreamBytes; i += 8) {
    first = step_8(first, bytes + i);
    second = step_8(second, bytes + kStreamBytes + i);
    third = step_8(third, bytes + 2 * kStreamBytes + i);
  }
  return append_zero_stream(append_zero_stream(first) ^ second) ^ third;
}

}  // namespace

uint32_t crc32c(const uint8_t* bytes, size_t count) {
  uint32_t crc = 0xffffffff;
  for (; count >= 3 * kStreamBytes; count -= 3 * kStreamBytes, bytes += 3 * kStreamBytes) {
    crc = three_streams(crc, bytes);
  }
  for (; count >= 8; count -= 8, bytes += 8)
    crc = step_8(crc, bytes);
  for (; count > 0; --count, ++bytes)
    crc = (crc >> 8) ^ kSlices[0][(crc ^ *bytes) & 0xff];
  return ~crc;
}

}  // namespace latchscope::server::ut
