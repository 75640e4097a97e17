#include "telemetry/latency.h"
#include "telemetry/telemetry.h"

namespace latchscope::telemetry {

LatencyHistogram LatencyHistogram::of_all_threads() {
  LatencyHistogram sum;
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
  for (uint32_t bucket = 0; bucket < kHistogramBuckets; ++bucket)
    counts_[bucket] += slot.histogram[bucket].read();
}

}  // namespace latchscope::telemetry
