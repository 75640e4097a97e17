// Runs of scenario aio-wakeup-95491 for tests.
#pragma once

#include "tests/scenario_run.h"

namespace latchscope::tests {

// Small enough to be quick under a sanitizer, and tight enough that the array fills: 4 MiB of
// frames, 2 segments.
inline run::RunSpec aio_spec(const std::string& parameters = "", const std::string& fields = "") {
  auto parsed = run::parse_run_spec(
      R"({"version":1,"scenario":"aio-wakeup-95491","threads":8,"parameters":{"tables":2,"rows_per_table":12000,)"
      R"("buffer_pool_mib":4,"read_io_threads":2,"write_io_threads":1,"slots_per_segment":4,)"
      R"("device_latency_us":0)" +
      parameters + "}" + fields + "}");
  EXPECT_TRUE(parsed.spec) << to_json(parsed.errors);
  return *parsed.spec;
}

}  // namespace latchscope::tests
