// A read-write transaction: its id, its rollback segment and its undo log (sources: MySQL 8.4 trx0trx,
// trx0rec).
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
  // `rseg` was assigned to this transaction (UndoSpaces::assign_rseg) and has room for everything it will
  // write.
  Trx(TrxSys& trx_sys, UndoSpaces& undo_spaces, PurgeSys& purge_sys, buf::BufPool& buffer_pool,
      RollbackSegment& rseg);

  TrxId id() const { return id_; }

  // trx_start_low.
  void start();
  // trx_undo_report_row_operation: writes the undo record, returns its roll pointer. The caller holds the
  // row's leaf page X and changes the row afterwards. tablespace_missing if the tablespace is full.
  DbErr report_update(UndoRecord record, RollPtr& roll_ptr);
  // Puts the undo log into the history and makes the changes visible to views opened from here on.
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
