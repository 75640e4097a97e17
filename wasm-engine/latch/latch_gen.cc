// Prints the kinds of latches and their words as a TypeScript module. The build compiles it for
// WebAssembly and runs it, like telemetry/layout_gen.cc.
#include <cstdio>
#include <initializer_list>

#include "latch/latch_class.h"

namespace {

void print_class(const char* name, std::initializer_list<const char*> words) {
  printf("  { name: '%s', words: [", name);
  for (const char* word : words)
    printf("'%s', ", word);
  printf("] },\n");
}

}  // namespace

int main() {
  printf("// Generated from wasm-engine/latch/latch_class.h by the build. Do not edit.\n");
  printf("export const latch_classes = [\n");
#define PRINT_CLASS(name, ...) print_class(#name, {__VA_ARGS__});
  LATCHSCOPE_LATCH_CLASSES(PRINT_CLASS)
  printf("] as const;\nexport const rw_lock_x_lock_decr = %d;\n", latchscope::latch::kRwLockXLockDecr);
  return 0;
}
