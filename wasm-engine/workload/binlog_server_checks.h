// Checks of the server of the binlog scenarios: the stages of ordered commit, and that binary log,
// index, GTIDs and undo agree at the end.
#pragma once

#include "workload/binlog_server.h"
#include "workload/checks.h"

namespace latchscope::workload {

struct BinlogPhaseTotals {
  server::binlog::CommitPathTotals commit_path;
  uint64_t client_purges;  // acquisitions of LOCK_index by clients that purge
  uint64_t statements;     // client statements that go through ordered commit
};

class BinlogServerChecks : public Checks<BinlogPhaseTotals> {
 public:
  explicit BinlogServerChecks(BinlogServer& server) : server_(server) {}

 protected:
  BinlogPhaseTotals totals() const override;
  void check_lock_path(const BinlogPhaseTotals& phase) override;
  void check_end() override;

 private:
  void check_files(const server::binlog::GtidSet& executed);
  void check_gtids(const server::binlog::GtidSet& executed, const server::binlog::GtidSet& persisted);
  void check_undo();

  BinlogServer& server_;
};

}  // namespace latchscope::workload
