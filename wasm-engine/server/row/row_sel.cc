#include "server/row/row_sel.h"

#include <cstring>

#include "server/row/btr.h"
#include "server/ut/work_costs.h"
#include "telemetry/telemetry.h"

namespace latchscope::server::row {

namespace {

const telemetry::Function kSearchMvcc("row_search_mvcc");
const telemetry::Function kBuildPrevVers("row_sel_build_prev_vers_for_mysql");
const telemetry::Function kBuildForConsistentRead("row_vers_build_for_consistent_read");
const telemetry::Function kPrevVersionBuild("trx_undo_prev_version_build");

// Replaces `version` with the previous version.
DbErr trx_undo_prev_version_build(trx::UndoReader& undo, uint8_t* version) {
  telemetry::Frame frame(kPrevVersionBuild);
  const trx::RollPtr roll_ptr = trx::read_roll_ptr(version + kRowRollPtr);
  if (roll_ptr.is_insert) return DbErr::record_not_found;
  trx::UndoRecord record;
  DbErr outcome;
  platform::call_apart(
      [&] { outcome = undo.get_undo_rec(roll_ptr, trx::read_trx_id(version + kRowTrxId), record); });
  if (outcome != DbErr::success) return outcome;
  LATCHSCOPE_ASSERT(record.id == read_at<uint32_t>(version, kRowId), "the undo record belongs to the row");
  trx::write_trx_id(version + kRowTrxId, record.trx_id);
  trx::write_roll_ptr(version + kRowRollPtr, record.roll_ptr);
  write_at<uint32_t>(version, kRowK, record.k);
  ut::pay(ut::work_cost::version_built_ns);
  telemetry::count(telemetry::Counter::versions_built);
  return DbErr::success;
}

// Builds in `version` (kRowBytes) the newest version of `record` that the view sees, going back as
// many versions as needed. Returns missing_history if purge may have removed one of the undo
// records. Returns record_not_found if the row did not exist for the view.
// REQUIRES: the caller holds the leaf page of `record` S.
//
// The checksum in `version` remains that of the newest version: it protects rows in pages, not
// copies.
DbErr row_vers_build_for_consistent_read(trx::UndoReader& undo, const trx::ReadView& view,
                                         const uint8_t* record, uint8_t* version) {
  telemetry::Frame frame(kBuildForConsistentRead);
  memcpy(version, record, kRowBytes);
  do {
    const DbErr outcome = trx_undo_prev_version_build(undo, version);
    if (outcome != DbErr::success) return outcome;
  } while (!view.changes_visible(trx::read_trx_id(version + kRowTrxId)));
  return DbErr::success;
}

}  // namespace

DbErr ConsistentScan::open() {
  is_open_ = true;
  const DbErr outcome = open_leaf(pool_, table_, 0, leaf_);
  if (outcome == DbErr::success) rows_ = leaf_rows(leaf_.frame());
  return outcome;
}

DbErr ConsistentScan::next(const uint8_t*& row) {
  telemetry::Frame frame(kSearchMvcc);
  if (!is_open_) {
    const DbErr outcome = open();
    if (outcome != DbErr::success) return outcome;
  }
  while (position_ == rows_) {
    charges_.pay();
    const DbErr outcome = move_to_next_leaf(pool_, table_, leaf_);
    if (outcome != DbErr::success) return outcome;
    rows_ = leaf_rows(leaf_.frame());
    position_ = 0;
  }
  const uint8_t* record = leaf_.frame() + leaf_row_offset(position_++);
  charges_.add(ut::work_cost::row_scanned_ns);
  is_newest_version_ = view_.changes_visible(trx::read_trx_id(record + kRowTrxId));
  if (is_newest_version_) {
    row = record;
    return DbErr::success;
  }
  charges_.pay();
  row = version_;
  return build_previous_version(record);
}

DbErr ConsistentScan::build_previous_version(const uint8_t* record) {
  telemetry::Frame frame(kBuildPrevVers);
  return row_vers_build_for_consistent_read(undo_, view_, record, version_);
}

}  // namespace latchscope::server::row
