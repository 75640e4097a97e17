#include "server/row/sbtest_row.h"

#include <cstring>

#include "platform/platform.h"
#include "server/page.h"
#include "server/ut/crc32c.h"

namespace latchscope::server::row {

namespace {

constexpr uint32_t kDigitsPerGroup = 11;
constexpr uint32_t kCGroups = 10;
constexpr uint32_t kPadGroups = 5;
constexpr uint32_t kCBytes = 120;
constexpr uint32_t kPadBytes = 60;

uint64_t row_hash(const RowSource& source, uint32_t id, uint32_t part) {
  return platform::split_mix_64(source.seed ^ (uint64_t{source.table_no} << 40) ^ (uint64_t{id} << 8) ^ part);
}

uint32_t k_of(const RowSource& source, uint32_t id) {
  return 1 + static_cast<uint32_t>(row_hash(source, id, 0) % source.rows);
}

void write_group(uint8_t* text, uint64_t hash) {
  for (uint32_t i = 0; i < kDigitsPerGroup; ++i, hash /= 10)
    text[i] = static_cast<uint8_t>('0' + hash % 10);
}

// Writes "ddddddddddd-ddddddddddd-...", padded with spaces to the column's width, as sysbench does.
void write_groups(uint8_t* column, uint32_t column_bytes, uint32_t groups, const RowSource& source,
                  uint32_t id, uint32_t first_part) {
  memset(column, ' ', column_bytes);
  for (uint32_t group = 0; group < groups; ++group) {
    uint8_t* text = column + group * (kDigitsPerGroup + 1);
    write_group(text, row_hash(source, id, first_part + group));
    if (group + 1 < groups) text[kDigitsPerGroup] = '-';
  }
}

}  // namespace

void write_row(uint8_t* record, const RowSource& source, uint32_t id) {
  memset(record, 0, kRowBytes);
  write_at<uint32_t>(record, kRowId, id);
  write_at<uint32_t>(record, kRowK, k_of(source, id));
  write_groups(record + kRowC, kCBytes, kCGroups, source, id, 1);
  write_groups(record + kRowPad, kPadBytes, kPadGroups, source, id, 1 + kCGroups);
  seal_row(record);
}

bool row_is_right(const uint8_t* record, const RowSource& source, uint32_t id) {
  if (read_at<uint32_t>(record, kRowId) != id) return false;
  uint8_t first_group[kDigitsPerGroup];
  write_group(first_group, row_hash(source, id, 1));
  return memcmp(record + kRowC, first_group, kDigitsPerGroup) == 0 && row_is_sealed(record);
}

uint32_t loaded_k(const RowSource& source, uint32_t id) {
  return k_of(source, id);
}

void seal_row(uint8_t* record) {
  write_at<uint32_t>(record, kRowChecksum, ut::crc32c(record, kRowChecksum));
}

bool row_is_sealed(const uint8_t* record) {
  return read_at<uint32_t>(record, kRowChecksum) == ut::crc32c(record, kRowChecksum);
}

}  // namespace latchscope::server::row
