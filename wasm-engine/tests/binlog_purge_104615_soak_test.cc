#include "tests/scenario_run.h"

namespace latchscope::tests {
namespace {

TEST(BinlogPurge104615Soak, RandomFlipsAndActions) {
  ScenarioRun run(
      "binlog-purge-104615",
      R"("threads":6,"parameters":{"rows_per_table":1000,"max_binlog_size_kib":64,"old_binlogs_gib":3,)"
      R"("unlink_ms_per_gib":5})");
  soak(run, /*seed=*/104615);
  run.stop_and_check();
}

}  // namespace
}  // namespace latchscope::tests
