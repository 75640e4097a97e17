// Transaction ids and roll pointers. Source: MySQL 8.4 trx0types, trx0undo.
//
// A roll pointer locates the undo record of the previous version, in 7 bytes:
//
//   55        54..48              47..16    15..0
//   insert    undo-space number   page no   offset of the record in the page
//
// The undo-space number is not a tablespace id; undo_spaces.h translates it.
#pragma once

#include <cstdint>

#include "server/page.h"

namespace latchscope::server::trx {

using TrxId = uint64_t;  // 6 bytes in a row; 0 in rows written by the load, which all views see

struct RollPtr {
  bool is_insert = false;
  uint8_t space_no = 0;  // 1..127
  uint32_t page_no = 0;
  uint16_t offset = 0;
  friend bool operator==(const RollPtr&, const RollPtr&) = default;
};

inline constexpr uint32_t kTrxIdBytes = 6;
inline constexpr uint32_t kRollPtrBytes = 7;

constexpr uint64_t encode(RollPtr pointer) {
  return (uint64_t{pointer.is_insert} << 55) | (uint64_t{pointer.space_no} << 48) |
         (uint64_t{pointer.page_no} << 16) | pointer.offset;
}
constexpr RollPtr decode_roll_ptr(uint64_t word) {
  return {.is_insert = ((word >> 55) & 1) != 0,
          .space_no = static_cast<uint8_t>((word >> 48) & 0x7f),
          .page_no = static_cast<uint32_t>(word >> 16),
          .offset = static_cast<uint16_t>(word)};
}

// Little-endian, at any alignment. Compilers turn the memcpy of whole words into single loads and
// stores.
inline uint64_t read_bytes(const uint8_t* at, uint32_t bytes) {
  uint64_t value = 0;
  memcpy(&value, at, bytes);
  return value;
}
inline void write_bytes(uint8_t* at, uint64_t value, uint32_t bytes) {
  memcpy(at, &value, bytes);
}
inline TrxId read_trx_id(const uint8_t* at) {
  return read_bytes(at, kTrxIdBytes);
}
inline void write_trx_id(uint8_t* at, TrxId id) {
  write_bytes(at, id, kTrxIdBytes);
}
inline RollPtr read_roll_ptr(const uint8_t* at) {
  return decode_roll_ptr(read_bytes(at, kRollPtrBytes));
}
inline void write_roll_ptr(uint8_t* at, RollPtr pointer) {
  write_bytes(at, encode(pointer), kRollPtrBytes);
}

}  // namespace latchscope::server::trx
