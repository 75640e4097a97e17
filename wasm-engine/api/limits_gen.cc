// Prints the limits of a run spec as a TypeScript module. The build compiles it for WebAssembly and
// runs it, like telemetry/layout_gen.cc.
#include "api/limits.h"

#include <cinttypes>
#include <cstdio>

#include "platform/server_profile.h"

using namespace latchscope;

int main() {
  printf("// Generated from wasm-engine/api/limits.h by the build. Do not edit.\n");
  printf("export const engine_limits = {\n");
  printf("  duration_s: { min: %g, max: %g },\n", api::kDurationMinS, api::kDurationMaxS);
  printf("  interval_s: { min: %g, max: %g },\n", api::kIntervalMinS, api::kIntervalMaxS);
  printf("  intervals_max: %u,\n", api::kRunIntervalsMax);
  printf("  seed_max: %" PRId64 ",\n", api::kSeedMax);
  printf("  events_max: %" PRIu64 ",\n", api::kEventsMaxMost);
  printf("  stack_samples_max: %u,\n", api::kStackSamplesMax);
  printf("  timed_actions_max: %u,\n", api::kTimedStepsMax);
  printf("  what_if_percent_max: %u,\n", api::kWhatIfPercentMax);
  printf("  what_if_latches_max: %u,\n", api::kWhatIfLatchesMax);
  printf("  repeated_seeds_max: %u,\n", api::kSeedsMax);
  printf("  what_if_top_max: %u,\n", api::kWhatIfTopMax);
  printf("  clients_max: { threads: %u, virtual: %u },\n", LATCHSCOPE_POOL_THREADS - api::kEngineThreads,
         api::kClientsMost);
  printf("  server_cpus_max: %u,\n", platform::kCpusMax);
  printf("} as const;\n");
  return 0;
}
