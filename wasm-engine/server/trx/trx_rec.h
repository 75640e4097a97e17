// Reads an undo record for a consistent read. Source: MySQL 8.4 trx0rec.
//
// Latches of one read, in this order. The caller holds the clustered leaf page S throughout.
//
//   1  purge latch S           until the record is copied (view guards: until the page is fixed)
//   2  Fil_shard::m_mutex      in fil_space_get_page_size, unless the size is cached
//      (or its rw_lock)
//   3  page hash S             to find the undo page, which is then fixed
//   4  buf_block_t::lock S     until the record is copied (view guards: not acquired)
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
  // Changes the variant.
  // REQUIRES: no read is in progress.
  void use(fil::PageSizeLookupVariant variant) { page_size_lookup_ = variant; }

  // trx_undo_get_undo_rec: copies the undo record at `roll_ptr`, which is the roll pointer of a
  // version written by `trx_id`. Returns missing_history if purge may have removed the record.
  DbErr get_undo_rec(RollPtr roll_ptr, TrxId trx_id, UndoRecord& record);

  // Returns the latch site (id) of step 4.
  static uint32_t undo_page_site();

 private:
  // Each of these has its own frame. Threads often suspend inside them, and WebAssembly then
  // unwinds every frame on the stack. Four small frames unwind faster than one large frame.
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
