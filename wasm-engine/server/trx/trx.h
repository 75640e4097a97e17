// A read-write transaction: its id, its rollback segment and its undo log. Sources: MySQL 8.4
// trx0trx, trx0rec.
#pragma once

#include <memory>

#include "server/buf/buf_pool.h"
#include "server/trx/trx_purge.h"
#include "server/trx/trx_sys.h"
#include "server/trx/undo_page.h"
#include "server/trx/undo_spaces.h"

namespace latchscope::server::trx {

class Trx {
 public:
  // REQUIRES: `rseg` is assigned to this transaction (UndoSpaces::assign_rseg) and has space for
  // everything the transaction will write.
  Trx(TrxSys& trx_sys, UndoSpaces& undo_spaces, PurgeSys& purge_sys, buf::BufPool& buffer_pool,
      RollbackSegment& rseg);

  TrxId id() const { return id_; }

  // trx_start_low: gives the transaction its id.
  void start();
  // trx_undo_report_row_operation: writes the undo record and returns its roll pointer. Returns
  // tablespace_missing if the tablespace is full.
  // REQUIRES: the caller holds the row's leaf page X and changes the row only afterwards.
  DbErr report_update(UndoRecord record, RollPtr& roll_ptr);
  // Adds the undo log to the history and makes the changes visible to views opened from now on.
  void commit();

 private:
  DbErr add_page(buf::PageXLatch& page);

  TrxSys& trx_sys_;
  UndoSpaces& undo_spaces_;
  PurgeSys& purge_sys_;
  buf::BufPool& buffer_pool_;
  TrxId id_ = 0;
  std::unique_ptr<UndoLog> undo_log_;
};

}  // namespace latchscope::server::trx
