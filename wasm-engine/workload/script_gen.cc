// Prints the limits and kinds of workload files as a TypeScript module. The build compiles it for
// WebAssembly and runs it, like lab/lab_gen.cc.
#include <cinttypes>
#include <cstdio>

#include "workload/script_draws.h"
#include "workload/script_program.h"

using namespace latchscope::workload;

namespace {

const char* truth(int given) {
  return given != 0 ? "true" : "false";
}

void print_kind(const char* name, int has_size, int can_be_shared) {
  printf("  { name: '%s', has_size: %s, can_be_shared: %s },\n", name, truth(has_size), truth(can_be_shared));
}

}  // namespace

int main() {
  printf("// Generated from wasm-engine/workload/script_program.h by the build. Do not edit.\n");
  printf("export const script_limits = {\n");
  printf("  instructions_max: %u,\n", kScriptInstructionsMax);
  printf("  constants_max: %u,\n", kScriptConstantsMax);
  printf("  constant_max: %" PRIu64 ",\n", kScriptConstantMax);
  printf("  registers_max: %u,\n", kScriptRegistersMax);
  printf("  latches_max: %u,\n", kScriptLatchesMax);
  printf("  elements_max: %u,\n", kScriptElementsMax);
  printf("  kind_size_max: %u,\n", kScriptKindSizeMax);
  printf("  holds_max: %u,\n", kScriptHoldsMax);
  printf("  held_max: %u,\n", kScriptHeldMax);
  printf("  names_max: %u,\n", kScriptNamesMax);
  printf("  groups_max: %u,\n", kScriptGroupsMax);
  printf("  knobs_max: %u,\n", kScriptKnobsMax);
  printf("  variants_max: %u,\n", kScriptVariantsMax);
  printf("  parameters_max: %u,\n", kScriptParametersMax);
  printf("  designs_max: %u,\n", kScriptDesignsMax);
  printf("  name_length_max: %u,\n", kScriptNameLengthMax);
  printf("  title_length_max: %u,\n", kScriptTitleLengthMax);
  printf("  source_lines_max: %u,\n", kScriptSourceLinesMax);
  printf("  threads_max: %u,\n", kScriptThreadsMax);
  printf("  server_threads_max: %u,\n", kScriptServerThreadsMax);
  printf("  latches_built_max: %u,\n", kScriptLatchesBuiltMax);
  printf("  kinds_max: %u,\n", kScriptKindsMax);
  printf("  lines_max: %u,\n", kScriptLinesMax);
  printf("  counters_max: %u,\n", kScriptCountersMax);
  printf("  devices_max: %u,\n", kScriptDevicesMax);
  printf("  period_min: %" PRIu64 ",\n", kScriptPeriodMinPs);
  printf("  period_max: %" PRIu64 ",\n", kScriptPeriodMaxPs);
  printf("  device_latency_max: %" PRIu64 ",\n", kScriptDeviceLatencyMaxPs);
  printf("  sites_max: %u,\n", kScriptSitesMax);
  printf("  waited_for_max: %u,\n", kScriptWaitedForMax);
  printf("  zipf_max: %u,\n", kScriptZipfMax);
  printf("  zipf_exponent_min: %u,\n", kScriptZipfExponentMin);
  printf("  zipf_exponent_max: %u,\n", kScriptZipfExponentMax);
  printf("  zipf_exponents_max: %u,\n", kScriptZipfExponentsMax);
  printf("  variation_max: %" PRIu64 ",\n", kVariationMax);
  printf("  name_bytes_max: %u,\n", kScriptNameBytesMax);
  printf("} as const;\n");
  printf(
      "export const script_registers = { thread_number: %u, threads: %u, index: %u, first_free: %u, "
      "no_index: "
      "%u } as const;\n",
      kScriptThreadNumber, kScriptThreads, kScriptIndex, kScriptFirstFreeRegister, kScriptNoIndex);
  printf("/** The kinds of latches. */\nexport const script_latch_kinds = [\n");
#define PRINT_KIND(name, has_size, can_be_shared) print_kind(#name, has_size, can_be_shared);
  LATCHSCOPE_SCRIPT_LATCH_KINDS(PRINT_KIND)
  printf("] as const;\n");
  return 0;
}
