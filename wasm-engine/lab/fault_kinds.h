// The kinds of faults of a latch. The build exports their names to the page and the tools
// (lab_gen.cc).
#pragma once

#include <cstdint>
#include <string_view>

namespace latchscope::lab {

//     mutual_exclusion    two threads hold it, not both shared
//     deadlock            no thread can move, and not all have ended
//     lost_wake_up        a deadlock in which no thread holds it any more: a thread has been in and
//                         woken no other, or a sleeper would get in if it were woken
//     exit_without_enter  exit by a thread that does not hold it, or enter by a holder
//     no_access           a loop that never touches a word
//     no_end              some thread can always move, but they can no longer all end
//     starvation          a thread waits forever while others get in
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
