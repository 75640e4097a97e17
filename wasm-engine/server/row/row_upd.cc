#include "server/row/row_upd.h"

#include "server/row/btr.h"
#include "telemetry/telemetry.h"

namespace latchscope::server::row {

namespace {

const telemetry::LatchSite kLeafXUpdate("buf_block_t::lock", "row_upd_clust_step");

const telemetry::Function kUpdateForMysql("row_update_for_mysql");
const telemetry::Function kUpdClustStep("row_upd_clust_step");
const telemetry::Function kUpdateInPlace("btr_cur_update_in_place");
const telemetry::Function kRowPurge("row_purge");

// btr_cur_update_in_place: writes the undo record first, so that no version ever lacks its
// predecessor.
DbErr update_in_place(DictTable& table, trx::Trx& trx, uint8_t* row) {
  telemetry::Frame frame(kUpdateInPlace);
  const uint32_t k = read_at<uint32_t>(row, kRowK);
  trx::RollPtr roll_ptr;
  const DbErr outcome = trx.report_update({.table_no = table.source.table_no,
                                           .trx_id = trx::read_trx_id(row + kRowTrxId),
                                           .roll_ptr = trx::read_roll_ptr(row + kRowRollPtr),
                                           .id = read_at<uint32_t>(row, kRowId),
                                           .k = k},
                                          roll_ptr);
  if (outcome != DbErr::success) return outcome;
  trx::write_trx_id(row + kRowTrxId, trx.id());
  trx::write_roll_ptr(row + kRowRollPtr, roll_ptr);
  write_at<uint32_t>(row, kRowK, k + 1);
  seal_row(row);
  telemetry::count(telemetry::Counter::rows_updated);
  return DbErr::success;
}

// Updates one row. Sets `rows` and `next_page_no` from the leaf page.
DbErr update_row(buf::BufPool& pool, DictTable& table, trx::Trx& trx, uint32_t page_no, uint32_t position,
                 uint32_t& rows, uint32_t& next_page_no) {
  telemetry::Frame frame(kUpdClustStep);
  buf::PageXLatch leaf;
  const DbErr outcome = pool.get_x(kLeafXUpdate, table.space, {table.space->id, page_no}, leaf);
  if (outcome != DbErr::success) return outcome;
  rows = leaf_rows(leaf.frame());
  next_page_no = read_at<uint32_t>(leaf.frame(), kFilNext);
  return update_in_place(table, trx, leaf.frame() + leaf_row_offset(position));
}

}  // namespace

DbErr update_k_of_all_rows(buf::BufPool& pool, DictTable& table, trx::Trx& trx) {
  telemetry::Frame frame(kUpdateForMysql);
  uint32_t page_no;
  {
    buf::PageLatch first_leaf;
    const DbErr outcome = open_leaf(pool, table, 0, first_leaf);
    if (outcome != DbErr::success) return outcome;
    page_no = read_at<uint32_t>(first_leaf.frame(), kFilPageNo);
  }
  while (page_no != kFilNull) {
    uint32_t rows = 1;
    uint32_t next_page_no = kFilNull;
    for (uint32_t position = 0; position < rows; ++position) {
      const DbErr outcome = update_row(pool, table, trx, page_no, position, rows, next_page_no);
      if (outcome != DbErr::success) return outcome;
    }
    page_no = next_page_no;
  }
  return DbErr::success;
}

void row_purge(buf::BufPool& pool, DictTable& table, const trx::PurgeRecord& record) {
  telemetry::Frame frame(kRowPurge);
  buf::PageLatch leaf;
  const DbErr outcome = open_leaf(pool, table, record.undo.id, leaf);
  LATCHSCOPE_ASSERT(outcome == DbErr::success, "a table with history is not dropped");
  const uint8_t* row = leaf.frame() + leaf_row_offset(leaf_position_of(leaf.frame(), record.undo.id));
  LATCHSCOPE_ASSERT(read_at<uint32_t>(row, kRowId) == record.undo.id &&
                        trx::read_trx_id(row + kRowTrxId) >= record.modifier,
                    "purge finds the row, last changed by the transaction of the undo record or a later one");
}

}  // namespace latchscope::server::row
