// Prints the operations of workload files as a TypeScript module, which the page loads with the
// compiler. The build compiles it for WebAssembly and runs it, like script_gen.cc.
#include <cstdio>

#include "workload/script_program.h"

namespace {

const char* truth(int given) {
  return given != 0 ? "true" : "false";
}

void print_operation(const char* name, int target, int a, int b, const char* immediate) {
  printf("  { name: '%s', has_target: %s, has_a: %s, has_b: %s, immediate: '%s' },\n", name, truth(target),
         truth(a), truth(b), immediate);
}

}  // namespace

int main() {
  printf("// Generated from wasm-engine/workload/script_program.h by the build. Do not edit.\n");
  printf("/** Indexed by operation number. */\nexport const script_operations = [\n");
#define PRINT_OPERATION(name, target, a, b, immediate) print_operation(#name, target, a, b, #immediate);
  LATCHSCOPE_SCRIPT_OPERATIONS(PRINT_OPERATION)
  printf("] as const;\n");
  return 0;
}
