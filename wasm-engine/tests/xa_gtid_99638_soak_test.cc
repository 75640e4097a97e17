#include "tests/scenario_run.h"

namespace latchscope::tests {
namespace {

TEST(XaGtid99638Soak, RandomFlipsAndActions) {
  ScenarioRun run("xa-gtid-99638", R"("threads":8,"parameters":{"rows_per_table":1000,"gtid_flush_us":50})");
  soak(run, /*seed=*/99638);
  run.stop_and_check();
}

}  // namespace
}  // namespace latchscope::tests
