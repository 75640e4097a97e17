#include "lab/interpreter.h"

namespace latchscope::lab {

const char* describe(Wrong wrong) {
  switch (wrong) {
    case Wrong::nothing:
      return "nothing";
    case Wrong::index_too_large:
      return "the word has fewer elements than that";
    case Wrong::division_by_zero:
      return "division by zero";
    case Wrong::no_access:
      return "it goes on and on without touching a word, pausing or yielding";
    case Wrong::check_failed:
      return "the check does not hold";
    case Wrong::no_time:
      return "it spins, which takes no time on this machine; use a latch that sleeps";
  }
  return "";
}

}  // namespace latchscope::lab
