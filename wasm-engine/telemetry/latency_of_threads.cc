#include "telemetry/latency.h"
#include "telemetry/telemetry.h"

namespace latchscope::telemetry {

LatencyHistogram LatencyHistogram::of_all_threads() {
  LatencyHistogram sum;
  if constexpr (platform::kIsModelled) {
    for (uint32_t bucket = 0; bucket < LatencyBuckets::kCount; ++bucket)
      sum.counts_[bucket] = block().latencies.counts[bucket].read();
    return sum;
  }
  for (const ThreadSlot& slot : block().threads)
    sum.add_thread(slot);
  return sum;
}

LatencyHistogram LatencyHistogram::of_thread(uint32_t slot) {
  LatencyHistogram histogram;
  histogram.add_thread(block().threads[slot]);
  return histogram;
}

void LatencyHistogram::add_thread(const ThreadSlot& slot) {
  for (uint32_t bucket = 0; bucket < ThreadBuckets::kCount; ++bucket) {
    const uint64_t count = slot.histogram[bucket].read();
    if (count != 0) add(static_cast<uint64_t>(ThreadBuckets::middle_ns(bucket)), count);
  }
}

}  // namespace latchscope::telemetry
