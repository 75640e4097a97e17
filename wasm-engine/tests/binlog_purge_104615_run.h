// Runs of scenario binlog-purge-104615 for tests.
#pragma once

#include <string>

#include "tests/scenario_run.h"

namespace latchscope::tests {

inline constexpr const char* kBinlogPurge = "binlog-purge-104615";

inline std::string purge_fields(const std::string& parameters = "", const std::string& more = "") {
  return R"("threads":4,"parameters":{"rows_per_table":1000,"max_binlog_size_kib":64,"old_binlogs_gib":2)"
         R"(,"unlink_ms_per_gib":20,"long_query_time_ms":10)" +
         parameters + "}" + more;
}

}  // namespace latchscope::tests
