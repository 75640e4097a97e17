#include "workload/binlog_server_checks.h"

#include <cinttypes>
#include <cstdio>

namespace latchscope::workload {

using server::binlog::GtidSet;
using server::binlog::MysqlBinLog;
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
