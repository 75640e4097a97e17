// Consistent reads over the clustered index, leaf by leaf. Source: MySQL 8.4 row0sel
// (row_search_mvcc).
#pragma once

#include <cstdint>

#include "server/buf/buf_pool.h"
#include "server/db_err.h"
#include "server/row/dict_table.h"
#include "server/row/sbtest_row.h"
#include "server/trx/read_view.h"
#include "server/trx/trx_rec.h"
#include "server/ut/work_costs.h"

namespace latchscope::server::row {

// A scan in key order. While it is on a row, it holds the row's leaf page S, even while it builds
// older versions.
class ConsistentScan {
 public:
  ConsistentScan(buf::BufPool& pool, DictTable& table, trx::UndoReader& undo, const trx::ReadView& view)
      : pool_(pool), table_(table), undo_(undo), view_(view) {}

  // row_search_mvcc: returns the next row as the view sees it, valid until the next call. Returns
  // record_not_found after the last row.
  DbErr next(const uint8_t*& row);
  // Returns true if next() returned the row in the page itself, not an older version of it.
  bool is_newest_version() const { return is_newest_version_; }

 private:
  DbErr open();
  DbErr build_previous_version(const uint8_t* record);

  buf::BufPool& pool_;
  DictTable& table_;
  trx::UndoReader& undo_;
  const trx::ReadView& view_;
  buf::PageLatch leaf_;
  uint32_t rows_ = 0;      // in the leaf
  uint32_t position_ = 0;  // of the next row
  ut::ChargeBatch charges_;
  bool is_open_ = false;
  bool is_newest_version_ = true;
  uint8_t version_[kRowBytes];
};

}  // namespace latchscope::server::row
