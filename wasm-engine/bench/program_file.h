// Reads a latch of the lab from a file, for a bench.
#pragma once

#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>

#include "run/lab_program.h"

namespace latchscope::bench {

inline std::optional<lab::Program> program_in(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  run::LabProgramOrErrors read = run::read_lab_program(text.str());
  if (!read.program) fprintf(stderr, "%s: %s\n", path, read.errors.front().sentence().c_str());
  return std::move(read.program);
}

}  // namespace latchscope::bench
