// Reads the compiled latch of `lab check` and `lab bench`: a file, a pipe, or - for standard input.
#pragma once

#include <string>

#include "api/lab_program.h"

namespace latchscope::cli {

api::LabProgramOrErrors read_lab_program_file(const std::string& path);

}  // namespace latchscope::cli
