// A row of sysbench's oltp tables (id, k, c char(120), pad char(60)) as a clustered-index record
// with InnoDB's hidden columns. The contents are a function of table and id, so every lookup can
// verify what it read.
//
//    offset  bytes  column
//    0       4      id
//    4       6      DB_TRX_ID
//    10      7      DB_ROLL_PTR
//    17      4      k
//    21      120    c
//    141     60     pad
//    201     4      CRC-32C of the bytes before
#pragma once

#include <cstdint>

namespace latchscope::server::row {

inline constexpr uint32_t kRowBytes = 205;
inline constexpr uint32_t kRowId = 0;
inline constexpr uint32_t kRowTrxId = 4;
inline constexpr uint32_t kRowRollPtr = 10;
inline constexpr uint32_t kRowK = 17;
inline constexpr uint32_t kRowC = 21;
inline constexpr uint32_t kRowPad = 141;
inline constexpr uint32_t kRowChecksum = 201;

struct RowSource {
  uint32_t table_no;
  uint32_t rows;
  uint64_t seed;
};

// Writes the row that the load stores for `id` (1..rows).
void write_row(uint8_t* record, const RowSource& source, uint32_t id);

// Returns true if the record has this id, the contents for this id and a valid checksum.
bool row_is_right(const uint8_t* record, const RowSource& source, uint32_t id);

// Returns the `k` that the load stores for `id`.
uint32_t loaded_k(const RowSource& source, uint32_t id);

// Recomputes the checksum after a column was changed in place.
void seal_row(uint8_t* record);
bool row_is_sealed(const uint8_t* record);

}  // namespace latchscope::server::row
