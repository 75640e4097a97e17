// Prints the engine's percentiles of some histograms as a TypeScript module. A test compares the
// page's arithmetic (web/analysis/histogram.ts) with them. The build compiles it for WebAssembly
// and runs it, like layout_gen.cc.
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "telemetry/latency.h"

namespace {

using latchscope::telemetry::LatencyBuckets;
using latchscope::telemetry::LatencyHistogram;

struct Sample {
  std::string name;
  std::map<uint32_t, uint32_t> counts;  // by bucket
};

constexpr uint32_t kLast = LatencyBuckets::kCount - 1;

// Returns a sample with counts of widely varying size in up to `buckets` buckets, generated from
// `seed`.
Sample scattered(uint32_t buckets, uint32_t seed) {
  Sample sample{std::to_string(buckets) + " buckets, seed " + std::to_string(seed), {}};
  uint32_t state = seed;
  const auto next = [&state] { return state = state * 1664525 + 1013904223; };
  for (uint32_t i = 0; i < buckets; ++i) {
    const uint32_t bucket = (next() >> 8) % LatencyBuckets::kCount;
    sample.counts[bucket] = 1 + (next() >> (8 + (next() >> 28)));
  }
  return sample;
}

std::vector<Sample> samples() {
  std::vector<Sample> all = {
      {"nothing", {}},
      {"one value below a nanosecond", {{0, 1}}},
      {"one value, too long for a bucket of its own", {{kLast, 1}}},
      {"the 95th percentile is the last of its bucket", {{40, 95}, {50, 5}}},
      {"the 95th percentile is the first of its bucket", {{40, 94}, {50, 6}}},
      {"the 99th percentile is the last of its bucket", {{40, 99}, {50, 1}}},
      {"the median of two", {{40, 1}, {50, 1}}},
      {"a rank that is no whole number", {{40, 18}, {41, 1}, {50, 1}, {60, 1}}},
      {"counts near their limit", {{7, 4'000'000'000}, {400, 4'000'000'000}, {kLast, 4'000'000'000}}},
  };
  for (uint32_t seed = 1; seed <= 16; ++seed)
    all.push_back(scattered(1 + seed * seed / 4, seed));
  return all;
}

void print(const Sample& sample) {
  LatencyHistogram histogram;
  printf("  {\n    name: '%s',\n    counts: [", sample.name.c_str());
  for (const auto& [bucket, count] : sample.counts) {
    printf("[%u, %u], ", bucket, count);
    histogram.add_to(bucket, count);
  }
  printf("],\n    latency_ms: { p50: %.17g, p95: %.17g, p99: %.17g, max: %.17g },\n  },\n",
         histogram.percentile_ms(50), histogram.percentile_ms(95), histogram.percentile_ms(99),
         histogram.max_ms());
}

}  // namespace

int main() {
  printf("// Generated from wasm-engine/telemetry/latency.cc by the build. Do not edit.\n");
  printf("export const latency_answers: readonly {\n  name: string;\n");
  printf("  counts: readonly (readonly [bucket: number, count: number])[];\n");
  printf("  latency_ms: { p50: number; p95: number; p99: number; max: number };\n}[] = [\n");
  for (const Sample& sample : samples())
    print(sample);
  printf("];\n");
  return 0;
}
