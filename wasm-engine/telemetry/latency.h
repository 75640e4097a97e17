// Latency statistics over the clients' histograms.
#pragma once

#include <cstdint>
#include <vector>

#include "telemetry/layout.h"

namespace latchscope::telemetry {

// Weighted latency counts per bucket of LatencyBuckets, summed over clients.
class LatencyHistogram {
 public:
  // Covers all threads since the run began.
  static LatencyHistogram of_all_threads();
  static LatencyHistogram of_thread(uint32_t slot);

  // Returns the counts added since `earlier`.
  LatencyHistogram since(const LatencyHistogram& earlier) const;

  void add(uint64_t latency_ns, uint64_t weight = 1) { add_to(LatencyBuckets::of(latency_ns), weight); }
  void add_to(uint32_t bucket, uint64_t weight) { counts_[bucket] += weight; }

  uint64_t count() const;
  // The functions below return milliseconds, and 0 without samples. A percentile is the middle of
  // its bucket. Its error is at most 0.1 % on the virtual server and 1.7 % on real threads, whose
  // buckets are wider.
  double percentile_ms(double percent) const;
  double min_ms() const;
  double max_ms() const;
  double mean_ms() const;

 private:
  void add_thread(const ThreadSlot& slot);

  std::vector<uint64_t> counts_ = std::vector<uint64_t>(LatencyBuckets::kCount);
};

}  // namespace latchscope::telemetry
