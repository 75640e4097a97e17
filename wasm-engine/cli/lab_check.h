// latchscope lab check: looks for a schedule under which a lab latch goes wrong.
#pragma once

#include <string>

#include "cli/output.h"

namespace CLI {
class App;
}

namespace latchscope::cli {

struct CliLabCheck {
  std::string program = "-";
  std::string threads, rounds, schedules, states, roles;
  std::string memory;
  bool without_starvation = false;
  bool requires_fair = false;
  std::string replay;
  bool has_replay = false;
  std::string json_path;
};

void add_lab_check_options(CLI::App& command, CliLabCheck& check);
// Returns the exit code.
int lab_check(const CliLabCheck& arguments, Printed& printed);

}  // namespace latchscope::cli
