#include "server/gtid/innodb_engine.h"

#include <algorithm>

#include "server/ut/work_costs.h"
#include "telemetry/telemetry.h"

namespace latchscope::server::gtid {

using latch::MutexGuard;

namespace {

const telemetry::LatchSite kTrxStart("trx_sys->mutex", "trx_start_low");
const telemetry::LatchSite kTrxPrepare("trx_sys->mutex", "trx_prepare");
const telemetry::LatchSite kSerialisationAdd("trx_sys->mutex", "trx_add_to_serialisation_list");
const telemetry::LatchSite kEraseLists("trx_sys->mutex", "trx_erase_lists");
const telemetry::LatchSite kPurge("trx_sys->mutex", "trx_purge");

const telemetry::Function kHaFlushLogs("ha_flush_logs");
const telemetry::Function kHaCommitLow("ha_commit_low");
const telemetry::Function kInnobaseCommit("innobase_commit");
const telemetry::Function kInnobaseCommitLow("innobase_commit_low");
const telemetry::Function kTrxCommitForMysql("trx_commit_for_mysql");
const telemetry::Function kGtidFlushPrepare("trx_undo_gtid_flush_prepare");
const telemetry::Function kInnobaseXaPrepare("innobase_xa_prepare");

constexpr uint64_t kRedoBytesPerGroup = 4'096;  // written in whole blocks

}  // namespace

InnodbEngine::InnodbEngine(latch::LatchEnvironment& latches, platform::Device& redo_device,
                           platform::Device& table_device, EngineSettings settings)
    : settings_(settings),
      redo_device_(redo_device),
      trx_sys_(latches),
      table_(table_device),
      persister_(latches, trx_sys_, table_) {}

void InnodbEngine::start(Trx& trx) {
  MutexGuard guard(trx_sys_.mutex, kTrxStart);
  if (trx_sys_.free_undo.empty()) trx_sys_.purge_undo_below(persister_.oldest_trx_no());
  trx = {};
  trx.id = trx_sys_.next_id++;
  trx.undo = &trx_sys_.allocate_undo();
}

void InnodbEngine::xa_prepare(Trx& trx, uint64_t gno) {
  telemetry::Frame frame(kInnobaseXaPrepare);
  UndoHeader& undo = *trx.undo;
  const bool own_slot = wait_ == GtidFlushWait::reserved_undo_slot;
  (own_slot ? undo.xa_prepare_gtid : undo.gtid).write(gno);
  undo.flags |= kUndoFlagXid | (own_slot ? kUndoFlagXaPrepareGtid : kUndoFlagGtid);
  undo.state = UndoState::prepared;
  trx.is_prepared_xa = true;
  persister_.crash_may_follow("prepare GTID in undo");
  MutexGuard guard(trx_sys_.mutex, kTrxPrepare);
  trx.prepare_list_number = persister_.add(trx_sys_, gno);
}

void InnodbEngine::flush_redo_for_group() {
  telemetry::Frame frame(kHaFlushLogs);
  if (settings_.flush_redo_at_commit) telemetry::io(redo_device_, kRedoBytesPerGroup);
}

void InnodbEngine::before_commit_stage(binlog::BinlogSession* group) {
  if (wait_ != GtidFlushWait::once_per_group) return;
  for (; group != nullptr; group = group->next_in_stage) {
    if (group->kind != binlog::CommitKind::xa_commit) continue;
    telemetry::Frame frame(kGtidFlushPrepare);
    persister_.wait_for(persister_.request_immediate_flush(/*compress=*/false), WaitKind::poll_1ms);
    return;
  }
}

void InnodbEngine::commit(binlog::BinlogSession& session) {
  telemetry::Frame low_frame(kHaCommitLow);
  telemetry::Frame commit_frame(kInnobaseCommit);
  telemetry::Frame commit_low_frame(kInnobaseCommitLow);
  trx_commit_for_mysql(*static_cast<Trx*>(session.transaction), session.gno);
}

void InnodbEngine::commit_without_binlog(Trx& trx) {
  telemetry::Frame low_frame(kHaCommitLow);
  telemetry::Frame commit_frame(kInnobaseCommit);
  flush_redo_for_group();
  trx_commit_for_mysql(trx, /*gno=*/0);
}

void InnodbEngine::trx_commit_for_mysql(Trx& trx, uint64_t gno) {
  telemetry::Frame frame(kTrxCommitForMysql);
  if (trx.is_prepared_xa && !has_own_prepare_slot(trx)) flush_prepare_gtid(trx);
  {
    MutexGuard guard(trx_sys_.mutex, kSerialisationAdd);
    trx.no = trx_sys_.next_id++;
    trx_sys_.serialisation_list.insert(trx.no);
  }
  UndoHeader& undo = *trx.undo;
  if (gno != 0) {
    undo.gtid.write(gno);
    undo.flags |= kUndoFlagGtid;
  }
  undo.trx_no = trx.no;
  undo.state = UndoState::to_purge;
  persister_.crash_may_follow("commit GTID in undo");
  ut::pay(ut::work_cost::trx_commit_ns);
  MutexGuard guard(trx_sys_.mutex, kEraseLists);
  if (gno != 0) persister_.add(trx_sys_, gno);
  trx_sys_.serialisation_list.erase(trx.no);
  trx_sys_.history_list.push_back(&undo);
  trx.undo = nullptr;
}

// The commit GTID replaces the prepare GTID in its slot. Until the prepare GTID is in the table,
// this slot is its only copy.
void InnodbEngine::flush_prepare_gtid(Trx& trx) {
  telemetry::Frame frame(kGtidFlushPrepare);
  switch (wait_) {
    case GtidFlushWait::poll_1ms:
      persister_.wait_for(persister_.request_immediate_flush(/*compress=*/false), WaitKind::poll_1ms);
      break;
    case GtidFlushWait::spin:
      persister_.wait_for(persister_.request_immediate_flush(/*compress=*/false), WaitKind::spin);
      break;
    case GtidFlushWait::condition_variable:
      persister_.wait_for(persister_.request_immediate_flush(/*compress=*/false),
                          WaitKind::condition_variable);
      break;
    case GtidFlushWait::own_list_number:
      persister_.request_flush_of(trx.prepare_list_number);
      persister_.wait_for(trx.prepare_list_number, WaitKind::poll_1ms);
      break;
    case GtidFlushWait::once_per_group:
      break;  // before_commit_stage has waited already
    case GtidFlushWait::reserved_undo_slot:
      LATCHSCOPE_ASSERT(persister_.check_flushed(trx.prepare_list_number),
                        "undo of the old format was flushed before the server continued");
      break;
  }
  LATCHSCOPE_ASSERT(persister_.check_flushed(trx.prepare_list_number),
                    "a prepare GTID is overwritten only after it was persisted");
}

EngineCrashImage InnodbEngine::crash_image() {
  EngineCrashImage image;
  for (const auto& undo : trx_sys_.undo_headers) {
    if (undo->state == UndoState::prepared || undo->state == UndoState::to_purge) image.undo.push_back(*undo);
  }
  image.table = table_.durable();
  return image;
}

binlog::GtidSet InnodbEngine::gtids_in(const std::vector<UndoHeader>& undo_headers) {
  binlog::GtidSet gtids;
  for (const UndoHeader& undo : undo_headers) {
    if ((undo.flags & kUndoFlagXaPrepareGtid) != 0) gtids.add(undo.xa_prepare_gtid.read());
    if ((undo.flags & kUndoFlagGtid) != 0) gtids.add(undo.gtid.read());
  }
  return gtids;
}

std::vector<Trx> InnodbEngine::recover(const EngineCrashImage& image) {
  std::vector<Trx> prepared;
  table_.load(image.table);
  binlog::GtidSet missing = gtids_in(image.undo);
  missing.remove(image.table);
  {
    MutexGuard guard(trx_sys_.mutex, kTrxStart);
    for (const UndoHeader& saved : image.undo) {
      UndoHeader& undo = trx_sys_.allocate_undo();
      undo = saved;
      trx_sys_.next_id = std::max(trx_sys_.next_id, saved.trx_no + 1);
      if (undo.state == UndoState::prepared) {
        prepared.push_back({});
        prepared.back().undo = &undo;
        prepared.back().is_prepared_xa = true;
      } else {
        trx_sys_.history_list.push_back(&undo);
      }
    }
    for (Trx& trx : prepared)
      trx.id = trx_sys_.next_id++;
    std::sort(trx_sys_.history_list.begin(), trx_sys_.history_list.end(),
              [](const UndoHeader* a, const UndoHeader* b) { return a->trx_no < b->trx_no; });
    for (const binlog::GnoInterval& interval : missing.intervals()) {
      for (uint64_t gno = interval.first; gno <= interval.last; ++gno)
        persister_.add(trx_sys_, gno);
    }
  }
  // Flushes once before the server continues: afterwards undo of the old format may be overwritten.
  persister_.flush_gtids();
  return prepared;
}

size_t InnodbEngine::undo_in_use() {
  MutexGuard guard(trx_sys_.mutex, kPurge);
  return trx_sys_.undo_headers.size() - trx_sys_.free_undo.size();
}

void InnodbEngine::purge_undo() {
  MutexGuard guard(trx_sys_.mutex, kPurge);
  trx_sys_.purge_undo_below(persister_.oldest_trx_no());
}

}  // namespace latchscope::server::gtid
