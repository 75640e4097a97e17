#include "server/row/row_sel.h"

#include "server/row/btr.h"
#include "server/row/row_vers.h"
#include "telemetry/telemetry.h"

namespace latchscope::server::row {

namespace {

const telemetry::Function kSearchMvcc("row_search_mvcc");
const telemetry::Function kBuildPrevVers("row_sel_build_prev_vers_for_mysql");

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
