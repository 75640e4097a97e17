// Reads the run spec of --spec, and the compiled latch of `lab check` and `lab bench`: a file, a pipe,
// or - for standard input.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "cli/output.h"
#include "run/lab_program.h"

namespace latchscope::cli {

inline constexpr size_t kSpecFileBytesMax = 1024 * 1024;

struct SpecText {
  std::string text;
  std::optional<FieldError> error;  // names --spec
};

// Gives up after five seconds if no process writes to a named pipe.
SpecText read_spec_file(const std::string& path);
run::LabProgramOrErrors read_lab_program_file(const std::string& path);

}  // namespace latchscope::cli
