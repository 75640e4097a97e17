// Purges expired files: which thread purges, which files may be deleted, and under which lock.
#include <algorithm>

#include "server/binlog/binlog_files.h"
#include "server/binlog/mysql_bin_log.h"

namespace latchscope::server::binlog {

using latch::ExclusiveGuard;
using latch::MysqlMutexGuard;
using telemetry::Counter;
using telemetry::Function;
using telemetry::LatchSite;

namespace {

const LatchSite kPurgeIndex("LOCK_index", "MYSQL_BIN_LOG::purge_logs_before_date");
const LatchSite kRecheckIndex("LOCK_index", "MYSQL_BIN_LOG::purge_index_entry");
const LatchSite kPurgeMutex("LOCK_purge", "MYSQL_BIN_LOG::purge_logs_before_date");
const LatchSite kLogInUse("LOCK_log_info", "log_in_use");
const LatchSite kLostGtids("global_tsid_lock", "MYSQL_BIN_LOG::purge_logs");

const Function kPurgeThreadFrame("binlog_purge_thread");
const Function kAutoPurgeFrame("MYSQL_BIN_LOG::auto_purge");
const Function kPurgeBeforeDateFrame("MYSQL_BIN_LOG::purge_logs_before_date");
const Function kPurgeLogsFrame("MYSQL_BIN_LOG::purge_logs");

}  // namespace

void MysqlBinLog::run_purge_thread(const std::function<bool()>& stop) {
  telemetry::Frame frame(kPurgeThreadFrame);
  // Does not reset(): a thread may have requested a purge already.
  uint64_t signal_count = purge_event_.signal_count();
  while (!stop()) {
    {
      telemetry::StateScope state(telemetry::ThreadState::sleeping);
      purge_event_.wait(signal_count);
    }
    // Resets before the work, so that a concurrent request is not lost.
    signal_count = purge_event_.reset();
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
  // Another thread is purging; files that expire meanwhile are left for the next purge.
  if (!lock_purge_.try_lock(kPurgeMutex)) return;
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

// First pass: returns the last expired file before the first file that must stay; "" if there is
// none.
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

// Second pass: returns the files from the oldest to `last`, up to a file that a reader has opened
// meanwhile.
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

// Removes the files from the index. From here on they count as deleted.
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

// If `stop` returns true, the remaining files stay in the register for the next start.
void MysqlBinLog::unlink_registered(const std::vector<std::string>& names,
                                    const std::function<bool()>& stop) {
  telemetry::Frame frame(kPurgeIndexEntryFrame);
  for (const std::string& name : names) {
    if (stop()) return;
    LATCHSCOPE_ASSERT(!index_names_file(name), "a file is deleted only after its removal from the index");
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
    LATCHSCOPE_ASSERT(may_go, "a file removed from the index is no longer in use");
    if (files_.unlink(name)) telemetry::count(Counter::binlog_files_purged);
  }
  files_.unlink(kPurgeRegisterFile);
}

uint32_t MysqlBinLog::purge_index_site() {
  return kPurgeIndex.id;
}

}  // namespace latchscope::server::binlog
