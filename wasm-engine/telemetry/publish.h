// Publishes multi-word records to readers that never stop the writer. It defines the order of the
// writes and how a reader detects a torn copy, even on processors that reorder loads and stores.
// The TypeScript reader follows the same rules (web/engine-client/telemetry-reader.ts). The
// functions are templates, so that tests/published_records_test.cc can run them under every order
// of a weak memory model.
//
//   Call frames are written constantly, so by plain stores, which processors may reorder. Each
//   frame stores the number of the change that pushed it and of the change that pushed its caller.
//   Frames that were on one stack together therefore match.
//   Marks and lines are written rarely, by releases, and read by acquires. A reader that sees a
//   word of a later record also sees the count or number written before it.
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

// Copies the thread's stack, outermost function first. Returns false if the stack changed
// meanwhile. The stamps detect frames of different stacks mixed by reordering. Comparing the stack
// word detects stamps that repeat after many changes.
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

// An entry for a ring: record number n, from 0, is at n modulo the ring size. Record n is written
// after the count n was published. A reader that has read a word of record n in place of an older
// record therefore reads a count of at least n.
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

// Publishes a log line or an interval. Each stores its sequence number, from 1, and 0 while it is
// being written. Text that does not fit is cut.
// REQUIRES: one writer at a time.
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

// Sets the run state unless it is `failed`: a failed engine stays failed, even if another thread
// sets the state concurrently.
template <class State>
void set_run_state(State& state, RunState wanted) {
  constexpr auto kFailed = static_cast<uint32_t>(RunState::failed);
  uint32_t seen = state.read_acquire();
  while (seen != kFailed && !state.compare_exchange(seen, static_cast<uint32_t>(wanted))) {
  }
}

}  // namespace latchscope::telemetry
