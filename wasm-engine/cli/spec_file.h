// Reads the run spec of --spec: a file, a pipe, or - for standard input.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "run/run_spec.h"

namespace latchscope::cli {

inline constexpr size_t kSpecFileBytesMax = 1024 * 1024;

struct SpecText {
  std::string text;
  std::optional<run::FieldError> error;  // names --spec
};

// Gives up after five seconds if no process writes to a named pipe.
SpecText read_spec_file(const std::string& path);

}  // namespace latchscope::cli
