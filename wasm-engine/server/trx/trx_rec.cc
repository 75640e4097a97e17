#include "server/trx/trx_rec.h"

#include "server/ut/work_costs.h"

namespace latchscope::server::trx {

using telemetry::Counter;

namespace {

const telemetry::LatchSite kUndoPageS("buf_block_t::lock", "trx_undo_get_undo_rec_low");

const telemetry::Function kGetUndoRec("trx_undo_get_undo_rec");
const telemetry::Function kGetUndoRecLow("trx_undo_get_undo_rec_low");

class ReaderGuard {
 public:
  explicit ReaderGuard(PurgeLatch& latch) : latch_(latch), shard_(latch.s_lock()) {}
  ~ReaderGuard() { latch_.s_unlock(shard_); }
  ReaderGuard(const ReaderGuard&) = delete;
  ReaderGuard& operator=(const ReaderGuard&) = delete;

 private:
  PurgeLatch& latch_;
  const uint32_t shard_;
};

}  // namespace

uint32_t UndoReader::undo_page_site() {
  return kUndoPageS.id;
}

DbErr UndoReader::get_undo_rec(RollPtr roll_ptr, TrxId trx_id, UndoRecord& record) {
  telemetry::Frame frame(kGetUndoRec);
  const DbErr outcome = purge_sys_.latch().guards_end_view()
                            ? copy_from_fixed_page(roll_ptr, trx_id, record)
                            : copy_under_page_latch(roll_ptr, trx_id, record);
  if (outcome == DbErr::success) telemetry::count(Counter::undo_reads);
  return outcome;
}

DbErr UndoReader::copy_under_page_latch(RollPtr roll_ptr, TrxId trx_id, UndoRecord& record) {
  ReaderGuard guard(purge_sys_.latch());
  if (purge_sys_.history_may_be_gone(trx_id)) return DbErr::missing_history;
  return get_undo_rec_low(roll_ptr, record);
}

DbErr UndoReader::get_undo_rec_low(RollPtr roll_ptr, UndoRecord& record) {
  telemetry::Frame frame(kGetUndoRecLow);
  PageId id;
  DbErr outcome = find_undo_page(roll_ptr, id);
  if (outcome != DbErr::success) return outcome;
  buf::PageLatch page;
  outcome = buffer_pool_.get_at(kUndoPageS, nullptr, id, page);
  if (outcome != DbErr::success) return DbErr::missing_history;
  record = read_undo_record(page.frame(), roll_ptr.offset);
  ut::pay(ut::work_cost::undo_record_copied_ns);
  return DbErr::success;
}

// Undo pages are append-only, so fixing the page is enough. Purge waits for the fix to be released
// before it frees the page.
DbErr UndoReader::copy_from_fixed_page(RollPtr roll_ptr, TrxId trx_id, UndoRecord& record) {
  telemetry::Frame frame(kGetUndoRecLow);
  buf::PageFix page;
  {
    ReaderGuard guard(purge_sys_.latch());
    if (purge_sys_.history_may_be_gone(trx_id)) return DbErr::missing_history;
    PageId id;
    if (find_undo_page(roll_ptr, id) != DbErr::success) return DbErr::missing_history;
    if (buffer_pool_.fix(nullptr, id, page) != DbErr::success) return DbErr::missing_history;
  }
  record = read_undo_record(page.frame(), roll_ptr.offset);
  ut::pay(ut::work_cost::undo_record_copied_ns);
  return DbErr::success;
}

// Translates the undo-space number into a tablespace id (lock-free) and looks up the tablespace's
// page size.
DbErr UndoReader::find_undo_page(RollPtr roll_ptr, PageId& id) {
  id = {undo_spaces_.space_id(roll_ptr.space_no), roll_ptr.page_no};
  uint32_t page_bytes = 0;
  const DbErr outcome =
      fil::fil_space_get_page_size(fil_system_, page_size_lookup_, id.space, kPageBytes, page_bytes);
  if (outcome != DbErr::success) return DbErr::missing_history;
  LATCHSCOPE_ASSERT(page_bytes == kPageBytes, "undo pages have the server's page size");
  return DbErr::success;
}

}  // namespace latchscope::server::trx
