// ReadView: which transactions' changes a consistent read sees (source: MySQL 8.4 read0types, read0read).
//
//   id <  up_limit_id               committed before the view was made: visible
//   id >= low_limit_id              not yet begun then: invisible
//   in between                      visible unless in `ids`, the transactions that were active then
//
// low_limit_no: the view needs no undo log of a transaction whose number (given at commit) is smaller.
#pragma once

#include <cstdint>
#include <vector>

#include "server/trx/trx_types.h"
#include "server/ut/intrusive_list.h"

namespace latchscope::server::trx {

class ReadView {
 public:
  bool changes_visible(TrxId id) const;

  TrxId up_limit_id() const { return up_limit_id_; }
  TrxId low_limit_id() const { return low_limit_id_; }
  uint64_t low_limit_no() const { return low_limit_no_; }
  // Read-write transactions that had committed when the view was made: what a check of its reads compares
  // with.
  uint64_t committed_before() const { return committed_before_; }
  bool is_open() const { return is_open_; }

  // Takes over what `other` sees. Neither becomes a member of the list of views.
  void copy_from(const ReadView& other);

 private:
  friend class TrxSys;

  // A view made before the first transaction: it sees what the load wrote.
  TrxId up_limit_id_ = 1;
  TrxId low_limit_id_ = 1;
  uint64_t low_limit_no_ = 1;
  uint64_t committed_before_ = 0;
  std::vector<TrxId> ids_;  // ascending
  bool is_open_ = false;
  ut::ListLink<ReadView> link_;
};

}  // namespace latchscope::server::trx
