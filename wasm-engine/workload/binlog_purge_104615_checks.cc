#include "workload/binlog_purge_104615_checks.h"

namespace latchscope::workload {

using telemetry::Counter;

void BinlogPurgeChecks::check_end() {
  BinlogServerChecks::check_end();
  const uint64_t damaged = tables_.damaged_rows();
  const uint64_t wrong = telemetry::counter_total(Counter::rows_wrong);
  expect("every row is sound", damaged == 0 && wrong == 0,
         std::to_string(telemetry::counter_total(Counter::rows_verified)) + " read, " +
             std::to_string(wrong) + " wrong, " + std::to_string(damaged) + " damaged at the end");
}

}  // namespace latchscope::workload
