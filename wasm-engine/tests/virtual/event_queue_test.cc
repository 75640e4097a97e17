#include "platform/virtual/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "platform/random.h"

namespace latchscope::platform {
namespace {

Event pop(EventQueue& queue) {
  const Event event = queue.top();
  queue.pop();
  return event;
}

TEST(EventQueue, EventsComeByTimeThenByOrderOfPlanning) {
  EventQueue queue;
  queue.push(Event::of(200, 1, 7));
  queue.push(Event::of(100, 2, 8));
  queue.push(Event::of(100, 3, 9));
  EXPECT_EQ(queue.next_time(), 100u);
  EXPECT_EQ(pop(queue).fiber(), 8u);
  EXPECT_EQ(pop(queue).fiber(), 9u);
  EXPECT_EQ(pop(queue).fiber(), 7u);
  EXPECT_TRUE(queue.is_empty());
  EXPECT_EQ(queue.next_time(), kNever);
}

TEST(EventQueue, AnEventMayComeBeforeATimerThatWasThereFirst) {
  EventQueue queue;
  queue.push(Event::of(1'000 * kPsPerUs, 1, 1));  // beyond the timer wheel
  queue.push(Event::of(3 * kPsPerUs, 2, 2));
  queue.push(Event::of(2 * kPsPerUs, 3, 3));
  EXPECT_EQ(pop(queue).fiber(), 3u);
  EXPECT_EQ(pop(queue).fiber(), 2u);
  EXPECT_EQ(pop(queue).fiber(), 1u);
}

TEST(EventQueue, ReplacingTheTopIsPoppingAndPushing) {
  EventQueue queue;
  queue.push(Event::of(10, 1, 1));
  queue.push(Event::of(20, 2, 2));
  queue.replace_top(Event::of(30, 3, 1));
  EXPECT_EQ(queue.top().fiber(), 2u);
  queue.replace_top(Event::of(500 * kPsPerUs, 4, 2));
  EXPECT_EQ(queue.top().fiber(), 1u);
}

TEST(EventQueue, AnEventThatIsBroughtForwardIsAsIfPlannedSo) {
  // on the timer wheel, and beyond it
  for (const Ps planned : {Ps{3 * kPsPerUs}, Ps{1'000 * kPsPerUs}}) {
    EventQueue queue;
    queue.push(Event::of(planned, 1, 1));
    queue.push(Event::of(100, 2, 2));
    queue.push(Event::of(200, 3, 3));
    queue.bring_forward(Event::of(planned, 1, 1), 100);
    EXPECT_EQ(pop(queue).fiber(), 1u) << "it was planned first";
    EXPECT_EQ(pop(queue).fiber(), 2u);
    EXPECT_EQ(pop(queue).fiber(), 3u);
    EXPECT_TRUE(queue.is_empty()) << "it comes once";
  }
}

// Compares with a sorted list: times of all magnitudes, never before the last event popped.
TEST(EventQueue, ComesOutSorted) {
  Random random(1);
  EventQueue queue;
  std::vector<Event> all;
  const auto is_after = [](const Event& a, const Event& b) { return b.is_before(a); };
  Ps now = 0;
  uint64_t sequence = 0;
  for (int round = 0; round < 50'000; ++round) {
    if (all.empty() || random.below(100) < 52) {
      const Ps ahead = Ps{random.next()} >> random.below(32);
      const Event event = Event::of(now + ahead, ++sequence, random.below(1'000));
      queue.push(event);
      all.push_back(event);
      std::push_heap(all.begin(), all.end(), is_after);
    } else {
      std::pop_heap(all.begin(), all.end(), is_after);
      const Event expected = all.back();
      all.pop_back();
      const Event event = pop(queue);
      ASSERT_EQ(event.time, expected.time);
      ASSERT_EQ(event.sequence_and_fiber, expected.sequence_and_fiber);
      now = event.time;
    }
  }
}

}  // namespace
}  // namespace latchscope::platform
