// The events that are to come, ordered by time and, at the same time, by the order in which they were planned. A
// 4-ary heap: shallow, and its children share a cache line.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/server_profile.h"

namespace latchscope::platform {

struct Event {
  Ps time;
  uint64_t sequence_and_fiber;  // sequence in the upper 44 bits, fiber in the lower 20

  static constexpr uint32_t kFiberBits = 20;
  static Event of(Ps time, uint64_t sequence, uint32_t fiber) {
    return {time, (sequence << kFiberBits) | fiber};
  }
  uint64_t sequence() const { return sequence_and_fiber >> kFiberBits; }
  uint32_t fiber() const { return static_cast<uint32_t>(sequence_and_fiber & ((1u << kFiberBits) - 1)); }
  bool is_before(const Event& other) const {
    return time < other.time || (time == other.time && sequence_and_fiber < other.sequence_and_fiber);
  }
};

class EventHeap {
 public:
  bool is_empty() const { return events_.empty(); }
  size_t size() const { return events_.size(); }
  const Event& top() const { return events_.front(); }
  Ps next_time() const { return events_.empty() ? kNever : events_.front().time; }
  void clear() { events_.clear(); }

  void push(Event event) {
    events_.push_back(event);
    size_t at = events_.size() - 1;
    while (at > 0) {
      const size_t parent = (at - 1) / kChildren;
      if (!event.is_before(events_[parent])) break;
      events_[at] = events_[parent];
      at = parent;
    }
    events_[at] = event;
  }

  void pop() {
    const Event last = events_.back();
    events_.pop_back();
    if (!events_.empty()) sink(last);
  }

  // pop() and push(event) in one.
  void replace_top(Event event) { sink(event); }

 private:
  static constexpr size_t kChildren = 4;

  // Puts `event` where the top is, then where it belongs.
  void sink(Event event) {
    const size_t size = events_.size();
    size_t at = 0;
    for (;;) {
      const size_t first = at * kChildren + 1;
      if (first >= size) break;
      size_t least = first;
      const size_t end = first + kChildren < size ? first + kChildren : size;
      for (size_t child = first + 1; child < end; ++child) {
        if (events_[child].is_before(events_[least])) least = child;
      }
      if (!events_[least].is_before(event)) break;
      events_[at] = events_[least];
      at = least;
    }
    events_[at] = event;
  }

  std::vector<Event> events_;
};

}  // namespace latchscope::platform
