// Reads files for a bench.
#pragma once

#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "run/lab_program.h"

namespace latchscope::bench {

inline std::string text_in(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Reads a latch of the lab.
inline std::optional<lab::Program> program_in(const char* path) {
  run::LabProgramOrErrors read = run::read_lab_program(text_in(path));
  if (!read.program) fprintf(stderr, "%s: %s\n", path, read.errors.front().sentence().c_str());
  return std::move(read.program);
}

}  // namespace latchscope::bench
