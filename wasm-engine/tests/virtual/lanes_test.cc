#include "telemetry/lanes.h"

#include <gtest/gtest.h>

#include <vector>

#include "latch/mysql_mutex.h"
#include "telemetry/telemetry.h"
#include "tests/test_threads.h"

namespace latchscope::telemetry {
namespace {

const LatchSite kHolderSite("lane latch", "holder_function");
const LatchSite kWaiterSite("lane latch", "waiter_function");
constexpr uint64_t kHoldNs = 50'000;

std::vector<LaneSegment> segments_of(uint32_t slot) {
  std::vector<LaneSegment> found;
  for (uint64_t i = 0; i < lane_segments_written(); ++i) {
    const LaneSegment& segment = lane_segments()[i % kLaneSegmentsMax];
    if (segment.slot == slot) found.push_back(segment);
  }
  return found;
}

class Lanes : public testing::Test {
 protected:
  void SetUp() override { reset(); }
};

TEST_F(Lanes, HaveNoGap) {
  tests::run_threads(1, [](uint32_t) {
    platform::charge(1'000);
    sleep_ns(2'000);
    platform::charge(1'000);
  });
  const std::vector<LaneSegment> segments = segments_of(0);
  ASSERT_EQ(segments.size(), 4u);  // before the thread began, then running, sleeping, running
  for (size_t i = 1; i < segments.size(); ++i)
    EXPECT_EQ(segments[i].from_ns, segments[i - 1].to_ns);
  EXPECT_EQ(static_cast<ThreadState>(segments[2].state), ThreadState::sleeping);
  EXPECT_GE(segments[2].to_ns - segments[2].from_ns, 2'000u);
}

TEST_F(Lanes, EndWhereTheRunEndsWhateverIsUnderWay) {
  uint64_t ended_ns = 0;
  tests::run_threads(2, [&](uint32_t thread) {
    if (thread == 0) {
      sleep_ns(2'000);
      ended_ns = platform::now_ns();
      end_run();
    } else {
      sleep_ns(9'000);
    }
    platform::charge(1'000);
  });
  for (uint32_t slot : {0u, 1u}) {
    const std::vector<LaneSegment> segments = segments_of(slot);
    ASSERT_FALSE(segments.empty());
    EXPECT_EQ(segments.back().to_ns, ended_ns);
  }
  EXPECT_EQ(static_cast<ThreadState>(segments_of(1).back().state), ThreadState::sleeping);
  reset();
  tests::run_threads(1, [](uint32_t) { sleep_ns(2'000); });
  EXPECT_EQ(static_cast<ThreadState>(segments_of(0).back().state), ThreadState::sleeping);
}

TEST_F(Lanes, AWaitNamesTheLatchItsHolderAndWhereThatTookIt) {
  latch::MysqlMutex mutex;
  tests::run_threads(2, [&](uint32_t thread) {
    if (thread == 0) {
      mutex.lock(kHolderSite);
      platform::charge(kHoldNs);
      mutex.unlock();
    } else {
      platform::charge(kHoldNs / 2);
      mutex.lock(kWaiterSite);
      mutex.unlock();
    }
  });
  uint64_t waited_ns = 0;
  for (const LaneSegment& segment : segments_of(1)) {
    if (segment.wait_site == 0) {
      EXPECT_EQ(segment.holder, 0u);
      continue;
    }
    EXPECT_EQ(segment.wait_site, kWaiterSite.id + 1);
    EXPECT_EQ(segment.holder, 1u);  // slot 0
    EXPECT_EQ(segment.holder_site, kHolderSite.id + 1);
    waited_ns += segment.to_ns - segment.from_ns;
  }
  EXPECT_GT(waited_ns, kHoldNs / 4);
}

TEST_F(Lanes, AHolderThatWasNotTheLastToGetALatchOfThatPlaceIsFoundToo) {
  latch::MysqlMutex mutex;
  // Some of these share the table entry of `mutex`.
  std::vector<latch::MysqlMutex> others(5'000);
  tests::run_threads(3, [&](uint32_t thread) {
    if (thread == 0) {
      mutex.lock(kHolderSite);
      platform::charge(10 * kHoldNs);
      mutex.unlock();
    } else if (thread == 1) {
      for (latch::MysqlMutex& other : others) {
        other.lock(kHolderSite);
        other.unlock();
      }
    } else {
      platform::charge(9 * kHoldNs);
      mutex.lock(kWaiterSite);
      mutex.unlock();
    }
  });
  bool has_waited = false;
  for (const LaneSegment& segment : segments_of(2)) {
    if (segment.wait_site == 0) continue;
    has_waited = true;
    EXPECT_EQ(segment.holder, 1u);
  }
  EXPECT_TRUE(has_waited);
}

}  // namespace
}  // namespace latchscope::telemetry
