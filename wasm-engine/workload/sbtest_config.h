// Parameters, and their limits, shared by scenarios with sbtest tables behind a small buffer pool.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/buf/buf_pool.h"
#include "workload/workload.h"

namespace latchscope::workload {

inline constexpr uint32_t kFramesPerMib = 1024 * 1024 / server::kPageBytes;

// Returns the size given by `buffer_pool_mib` and `buffer_pool_instances`.
server::buf::BufPoolSize buffer_pool_size(const WorkloadConfig& config);

// A client may hold two pages of an instance: the page that it searches, and the child that it
// reads. Meanwhile it may wait for a frame of the same instance for the bitmap page.
inline uint32_t frames_per_instance_min(uint32_t clients) {
  return 2 * clients + 1;
}
inline bool buffer_pool_is_large_enough(server::buf::BufPoolSize size, uint32_t clients) {
  return size.frames / size.instances >= frames_per_instance_min(clients);
}

// Returns an error if an instance of the buffer pool has fewer than `frames_per_instance` frames.
// `because` is the reason: "with 8 threads". The error names a parameter whose change would satisfy
// the requirement.
std::optional<ConfigError> check_buffer_pool(const WorkloadConfig& config, uint32_t frames_per_instance,
                                             const std::string& because);

// Returns errors for wrong combinations of `tables`, `rows_per_table` and the buffer pool.
std::vector<ConfigError> check_sbtest_config(const WorkloadConfig& config);

}  // namespace latchscope::workload
