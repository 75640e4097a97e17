// trx_sys: transaction ids, active read-write transactions and open read views. Sources: MySQL 8.4
// trx0sys, trx0trx, read0read (MVCC).
//
// trx_sys->mutex guards everything. (MySQL 8.4 has a separate serialisation mutex. With one writer
// at a time the difference does not show.)
//
// Invariants
//   1. Ids and numbers come from one ascending counter: a number is larger than every id given
//      before it.
//   2. A transaction leaves the active ids and the serialisation list in one step. A view therefore
//      sees all of its changes or none. If its number is below a view's low_limit_no, the view sees
//      them.
//   3. The list of views is ordered by age: the last one is the oldest.
#pragma once

#include <cstdint>
#include <vector>

#include "latch/ttas_event_mutex.h"
#include "server/trx/read_view.h"

namespace latchscope::server::trx {

class TrxSys {
 public:
  explicit TrxSys(latch::LatchEnvironment& latches) : mutex_(latches) {}

  // trx_start_low: returns the id of a transaction that is going to write.
  TrxId begin();
  // trx_add_to_serialisation_list: returns the number that orders the transaction's undo log in the
  // history.
  uint64_t assign_number();
  // trx_erase_lists: views opened from now on see the transaction's changes.
  void commit(TrxId id, uint64_t number);

  // MVCC::view_open, view_close.
  // REQUIRES: the view is not moved while it is open.
  void open(ReadView& view);
  void close(ReadView& view);
  // MVCC::clone_oldest_view: copies the oldest open view into `view`. If none is open, prepares a
  // new one.
  void clone_oldest_view(ReadView& view);

  uint32_t open_views();
  uint32_t active_transactions();

 private:
  void prepare(ReadView& view) REQUIRES(mutex_);

  latch::TTASEventMutex mutex_;
  uint64_t next_id_or_no_ GUARDED_BY(mutex_) = 1;
  std::vector<TrxId> rw_trx_ids_ GUARDED_BY(mutex_);             // ascending
  std::vector<uint64_t> serialisation_list_ GUARDED_BY(mutex_);  // ascending
  uint64_t committed_ GUARDED_BY(mutex_) = 0;
  ut::IntrusiveList<ReadView, &ReadView::link_> views_ GUARDED_BY(mutex_);
};

}  // namespace latchscope::server::trx
