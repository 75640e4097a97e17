// sysbench's oltp statements on in-memory tables, and the binary log events that they write. The
// binlog scenarios run them between BEGIN and COMMIT.
//
// Rows are sbtest rows (server/row/sbtest_row.h) with a checksum, 64 to a block. Each block has an
// rw_lock that a statement holds while it reads or changes a row, like a page latch. Row locks of
// transactions are omitted: a change is visible at once and is never rolled back.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "latch/latch_environment.h"
#include "latch/rw_lock.h"
#include "server/binlog/session.h"
#include "server/row/sbtest_row.h"
#include "workload/client_machine.h"

namespace latchscope::workload {

class SbtestTables {
 public:
  SbtestTables(latch::LatchEnvironment& latches, uint32_t tables, uint32_t rows, uint64_t seed);

  uint32_t tables() const { return tables_; }
  uint32_t rows() const { return rows_; }

  // SELECT of `count` rows starting at `id`; counts rows_verified and rows_wrong.
  void select(uint32_t table, uint32_t id, uint32_t count);
  // UPDATE ... SET k = k + 1; `before` and `after` receive the row images.
  void update_k(uint32_t table, uint32_t id, uint8_t* before, uint8_t* after);
  // UPDATE ... SET c = ...
  void update_c(uint32_t table, uint32_t id, uint32_t random, uint8_t* before, uint8_t* after);
  // Returns the number of rows whose checksum is wrong.
  // REQUIRES: nothing runs.
  uint64_t damaged_rows() const;

 private:
  static constexpr uint32_t kRowsPerBlock = 64;

  latch::RwLock& block_lock(uint32_t table, uint32_t id);
  uint8_t* row(uint32_t table, uint32_t id);
  template <class Change>
  void update(uint32_t table, uint32_t id, uint8_t* before, uint8_t* after, const Change& change);

  const uint32_t tables_;
  const uint32_t rows_;
  const uint32_t blocks_per_table_;
  std::vector<uint8_t> data_;  // each block is guarded by its rw_lock
  std::vector<std::unique_ptr<latch::RwLock>> block_locks_;
};

// The statements of one session.
class SbtestSession {
 public:
  SbtestSession(SbtestTables& tables, ClientMachine& client, server::binlog::Bytes& cache)
      : tables_(tables), client_(client), cache_(cache) {}

  void point_selects(uint32_t count);
  void range_selects(uint32_t count);  // of 100 rows each
  void update_index();                 // k = k + 1
  void update_non_index();             // c = ...
  void delete_and_insert();            // two statements; the row returns with another c

 private:
  static constexpr uint32_t kRangeRows = 100;

  struct Target {
    uint32_t table;
    uint32_t id;
  };
  Target pick(uint32_t rows_from_there = 1);
  void log_change(uint32_t table, server::binlog::EventType type, const uint8_t* before,
                  const uint8_t* after);

  SbtestTables& tables_;
  ClientMachine& client_;
  server::binlog::Bytes& cache_;
  uint8_t before_[server::row::kRowBytes];
  uint8_t after_[server::row::kRowBytes];
};

}  // namespace latchscope::workload
