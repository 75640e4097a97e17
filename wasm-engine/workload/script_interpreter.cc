#include "workload/script_interpreter.h"

namespace latchscope::workload {

const char* describe(ScriptWrong wrong) {
  switch (wrong) {
    case ScriptWrong::nothing:
      return "nothing is wrong";
    case ScriptWrong::division_by_zero:
      return "division by zero";
    case ScriptWrong::check_failed:
      return "a check failed";
    case ScriptWrong::no_effect:
      return "a loop without work, sleep or latches";
  }
}

}  // namespace latchscope::workload
