#include "workload/binlog_server.h"

#include <cinttypes>
#include <cstdio>

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

using server::binlog::GtidSet;
using server::binlog::PurgeBy;

BinlogPhaseTotals BinlogServerChecks::totals() const {
  BinlogPhaseTotals totals{server_.binlog().commit_path_totals(), 0, server_.statements()};
  for (uint32_t client = 0; client < server_.clients(); ++client) {
    totals.client_purges += telemetry::block()
                                .threads[client]
                                .latch_sites[MysqlBinLog::purge_index_site()]
                                .acquisitions[0]
                                .read();
  }
  return totals;
}

// Every COMMIT of a client enters FLUSH. The leader of each stage enters the next one, alone or
// with others. The leaders of FLUSH are therefore those that enter SYNC, and so on; the leaders of
// the last stage signal.
void BinlogServerChecks::check_lock_path(const BinlogPhaseTotals& phase) {
  const auto& path = phase.commit_path;
  const uint64_t leaders[] = {path.lock_log, path.lock_sync, path.lock_commit, path.lock_after_commit};
  const uint64_t statements = server_.log_bin() ? phase.statements : 0;
  const uint64_t purges = phase.client_purges;
  const bool clients_may_purge = server_.binlog().design().purge_by == PurgeBy::commit_leader;
  const bool ok = path.entered[0] == statements && path.entered[1] == leaders[0] &&
                  path.entered[2] == leaders[1] && path.entered[3] == leaders[2] &&
                  path.signal_done == leaders[3] && leaders[0] <= statements && leaders[1] <= leaders[0] &&
                  leaders[2] <= leaders[1] && leaders[3] <= leaders[2] && (clients_may_purge || purges == 0);
  char detail[256];
  snprintf(detail, sizeof detail,
           "%" PRIu64 " COMMITs; LOCK_log %" PRIu64 ", LOCK_sync %" PRIu64 ", LOCK_commit %" PRIu64
           ", LOCK_after_commit %" PRIu64 ", signals %" PRIu64 "; purges by clients %" PRIu64,
           statements, leaders[0], leaders[1], leaders[2], leaders[3], path.signal_done, purges);
  expect(clients_may_purge ? "lock path of ordered commit, purge by the leader"
                           : "lock path of ordered commit, purge by a thread",
         ok, detail);
}

void BinlogServerChecks::check_end() {
  const GtidSet persisted = server_.engine().table().contents();
  if (server_.log_bin()) {
    const GtidSet executed = server_.binlog().executed_gtids();
    check_files(executed);
    check_gtids(executed, persisted);
  }
  check_undo();
}

void BinlogServerChecks::check_files(const GtidSet& executed) {
  MysqlBinLog& binlog = server_.binlog();
  // The next start of the server would do the same: it completes an interrupted purge.
  binlog.recover();
  const std::string problem = binlog.check_files();
  const std::vector<std::string> names = binlog.index_names();
  expect(
      "index and binary logs agree after recovery: only a contiguous oldest prefix is gone, lost_gtids "
      "fits, each file begins with the GTIDs of all before it",
      problem.empty(),
      problem.empty() ? std::to_string(names.size()) + " files, " + names.front() + " to " + names.back() +
                            ", GTIDs " + executed.to_string()
                      : problem);
}

void BinlogServerChecks::check_gtids(const GtidSet& executed, const GtidSet& persisted) {
  MysqlBinLog& binlog = server_.binlog();
  server::gtid::InnodbEngine& engine = server_.engine();
  const uint64_t statements = server_.statements();
  const uint64_t added = executed.count() - server_.gtids_at_start().count();
  expect(
      "every COMMIT of a client has its GTID, written to the binary log and executed, and no XID is "
      "pending",
      statements == added && executed == binlog.logged_gtids() && binlog.pending_xids() == 0,
      std::to_string(statements) + " COMMITs, " + std::to_string(added) + " GTIDs, " +
          std::to_string(binlog.pending_xids()) + " pending");
  expect("the engine commits in the order of the binary log", binlog.order_violations() == 0,
         std::to_string(binlog.order_violations()) + " out of order");
  GtidSet of_this_run = executed;
  of_this_run.remove(server_.gtids_at_start());
  expect("every GTID is in mysql.gtid_executed exactly once",
         persisted == of_this_run && engine.table().duplicates() == 0 &&
             engine.persister().all_lists_are_empty(),
         std::to_string(persisted.count()) + " in the table, " + std::to_string(of_this_run.count()) +
             " executed, " + std::to_string(engine.table().duplicates()) + " twice");
}

void BinlogServerChecks::check_undo() {
  server_.engine().purge_undo();
  const size_t undo = server_.engine().undo_in_use();
  expect("undo was purged only after its GTID was in the table, and all of it is purged now", undo == 0,
         std::to_string(undo) + " undo headers left");
}

}  // namespace latchscope::workload
