// Latency statistics over the clients' histograms.
#pragma once

#include <array>
#include <cstdint>

#include "telemetry/layout.h"

namespace latchscope::telemetry {

// Weighted counts per bucket, summed over clients.
class LatencyHistogram {
 public:
  // The sum over all threads since the run began.
  static LatencyHistogram of_all_threads();
  static LatencyHistogram of_thread(uint32_t slot);

  // What has been added since `earlier`.
  LatencyHistogram since(const LatencyHistogram& earlier) const;

  void add(uint64_t latency_ns, uint64_t weight = 1) { add_to(histogram_bucket(latency_ns), weight); }
  void add_to(uint32_t bucket, uint64_t weight) { counts_[bucket] += weight; }

  uint64_t count() const;
  // All in milliseconds; 0 without samples. A percentile is the middle of its bucket, so it is right to
  // 1.6 %.
  double percentile_ms(double percent) const;
  double min_ms() const;
  double max_ms() const;
  double mean_ms() const;

 private:
  void add_thread(const ThreadSlot& slot);

  std::array<uint64_t, kHistogramBuckets> counts_{};
};

}  // namespace latchscope::telemetry
