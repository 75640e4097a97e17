// Prints the limits of a run spec as a TypeScript module. The build compiles it for WebAssembly and
// runs it, like telemetry/layout_gen.cc.
#include "run/limits.h"

#include <cinttypes>
#include <cstdio>

#include "platform/server_profile.h"

using namespace latchscope;

int main() {
  printf("// Generated from wasm-engine/run/limits.h by the build. Do not edit.\n");
  printf("export const engine_limits = {\n");
  printf("  duration_s: { min: %g, max: %g },\n", run::kDurationMinS, run::kDurationMaxS);
  printf("  interval_s: { min: %g, max: %g },\n", run::kIntervalMinS, run::kIntervalMaxS);
  printf("  intervals_max: %u,\n", run::kRunIntervalsMax);
  printf("  seed_max: %" PRId64 ",\n", run::kSeedMax);
  printf("  events_max: %" PRIu64 ",\n", run::kEventsMaxMost);
  printf("  stack_samples_max: %u,\n", run::kStackSamplesMax);
  printf("  timed_actions_max: %u,\n", run::kTimedStepsMax);
  printf("  what_if_percent_max: %u,\n", run::kWhatIfPercentMax);
  printf("  what_if_latches_max: %u,\n", run::kWhatIfLatchesMax);
  printf("  repeated_seeds_max: %u,\n", run::kSeedsMax);
  printf("  what_if_top_max: %u,\n", run::kWhatIfTopMax);
  printf("  clients_max: { threads: %u, virtual: %u },\n", LATCHSCOPE_POOL_THREADS - run::kEngineThreads,
         run::kClientsMost);
  printf("  server_cpus_max: %u,\n", platform::kCpusMax);
  printf("} as const;\n");
  return 0;
}
