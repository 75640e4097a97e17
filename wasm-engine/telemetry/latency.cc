#include "telemetry/latency.h"

namespace latchscope::telemetry {

namespace {

double middle_ms(uint32_t bucket) {
  return LatencyBuckets::middle_ns(bucket) / 1e6;
}

}  // namespace

LatencyHistogram LatencyHistogram::since(const LatencyHistogram& earlier) const {
  LatencyHistogram difference;
  for (uint32_t bucket = 0; bucket < LatencyBuckets::kCount; ++bucket) {
    difference.counts_[bucket] = counts_[bucket] - earlier.counts_[bucket];
  }
  return difference;
}

uint64_t LatencyHistogram::count() const {
  uint64_t sum = 0;
  for (uint64_t bucket_count : counts_)
    sum += bucket_count;
  return sum;
}

double LatencyHistogram::percentile_ms(double percent) const {
  const uint64_t total = count();
  if (total == 0) return 0;
  const double wanted = static_cast<double>(total) * percent / 100;
  uint64_t seen = 0;
  for (uint32_t bucket = 0; bucket < LatencyBuckets::kCount; ++bucket) {
    seen += counts_[bucket];
    if (counts_[bucket] != 0 && static_cast<double>(seen) >= wanted) return middle_ms(bucket);
  }
  return max_ms();
}

double LatencyHistogram::min_ms() const {
  for (uint32_t bucket = 0; bucket < LatencyBuckets::kCount; ++bucket) {
    if (counts_[bucket] != 0) return middle_ms(bucket);
  }
  return 0;
}

double LatencyHistogram::max_ms() const {
  for (uint32_t bucket = LatencyBuckets::kCount; bucket-- > 0;) {
    if (counts_[bucket] != 0) return middle_ms(bucket);
  }
  return 0;
}

double LatencyHistogram::mean_ms() const {
  const uint64_t total = count();
  if (total == 0) return 0;
  double sum = 0;
  for (uint32_t bucket = 0; bucket < LatencyBuckets::kCount; ++bucket) {
    if (counts_[bucket] != 0) sum += middle_ms(bucket) * static_cast<double>(counts_[bucket]);
  }
  return sum / static_cast<double>(total);
}

}  // namespace latchscope::telemetry
