#include "server/trx/trx.h"

namespace latchscope::server::trx {

using telemetry::Counter;

namespace {

const telemetry::LatchSite kPageXReport("buf_block_t::lock", "trx_undo_report_row_operation");
const telemetry::LatchSite kPageXAdd("buf_block_t::lock", "trx_undo_add_page");

const telemetry::Function kReport("trx_undo_report_row_operation");
const telemetry::Function kAddPage("trx_undo_add_page");
const telemetry::Function kCommit("trx_commit_low");

}  // namespace

Trx::Trx(TrxSys& trx_sys, UndoSpaces& undo_spaces, PurgeSys& purge_sys, buf::BufPool& buffer_pool,
         RollbackSegment& rseg)
    : trx_sys_(trx_sys),
      undo_spaces_(undo_spaces),
      purge_sys_(purge_sys),
      buffer_pool_(buffer_pool),
      undo_log_(std::make_unique<UndoLog>()) {
  undo_log_->rseg = &rseg;
}

void Trx::start() {
  id_ = trx_sys_.begin();
  undo_log_->trx_id = id_;
}

DbErr Trx::report_update(UndoRecord record, RollPtr& roll_ptr) {
  telemetry::Frame frame(kReport);
  const uint32_t number = undo_log_->rseg->space.number();
  record.undo_no = undo_log_->records;
  buf::PageXLatch page;
  uint16_t offset = 0;
  if (!undo_log_->pages.empty()) {
    const PageId last{undo_spaces_.space_id(number), undo_log_->pages.back()};
    const DbErr outcome = buffer_pool_.get_x(kPageXReport, nullptr, last, page);
    if (outcome != DbErr::success) return outcome;
    offset = append_undo_record(page.frame(), record);
  }
  if (offset == 0) {
    const DbErr outcome = add_page(page);
    if (outcome != DbErr::success) return outcome;
    offset = append_undo_record(page.frame(), record);
  }
  ++undo_log_->records;
  telemetry::count(Counter::undo_records_written);
  roll_ptr = {.is_insert = false,
              .space_no = static_cast<uint8_t>(number),
              .page_no = undo_log_->pages.back(),
              .offset = offset};
  return DbErr::success;
}

DbErr Trx::add_page(buf::PageXLatch& page) {
  telemetry::Frame frame(kAddPage);
  page.release();
  UndoSpace& space = undo_log_->rseg->space;
  const uint32_t page_no = space.allocate_page();
  if (page_no == kFilNull) return DbErr::tablespace_missing;
  const PageId id{undo_spaces_.space_id(space.number()), page_no};
  const DbErr outcome = buffer_pool_.create(kPageXAdd, id, page);
  if (outcome != DbErr::success) return outcome;
  init_undo_page(page.frame(), id);
  undo_log_->pages.push_back(page_no);
  return DbErr::success;
}

void Trx::commit() {
  telemetry::Frame frame(kCommit);
  const uint64_t number = trx_sys_.assign_number();
  undo_log_->trx_no = number;
  purge_sys_.add_to_history(std::move(undo_log_));
  trx_sys_.commit(id_, number);
  purge_sys_.wake();
}

}  // namespace latchscope::server::trx
