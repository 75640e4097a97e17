#include "platform/virtual/event_heap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "platform/random.h"

namespace latchscope::platform {
namespace {

Event pop(EventHeap& heap) {
  const Event event = heap.top();
  heap.pop();
  return event;
}

TEST(EventHeap, EventsComeByTimeThenByOrderOfPlanning) {
  EventHeap heap;
  heap.push(Event::of(200, 1, 7));
  heap.push(Event::of(100, 2, 8));
  heap.push(Event::of(100, 3, 9));
  EXPECT_EQ(heap.next_time(), 100u);
  EXPECT_EQ(pop(heap).fiber(), 8u);
  EXPECT_EQ(pop(heap).fiber(), 9u);
  EXPECT_EQ(pop(heap).fiber(), 7u);
  EXPECT_TRUE(heap.is_empty());
  EXPECT_EQ(heap.next_time(), kNever);
}

TEST(EventHeap, AnEventMayComeBeforeATimerThatWasThereFirst) {
  EventHeap heap;
  heap.push(Event::of(1'000 * kPsPerUs, 1, 1));  // far beyond the wheel
  heap.push(Event::of(3 * kPsPerUs, 2, 2));
  heap.push(Event::of(2 * kPsPerUs, 3, 3));
  EXPECT_EQ(pop(heap).fiber(), 3u);
  EXPECT_EQ(pop(heap).fiber(), 2u);
  EXPECT_EQ(pop(heap).fiber(), 1u);
}

TEST(EventHeap, ReplacingTheTopIsPoppingAndPushing) {
  EventHeap heap;
  heap.push(Event::of(10, 1, 1));
  heap.push(Event::of(20, 2, 2));
  heap.replace_top(Event::of(30, 3, 1));
  EXPECT_EQ(heap.top().fiber(), 2u);
  heap.replace_top(Event::of(500 * kPsPerUs, 4, 2));
  EXPECT_EQ(heap.top().fiber(), 1u);
}

// Against a sorted list: times of all sizes, never before the last event that was taken.
TEST(EventHeap, ComesOutSorted) {
  Random random(1);
  EventHeap heap;
  std::vector<Event> all;
  const auto is_after = [](const Event& a, const Event& b) { return b.is_before(a); };
  Ps now = 0;
  uint64_t sequence = 0;
  for (int round = 0; round < 50'000; ++round) {
    if (all.empty() || random.below(100) < 52) {
      const Ps ahead = Ps{random.next()} >> random.below(32);
      const Event event = Event::of(now + ahead, ++sequence, random.below(1'000));
      heap.push(event);
      all.push_back(event);
      std::push_heap(all.begin(), all.end(), is_after);
    } else {
      std::pop_heap(all.begin(), all.end(), is_after);
      const Event expected = all.back();
      all.pop_back();
      const Event event = pop(heap);
      ASSERT_EQ(event.time, expected.time);
      ASSERT_EQ(event.sequence_and_fiber, expected.sequence_and_fiber);
      now = event.time;
    }
  }
}

}  // namespace
}  // namespace latchscope::platform
