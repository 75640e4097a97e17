// How records of more than one word are handed to readers that stop nobody: what is written in which order, and how a copy
// that is torn gives itself away, also where processors carry out loads and stores out of order. TypeScript reads by the same
// rules (web/engine-client/telemetry-reader.ts). Templates, so that tests/published_records_test.cc can try every order of a
// weak memory with the very functions that run.
//
//   call frames   written all the time, so with plain stores, which no processor has to order. Each frame carries the number of
//                 the change that pushed it, and its caller's: frames that were on a stack together know each other.
//   marks, lines  written rarely: what they say by releases, read by acquires. Who has seen a word of a later record sees
//                 the count, or the number, that was written before it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "telemetry/layout.h"

namespace latchscope::telemetry {

inline constexpr uint32_t kFrameFunctionMask = (1u << kFrameFunctionBits) - 1;
inline constexpr uint32_t kFrameStampMask = (1u << kFrameStampBits) - 1;
inline constexpr uint32_t kStackDepthMask = (1u << kStackDepthBits) - 1;

constexpr uint32_t function_of_frame(uint32_t frame) {
  return frame & kFrameFunctionMask;
}
constexpr uint32_t stamp_of_frame(uint32_t frame) {
  return (frame >> kFrameFunctionBits) & kFrameStampMask;
}
constexpr bool is_called_from(uint32_t frame, uint32_t caller) {
  return frame >> (kFrameFunctionBits + kFrameStampBits) == stamp_of_frame(caller);
}

template <class Slot>
inline void push_frame(Slot& slot, uint32_t function) {
  const uint32_t word = slot.stack_word[0].read();
  const uint32_t depth = word & kStackDepthMask;
  const uint32_t pushed = word + (1u << kStackDepthBits) + 1;
  if (depth < kFramesMax) {
    const uint32_t caller = depth == 0 ? 0 : slot.frames[depth - 1].read();
    const uint32_t stamp = (pushed >> kStackDepthBits) & kFrameStampMask;
    slot.frames[depth].set(function | stamp << kFrameFunctionBits |
                           stamp_of_frame(caller) << (kFrameFunctionBits + kFrameStampBits));
  }
  slot.stack_word[0].set(pushed);
}

template <class Slot>
inline void pop_frame(Slot& slot) {
  slot.stack_word[0].add((1u << kStackDepthBits) - 1);
}

// The functions of a stack that the thread had, outermost first; false if it moved on meanwhile. The stamps tell what an
// unordered memory mixes up; the equal words, what many changes later happens to have the same stamps again.
template <class Slot>
bool copy_stack(const Slot& slot, std::vector<uint32_t>& functions) {
  const uint32_t before = slot.stack_word[0].read_acquire();
  const uint32_t depth = std::min(before & kStackDepthMask, kFramesMax);
  functions.clear();
  uint32_t caller = 0;
  for (uint32_t i = 0; i < depth; ++i) {
    const uint32_t frame = slot.frames[i].read_acquire();
    const bool has_arrived = frame != 0;
    if (!has_arrived || (i > 0 && !is_called_from(frame, caller))) return false;
    functions.push_back(function_of_frame(frame));
    caller = frame;
  }
  return slot.stack_word[0].read_acquire() == before;
}

// Records of a ring: number n, from 0, is at n modulo its size. Record n is written after n was published as the count, so
// who has read a word of it in the place of an older record, and then reads the count, finds n or more there.
struct MarkToPublish {
  uint64_t run_ns;
  MarkKind kind;
  uint32_t subject;
  uint32_t value;
  uint32_t stopped_us;
  uint64_t step_ns;
  uint32_t is_by_hand;
};

template <class Count, class Mark, size_t kMarks>
void publish_mark(Count& count, Mark (&ring)[kMarks], const MarkToPublish& said) {
  const uint32_t number = count.read();
  Mark& mark = ring[number % kMarks];
  mark.run_ns[0].set_release(said.run_ns);
  mark.kind[0].set_release(static_cast<uint32_t>(said.kind));
  mark.subject[0].set_release(said.subject);
  mark.value[0].set_release(said.value);
  mark.stopped_us[0].set_release(said.stopped_us);
  mark.step_ns[0].set_release(said.step_ns);
  mark.is_by_hand[0].set_release(said.is_by_hand);
  count.set_release(number + 1);
}

// Lines of a log, and intervals. Each says which one it is, from 1, and says 0 while it is written. One writer at a time; what
// does not fit is cut.
template <class Count, class Line, size_t kLines>
void publish_line(Count& count, Line (&ring)[kLines], std::string_view text) {
  const uint32_t number = count.read();
  Line& line = ring[number % kLines];
  line.sequence[0].set(0);
  const size_t length = std::min(text.size(), std::size(line.text) - 1);
  for (size_t i = 0; i < length; ++i)
    line.text[i].set_release(static_cast<uint8_t>(text[i]));
  line.text[length].set_release(0);
  line.sequence[0].set(number + 1);
  count.set_release(number + 1);
}

template <class Count, class Line, size_t kLines>
void clear_lines(Count& count, Line (&ring)[kLines]) {
  count.set_release(0);
  for (Line& line : ring)
    line.sequence[0].set_release(0);
}

// A failed engine stays so, whoever else wants to say something at that moment.
template <class State>
void set_run_state(State& state, RunState wanted) {
  constexpr auto kFailed = static_cast<uint32_t>(RunState::failed);
  uint32_t seen = state.read_acquire();
  while (seen != kFailed && !state.compare_exchange(seen, static_cast<uint32_t>(wanted))) {
  }
}

}  // namespace latchscope::telemetry
