// The compiled latch that `lab check` and `lab bench` are given: a file, a pipe, or - for standard input.
#pragma once

#include <string>

#include "api/lab_program.h"

namespace latchscope::api {

LabProgramOrErrors read_lab_program_file(const std::string& path);

}  // namespace latchscope::api
