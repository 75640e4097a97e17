// What can be wrong with a latch. The build tells the page and the tools their names (lab_gen.cc).
#pragma once

#include <cstdint>
#include <string_view>

namespace latchscope::lab {

//   mutual_exclusion    two hold it, and not both shared
//   deadlock            nobody can move, and not all have ended
//   lost_wake_up        the same, and nobody holds it any more: somebody has been in and woken nobody, or one who sleeps would get
//                       in if it were woken
//   exit_without_enter  exit by one who does not hold it, or enter by one who does
//   no_access           a loop that never touches a word
//   no_end              somebody can always move, but all cannot end any more
//   starvation          one waits for ever while others get in
#define LATCHSCOPE_LAB_FAULTS(F) \
  F(mutual_exclusion)            \
  F(deadlock)                    \
  F(lost_wake_up)                \
  F(exit_without_enter)          \
  F(check_failed)                \
  F(index_too_large)             \
  F(division_by_zero)            \
  F(no_access)                   \
  F(no_end)                      \
  F(starvation)

#define LATCHSCOPE_DECLARE_FAULT(name) name,
enum class FaultKind : uint8_t { none, LATCHSCOPE_LAB_FAULTS(LATCHSCOPE_DECLARE_FAULT) };
#undef LATCHSCOPE_DECLARE_FAULT

std::string_view name_of(FaultKind kind);

}  // namespace latchscope::lab
