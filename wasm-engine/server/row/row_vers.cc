#include "server/row/row_vers.h"

#include <cstring>

#include "server/ut/work_costs.h"
#include "telemetry/telemetry.h"

namespace latchscope::server::row {

namespace {

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

}  // namespace

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

}  // namespace latchscope::server::row
