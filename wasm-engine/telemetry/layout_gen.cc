// Prints the telemetry layout as a TypeScript module. The build compiles it for WebAssembly and
// runs it, so the offsets match the build that the page attaches to.
#include <cstddef>
#include <cstdio>

#include "telemetry/counters.h"
#include "telemetry/latch_trace.h"
#include "telemetry/layout.h"
#include "telemetry/plain_record.h"

namespace {

using namespace latchscope::telemetry;

struct Field {
  const char* type;
  const char* name;
  size_t offset;
  unsigned count;
};

void print_record(const char* name, size_t offset, size_t stride, size_t count, const Field* fields,
                  size_t fields_count) {
  printf("  %s: {\n    offset: %zu,\n    stride: %zu,\n    count: %zu,\n    fields: {\n", name, offset,
         stride, count);
  for (size_t i = 0; i < fields_count; ++i) {
    printf("      %s: { offset: %zu, type: '%s', count: %u },\n", fields[i].name, fields[i].offset,
           fields[i].type, fields[i].count);
  }
  printf("    },\n  },\n");
}

template <size_t N>
void print_names(const char* name, const char* const (&names)[N]) {
  printf("export const %s = [", name);
  for (const char* entry : names)
    printf("'%s', ", entry);
  printf("] as const;\n");
}

template <class Buckets>
void print_histogram(const char* name) {
  printf("export const %s = { max_bits: %u, sub_bits: %u, buckets: %u } as const;\n", name, Buckets::kMaxBits,
         Buckets::kSubBits, Buckets::kCount);
}

#define LIST_FIELD(type, name, count, meaning) Field{#type, #name, offsetof(Record, name), count},
#define PRINT_RECORD(json_name, RecordType, LIST, offset, count)                                    \
  {                                                                                                 \
    using Record = RecordType;                                                                      \
    const Field fields[] = {LIST(LIST_FIELD)};                                                      \
    print_record(json_name, offset, sizeof(Record), count, fields, sizeof fields / sizeof *fields); \
  }

void print_layout() {
  printf("export const layout = {\n  magic: %u,\n  hash: %u,\n  bytes: %zu,\n", kLayoutMagic, layout_hash(),
         sizeof(TelemetryBlock));
  PRINT_RECORD("header", BlockHeader, LATCHSCOPE_BLOCK_HEADER, offsetof(TelemetryBlock, header), 1)
  PRINT_RECORD("marks", Mark, LATCHSCOPE_MARK, offsetof(TelemetryBlock, marks), kMarksMax)
  PRINT_RECORD("functions", Name, LATCHSCOPE_NAME, offsetof(TelemetryBlock, functions), kFunctionsMax)
  PRINT_RECORD("latches", Name, LATCHSCOPE_NAME, offsetof(TelemetryBlock, latches), kLatchesMax)
  PRINT_RECORD("latch_sites", LatchSiteName, LATCHSCOPE_LATCH_SITE_NAME,
               offsetof(TelemetryBlock, latch_sites), kLatchSitesMax)
  PRINT_RECORD("log_lines", LogLine, LATCHSCOPE_LOG_LINE, offsetof(TelemetryBlock, log_lines), kLogLinesMax)
  PRINT_RECORD("intervals", IntervalText, LATCHSCOPE_INTERVAL, offsetof(TelemetryBlock, intervals),
               kIntervalsMax)
  PRINT_RECORD("latencies", Latencies, LATCHSCOPE_LATENCIES, offsetof(TelemetryBlock, latencies), 1)
  PRINT_RECORD("threads", ThreadSlot, LATCHSCOPE_THREAD_SLOT, offsetof(TelemetryBlock, threads), kThreadSlots)
  PRINT_RECORD("thread_latch_sites", LatchSiteTotals, LATCHSCOPE_LATCH_SITE_TOTALS,
               offsetof(ThreadSlot, latch_sites), kLatchSitesMax)
  printf("} as const;\n");
}

void print_plain_record(const PlainRecord& record) {
  printf("export const %s = {\n  bytes: %u,\n  fields: {\n", record.name, record.bytes);
  for (const PlainField& field : record.fields)
    printf("    %s: { offset: %u, type: 'u%u', count: %u },\n", field.name, field.offset, field.bits,
           field.count);
  printf("  },\n} as const;\n");
}

#define QUOTE_NAME(name, meaning) #name,
#define PRINT_COUNTER(name, meaning) printf("  { name: '%s', meaning: '%s' },\n", #name, meaning);

}  // namespace

int main() {
  printf("// Generated from wasm-engine/telemetry/layout.h and counters.h by the build. Do not edit.\n");
  print_layout();
  print_histogram<LatencyBuckets>("histogram");
  print_histogram<ThreadBuckets>("thread_histogram");
  printf("export const stack = { depth_bits: %u, function_bits: %u, stamp_bits: %u } as const;\n",
         kStackDepthBits, kFrameFunctionBits, kFrameStampBits);
  print_names("run_states", {LATCHSCOPE_RUN_STATES(QUOTE_NAME)});
  print_names("thread_states", {LATCHSCOPE_THREAD_STATES(QUOTE_NAME)});
  print_names("mark_kinds", {LATCHSCOPE_MARK_KINDS(QUOTE_NAME)});
  print_names("long_waits", {LATCHSCOPE_LONG_WAITS(QUOTE_NAME)});
  print_names("thread_kinds", {LATCHSCOPE_THREAD_KINDS(QUOTE_NAME)});
  print_names("latch_event_kinds", {LATCHSCOPE_LATCH_EVENT_KINDS(QUOTE_NAME)});
  for (const PlainRecord& record : plain_records())
    print_plain_record(record);
  printf("export const no_core = %u;\n", uint32_t{latchscope::platform::kNoCore});
  printf("export const counters = [\n");
  LATCHSCOPE_COUNTERS(PRINT_COUNTER)
  printf("] as const;\n");
  return 0;
}
