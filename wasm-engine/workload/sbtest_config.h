// Parameters that scenarios with sbtest tables behind a small buffer pool share, and their limits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/buf/buf_pool.h"
#include "workload/workload.h"

namespace latchscope::workload {

inline constexpr uint32_t kFramesPerMib = 1024 * 1024 / server::kPageBytes;

// Of `buffer_pool_mib` and `buffer_pool_instances`.
server::buf::BufPoolSize buffer_pool_size(const WorkloadConfig& config);

// Each client may hold two pages of an instance, one that it searches and its child that it reads, while it waits for a
// frame of the same instance for the bitmap page.
inline uint32_t frames_per_instance_min(uint32_t clients) {
  return 2 * clients + 1;
}
inline bool buffer_pool_is_large_enough(server::buf::BufPoolSize size, uint32_t clients) {
  return size.frames / size.instances >= frames_per_instance_min(clients);
}

// What is wrong if each instance of the buffer pool needs `frames_per_instance` frames or more; `because` says why: "with 8
// threads". Names a parameter that can be set so that it holds.
std::optional<ConfigError> check_buffer_pool(const WorkloadConfig& config, uint32_t frames_per_instance,
                                             const std::string& because);

// What is wrong with `tables`, `rows_per_table` and the buffer pool together.
std::vector<ConfigError> check_sbtest_config(const WorkloadConfig& config);

}  // namespace latchscope::workload
