#include "workload/sbtest_config.h"

#include <algorithm>
#include <string>

namespace latchscope::workload {

namespace {

// Total of all tables: their pages are in memory.
constexpr int64_t kRowsMax = 600'000;

}  // namespace

server::buf::BufPoolSize buffer_pool_size(const WorkloadConfig& config) {
  return {static_cast<uint32_t>(config.parameter("buffer_pool_mib")) * kFramesPerMib,
          static_cast<uint32_t>(config.parameter("buffer_pool_instances"))};
}

// Suggests a larger pool if a large enough one is possible. Otherwise suggests fewer instances, in
// this pool or in the largest one.
std::optional<ConfigError> check_buffer_pool(const WorkloadConfig& config, uint32_t frames_per_instance,
                                             const std::string& because) {
  const server::buf::BufPoolSize size = buffer_pool_size(config);
  if (size.frames / size.instances >= frames_per_instance) return std::nullopt;
  const int64_t mib_max = config.manifest->parameter("buffer_pool_mib").max;
  const uint32_t mib_min = (frames_per_instance * size.instances + kFramesPerMib - 1) / kFramesPerMib;
  if (mib_min <= mib_max) {
    return ConfigError{"parameters.buffer_pool_mib", std::to_string(config.parameter("buffer_pool_mib")),
                       "at least " + std::to_string(mib_min) + " " + because + " and " +
                           std::to_string(size.instances) + " buffer pool instances"};
  }
  const auto frames_max = static_cast<uint32_t>(mib_max) * kFramesPerMib;
  const uint32_t frames = size.frames >= frames_per_instance ? size.frames : frames_max;
  return ConfigError{"parameters.buffer_pool_instances", std::to_string(size.instances),
                     "at most " + std::to_string(std::max(1u, frames / frames_per_instance)) + " " + because +
                         " and a buffer pool of " + std::to_string(frames / kFramesPerMib) + " MiB"};
}

std::vector<ConfigError> check_sbtest_config(const WorkloadConfig& config) {
  std::vector<ConfigError> errors;
  const int64_t tables = config.parameter("tables");
  const int64_t rows = config.parameter("rows_per_table");
  if (tables * rows > kRowsMax) {
    errors.push_back({"parameters.rows_per_table", std::to_string(rows),
                      "at most " + std::to_string(kRowsMax / tables) + " with " + std::to_string(tables) +
                          " tables (" + std::to_string(kRowsMax) + " rows in total)"});
  }
  const auto pool_error = check_buffer_pool(config, frames_per_instance_min(config.clients),
                                            "with " + std::to_string(config.clients) + " threads");
  if (pool_error) errors.push_back(*pool_error);
  return errors;
}

}  // namespace latchscope::workload
