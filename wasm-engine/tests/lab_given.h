// Lab latches passed to the tests from outside: LATCHSCOPE_LAB_PROGRAMS names a folder of programs
// (*.json). tools/lab-machines.test.mjs passes all latches of lab/latches.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "run/lab_program.h"

namespace latchscope::tests {

struct GivenProgram {
  std::string name;
  lab::Program program;
};

inline std::vector<GivenProgram> given_programs() {
  std::vector<GivenProgram> programs;
  const char* folder = getenv("LATCHSCOPE_LAB_PROGRAMS");
  if (folder == nullptr) return programs;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    run::LabProgramOrErrors read = run::read_lab_program(text.str());
    EXPECT_TRUE(read.program) << entry.path();
    if (read.program) programs.push_back({entry.path().stem().string(), std::move(*read.program)});
  }
  std::ranges::sort(programs, {}, &GivenProgram::name);
  return programs;
}

}  // namespace latchscope::tests
