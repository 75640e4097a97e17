#include "workload/binlog_server.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "telemetry/telemetry.h"

namespace latchscope::workload {

using server::binlog::GtidSet;
using server::binlog::MysqlBinLog;
using telemetry::Counter;

namespace {

const telemetry::Function kFlushStatement("reload_acl_and_cache");
const telemetry::Function kDispatchAdmin("dispatch_command");

// A small transaction's write and flush.
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
      binlog_(std::make_unique<MysqlBinLog>(latches_, files_, engine_, settings.binlog)),
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

// ---------------------------------------------------------------------------------------------------------------
// Administrative statements

void BinlogServer::run_admin_session() {
  uint64_t signal_count = admin_event_.reset();
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
  return "";
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

// ---------------------------------------------------------------------------------------------------------------
// Checks

BinlogPhaseTotals BinlogServer::phase_totals() {
  BinlogPhaseTotals totals{binlog_->commit_path_totals(), 0, statements()};
  for (uint32_t client = 0; client < clients_; ++client) {
    totals.client_purges += telemetry::block()
                                .threads[client]
                                .latch_sites[MysqlBinLog::purge_index_site()]
                                .acquisitions[0]
                                .read();
  }
  return totals;
}

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
  const BinlogPhaseTotals now = phase_totals();
  check_commit_path(now);
  phase_began_ = now;
}

// Every COMMIT of a client enters FLUSH. The leader of each stage enters the next one, alone or with others: so who leads
// FLUSH is who enters SYNC, and so on, and the leaders of the last stage signal.
void BinlogServer::check_commit_path(const BinlogPhaseTotals& now) {
  const auto& path = now.commit_path;
  const auto& began = phase_began_.commit_path;
  const uint64_t leaders[] = {path.lock_log - began.lock_log, path.lock_sync - began.lock_sync,
                              path.lock_commit - began.lock_commit,
                              path.lock_after_commit - began.lock_after_commit};
  uint64_t entered[server::binlog::kStages];
  for (uint32_t stage = 0; stage < server::binlog::kStages; ++stage)
    entered[stage] = path.entered[stage] - began.entered[stage];
  const uint64_t statements = log_bin() ? now.statements - phase_began_.statements : 0;
  const uint64_t signals = path.signal_done - began.signal_done;
  const uint64_t purges = now.client_purges - phase_began_.client_purges;
  const bool clients_may_purge = binlog_->design().purge_by == server::binlog::PurgeBy::commit_leader;
  const bool ok = entered[0] == statements && entered[1] == leaders[0] && entered[2] == leaders[1] &&
                  entered[3] == leaders[2] && signals == leaders[3] && leaders[0] <= statements &&
                  leaders[1] <= leaders[0] && leaders[2] <= leaders[1] && leaders[3] <= leaders[2] &&
                  (clients_may_purge || purges == 0);
  char detail[256];
  snprintf(detail, sizeof detail,
           "%" PRIu64 " COMMITs; LOCK_log %" PRIu64 ", LOCK_sync %" PRIu64 ", LOCK_commit %" PRIu64
           ", LOCK_after_commit %" PRIu64 ", signals %" PRIu64 "; purges by clients %" PRIu64,
           statements, leaders[0], leaders[1], leaders[2], leaders[3], signals, purges);
  phase_checks_.push_back({clients_may_purge ? "lock path of ordered commit, purge by the leader"
                                             : "lock path of ordered commit, purge by a thread",
                           ok, detail});
}

std::vector<Invariant> BinlogServer::check_invariants() {
  std::vector<Invariant> invariants = phase_checks_;
  const GtidSet persisted = engine_.table().contents();
  if (log_bin()) {
    const GtidSet executed = binlog_->executed_gtids();
    binlog_->recover();  // as the next start of the server would: an interrupted purge is finished
    const std::string problem = binlog_->check_files();
    const std::vector<std::string> names = binlog_->index_names();
    invariants.push_back(
        {"index and binary logs agree after recovery: only a contiguous oldest prefix is gone, lost_gtids "
         "fits, each file begins with the GTIDs of all before it",
         problem.empty(),
         problem.empty() ? std::to_string(names.size()) + " files, " + names.front() + " to " + names.back() +
                               ", GTIDs " + executed.to_string()
                         : problem});
    const uint64_t added = executed.count() - gtids_at_start_.count();
    invariants.push_back(
        {"every COMMIT of a client has its GTID, written to the binary log and executed, and no XID is "
         "pending",
         statements() == added && executed == binlog_->logged_gtids() && binlog_->pending_xids() == 0,
         std::to_string(statements()) + " COMMITs, " + std::to_string(added) + " GTIDs, " +
             std::to_string(binlog_->pending_xids()) + " pending"});
    invariants.push_back({"the engine commits in the order of the binary log",
                          binlog_->order_violations() == 0,
                          std::to_string(binlog_->order_violations()) + " out of order"});
    GtidSet of_this_run = executed;
    of_this_run.remove(gtids_at_start_);
    invariants.push_back({"every GTID is in mysql.gtid_executed exactly once",
                          persisted == of_this_run && engine_.table().duplicates() == 0 &&
                              engine_.persister().all_lists_are_empty(),
                          std::to_string(persisted.count()) + " in the table, " +
                              std::to_string(of_this_run.count()) + " executed, " +
                              std::to_string(engine_.table().duplicates()) + " twice"});
  }
  engine_.purge_undo();
  const size_t undo = engine_.undo_in_use();
  invariants.push_back({"undo was purged only after its GTID was in the table, and all of it is purged now",
                        undo == 0, std::to_string(undo) + " undo headers left"});
  return invariants;
}

}  // namespace latchscope::workload
