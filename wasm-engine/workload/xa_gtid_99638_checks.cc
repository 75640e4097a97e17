#include "workload/xa_gtid_99638_checks.h"

#include <cinttypes>
#include <cstdio>

namespace latchscope::workload {

using server::gtid::GtidFlushWait;
using telemetry::Counter;

XaTotals XaGtidChecks::totals() const {
  return {telemetry::counter_total(Counter::xa_commits), telemetry::counter_total(Counter::gtid_flush_waits)};
}

// Compares with the description of XA COMMIT in innodb_engine.h. The binlog server itself checks
// ordered commit.
void XaGtidChecks::check_lock_path(const XaTotals& phase) {
  server_checks_.end_phase();
  const GtidFlushWait wait = server_.engine().wait();
  const uint64_t commits = phase.commits;
  const uint64_t waits = phase.waits;
  const bool ok = wait == GtidFlushWait::reserved_undo_slot ? waits == 0
                  : wait == GtidFlushWait::once_per_group   ? waits <= commits && (waits > 0 || commits == 0)
                                                            : waits == commits;
  char detail[128];
  snprintf(detail, sizeof detail, "%" PRIu64 " waits in %" PRIu64 " XA COMMITs", waits, commits);
  expect("waits for the GTID persister under " +
             variant_name(manifest_, "gtid_flush_wait", static_cast<size_t>(wait)),
         ok, detail);
}

void XaGtidChecks::check_end() {
  expect(server_checks_.invariants());
  const uint64_t prepares = telemetry::counter_total(Counter::xa_prepares);
  const uint64_t commits = telemetry::counter_total(Counter::xa_commits);
  const uint64_t added = telemetry::counter_total(Counter::gtids_added);
  expect("each XA transaction adds two GTIDs, one at XA PREPARE and one at XA COMMIT",
         prepares == commits && added == prepares + commits,
         std::to_string(prepares) + " prepares, " + std::to_string(commits) + " commits, " +
             std::to_string(added) + " GTIDs added");
  const uint64_t damaged = tables_.damaged_rows();
  expect("every row is sound", damaged == 0 && telemetry::counter_total(Counter::rows_wrong) == 0,
         std::to_string(damaged) + " damaged at the end");
}

}  // namespace latchscope::workload
