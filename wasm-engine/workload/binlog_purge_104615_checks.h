// Checks of bug #104615: those of the binlog server, and that every row is intact.
#pragma once

#include "workload/binlog_server_checks.h"
#include "workload/sbtest_session.h"

namespace latchscope::workload {

class BinlogPurgeChecks final : public BinlogServerChecks {
 public:
  BinlogPurgeChecks(BinlogServer& server, const SbtestTables& tables)
      : BinlogServerChecks(server), tables_(tables) {}

 private:
  void check_end() override;

  const SbtestTables& tables_;
};

}  // namespace latchscope::workload
