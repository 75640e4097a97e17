// The pending events, ordered by time and, at equal times, by the order in which they were planned.
//
// Most events are due within microseconds. They are in a wheel of buckets of 2 ns, each with a
// short list; a bit per bucket says which are in use. Later events, such as timers, wait in a
// binary heap until the wheel reaches them. So the cost of an event does not grow with the number
// of threads.
//
// Source of the structure: R. Brown, Calendar Queues, CACM 1988.
//
// Invariants
//   1. No event is planned before the last popped event.
//   2. The wheel covers kBuckets buckets, from the last popped event's on. The heap contains
//      exactly the later events.
//   3. `top_` is the first of all events while there is any.
#pragma once

#include <algorithm>
#include <bit>
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

class EventQueue {
 public:
  EventQueue() : nodes_(kFirstNodes), buckets_(kBuckets, kNone) { clear(); }

  bool is_empty() const { return top_ == kNone; }
  const Event& top() const { return top_ == kLater ? later_.front() : nodes_[top_].event; }
  Ps next_time() const { return top_ == kNone ? kNever : top().time; }

  void clear() {
    std::fill(buckets_.begin(), buckets_.end(), kNone);
    std::fill(std::begin(words_), std::end(words_), 0);
    used_words_ = 0;
    later_.clear();
    base_ = 0;
    top_ = kNone;
    free_ = 0;
    for (uint32_t node = 0; node < nodes_.size(); ++node)
      nodes_[node].next = node + 1 < nodes_.size() ? node + 1 : kNone;
  }

  void push(Event event) {
    if (bucket_of(event) >= base_ + kBuckets) {
      push_later(event);
      if (top_ == kNone) top_ = kLater;
      return;
    }
    const uint32_t node = insert(event);
    if (top_ >= kLater || event.is_before(nodes_[top_].event)) top_ = node;
  }

  void pop() {
    remove_top();
    find_top();
  }

  // Moves a pending event to the earlier `time`, as if it had been planned for it from the
  // beginning.
  void bring_forward(Event event, Ps time) {
    take_out(event);
    insert_or_put_off({time, event.sequence_and_fiber});
    find_top();
  }

  // Does pop() and push(event) in one step.
  void replace_top(Event event) {
    remove_top();
    insert_or_put_off(event);
    find_top();
  }

 private:
  static constexpr uint32_t kNone = ~0u;
  static constexpr uint32_t kLater = kNone - 1;  // the top is the first of `later_`
  static constexpr uint32_t kBucketBits = 11;    // 2^11 ps
  static constexpr uint32_t kBuckets = 4096;
  static constexpr uint32_t kWords = kBuckets / 64;
  static constexpr uint32_t kFirstNodes = 256;

  struct Node {
    Event event;
    uint32_t next;
    uint32_t previous;
  };

  static uint64_t bucket_of(const Event& event) { return event.time >> kBucketBits; }
  static bool is_after(const Event& a, const Event& b) { return b.is_before(a); }

  uint32_t insert(Event event) {
    const uint32_t node = allocate();
    const auto bucket = static_cast<uint32_t>(bucket_of(event) % kBuckets);
    const uint32_t head = buckets_[bucket];
    nodes_[node] = {event, head, kNone};
    if (head != kNone) nodes_[head].previous = node;
    buckets_[bucket] = node;
    words_[bucket / 64] |= uint64_t{1} << (bucket % 64);
    used_words_ |= uint64_t{1} << (bucket / 64);
    return node;
  }

  void insert_or_put_off(Event event) {
    if (bucket_of(event) >= base_ + kBuckets) {
      push_later(event);
    } else {
      insert(event);
    }
  }

  // Searches all timers, or all events of a bucket; for rare operations only.
  void take_out(const Event& event) {
    const auto is_it = [&](const Event& other) {
      return other.time == event.time && other.sequence_and_fiber == event.sequence_and_fiber;
    };
    const auto later = std::find_if(later_.begin(), later_.end(), is_it);
    if (later != later_.end()) {
      later_.erase(later);
      std::make_heap(later_.begin(), later_.end(), is_after);
      return;
    }
    uint32_t node = buckets_[bucket_of(event) % kBuckets];
    while (!is_it(nodes_[node].event))
      node = nodes_[node].next;
    remove(node);
  }

  void remove_top() {
    base_ = bucket_of(top());
    if (top_ != kLater) {
      remove(top_);
      return;
    }
    std::pop_heap(later_.begin(), later_.end(), is_after);
    later_.pop_back();
  }

  void remove(uint32_t node) {
    const Node& gone = nodes_[node];
    const auto bucket = static_cast<uint32_t>(bucket_of(gone.event) % kBuckets);
    if (gone.next != kNone) nodes_[gone.next].previous = gone.previous;
    if (gone.previous != kNone) {
      nodes_[gone.previous].next = gone.next;
    } else {
      buckets_[bucket] = gone.next;
      if (gone.next == kNone) {
        words_[bucket / 64] &= ~(uint64_t{1} << (bucket % 64));
        if (words_[bucket / 64] == 0) used_words_ &= ~(uint64_t{1} << (bucket / 64));
      }
    }
    nodes_[node].next = free_;
    free_ = node;
  }

  uint32_t allocate() {
    if (free_ == kNone) {
      const auto first = static_cast<uint32_t>(nodes_.size());
      nodes_.resize(nodes_.size() * 2);
      for (uint32_t node = first; node < nodes_.size(); ++node)
        nodes_[node].next = node + 1 < nodes_.size() ? node + 1 : kNone;
      free_ = first;
    }
    const uint32_t node = free_;
    free_ = nodes_[node].next;
    return node;
  }

  void push_later(Event event) {
    later_.push_back(event);
    std::push_heap(later_.begin(), later_.end(), is_after);
  }

  // Moves the events that the wheel now covers from the heap into it.
  void find_top() {
    while (!later_.empty() && bucket_of(later_.front()) < base_ + kBuckets) {
      insert(later_.front());
      std::pop_heap(later_.begin(), later_.end(), is_after);
      later_.pop_back();
    }
    const uint32_t bucket = first_used_bucket();
    if (bucket == kNone) {
      top_ = later_.empty() ? kNone : kLater;
      return;
    }
    uint32_t first = buckets_[bucket];
    for (uint32_t node = nodes_[first].next; node != kNone; node = nodes_[node].next) {
      if (nodes_[node].event.is_before(nodes_[first].event)) first = node;
    }
    top_ = first;
  }

  // Searches from the wheel's beginning on.
  uint32_t first_used_bucket() const {
    const auto begin = static_cast<uint32_t>(base_ % kBuckets);
    const uint32_t begin_word = begin / 64;
    const uint64_t rest = words_[begin_word] & (~uint64_t{0} << (begin % 64));
    if (rest != 0) return begin_word * 64 + static_cast<uint32_t>(std::countr_zero(rest));
    if (used_words_ == 0) return kNone;
    const uint64_t from_next = std::rotr(used_words_, static_cast<int>(begin_word) + 1);
    const uint32_t word = (begin_word + 1 + static_cast<uint32_t>(std::countr_zero(from_next))) % kWords;
    return word * 64 + static_cast<uint32_t>(std::countr_zero(words_[word]));
  }

  std::vector<Node> nodes_;
  std::vector<uint32_t> buckets_;  // first node of each
  uint64_t words_[kWords];         // a bit for each bucket that has a node
  uint64_t used_words_;            // a bit for each word that has a bit
  static_assert(kWords == 64);
  std::vector<Event> later_;
  uint64_t base_;
  uint32_t top_;
  uint32_t free_;
};

}  // namespace latchscope::platform
