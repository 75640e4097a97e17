// ReadView decides which transactions' changes a consistent read sees. Source: MySQL 8.4
// read0types, read0read.
//
//    id <  up_limit_id     committed before the view was opened: visible
//    id >= low_limit_id    not yet started at that time: invisible
//    in between            visible unless in `ids`, the transactions active at that time
//
// low_limit_no: the view needs no undo log of a transaction with a smaller number. Transactions get
// their number at commit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "server/trx/trx_types.h"
#include "server/ut/intrusive_list.h"

namespace latchscope::server::trx {

class ReadView {
 public:
  bool changes_visible(TrxId id) const {
    if (id < up_limit_id_) return true;
    if (id >= low_limit_id_) return false;
    return !std::binary_search(ids_.begin(), ids_.end(), id);
  }

  uint64_t low_limit_no() const { return low_limit_no_; }
  // Returns the number of read-write transactions that had committed when the view was opened.
  // Checks of its reads compare with it.
  uint64_t committed_before() const { return committed_before_; }
  bool is_open() const { return is_open_; }

  // Copies the visibility of `other`. Neither view joins the list of views.
  void copy_from(const ReadView& other) {
    up_limit_id_ = other.up_limit_id_;
    low_limit_id_ = other.low_limit_id_;
    low_limit_no_ = other.low_limit_no_;
    committed_before_ = other.committed_before_;
    ids_ = other.ids_;
  }

 private:
  friend class TrxSys;

  // The initial view is older than the first transaction: it sees the rows written by the load.
  TrxId up_limit_id_ = 1;
  TrxId low_limit_id_ = 1;
  uint64_t low_limit_no_ = 1;
  uint64_t committed_before_ = 0;
  std::vector<TrxId> ids_;  // ascending
  bool is_open_ = false;
  ut::ListLink<ReadView> link_;
};

}  // namespace latchscope::server::trx
