#include "server/binlog/mysql_bin_log.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

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
const LatchSite kStartupLog("LOCK_log", "MYSQL_BIN_LOG::open_binlog");
const LatchSite kNewFileIndex("LOCK_index", "MYSQL_BIN_LOG::new_file_impl");
const LatchSite kPurgeIndex("LOCK_index", "MYSQL_BIN_LOG::purge_logs_before_date");
const LatchSite kRecheckIndex("LOCK_index", "MYSQL_BIN_LOG::purge_index_entry");
const LatchSite kOtherIndex("LOCK_index", "MYSQL_BIN_LOG::find_log_pos");
const LatchSite kPurgeMutex("LOCK_purge", "MYSQL_BIN_LOG::purge_logs_before_date");
const LatchSite kDecPrepXids("LOCK_xids", "MYSQL_BIN_LOG::dec_prep_xids");
const LatchSite kNewFileXids("LOCK_xids", "MYSQL_BIN_LOG::new_file_impl");
const LatchSite kPrepXidsCond("m_prep_xids_cond", "MYSQL_BIN_LOG::new_file_impl");
const LatchSite kLogInUse("LOCK_log_info", "log_in_use");
const LatchSite kReaderLogInfo("LOCK_log_info", "Binlog_sender::init");
const LatchSite kCloseSync("LOCK_sync", "MYSQL_BIN_LOG::close");
const LatchSite kOpenSync("LOCK_sync", "MYSQL_BIN_LOG::open_binlog");
const LatchSite kBinlogEndPos("LOCK_binlog_end_pos", "MYSQL_BIN_LOG::update_binlog_end_pos");
const LatchSite kDependency("LOCK_replica_trans_dep_tracker",
                            "Transaction_dependency_tracker::get_dependency");
const LatchSite kAssignGtids("global_tsid_lock", "MYSQL_BIN_LOG::assign_automatic_gtids_to_flush_group");
const LatchSite kSidAssignGtids("sid_locks", "MYSQL_BIN_LOG::assign_automatic_gtids_to_flush_group");
const LatchSite kGenerateGtid("global_tsid_lock", "Gtid_state::generate_automatic_gtid");
const LatchSite kUpdateCommitGroup("global_tsid_lock", "Gtid_state::update_commit_group");
const LatchSite kSaveGtids("global_tsid_lock", "Gtid_state::save_gtids_of_last_binlog_into_table");
const LatchSite kLostGtids("global_tsid_lock", "MYSQL_BIN_LOG::purge_logs");
const LatchSite kSidUpdateCommitGroup("sid_locks", "Gtid_state::update_commit_group");
const LatchSite kSidRead("sid_locks", "Gtid_state::get_executed_gtids");

const Function kCommitFrame("MYSQL_BIN_LOG::commit");
const Function kOrderedCommitFrame("MYSQL_BIN_LOG::ordered_commit");
const Function kFlushQueueFrame("MYSQL_BIN_LOG::process_flush_stage_queue");
const Function kSyncFrame("MYSQL_BIN_LOG::sync_binlog_file");
const Function kCommitQueueFrame("MYSQL_BIN_LOG::process_commit_stage_queue");
const Function kFinishCommitFrame("MYSQL_BIN_LOG::finish_commit");
const Function kRotateFrame("MYSQL_BIN_LOG::rotate");
const Function kNewFileFrame("MYSQL_BIN_LOG::new_file_impl");
const Function kOpenBinlogFrame("MYSQL_BIN_LOG::open_binlog");
const Function kPurgeThreadFrame("binlog_purge_thread");
const Function kAutoPurgeFrame("MYSQL_BIN_LOG::auto_purge");
const Function kPurgeBeforeDateFrame("MYSQL_BIN_LOG::purge_logs_before_date");
const Function kPurgeLogsFrame("MYSQL_BIN_LOG::purge_logs");
const Function kPurgeIndexEntryFrame("MYSQL_BIN_LOG::purge_index_entry");

constexpr uint64_t kNsPerMs = 1'000'000;
constexpr int64_t kFileTimeNsPerSecond = 1'000'000'000;
// Old files: the youngest is an hour old, and they were written two minutes apart (1 GiB at the report's
// 9,600 tps).
constexpr int64_t kYoungestOldFileAgeNs = 3'600 * kFileTimeNsPerSecond;
constexpr int64_t kOldFileSpanNs = 120 * kFileTimeNsPerSecond;
constexpr uint64_t kTransactionsPerOldFile = 1'150'000;

std::string file_name(uint32_t number) {
  char name[32];
  snprintf(name, sizeof name, "binlog.%06u", number);
  return name;
}

bool is_binlog_file(const std::string& name) {
  constexpr std::string_view kPrefix = "binlog.";
  return name.size() > kPrefix.size() && name.starts_with(kPrefix) &&
         name.find_first_not_of("0123456789", kPrefix.size()) == std::string::npos;
}

uint32_t file_number(const std::string& name) {
  return static_cast<uint32_t>(strtoul(name.c_str() + sizeof "binlog." - 1, nullptr, 10));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t from = 0; from < text.size();) {
    const size_t end = text.find('\n', from);
    if (end == std::string::npos) break;  // a line that was cut off by a crash was never written
    lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += line + '\n';
  return text;
}

// The header's Previous_gtids and the GTIDs of the events that are kept.
struct FileGtids {
  GtidSet previous;
  GtidSet own;
  bool is_sound;  // magic number, checksums and order of events
};

FileGtids read_gtids(const Bytes& bytes) {
  FileGtids gtids{};
  if (bytes.size() < kBinlogMagic.size() ||
      !std::equal(kBinlogMagic.begin(), kBinlogMagic.end(), bytes.begin(),
                  [](char a, uint8_t b) { return static_cast<uint8_t>(a) == b; }))
    return gtids;
  EventReader reader(bytes, kBinlogMagic.size());
  bool has_previous = false;
  while (const auto event = reader.next()) {
    if (event->type == EventType::previous_gtids) {
      gtids.previous = gtids_of(*event);
      has_previous = true;
    }
    if (event->type == EventType::gtid) gtids.own.add(gno_of(*event));
  }
  gtids.is_sound = has_previous && reader.at_end();
  return gtids;
}

uint64_t acquisitions(const LatchSite& site) {
  return telemetry::latch_site_total(site.id).acquisitions;
}

}  // namespace

MysqlBinLog::MysqlBinLog(latch::LatchEnvironment& latches, FileSystem& files, StorageEngine& engine,
                         BinlogSettings settings)
    : files_(files), engine_(engine), settings_(settings), tsid_lock_(latches) {}

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

// ---------------------------------------------------------------------------------------------------------------
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

// Returns true if the file has reached its size.
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

// What dump threads may read.
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
  position_ += group_events_.size();
  telemetry::count(Counter::binlog_bytes_written, group_events_.size());
}

// With sync_binlog = 0, too: the server waits, and then does not flush.
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

// A gap is time in which a COMMIT waited and none was done; it does not begin before somebody waits.
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
  LATCHSCOPE_ASSERT(before > 0, "each pending XID is given up once");
  if (before > 1) return;
  MysqlMutexGuard guard(lock_xids_, kDecPrepXids);
  prep_xids_cond_.signal();
}

void MysqlBinLog::wait_for_prep_xids() {
  MysqlMutexGuard guard(lock_xids_, kNewFileXids);
  while (prep_xids_.count.load() > 0)
    prep_xids_cond_.wait(lock_xids_, kPrepXidsCond);
}

// ---------------------------------------------------------------------------------------------------------------
// Rotation

// Returns true if there is a new file.
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
  LATCHSCOPE_ASSERT(previous_gtids == logged_gtids_, "a file is left when all its GTIDs are executed");
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
  position_ = header.size();
  clock_ = {0, 0};
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

// ---------------------------------------------------------------------------------------------------------------
// Purge

void MysqlBinLog::run_purge_thread(const std::function<bool()>& stop) {
  telemetry::Frame frame(kPurgeThreadFrame);
  uint64_t signal_count = purge_event_.reset();
  while (!stop()) {
    {
      telemetry::StateScope state(telemetry::ThreadState::sleeping);
      purge_event_.wait(signal_count);
    }
    signal_count = purge_event_.reset();  // before the work: a request that comes meanwhile is not lost
    if (!stop()) auto_purge(stop);
  }
}

void MysqlBinLog::auto_purge(const std::function<bool()>& stop) {
  telemetry::Frame frame(kAutoPurgeFrame);
  engine_.flush_logs();
  const uint32_t expire_seconds = variables_.expire_seconds.load();
  if (expire_seconds == 0) return;
  const auto now = static_cast<int64_t>(platform::now_ns());
  purge_logs_before_date(now - int64_t{expire_seconds} * kFileTimeNsPerSecond, stop);
}

void MysqlBinLog::purge_logs_before_date(int64_t cutoff_ns, const std::function<bool()>& stop) {
  telemetry::Frame frame(kPurgeBeforeDateFrame);
  if (design().unlink_under == UnlinkUnder::lock_index) {
    MysqlMutexGuard guard(lock_index_, kPurgeIndex);
    telemetry::count(Counter::binlog_purges);
    const std::vector<std::string> names = files_up_to(find_last_file_to_purge(cutoff_ns));
    if (names.empty()) return;
    purge_logs(names, kRegisterFile);
    unlink_registered(names, stop);
    return;
  }
  if (!lock_purge_.try_lock(kPurgeMutex)) return;  // somebody is at it; what expires meanwhile goes next time
  std::vector<std::string> names;
  {
    MysqlMutexGuard guard(lock_index_, kPurgeIndex);
    telemetry::count(Counter::binlog_purges);
    names = files_up_to(find_last_file_to_purge(cutoff_ns));
    if (!names.empty()) purge_logs(names, kPurgeRegisterFile);
  }
  if (!names.empty()) unlink_outside_lock_index(names, stop);
  lock_purge_.unlock();
}

// First pass: the name of the last expired file before the first that must stay; "" if there is none.
std::string MysqlBinLog::find_last_file_to_purge(int64_t cutoff_ns) {
  std::string last;
  for (const std::string& name : index_) {
    if (name == index_.back() || log_in_use(name)) break;
    const std::optional<FileStat> stat = files_.stat(name);
    if (!stat) continue;
    if (stat->modified_ns >= cutoff_ns) break;
    last = name;
  }
  return last;
}

// Second pass: from the oldest file to this one, unless a reader has come meanwhile.
std::vector<std::string> MysqlBinLog::files_up_to(const std::string& last) {
  std::vector<std::string> names;
  if (last.empty()) return names;
  for (const std::string& name : index_) {
    if (log_in_use(name)) break;
    names.push_back(name);
    if (name == last) break;
  }
  return names;
}

bool MysqlBinLog::log_in_use(const std::string& name) {
  MysqlMutexGuard guard(lock_log_info_, kLogInUse);
  return std::any_of(readers_.begin(), readers_.end(),
                     [&](const auto& reader) { return reader.second == name; });
}

// Takes the files out of the index; from here on they are as good as deleted.
void MysqlBinLog::purge_logs(const std::vector<std::string>& names, const char* register_file) {
  telemetry::Frame frame(kPurgeLogsFrame);
  write_register(register_file, names);
  index_.erase(index_.begin(), index_.begin() + static_cast<std::ptrdiff_t>(names.size()));
  write_index();
  recompute_lost_gtids();
}

void MysqlBinLog::recompute_lost_gtids() {
  ExclusiveGuard guard(tsid_lock_, kLostGtids);
  const FileGtids gtids = read_gtids(files_.read_head(index_.front()));
  lost_gtids_ = gtids.previous;
}

// What is left when `stop` says so stays in the register for the next start.
void MysqlBinLog::unlink_registered(const std::vector<std::string>& names,
                                    const std::function<bool()>& stop) {
  telemetry::Frame frame(kPurgeIndexEntryFrame);
  for (const std::string& name : names) {
    if (stop()) return;
    LATCHSCOPE_ASSERT(!index_names_file(name), "a file is deleted after it has left the index");
    if (files_.unlink(name)) telemetry::count(Counter::binlog_files_purged);
  }
  files_.unlink(kRegisterFile);
}

void MysqlBinLog::unlink_outside_lock_index(const std::vector<std::string>& names,
                                            const std::function<bool()>& stop) {
  telemetry::Frame frame(kPurgeIndexEntryFrame);
  for (const std::string& name : names) {
    if (stop()) return;
    bool may_go;
    {
      MysqlMutexGuard guard(lock_index_, kRecheckIndex);
      may_go = !index_names_file(name) && !log_in_use(name);
    }
    LATCHSCOPE_ASSERT(may_go, "a file that has left the index is not used any more");
    if (files_.unlink(name)) telemetry::count(Counter::binlog_files_purged);
  }
  files_.unlink(kPurgeRegisterFile);
}

void MysqlBinLog::age_closed_files(uint64_t bytes) {
  MysqlMutexGuard guard(lock_index_, kOtherIndex);
  const auto now = static_cast<int64_t>(platform::now_ns());
  for (size_t i = 0; i + 1 < index_.size(); ++i) {
    const std::optional<FileStat> stat = files_.stat(index_[i]);
    const int64_t modified_ns =
        now - kYoungestOldFileAgeNs - static_cast<int64_t>(index_.size() - i) * kOldFileSpanNs;
    files_.make_old(index_[i], std::max(bytes, stat->size), std::min(modified_ns, stat->modified_ns));
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Readers

void MysqlBinLog::reader_opens(uint32_t reader) {
  MysqlMutexGuard guard(lock_index_, kOtherIndex);
  MysqlMutexGuard info_guard(lock_log_info_, kReaderLogInfo);
  readers_[reader] = index_.front();
}

void MysqlBinLog::reader_closes(uint32_t reader) {
  MysqlMutexGuard guard(lock_log_info_, kReaderLogInfo);
  readers_.erase(reader);
}

bool MysqlBinLog::reader_is_open(uint32_t reader) {
  MysqlMutexGuard guard(lock_log_info_, kReaderLogInfo);
  return readers_.contains(reader);
}

// ---------------------------------------------------------------------------------------------------------------
// Index and registers

// Writes a copy, then puts it in the place of the index. A crash in between leaves the copy, which recovery
// takes.
void MysqlBinLog::write_index() {
  files_.create(kCrashSafeIndexFile, /*keep_whole=*/true);
  files_.append(kCrashSafeIndexFile, text_of(index_));
  files_.fsync(kCrashSafeIndexFile);
  files_.unlink(kIndexFile);
  files_.rename(kCrashSafeIndexFile, kIndexFile);
}

void MysqlBinLog::read_index() {
  index_ = lines_of(files_.read_text(kIndexFile));
}

bool MysqlBinLog::index_names_file(const std::string& name) {
  return std::find(index_.begin(), index_.end(), name) != index_.end();
}

// A register that was left behind is worked off first.
void MysqlBinLog::write_register(const char* register_file, const std::vector<std::string>& names) {
  if (files_.exists(register_file)) replay_register(register_file);
  files_.create(register_file, /*keep_whole=*/true);
  files_.append(register_file, text_of(names));
  files_.fsync(register_file);
}

// Deletes each registered file, but only if the index does not name it. So a replay may be repeated.
void MysqlBinLog::replay_register(const char* register_file) {
  telemetry::Frame frame(kPurgeIndexEntryFrame);
  for (const std::string& name : lines_of(files_.read_text(register_file))) {
    if (index_names_file(name)) continue;
    if (files_.unlink(name)) telemetry::count(Counter::binlog_files_purged);
  }
  files_.unlink(register_file);
}

// ---------------------------------------------------------------------------------------------------------------
// Start and recovery

void MysqlBinLog::create_old_files(uint32_t count, uint64_t bytes) {
  MysqlMutexGuard guard(lock_index_, kOtherIndex);
  const auto now = static_cast<int64_t>(platform::now_ns());
  GtidSet gtids;
  for (uint32_t number = 1; number <= count; ++number) {
    const std::string name = file_name(number);
    files_.create(name);
    files_.append(name, file_header(gtids));
    files_.make_old(name, std::max<uint64_t>(bytes, files_.stat(name)->size),
                    now - kYoungestOldFileAgeNs - int64_t{count - number} * kOldFileSpanNs);
    gtids.add(GnoInterval{(number - 1) * kTransactionsPerOldFile + 1, number * kTransactionsPerOldFile});
    index_.push_back(name);
  }
  // The last old file is empty of transactions, so that what it logs can be read back from its header alone.
  const std::string name = file_name(count + 1);
  files_.create(name);
  files_.append(name, file_header(gtids));
  files_.fsync(name);
  index_.push_back(name);
  write_index();
}

void MysqlBinLog::recover() {
  MysqlMutexGuard guard(lock_index_, kOtherIndex);
  if (files_.exists(kCrashSafeIndexFile)) {
    if (files_.exists(kIndexFile)) {
      files_.unlink(kCrashSafeIndexFile);
    } else {
      files_.rename(kCrashSafeIndexFile, kIndexFile);
    }
  }
  read_index();
  for (const char* register_file : {kRegisterFile, kPurgeRegisterFile}) {
    if (files_.exists(register_file)) replay_register(register_file);
  }
}

void MysqlBinLog::open() {
  recover();
  lock_log_.lock(kStartupLog);
  MysqlMutexGuard guard(lock_index_, kOtherIndex);
  if (!index_.empty()) {
    const FileGtids last = read_gtids(files_.read_head(index_.back()));
    GtidSet executed = last.previous;
    executed.add(last.own);
    if (!executed.empty()) next_gno_ = executed.intervals().back().last + 1;
    logged_gtids_ = executed;
    last_file_no_ = file_number(index_.back());
    {
      MysqlMutexGuard sid_guard(sid_locks_, kSidRead);
      executed_gtids_ = executed;
    }
    recompute_lost_gtids();
  }
  open_next_file();
  files_.account_for(active_file_, settings_.active_file_bytes);
  position_ += settings_.active_file_bytes;
  lock_log_.unlock();
}

// ---------------------------------------------------------------------------------------------------------------
// Checks

std::string MysqlBinLog::check_files() {
  MysqlMutexGuard guard(lock_index_, kOtherIndex);
  const std::vector<std::string> on_disk = lines_of(files_.read_text(kIndexFile));
  if (on_disk != index_) return "the index file differs from the index in memory";
  GtidSet previous;
  for (size_t i = 0; i < index_.size(); ++i) {
    if (!files_.exists(index_[i])) return "the index names " + index_[i] + ", which does not exist";
    if (i > 0 && file_number(index_[i]) != file_number(index_[i - 1]) + 1)
      return "a file is missing before " + index_[i];
    const FileGtids gtids = read_gtids(files_.read_head(index_[i]));
    if (!gtids.is_sound) return "the header of " + index_[i] + " is damaged";
    if (!gtids.previous.contains(previous))
      return "Previous_gtids of " + index_[i] + " lack GTIDs of earlier files";
    previous = gtids.previous;
    previous.add(gtids.own);
    const Bytes tail = files_.read_tail(index_[i]);
    EventReader events(tail, 0);
    while (const auto event = events.next()) {
      if (event->type == EventType::gtid) previous.add(gno_of(*event));
    }
    if (!events.at_end()) return "the last events of " + index_[i] + " are damaged";
  }
  for (const std::string& name : files_.list()) {
    if (is_binlog_file(name) && !index_names_file(name))
      return name + " exists, but the index does not name it";
  }
  SharedGuard tsid_guard(tsid_lock_, kUpdateCommitGroup);
  if (!index_.empty() && lost_gtids_ != read_gtids(files_.read_head(index_.front())).previous) {
    return "lost_gtids is not what the oldest file says";
  }
  return "";
}

std::vector<std::string> MysqlBinLog::index_names() {
  MysqlMutexGuard guard(lock_index_, kOtherIndex);
  return index_;
}

GtidSet MysqlBinLog::executed_gtids() {
  MysqlMutexGuard guard(sid_locks_, kSidRead);
  return executed_gtids_;
}

GtidSet MysqlBinLog::lost_gtids() {
  SharedGuard guard(tsid_lock_, kUpdateCommitGroup);
  return lost_gtids_;
}

CommitPathTotals MysqlBinLog::commit_path_totals() const {
  return {acquisitions(kOrderedCommitLog),
          acquisitions(kOrderedCommitSync),
          acquisitions(kOrderedCommitCommit),
          acquisitions(kOrderedCommitAfter),
          CommitStageManager::signals(),
          {CommitStageManager::entered(Stage::flush), CommitStageManager::entered(Stage::sync),
           CommitStageManager::entered(Stage::commit), CommitStageManager::entered(Stage::after_commit)}};
}

uint32_t MysqlBinLog::purge_index_site() {
  return kPurgeIndex.id;
}

}  // namespace latchscope::server::binlog
