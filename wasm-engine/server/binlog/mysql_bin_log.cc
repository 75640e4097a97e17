#include "server/binlog/mysql_bin_log.h"

#include <algorithm>

#include "server/binlog/binlog_files.h"
#include "server/ut/work_costs.h"

namespace latchscope::server::binlog {

using latch::ExclusiveGuard;
using latch::MysqlMutexGuard;
using latch::SharedGuard;
using telemetry::Counter;
using telemetry::Function;
using telemetry::LatchSite;

namespace {

const LatchSite kOrderedCommitLog("LOCK_log", "MYSQL_BIN_LOG::ordered_commit");
const LatchSite kOrderedCommitSync("LOCK_sync", "MYSQL_BIN_LOG::ordered_commit");
const LatchSite kOrderedCommitCommit("LOCK_commit", "MYSQL_BIN_LOG::ordered_commit");
const LatchSite kOrderedCommitAfter("LOCK_after_commit", "MYSQL_BIN_LOG::ordered_commit");
const LatchSite kRotateLog("LOCK_log", "MYSQL_BIN_LOG::rotate");
const LatchSite kFlushLogsLog("LOCK_log", "MYSQL_BIN_LOG::rotate_and_purge");
const LatchSite kNewFileIndex("LOCK_index", "MYSQL_BIN_LOG::new_file_impl");
const LatchSite kDecPrepXids("LOCK_xids", "MYSQL_BIN_LOG::dec_prep_xids");
const LatchSite kNewFileXids("LOCK_xids", "MYSQL_BIN_LOG::new_file_impl");
const LatchSite kPrepXidsCond("m_prep_xids_cond", "MYSQL_BIN_LOG::new_file_impl");
const LatchSite kCloseSync("LOCK_sync", "MYSQL_BIN_LOG::close");
const LatchSite kOpenSync("LOCK_sync", "MYSQL_BIN_LOG::open_binlog");
const LatchSite kBinlogEndPos("LOCK_binlog_end_pos", "MYSQL_BIN_LOG::update_binlog_end_pos");
const LatchSite kDependency("LOCK_replica_trans_dep_tracker",
                            "Transaction_dependency_tracker::get_dependency");
const LatchSite kAssignGtids("global_tsid_lock", "MYSQL_BIN_LOG::assign_automatic_gtids_to_flush_group");
const LatchSite kSidAssignGtids("sid_locks", "MYSQL_BIN_LOG::assign_automatic_gtids_to_flush_group");
const LatchSite kGenerateGtid("global_tsid_lock", "Gtid_state::generate_automatic_gtid");
const LatchSite kSaveGtids("global_tsid_lock", "Gtid_state::save_gtids_of_last_binlog_into_table");
const LatchSite kSidUpdateCommitGroup("sid_locks", "Gtid_state::update_commit_group");

const Function kCommitFrame("MYSQL_BIN_LOG::commit");
const Function kOrderedCommitFrame("MYSQL_BIN_LOG::ordered_commit");
const Function kFlushQueueFrame("MYSQL_BIN_LOG::process_flush_stage_queue");
const Function kSyncFrame("MYSQL_BIN_LOG::sync_binlog_file");
const Function kCommitQueueFrame("MYSQL_BIN_LOG::process_commit_stage_queue");
const Function kFinishCommitFrame("MYSQL_BIN_LOG::finish_commit");
const Function kRotateFrame("MYSQL_BIN_LOG::rotate");
const Function kNewFileFrame("MYSQL_BIN_LOG::new_file_impl");
const Function kOpenBinlogFrame("MYSQL_BIN_LOG::open_binlog");

constexpr uint64_t kNsPerMs = 1'000'000;

uint64_t acquisitions(const LatchSite& site) {
  return telemetry::latch_site_total(site.id).acquisitions;
}

}  // namespace

MysqlBinLog::MysqlBinLog(latch::LatchEnvironment& latches, FileSystem& files, StorageEngine& engine,
                         BinlogSettings settings, lab::LatchPlace* your_lock_log)
    : files_(files), engine_(engine), settings_(settings), lock_log_(your_lock_log), tsid_lock_(latches) {}

void MysqlBinLog::set_design(const BinlogDesign& design) {
  variables_.purge_by.store(static_cast<uint32_t>(design.purge_by));
  variables_.unlink_under.store(static_cast<uint32_t>(design.unlink_under));
  variables_.rotate_when_index_busy.store(static_cast<uint32_t>(design.rotate_when_index_busy));
}

BinlogDesign MysqlBinLog::design() const {
  return {static_cast<PurgeBy>(variables_.purge_by.load()),
          static_cast<UnlinkUnder>(variables_.unlink_under.load()),
          static_cast<RotateWhenIndexBusy>(variables_.rotate_when_index_busy.load())};
}

// -------------------------------------------------------------------------------------------------
// Group commit

void MysqlBinLog::commit(BinlogSession& session) {
  telemetry::Frame frame(kCommitFrame);
  ordered_commit(session);
}

void MysqlBinLog::ordered_commit(BinlogSession& session) {
  telemetry::Frame frame(kOrderedCommitFrame);
  session.pending = true;
  session.next_in_stage = nullptr;
  if (!stages_.enroll_for(Stage::flush, session, nullptr, lock_log_, kOrderedCommitLog)) return;
  const bool file_is_full = process_flush_stage_queue(stages_.fetch_queue(Stage::flush));
  if (settings_.sync_binlog != 1) update_binlog_end_pos();

  if (!stages_.enroll_for(Stage::sync, session, &lock_log_, lock_sync_, kOrderedCommitSync)) return;
  if (sync_is_due()) {
    stages_.wait_count_or_timeout(settings_.sync_no_delay_count, settings_.sync_delay_us, Stage::sync);
  }
  BinlogSession* group = stages_.fetch_queue(Stage::sync);
  sync_binlog_file();
  if (settings_.sync_binlog == 1) update_binlog_end_pos();
  engine_.before_commit_stage(group);

  if (!stages_.enroll_for(Stage::commit, *group, &lock_sync_, lock_commit_, kOrderedCommitCommit)) return;
  group = stages_.fetch_queue(Stage::commit);
  process_commit_stage_queue(group);

  if (!stages_.enroll_for(Stage::after_commit, *group, &lock_commit_, lock_after_commit_,
                          kOrderedCommitAfter)) {
    return;
  }
  group = stages_.fetch_queue(Stage::after_commit);
  lock_after_commit_.unlock();
  stages_.signal_done(group);

  telemetry::Frame finish_frame(kFinishCommitFrame);
  if (!file_is_full) return;
  lock_log_.lock(kRotateLog);
  const bool rotated = rotate(/*force=*/false);
  lock_log_.unlock();
  if (rotated) purge_or_ask_for_it();
}

// Returns true if the file has reached its size limit.
bool MysqlBinLog::process_flush_stage_queue(BinlogSession* group) {
  telemetry::Frame frame(kFlushQueueFrame);
  engine_.flush_redo_for_group();
  assign_gtids(group);
  write_group(group);
  return position_ >= settings_.max_binlog_size;
}

void MysqlBinLog::assign_gtids(BinlogSession* group) {
  {
    SharedGuard guard(tsid_lock_, kAssignGtids);
    MysqlMutexGuard sid_guard(sid_locks_, kSidAssignGtids);
  }
  for (BinlogSession* session = group; session != nullptr; session = session->next_in_stage) {
    SharedGuard guard(tsid_lock_, kGenerateGtid);
    session->gno = next_gno_++;
  }
}

// Transaction_dependency_tracker::get_dependency, in commit order.
LogicalClock MysqlBinLog::dependency_of_next() {
  MysqlMutexGuard guard(lock_dependency_, kDependency);
  ++clock_.sequence_number;
  return clock_;
}

// Publishes the end position up to which dump threads may read.
void MysqlBinLog::update_binlog_end_pos() {
  MysqlMutexGuard guard(lock_binlog_end_pos_, kBinlogEndPos);
}

void MysqlBinLog::write_group(BinlogSession* group) {
  group_events_.clear();
  const uint64_t now_us = platform::now_ns() / 1000;
  clock_.last_committed = clock_.sequence_number;
  for (BinlogSession* session = group; session != nullptr; session = session->next_in_stage) {
    inc_prep_xids();
    append_gtid(group_events_, session->gno, dependency_of_next(), now_us);
    group_events_.insert(group_events_.end(), session->cache.begin(), session->cache.end());
    logged_gtids_.add(session->gno);
  }
  stamp_events(group_events_, 0, position_);
  ut::pay(group_events_.size() * ut::work_cost::event_written_ns_per_kib / 1024);
  files_.append(active_file_, group_events_);
  move_to(position_ + group_events_.size());
  telemetry::count(Counter::binlog_bytes_written, group_events_.size());
}

// Also true with sync_binlog = 0: the server then waits but does not flush.
bool MysqlBinLog::sync_is_due() const {
  return groups_since_sync_ + 1 >= settings_.sync_binlog;
}

void MysqlBinLog::sync_binlog_file() {
  telemetry::Frame frame(kSyncFrame);
  if (settings_.sync_binlog == 0 || ++groups_since_sync_ < settings_.sync_binlog) return;
  groups_since_sync_ = 0;
  const uint64_t began_ns = platform::now_ns();
  files_.fsync(file_to_sync_);
  note_sync((platform::now_ns() - began_ns) / 1000);
}

void MysqlBinLog::note_sync(uint64_t took_us) {
  if (took_us <= sync_max_us_) return;
  telemetry::count(Counter::binlog_sync_us_max, took_us - sync_max_us_);
  sync_max_us_ = took_us;
}

void MysqlBinLog::process_commit_stage_queue(BinlogSession* group) {
  telemetry::Frame frame(kCommitQueueFrame);
  uint32_t members = 0;
  uint64_t oldest_commit_began_ns = platform::kForeverNs;
  for (BinlogSession* session = group; session != nullptr; session = session->next_in_stage) {
    ++members;
    if (session->gno <= last_committed_gno_) ++order_violations_;
    last_committed_gno_ = session->gno;
    oldest_commit_began_ns = std::min(oldest_commit_began_ns, session->commit_began_ns);
    if (session->kind != CommitKind::xa_prepare) engine_.commit(*session);
    ut::pay(ut::work_cost::commit_bookkeeping_ns);
  }
  update_commit_group(group);
  for (BinlogSession* session = group; session != nullptr; session = session->next_in_stage) {
    session->commit_group_size = members;
    dec_prep_xids();
  }
  note_commit_gap(oldest_commit_began_ns);
  telemetry::count(Counter::commits, members);
  telemetry::count(Counter::commit_groups);
}

void MysqlBinLog::update_commit_group(BinlogSession* group) {
  SharedGuard guard(tsid_lock_, kUpdateCommitGroup);
  MysqlMutexGuard sid_guard(sid_locks_, kSidUpdateCommitGroup);
  for (BinlogSession* session = group; session != nullptr; session = session->next_in_stage)
    executed_gtids_.add(session->gno);
}

// Records the longest gap: an interval in which a COMMIT waited and none completed.
void MysqlBinLog::note_commit_gap(uint64_t oldest_commit_began_ns) {
  const uint64_t now = platform::now_ns();
  const uint64_t gap_began_ns = std::max(last_commit_ns_, std::min(oldest_commit_began_ns, now));
  const uint64_t gap_ms = (now - gap_began_ns) / kNsPerMs;
  if (gap_ms > commit_gap_max_ms_) {
    telemetry::count(Counter::commit_gap_ms_max, gap_ms - commit_gap_max_ms_);
    commit_gap_max_ms_ = gap_ms;
  }
  last_commit_ns_ = now;
}

void MysqlBinLog::dec_prep_xids() {
  const uint32_t before = prep_xids_.count.fetch_sub(1);
  LATCHSCOPE_ASSERT(before > 0, "each pending XID is released once");
  if (before > 1) return;
  MysqlMutexGuard guard(lock_xids_, kDecPrepXids);
  prep_xids_cond_.signal();
}

void MysqlBinLog::wait_for_prep_xids() {
  MysqlMutexGuard guard(lock_xids_, kNewFileXids);
  while (prep_xids_.count.load() > 0)
    prep_xids_cond_.wait(lock_xids_, kPrepXidsCond);
}

// -------------------------------------------------------------------------------------------------
// Rotation

// Returns true if a new file was created.
bool MysqlBinLog::rotate(bool force) {
  telemetry::Frame frame(kRotateFrame);
  if (!force && position_ < settings_.max_binlog_size) return false;
  return new_file_impl();
}

bool MysqlBinLog::lock_index_for_rotation() {
  if (design().rotate_when_index_busy == RotateWhenIndexBusy::keep_writing) {
    if (lock_index_.try_lock(kNewFileIndex)) {
      wait_for_prep_xids();
      return true;
    }
    telemetry::count(Counter::binlog_rotations_deferred);
    return false;
  }
  wait_for_prep_xids();
  if (!lock_index_.try_lock(kNewFileIndex)) {
    telemetry::count(Counter::binlog_rotations_blocked);
    lock_index_.lock(kNewFileIndex);
  }
  return true;
}

bool MysqlBinLog::new_file_impl() {
  telemetry::Frame frame(kNewFileFrame);
  if (!lock_index_for_rotation()) return false;
  engine_.flush_logs();
  save_gtids_of_last_file();
  Bytes rotate_event;
  append_rotate(rotate_event, file_name(last_file_no_ + 1));
  stamp_events(rotate_event, 0, position_);
  files_.append(active_file_, rotate_event);
  {
    MysqlMutexGuard guard(lock_sync_, kCloseSync);
    files_.fsync(active_file_);
  }
  files_.trim(active_file_);
  open_next_file();
  lock_index_.unlock();
  telemetry::count(Counter::binlog_files_rotated);
  return true;
}

void MysqlBinLog::save_gtids_of_last_file() {
  ExclusiveGuard guard(tsid_lock_, kSaveGtids);
  MysqlMutexGuard sid_guard(sid_locks_, kSidRead);
  gtids_saved_in_table_.add(executed_gtids_);
}

void MysqlBinLog::open_next_file() {
  telemetry::Frame frame(kOpenBinlogFrame);
  GtidSet previous_gtids;
  {
    MysqlMutexGuard guard(sid_locks_, kSidRead);
    previous_gtids = executed_gtids_;
  }
  LATCHSCOPE_ASSERT(previous_gtids == logged_gtids_, "a file is closed only when all its GTIDs are executed");
  const std::string name = file_name(++last_file_no_);
  write_register(kRegisterFile, {name});
  const Bytes header = file_header(previous_gtids);
  files_.create(name);
  files_.append(name, header);
  files_.fsync(name);
  index_.push_back(name);
  write_index();
  files_.unlink(kRegisterFile);
  active_file_ = name;
  {
    MysqlMutexGuard guard(lock_sync_, kOpenSync);
    file_to_sync_ = name;
  }
  file_seen_.set(last_file_no_);
  move_to(header.size());
  clock_ = {0, 0};
}

void MysqlBinLog::move_to(uint64_t position) {
  position_ = position;
  position_seen_.set(position);
}

Bytes MysqlBinLog::file_header(const GtidSet& previous_gtids) const {
  Bytes header(kBinlogMagic.begin(), kBinlogMagic.end());
  append_format_description(header);
  append_previous_gtids(header, previous_gtids);
  stamp_events(header, kBinlogMagic.size(), kBinlogMagic.size());
  return header;
}

void MysqlBinLog::rotate_and_purge() {
  lock_log_.lock(kFlushLogsLog);
  const bool rotated = rotate(/*force=*/true);
  lock_log_.unlock();
  if (rotated) purge_or_ask_for_it();
}

void MysqlBinLog::purge_or_ask_for_it() {
  if (design().purge_by == PurgeBy::background_thread) {
    purge_event_.set();
  } else {
    auto_purge([] { return false; });
  }
}

// -------------------------------------------------------------------------------------------------
// Totals

CommitPathTotals MysqlBinLog::commit_path_totals() const {
  return {acquisitions(kOrderedCommitLog),
          acquisitions(kOrderedCommitSync),
          acquisitions(kOrderedCommitCommit),
          acquisitions(kOrderedCommitAfter),
          CommitStageManager::signals(),
          {CommitStageManager::entered(Stage::flush), CommitStageManager::entered(Stage::sync),
           CommitStageManager::entered(Stage::commit), CommitStageManager::entered(Stage::after_commit)}};
}

}  // namespace latchscope::server::binlog
