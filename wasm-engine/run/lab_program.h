// Reads a compiled latch of the lab as JSON, as the compiler of the lab's language gives it
// (docs/reference/latch-language.md).
//
//   {"threads_max":2,
//    "words":[{"name":"locked","line":0,"elements":1,"per_thread":false,"packed":false,"initial":0,
//      "initial_is_index":false,"source_line":2}],
//    "registers":5, "functions":{"enter":[0,6],"exit":[6,9]}, "code":[0,1,...],
//    "source_lines":[4,...]}
//
// Defaults: threads_max 0; for a word: line 0, elements 1, initial 0, source_line 0, and false.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "lab/program.h"
#include "run/json.h"
#include "run/run_spec.h"

namespace latchscope::run {

inline constexpr size_t kLabProgramBytesMax = 256 * 1024;

struct LabProgramOrErrors {
  std::optional<lab::Program> program;
  std::vector<FieldError> errors;
};

// Returns a program without fault (lab::find_fault), or its errors.
LabProgramOrErrors read_lab_program(std::string_view text);
LabProgramOrErrors lab_program_of(const Json& json);

}  // namespace latchscope::run
