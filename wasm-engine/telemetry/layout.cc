#include "telemetry/layout.h"

#include "telemetry/counters.h"
#include "telemetry/fnv1a.h"
#include "telemetry/lanes.h"
#include "telemetry/latch_trace.h"
#include "telemetry/plain_record.h"

namespace latchscope::telemetry {

namespace {

uint32_t hash_of(uint32_t hash, const PlainRecord& record) {
  hash = fnv1a(fnv1a(fnv1a(hash, record.name), record.bytes), "{");
  for (const PlainField& field : record.fields) {
    hash = fnv1a(fnv1a(hash, field.name), ";");
    for (uint32_t number : {field.offset, field.bits, field.count})
      hash = fnv1a(hash, number);
  }
  return fnv1a(hash, "}");
}

}  // namespace

std::vector<PlainRecord> plain_records() {
#define LATCHSCOPE_PLAIN_FIELD(type, name, meaning) \
  plain_field(#name, offsetof(Record, name), static_cast<const type*>(nullptr)),
#define LATCHSCOPE_PLAIN_RECORD(json_name, RecordType, LIST)                       \
  [] {                                                                             \
    using Record = RecordType;                                                     \
    return PlainRecord{json_name, sizeof(Record), {LIST(LATCHSCOPE_PLAIN_FIELD)}}; \
  }()
  return {LATCHSCOPE_PLAIN_RECORD("lane_segment", LaneSegment, LATCHSCOPE_LANE_SEGMENT),
          LATCHSCOPE_PLAIN_RECORD("lane_totals", LaneTotals, LATCHSCOPE_LANE_TOTALS),
          LATCHSCOPE_PLAIN_RECORD("latch_event", LatchEvent, LATCHSCOPE_LATCH_EVENT),
          LATCHSCOPE_PLAIN_RECORD("watched_latch", WatchedLatch, LATCHSCOPE_WATCHED_LATCH)};
#undef LATCHSCOPE_PLAIN_RECORD
#undef LATCHSCOPE_PLAIN_FIELD
}

uint32_t layout_hash() {
  return layout_hash_with(plain_records());
}

uint32_t layout_hash_with(const std::vector<PlainRecord>& records) {
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
                             ThreadBuckets::kMaxBits,
                             ThreadBuckets::kSubBits,
                             LatencyBuckets::kSubBits,
                             sizeof(ThreadSlot),
                             offsetof(TelemetryBlock, threads),
                             platform::kNoCore};
  for (uint32_t limit : limits)
    hash = fnv1a(hash, limit);
  for (const PlainRecord& record : records)
    hash = hash_of(hash, record);
  return hash;
}

}  // namespace latchscope::telemetry
