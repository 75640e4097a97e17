#include "workload/sbtest_session.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "server/page.h"
#include "server/ut/work_costs.h"
#include "telemetry/telemetry.h"

namespace latchscope::workload {

using server::binlog::EventType;
using server::row::kRowBytes;
namespace work_cost = server::ut::work_cost;
using telemetry::Counter;

namespace {

const telemetry::LatchSite kReadBlock("buf_block_t::lock", "row_search_mvcc");
const telemetry::LatchSite kChangeBlock("buf_block_t::lock", "row_upd_clust_rec");
const telemetry::Function kSearchFrame("row_search_mvcc");
const telemetry::Function kUpdateFrame("row_upd_clust_rec");

bool is_sound(const uint8_t* record, uint32_t id) {
  return server::read_at<uint32_t>(record, server::row::kRowId) == id &&
         server::read_at<uint32_t>(record, server::row::kRowChecksum) ==
             server::ut::crc32c(record, server::row::kRowChecksum);
}

void seal(uint8_t* record) {
  server::write_at<uint32_t>(record, server::row::kRowChecksum,
                             server::ut::crc32c(record, server::row::kRowChecksum));
}

}  // namespace

SbtestTables::SbtestTables(latch::LatchEnvironment& latches, uint32_t tables, uint32_t rows, uint64_t seed)
    : tables_(tables),
      rows_(rows),
      blocks_per_table_((rows + kRowsPerBlock) / kRowsPerBlock),
      data_(size_t{tables} * rows * kRowBytes) {
  for (uint32_t table = 0; table < tables; ++table) {
    for (uint32_t id = 1; id <= rows; ++id)
      server::row::write_row(row(table, id), {table, rows, seed}, id);
  }
  for (uint32_t block = 0; block < tables * blocks_per_table_; ++block)
    block_locks_.push_back(std::make_unique<latch::RwLock>(latches));
}

latch::RwLock& SbtestTables::block_lock(uint32_t table, uint32_t id) {
  return *block_locks_[table * blocks_per_table_ + id / kRowsPerBlock];
}

uint8_t* SbtestTables::row(uint32_t table, uint32_t id) {
  return data_.data() + (size_t{table} * rows_ + id - 1) * kRowBytes;
}

void SbtestTables::select(uint32_t table, uint32_t id, uint32_t count) {
  telemetry::Frame frame(kSearchFrame);
  uint32_t wrong = 0;
  uint8_t record[kRowBytes];
  for (uint32_t at = id; at < id + count; ++at) {
    {
      latch::SharedGuard guard(block_lock(table, at), kReadBlock);
      memcpy(record, row(table, at), kRowBytes);
    }
    if (!is_sound(record, at)) ++wrong;
  }
  telemetry::count(Counter::rows_verified, count - wrong);
  if (wrong > 0) telemetry::count(Counter::rows_wrong, wrong);
}

template <class Change>
void SbtestTables::update(uint32_t table, uint32_t id, uint8_t* before, uint8_t* after,
                          const Change& change) {
  telemetry::Frame frame(kUpdateFrame);
  latch::ExclusiveGuard guard(block_lock(table, id), kChangeBlock);
  uint8_t* record = row(table, id);
  memcpy(before, record, kRowBytes);
  change(record);
  seal(record);
  memcpy(after, record, kRowBytes);
}

void SbtestTables::update_k(uint32_t table, uint32_t id, uint8_t* before, uint8_t* after) {
  update(table, id, before, after, [](uint8_t* record) {
    server::write_at<uint32_t>(record, server::row::kRowK,
                               server::read_at<uint32_t>(record, server::row::kRowK) + 1);
  });
}

void SbtestTables::update_c(uint32_t table, uint32_t id, uint32_t random, uint8_t* before, uint8_t* after) {
  update(table, id, before, after, [random](uint8_t* record) {
    uint32_t digits = random;
    for (uint32_t i = 0; i < 9; ++i, digits /= 10)
      record[server::row::kRowC + i] = static_cast<uint8_t>('0' + digits % 10);
  });
}

uint64_t SbtestTables::damaged_rows() const {
  uint64_t damaged = 0;
  for (uint32_t table = 0; table < tables_; ++table) {
    for (uint32_t id = 1; id <= rows_; ++id) {
      const uint8_t* record = data_.data() + (size_t{table} * rows_ + id - 1) * kRowBytes;
      if (!is_sound(record, id)) ++damaged;
    }
  }
  return damaged;
}

SbtestSession::Target SbtestSession::pick(uint32_t rows_from_there) {
  platform::Random& random = telemetry::recorder().random();
  return {random.below(tables_.tables()), 1 + random.below(tables_.rows() + 1 - rows_from_there)};
}

void SbtestSession::point_selects(uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    const Statement statement(client_, work_cost::point_select_ns);
    const Target target = pick();
    tables_.select(target.table, target.id, 1);
  }
  telemetry::count(Counter::queries_read, count);
}

void SbtestSession::range_selects(uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    const Statement statement(client_,
                              work_cost::point_select_ns + (kRangeRows - 1) * work_cost::row_read_ns);
    const Target target = pick(kRangeRows);
    tables_.select(target.table, target.id, kRangeRows);
  }
  telemetry::count(Counter::queries_read, count);
}

void SbtestSession::log_change(uint32_t table, EventType type, const uint8_t* before, const uint8_t* after) {
  server::binlog::append_table_map(cache_, 100 + table, "sbtest" + std::to_string(table + 1));
  server::binlog::append_rows(cache_, type, 100 + table, before, after, kRowBytes);
  telemetry::count(Counter::queries_write);
}

void SbtestSession::update_index() {
  const Statement statement(client_, work_cost::update_index_ns);
  const Target target = pick();
  tables_.update_k(target.table, target.id, before_, after_);
  log_change(target.table, EventType::update_rows, before_, after_);
}

void SbtestSession::update_non_index() {
  const Statement statement(client_, work_cost::update_non_index_ns);
  const Target target = pick();
  tables_.update_c(target.table, target.id, telemetry::recorder().random().next(), before_, after_);
  log_change(target.table, EventType::update_rows, before_, after_);
}

void SbtestSession::delete_and_insert() {
  const Target target = pick();
  {
    const Statement statement(client_, work_cost::insert_ns);
    tables_.update_c(target.table, target.id, telemetry::recorder().random().next(), before_, after_);
    log_change(target.table, EventType::delete_rows, before_, nullptr);
  }
  const Statement statement(client_, work_cost::insert_ns);
  log_change(target.table, EventType::write_rows, nullptr, after_);
}

}  // namespace latchscope::workload
