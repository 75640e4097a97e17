#include "telemetry/layout.h"

#include "telemetry/counters.h"
#include "telemetry/fnv1a.h"
#include "telemetry/lanes.h"
#include "telemetry/latch_trace.h"

namespace latchscope::telemetry {

uint32_t layout_hash() {
  uint32_t hash = kFnv1aBasis;
#define LATCHSCOPE_HASH_FIELD(type, name, count, meaning) hash = fnv1a(hash, #type " " #name " " #count ";");
#define LATCHSCOPE_HASH_RECORD(record) \
  hash = fnv1a(hash, #record "{");     \
  record(LATCHSCOPE_HASH_FIELD) hash = fnv1a(hash, "}");
  LATCHSCOPE_HASH_RECORD(LATCHSCOPE_BLOCK_HEADER)
  LATCHSCOPE_HASH_RECORD(LATCHSCOPE_MARK)
  LATCHSCOPE_HASH_RECORD(LATCHSCOPE_LOG_LINE)
  LATCHSCOPE_HASH_RECORD(LATCHSCOPE_INTERVAL)
  LATCHSCOPE_HASH_RECORD(LATCHSCOPE_LATENCIES)
  LATCHSCOPE_HASH_RECORD(LATCHSCOPE_NAME)
  LATCHSCOPE_HASH_RECORD(LATCHSCOPE_LATCH_SITE_NAME)
  LATCHSCOPE_HASH_RECORD(LATCHSCOPE_LATCH_SITE_TOTALS)
  LATCHSCOPE_HASH_RECORD(LATCHSCOPE_THREAD_SLOT)
#undef LATCHSCOPE_HASH_RECORD
#undef LATCHSCOPE_HASH_FIELD
#define LATCHSCOPE_HASH_NAME(name, meaning) hash = fnv1a(hash, #name ";");
  LATCHSCOPE_RUN_STATES(LATCHSCOPE_HASH_NAME)
  LATCHSCOPE_THREAD_STATES(LATCHSCOPE_HASH_NAME)
  LATCHSCOPE_MARK_KINDS(LATCHSCOPE_HASH_NAME)
  LATCHSCOPE_LONG_WAITS(LATCHSCOPE_HASH_NAME)
  LATCHSCOPE_THREAD_KINDS(LATCHSCOPE_HASH_NAME)
  LATCHSCOPE_COUNTERS(LATCHSCOPE_HASH_NAME)
  LATCHSCOPE_LATCH_EVENT_KINDS(LATCHSCOPE_HASH_NAME)
#undef LATCHSCOPE_HASH_NAME
  const uint32_t limits[] = {kStackDepthBits,
                             kFrameFunctionBits,
                             kFrameStampBits,
                             kCountersMax,
                             kLatchSitesMax,
                             kFunctionsMax,
                             kLatchesMax,
                             kMarksMax,
                             kLogLinesMax,
                             kIntervalsMax,
                             kNameBytes,
                             ThreadBuckets::kMinBits,
                             ThreadBuckets::kMaxBits,
                             ThreadBuckets::kSubBits,
                             LatencyBuckets::kMinBits,
                             LatencyBuckets::kSubBits,
                             sizeof(ThreadSlot),
                             offsetof(TelemetryBlock, threads),
                             sizeof(LaneSegment),
                             sizeof(LaneTotals),
                             sizeof(LatchEvent)};
  for (uint32_t limit : limits)
    hash = fnv1a(hash, limit);
  return hash;
}

}  // namespace latchscope::telemetry
