// Prints the page's declarations of the C ABI as a TypeScript module. With the argument `exports`,
// prints the functions that a WebAssembly module exports, in Emscripten's format. The build
// compiles it for WebAssembly and runs it, like telemetry/layout_gen.cc.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "wasm/latchscope.h"

namespace {

using namespace latchscope;

struct Parameter {
  const char* type;
  const char* name;
};
using Parameters = std::vector<Parameter>;

struct Function {
  const char* returned;
  const char* name;
  Parameters parameters;
  const char* meaning;
  uint32_t states = 0;  // of a command
};

#define NONE \
  Parameters {}
#define ONE(type, name) (Parameters{{#type, #name}})
#define TWO(type, name, other_type, other_name) (Parameters{{#type, #name}, {#other_type, #other_name}})

std::vector<Function> commands() {
  using enum telemetry::RunState;
#define COMMAND(name, parameters, states, meaning) \
  {"outcome", #name, parameters, meaning, wasm::states_of states},
  return {LATCHSCOPE_COMMANDS(COMMAND, NONE, ONE, TWO)};
}

std::vector<Function> questions() {
#define QUESTION(name, parameters, meaning) {"text", #name, parameters, meaning},
  return {LATCHSCOPE_QUESTIONS(QUESTION, NONE, ONE)};
}

std::vector<Function> calls() {
#define CALL(returned, name, parameters, meaning) {#returned, #name, parameters, meaning},
  return {LATCHSCOPE_CALLS(CALL, NONE, ONE, TWO)};
}

const char* typescript_of(std::string_view type) {
  if (type == "text") return "string";
  if (type == "nothing") return "void";
  if (type == "outcome") return "Outcome";
  if (type == "truth") return "boolean";
  return "number";
}

void print_interface(const char* name, const std::vector<Function>& functions, const char* extended = "") {
  printf("export interface %s %s{\n", name, extended);
  for (const Function& function : functions) {
    printf("  /** %s */\n  %s: (", function.meaning, function.name);
    for (const Parameter& parameter : function.parameters)
      printf("%s: %s, ", parameter.name, typescript_of(parameter.type));
    printf(") => %s;\n", typescript_of(function.returned));
  }
  printf("}\n");
}

// Prints the result and the parameters of each function, with the types that cross the boundary.
void print_crossings(const std::vector<Function>& functions) {
  for (const Function& function : functions) {
    printf("  %s: { returns: '%s', takes: [", function.name, function.returned);
    for (const Parameter& parameter : function.parameters)
      printf("'%s', ", parameter.type);
    printf("] },\n");
  }
}

void print_states(const std::vector<Function>& functions) {
  constexpr const char* kNames[] = {
#define QUOTE_NAME(name, ...) #name,
      LATCHSCOPE_RUN_STATES(QUOTE_NAME)};
  printf("export const command_states = {\n");
  for (const Function& function : functions) {
    printf("  %s: [", function.name);
    for (uint32_t state = 0; state < std::size(kNames); ++state) {
      if ((function.states & (1u << state)) != 0) printf("'%s', ", kNames[state]);
    }
    printf("],\n");
  }
  printf("} as const;\n");
}

void print_typescript() {
  printf("// Generated from wasm-engine/wasm/latchscope.h by the build. Do not edit.\n");
  printf("export const abi_hash = %u;\n", wasm::abi_hash());
  printf("export const outcomes = [");
  for (const char* name : {LATCHSCOPE_OUTCOMES(QUOTE_NAME)})
    printf("'%s', ", name);
  printf("] as const;\nexport type Outcome = (typeof outcomes)[number];\n");
  print_states(commands());
  printf("export const functions = {\n");
  for (const auto& functions : {commands(), questions(), calls()})
    print_crossings(functions);
  printf("} as const;\n");
  print_interface("EngineCommands", commands());
  print_interface("EngineQuestions", questions());
  print_interface("EngineCalls", calls(), "extends EngineCommands, EngineQuestions ");
}

void print_exports() {
  const char* separator = "[";
  for (const auto& functions : {commands(), questions(), calls()}) {
    for (const Function& function : functions) {
      printf("%s\"_latchscope_%s\"", separator, function.name);
      separator = ", ";
    }
  }
  printf("]\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "exports") {
    print_exports();
  } else {
    print_typescript();
  }
  return 0;
}
