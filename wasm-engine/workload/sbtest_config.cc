#include "workload/sbtest_config.h"

#include <string>

namespace latchscope::workload {

namespace {

constexpr int64_t kRowsMax = 600'000;  // in all tables together: their pages lie in memory

}  // namespace

server::buf::BufPoolSize buffer_pool_size(const WorkloadConfig& config) {
  return {static_cast<uint32_t>(config.parameter("buffer_pool_mib")) * kFramesPerMib,
          static_cast<uint32_t>(config.parameter("buffer_pool_instances"))};
}

std::vector<ConfigError> check_sbtest_config(const WorkloadConfig& config) {
  std::vector<ConfigError> errors;
  const int64_t tables = config.parameter("tables");
  const int64_t rows = config.parameter("rows_per_table");
  if (tables * rows > kRowsMax) {
    errors.push_back({"parameters.rows_per_table", std::to_string(rows),
                      "at most " + std::to_string(kRowsMax / tables) + " with " + std::to_string(tables) +
                          " tables (" + std::to_string(kRowsMax) + " rows in all)"});
  }
  const server::buf::BufPoolSize size = buffer_pool_size(config);
  if (!buffer_pool_is_large_enough(size, config.clients)) {
    const uint32_t mib_min = (config.clients + 1) * size.instances / kFramesPerMib + 1;
    errors.push_back({"parameters.buffer_pool_mib", std::to_string(config.parameter("buffer_pool_mib")),
                      "at least " + std::to_string(mib_min) + " with " + std::to_string(config.clients) +
                          " threads and " + std::to_string(size.instances) + " buffer pool instances"});
  }
  return errors;
}

}  // namespace latchscope::workload
