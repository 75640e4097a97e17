// Reading an undo record for a consistent read (source: MySQL 8.4 trx0rec).
//
// Latches of one read, in this order; the caller holds the clustered leaf page S all along:
//
//   1   purge latch S                          until the record is copied (view guards: until the page is fixed)
//   2   Fil_shard::m_mutex (or its rw_lock)    in fil_space_get_page_size, unless the size is cached
//   3   page hash S                            to find the undo page, which is fixed
//   4   buf_block_t::lock S                    until the record is copied (view guards: not taken)
#pragma once

#include "server/buf/buf_pool.h"
#include "server/fil/fil_system.h"
#include "server/fil/page_size_lookup.h"
#include "server/trx/trx_purge.h"
#include "server/trx/undo_page.h"
#include "server/trx/undo_spaces.h"

namespace latchscope::server::trx {

class UndoReader {
 public:
  UndoReader(fil::FilSystem& fil_system, buf::BufPool& buffer_pool, UndoSpaces& undo_spaces,
             PurgeSys& purge_sys, fil::PageSizeLookupVariant page_size_lookup)
      : fil_system_(fil_system),
        buffer_pool_(buffer_pool),
        undo_spaces_(undo_spaces),
        purge_sys_(purge_sys),
        page_size_lookup_(page_size_lookup) {}

  fil::PageSizeLookupVariant page_size_lookup() const { return page_size_lookup_; }
  // Changes the variant. No read may be in progress.
  void use(fil::PageSizeLookupVariant variant) { page_size_lookup_ = variant; }

  // trx_undo_get_undo_rec: copies the record that `roll_ptr` names, the roll pointer of a version that
  // `trx_id` wrote. missing_history if purge may have removed it.
  DbErr get_undo_rec(RollPtr roll_ptr, TrxId trx_id, UndoRecord& record);

  // Latch site (id) of step 4.
  static uint32_t undo_page_site();

 private:
  // Each has a frame of its own. A thread is often left in one of them, and WebAssembly takes apart all frames that it is in:
  // a small one costs less than one of all four.
  [[gnu::noinline]] DbErr copy_under_page_latch(RollPtr roll_ptr, TrxId trx_id, UndoRecord& record);
  [[gnu::noinline]] DbErr copy_from_fixed_page(RollPtr roll_ptr, TrxId trx_id, UndoRecord& record);
  [[gnu::noinline]] DbErr get_undo_rec_low(RollPtr roll_ptr, UndoRecord& record);
  [[gnu::noinline]] DbErr find_undo_page(RollPtr roll_ptr, PageId& id);

  fil::FilSystem& fil_system_;
  buf::BufPool& buffer_pool_;
  UndoSpaces& undo_spaces_;
  PurgeSys& purge_sys_;
  fil::PageSizeLookupVariant page_size_lookup_;
};

}  // namespace latchscope::server::trx
