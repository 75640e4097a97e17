// Checks of bug #99638: how often an XA COMMIT waits for the GTID persister, and that each GTID is
// stored once. Includes the checks of the binlog server.
#pragma once

#include "workload/binlog_server_checks.h"
#include "workload/sbtest_session.h"

namespace latchscope::workload {

struct XaTotals {
  uint64_t commits, waits;
};

class XaGtidChecks final : public Checks<XaTotals> {
 public:
  XaGtidChecks(const ScenarioManifest& manifest, BinlogServer& server, const SbtestTables& tables)
      : manifest_(manifest), server_(server), tables_(tables), server_checks_(server) {}

 private:
  XaTotals totals() const override;
  void check_lock_path(const XaTotals& phase) override;
  void check_end() override;

  const ScenarioManifest& manifest_;
  BinlogServer& server_;
  const SbtestTables& tables_;
  BinlogServerChecks server_checks_;
};

}  // namespace latchscope::workload
