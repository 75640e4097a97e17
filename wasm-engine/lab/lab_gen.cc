// Prints the instruction format of a latch's code and the kinds of faults as a TypeScript module.
// The build compiles it for WebAssembly and runs it, like telemetry/layout_gen.cc.
#include <cstdio>

#include "lab/fault_kinds.h"
#include "lab/program.h"

using namespace latchscope::lab;

namespace {

void print_operation(const char* name, int target, int a, int b, const char* immediate) {
  const auto truth = [](int given) { return given != 0 ? "true" : "false"; };
  printf("  { name: '%s', has_target: %s, has_a: %s, has_b: %s, immediate: '%s' },\n", name, truth(target),
         truth(a), truth(b), immediate);
}

void print_functions() {
  printf("export const lab_functions = [");
  for (uint32_t i = 0; i < kFunctions; ++i)
    printf("'%s', ", name_of(static_cast<FunctionName>(i)).data());
  printf("] as const;\n");
}

void print_faults() {
  printf("/** The faults that a check can find. */\nexport const lab_faults = [\n");
#define PRINT_FAULT(name) printf("  '%s',\n", #name);
  LATCHSCOPE_LAB_FAULTS(PRINT_FAULT)
  printf("] as const;\n");
}

}  // namespace

int main() {
  printf("// Generated from program.h and fault_kinds.h of wasm-engine/lab by the build. Do not edit.\n");
  printf("export const lab_limits = {\n");
  printf("  instructions_max: %u,\n", kInstructionsMax);
  printf("  words_max: %u,\n", kWordsMax);
  printf("  elements_max: %u,\n", kElementsMax);
  printf("  registers_max: %u,\n", kRegistersMax);
  printf("  words_on_line_max: %u,\n", kWordsOnLineMax);
  printf("  name_length_max: %u,\n", kNameLengthMax);
  printf("  source_lines_max: %u,\n", kSourceLinesMax);
  printf("  threads_max: %u,\n", kThreadsMaxDeclared);
  printf("} as const;\n");
  printf(
      "export const lab_registers = { thread_number: %u, threads: %u, first_free: %u, no_index: %u } as "
      "const;\n",
      kThreadNumber, kThreads, kFirstFreeRegister, kNoIndex);
  printf("/** A line of a latch in its trace: declared line << lab_line_element_bits | element. */\n");
  printf("export const lab_line_element_bits = %u;\n", kLineElementBits);
  print_functions();
  printf("/** Indexed by operation number. */\nexport const lab_operations = [\n");
#define PRINT_OPERATION(name, target, a, b, immediate) print_operation(#name, target, a, b, #immediate);
  LATCHSCOPE_LAB_OPERATIONS(PRINT_OPERATION)
  printf("] as const;\n");
  print_faults();
  return 0;
}
