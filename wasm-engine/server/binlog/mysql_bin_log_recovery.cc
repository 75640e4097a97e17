// The index and the registers, startup and recovery of the server, readers, and checks while
// nothing runs.
#include <algorithm>

#include "server/binlog/binlog_files.h"
#include "server/binlog/mysql_bin_log.h"

namespace latchscope::server::binlog {

using latch::MysqlMutexGuard;
using latch::SharedGuard;
using telemetry::Counter;
using telemetry::LatchSite;

namespace {

const LatchSite kReaderLogInfo("LOCK_log_info", "Binlog_sender::init");
const LatchSite kStartupLog("LOCK_log", "MYSQL_BIN_LOG::open_binlog");

// Old files were written two minutes apart (1 GiB at 9,600 tps, the rate in the bug report). The
// youngest is an hour old.
constexpr int64_t kYoungestOldFileAgeNs = 3'600 * kFileTimeNsPerSecond;
constexpr int64_t kOldFileSpanNs = 120 * kFileTimeNsPerSecond;
constexpr uint64_t kTransactionsPerOldFile = 1'150'000;

}  // namespace

// -------------------------------------------------------------------------------------------------
// Index and registers

// Writes a copy, then replaces the index with it. After a crash in between, recovery uses the copy.
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

// Processes a leftover register first.
void MysqlBinLog::write_register(const char* register_file, const std::vector<std::string>& names) {
  if (files_.exists(register_file)) replay_register(register_file);
  files_.create(register_file, /*keep_whole=*/true);
  files_.append(register_file, text_of(names));
  files_.fsync(register_file);
}

// Deletes each registered file unless the index names it, so that a replay may be repeated.
void MysqlBinLog::replay_register(const char* register_file) {
  telemetry::Frame frame(kPurgeIndexEntryFrame);
  for (const std::string& name : lines_of(files_.read_text(register_file))) {
    if (index_names_file(name)) continue;
    if (files_.unlink(name)) telemetry::count(Counter::binlog_files_purged);
  }
  files_.unlink(register_file);
}

// -------------------------------------------------------------------------------------------------
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
  // The last old file contains no transactions, so that its GTIDs can be read from its header
  // alone.
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
  move_to(position_ + settings_.active_file_bytes);
  lock_log_.unlock();
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

// -------------------------------------------------------------------------------------------------
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

// -------------------------------------------------------------------------------------------------
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

}  // namespace latchscope::server::binlog
