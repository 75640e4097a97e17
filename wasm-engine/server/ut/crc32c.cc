// How folding works. The bytes form a polynomial over GF(2) whose highest power is the first bit.
// The CRC is its remainder modulo P, so any multiple of P may be added. This multiple has few
// terms:
//
//   x^209 + x^144 + x^54 + x^39 + x^14 + 1 = 0   (mod P)
//
// Squaring preserves such an equation over GF(2), so it also holds with x^8, x^16, ... x^128 in
// place of x, that is, for shifts by whole units of 1, 2, ... 16 bytes. A leading unit can
// therefore be dropped if it is added 65, 155, 170, 195 and 209 units later. Folding by units of
// 16, 8, 4, 2 and 1 bytes leaves about 209 bytes. The multiple was found by search. It is the
// sparsest of its degree: P has no multiple with six terms of a lower degree.
//
// Source: Koopman, 32-Bit Cyclic Redundancy Codes for Internet Applications, 2002.
#include "server/ut/crc32c.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace latchscope::server::ut {

namespace {

constexpr uint32_t kPolynomialReflected = 0x82f63b78;

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

uint32_t step_8(uint32_t crc, const uint8_t* bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  word ^= crc;
  return kSlices[7][word & 0xff] ^ kSlices[6][(word >> 8) & 0xff] ^ kSlices[5][(word >> 16) & 0xff] ^
         kSlices[4][(word >> 24) & 0xff] ^ kSlices[3][(word >> 32) & 0xff] ^ kSlices[2][(word >> 40) & 0xff] ^
         kSlices[1][(word >> 48) & 0xff] ^ kSlices[0][word >> 56];
}

uint32_t by_tables(uint32_t crc, const uint8_t* bytes, size_t count) {
  for (; count >= 8; count -= 8, bytes += 8)
    crc = step_8(crc, bytes);
  for (; count > 0; --count, ++bytes)
    crc = (crc >> 8) ^ kSlices[0][(crc ^ *bytes) & 0xff];
  return crc;
}

using Block = uint64_t __attribute__((vector_size(16)));

constexpr size_t kBlockBytes = sizeof(Block);
constexpr size_t kDegree = 209;  // units that remain after folding
constexpr size_t kUnitBytesMax = 16;
constexpr size_t kPieceBytesMax = 16 * 1024;
constexpr size_t kPieceBytesMin = 4096;  // more than folding by 16-byte units leaves

Block load(const uint8_t* bytes) {
  Block block;
  memcpy(&block, bytes, kBlockBytes);
  return block;
}

void store(uint8_t* bytes, Block block) {
  memcpy(bytes, &block, kBlockBytes);
}

// Returns the sum that the units dropped before `place` add to it.
template <size_t kUnitBytes>
Block dropped_before(const uint8_t* place) {
  return load(place - 65 * kUnitBytes) ^ load(place - 155 * kUnitBytes) ^ load(place - 170 * kUnitBytes) ^
         load(place - 195 * kUnitBytes) ^ load(place - kDegree * kUnitBytes);
}

struct Folder {
  // The units dropped so far, surrounded by zeros as far as dropped_before() reads.
  alignas(kBlockBytes) uint8_t dropped[2 * kDegree * kUnitBytesMax + kPieceBytesMax + kBlockBytes];
  alignas(kBlockBytes) uint8_t rest[kDegree * kUnitBytesMax + kBlockBytes];

  // Folds `message` to kDegree units, rounded up to blocks, in `rest`. Returns the number of bytes
  // there. XORs `crc` into the first bytes of the message, which may be `rest` itself.
  // REQUIRES: `message` is a whole number of blocks and longer than the result.
  template <size_t kUnitBytes>
  size_t fold(const uint8_t* message, size_t count, uint32_t crc) {
    const size_t drop = (count - kDegree * kUnitBytes) / kBlockBytes * kBlockBytes;
    memset(dropped, 0, kDegree * kUnitBytes);
    memset(dropped + kDegree * kUnitBytes + drop, 0, count - drop);
    uint8_t* const place = dropped + kDegree * kUnitBytes;
    store(place, load(message) ^ Block{crc, 0});
    for (size_t i = kBlockBytes; i < drop; i += kBlockBytes)
      store(place + i, load(message + i) ^ dropped_before<kUnitBytes>(place + i));
    for (size_t i = drop; i < count; i += kBlockBytes)
      store(rest + i - drop, load(message + i) ^ dropped_before<kUnitBytes>(place + i));
    return count - drop;
  }
};

// Returns the CRC state after this piece.
// REQUIRES: the piece is a whole number of blocks, of kPieceBytesMin to kPieceBytesMax bytes.
uint32_t by_folding(uint32_t crc, const uint8_t* bytes, size_t count) {
  Folder folder;
  count = folder.fold<16>(bytes, count, crc);
  count = folder.fold<8>(folder.rest, count, 0);
  count = folder.fold<4>(folder.rest, count, 0);
  count = folder.fold<2>(folder.rest, count, 0);
  count = folder.fold<1>(folder.rest, count, 0);
  return by_tables(0, folder.rest, count);
}

}  // namespace

uint32_t crc32c(const uint8_t* bytes, size_t count) {
  uint32_t crc = 0xffffffff;
  while (count >= kPieceBytesMin) {
    const size_t piece = std::min(count, kPieceBytesMax) / kBlockBytes * kBlockBytes;
    crc = by_folding(crc, bytes, piece);
    bytes += piece;
    count -= piece;
  }
  return ~by_tables(crc, bytes, count);
}

}  // namespace latchscope::server::ut
