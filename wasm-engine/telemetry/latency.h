// Latency statistics over the clients' histograms.
#pragma once

#include <cstdint>
#include <vector>

#include "telemetry/layout.h"

namespace latchscope::telemetry {

// Weighted counts per bucket of LatencyBuckets, summed over clients.
class LatencyHistogram {
 public:
  // Over all threads since the run began.
  static LatencyHistogram of_all_threads();
  static LatencyHistogram of_thread(uint32_t slot);

  // What has been added since `earlier`.
  LatencyHistogram since(const LatencyHistogram& earlier) const;

  void add(uint64_t latency_ns, uint64_t weight = 1) { add_to(LatencyBuckets::of(latency_ns), weight); }
  void add_to(uint32_t bucket, uint64_t weight) { counts_[bucket] += weight; }

  uint64_t count() const;
  // All in milliseconds; 0 without samples. A percentile is the middle of its bucket, so it is right to
  // 0.1 % on a modelled server and to 1.7 % of real threads, whose own buckets are wider.
  double percentile_ms(double percent) const;
  double min_ms() const;
  double max_ms() const;
  double mean_ms() const;

 private:
  void add_thread(const ThreadSlot& slot);

  std::vector<uint64_t> counts_ = std::vector<uint64_t>(LatencyBuckets::kCount);
};

}  // namespace latchscope::telemetry
