#include "workload/binlog_server.h"

#include "telemetry/telemetry.h"

namespace latchscope::workload {

using server::binlog::MysqlBinLog;
using telemetry::Counter;

namespace {

const telemetry::Function kFlushStatement("reload_acl_and_cache");
const telemetry::Function kDispatchAdmin("dispatch_command");

// Models the write and flush of a small transaction.
platform::DeviceProfile table_profile(uint32_t flush_us) {
  return {"mysql.gtid_executed", flush_us * 1000, platform::kNvmeDevice.bytes_per_us, 1};
}

std::string is_off() {
  return "the binary log is off (log_bin = 0)";
}

}  // namespace

BinlogServer::BinlogServer(const BinlogServerSettings& settings, uint32_t clients,
                           std::vector<Counter> commit_statements)
    : settings_(settings),
      clients_(clients),
      commit_statements_(std::move(commit_statements)),
      latches_(platform::threads_max()),
      log_device_(platform::kNvmeDevice),
      table_device_(table_profile(settings.gtid_flush_us)),
      files_(log_device_, settings.unlink),
      engine_(latches_, log_device_, table_device_, settings.engine),
      binlog_(
          std::make_unique<MysqlBinLog>(latches_, files_, engine_, settings.binlog, settings.your_lock_log)),
      started_ns_(platform::now_ns()) {}

void BinlogServer::build() {
  if (!settings_.log_bin) return;
  if (settings_.old_files > 0) binlog_->create_old_files(settings_.old_files, kOldFileBytes);
  binlog_->open();
  gtids_at_start_ = binlog_->executed_gtids();
}

std::vector<EngineThread> BinlogServer::engine_threads() {
  const auto stop_purge = [this] {
    lines_.stop.store(1);
    binlog_->wake_purge_thread();
  };
  const auto stop_admin = [this] {
    lines_.stop.store(1);
    admin_event_.set();
  };
  return {
      {"binlog_purge", [this] { binlog_->run_purge_thread([this] { return stopping(); }); }, stop_purge},
      {"admin_session", [this] { run_admin_session(); }, stop_admin},
      {"gtid_persister", [this] { engine_.persister().run(); },
       [this] { engine_.persister().request_stop(); }},
  };
}

// -------------------------------------------------------------------------------------------------
// Administrative statements

void BinlogServer::run_admin_session() {
  // Does not reset(): a statement may have been posted before this thread first ran.
  uint64_t signal_count = admin_event_.signal_count();
  while (!stopping()) {
    {
      telemetry::StateScope state(telemetry::ThreadState::sleeping);
      admin_event_.wait(signal_count);
    }
    signal_count = admin_event_.reset();
    const uint32_t command = lines_.command.load();
    if (command == kNone || stopping()) continue;
    telemetry::Frame dispatch(kDispatchAdmin);
    carry_out(command);
    lines_.command.store(kNone);
  }
}

void BinlogServer::carry_out(uint32_t command) {
  telemetry::Frame frame(kFlushStatement);
  if (command == kFlushBinaryLogs) {
    binlog_->rotate_and_purge();
    return;
  }
  const uint32_t files = lines_.files_to_create.load();
  for (uint32_t i = 0; i < files && !stopping(); ++i)
    binlog_->rotate_and_purge();
  binlog_->age_closed_files(kOldFileBytes);
}

std::string BinlogServer::post(Command command) {
  if (!log_bin()) return is_off();
  uint32_t expected = kNone;
  if (!lines_.command.compare_exchange(expected, command)) {
    return "the administrator's session is still at its last statement";
  }
  admin_event_.set();
  return "";
}

std::string BinlogServer::flush_binary_logs() {
  return post(kFlushBinaryLogs);
}

std::string BinlogServer::create_old_binlogs(uint32_t files) {
  lines_.files_to_create.store(files);
  return post(kCreateOldBinlogs);
}

std::string BinlogServer::expire_logs(uint32_t seconds) {
  if (!log_bin()) return is_off();
  if (lines_.expire_seconds.exchange(seconds) == seconds) {
    return "binlog_expire_logs_seconds is " + std::to_string(seconds) + " already";
  }
  binlog_->set_expire_seconds(seconds);
  file_when_expiry_was_set_.reset();
  if (seconds < server::binlog::kExpireSecondsDefault)
    file_when_expiry_was_set_ = binlog_->active_file_seen().number;
  return "";
}

LongWait BinlogServer::long_wait() const {
  if (!file_when_expiry_was_set_) return {};
  const server::binlog::ActiveFile file = binlog_->active_file_seen();
  if (file.number != *file_when_expiry_was_set_) return {};
  return {telemetry::LongWait::binlog_rotation, file.bytes, file.bytes_max};
}

std::string BinlogServer::open_dump_thread() {
  if (!log_bin()) return is_off();
  if (binlog_->reader_is_open(kDumpThread)) return "the dump thread reads the oldest binary log already";
  binlog_->reader_opens(kDumpThread);
  return "";
}

std::string BinlogServer::close_dump_thread() {
  if (!log_bin()) return is_off();
  if (!binlog_->reader_is_open(kDumpThread)) return "no dump thread reads a binary log";
  binlog_->reader_closes(kDumpThread);
  return "";
}

// -------------------------------------------------------------------------------------------------

uint64_t BinlogServer::statements() const {
  uint64_t statements = 0;
  for (const Counter counter : commit_statements_)
    statements += telemetry::counter_total(counter);
  return statements;
}

void BinlogServer::phase_ends() {
  const uint64_t not_kept = files_.bytes_not_kept();
  telemetry::count(Counter::binlog_bytes_not_kept, not_kept - bytes_not_kept_counted_);
  bytes_not_kept_counted_ = not_kept;
}

}  // namespace latchscope::workload
