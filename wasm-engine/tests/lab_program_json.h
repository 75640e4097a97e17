// Writes a lab latch as the latch compiler does (run/lab_program.h).
#pragma once

#include <string>

#include "lab/program.h"
#include "run/json.h"

namespace latchscope::tests {

inline run::Json lab_program_json(const lab::Program& program) {
  run::Json json = {{"threads_max", program.threads_max}, {"words", run::Json::array()},
                    {"registers", program.registers},     {"functions", run::Json::object()},
                    {"code", run::Json::array()},         {"source_lines", program.source_lines}};
  for (const lab::WordDeclaration& word : program.words) {
    json["words"].push_back({{"name", word.name},
                             {"line", word.line},
                             {"elements", word.elements},
                             {"per_thread", word.per_thread},
                             {"packed", word.is_packed},
                             {"initial", word.initial},
                             {"initial_is_index", word.initial_is_index},
                             {"source_line", word.source_line}});
  }
  for (uint32_t i = 0; i < lab::kFunctions; ++i) {
    const lab::FunctionRange& range = program.functions[i];
    if (range.is_there())
      json["functions"][std::string(name_of(static_cast<lab::FunctionName>(i)))] = {range.begin, range.end};
  }
  for (const lab::Instruction& at : program.code) {
    json["code"].push_back(static_cast<uint32_t>(at.op) | uint32_t{at.target} << 8 | uint32_t{at.a} << 16 |
                           uint32_t{at.b} << 24);
    json["code"].push_back(at.immediate);
  }
  return json;
}

}  // namespace latchscope::tests
