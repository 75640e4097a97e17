// Reads the compiled latch of `lab check` and `lab bench`: a file, a pipe, or - for standard input.
#pragma once

#include <string>

#include "run/lab_program.h"

namespace latchscope::cli {

run::LabProgramOrErrors read_lab_program_file(const std::string& path);

}  // namespace latchscope::cli
