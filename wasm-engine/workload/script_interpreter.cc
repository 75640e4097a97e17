#include "workload/script_interpreter.h"

namespace latchscope::workload {

const char* describe(ScriptWrong wrong) {
  switch (wrong) {
    case ScriptWrong::nothing:
      return "did nothing wrong";
    case ScriptWrong::division_by_zero:
      return "divided by zero";
    case ScriptWrong::check_failed:
      return "failed its check";
    case ScriptWrong::no_effect:
      return "ran a loop without work, sleep or latches";
    case ScriptWrong::no_time:
      return "ran a loop that takes no time";
    case ScriptWrong::no_such_latch:
      return "named a latch beyond the end of its array";
    case ScriptWrong::no_such_word:
      return "named a word beyond the end of its array";
    case ScriptWrong::taken_twice:
      return "took a latch that it holds already";
    case ScriptWrong::too_long:
      return "asked for more than one hour";
    case ScriptWrong::too_large:
      return "asked for more bytes than the device transfers in 10 seconds";
    case ScriptWrong::too_wide:
      return "drew from a lognormal distribution with a coefficient of variation over 1000 %";
    case ScriptWrong::too_many:
      return "drew from a zipf distribution over more than 65,536 numbers";
    case ScriptWrong::too_slow:
      return "did not end its transaction when the clients had to stand still";
  }
  return "";
}

}  // namespace latchscope::workload
