#include "telemetry/telemetry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "telemetry/latency.h"
#include "telemetry/plain_record.h"
#include "telemetry/sampler.h"
#include "tests/test_threads.h"

namespace latchscope::telemetry {
namespace {

const LatchSite kTestSite("test latch", "test_function");
const Function kOuter("test_outer");
const Function kInner("test_inner");

class Telemetry : public testing::Test {
 protected:
  void SetUp() override { reset(); }
};

TEST_F(Telemetry, TheBlockSaysWhatItIs) {
  EXPECT_EQ(block().header.magic[0].read(), kLayoutMagic);
  EXPECT_EQ(block().header.layout_hash[0].read(), layout_hash());
}

// Simulates two fields of the same size that were exchanged in the list.
void swap_with_next(std::vector<PlainField>& fields, size_t i) {
  std::swap(fields[i].name, fields[i + 1].name);
}

TEST_F(Telemetry, EveryPlainFieldIsInTheLayoutHash) {
  const std::vector<PlainRecord> records = plain_records();
  ASSERT_EQ(layout_hash_with(records), layout_hash());
  for (size_t record = 0; record < records.size(); ++record) {
    for (size_t i = 0; i < records[record].fields.size(); ++i) {
      std::vector<PlainRecord> changed = records;
      PlainField& field = changed[record].fields[i];
      if (i + 1 < changed[record].fields.size()) {
        swap_with_next(changed[record].fields, i);
        EXPECT_NE(layout_hash_with(changed), layout_hash()) << field.name << " swapped with the next";
        swap_with_next(changed[record].fields, i);
      }
      for (uint32_t* number : {&field.offset, &field.bits, &field.count}) {
        ++*number;
        EXPECT_NE(layout_hash_with(changed), layout_hash()) << field.name;
        --*number;
      }
    }
  }
}

TEST_F(Telemetry, TheSameNamesGiveTheSameIds) {
  EXPECT_EQ(LatchSite("test latch", "test_function").id, kTestSite.id);
  EXPECT_EQ(Function("test_outer").id, kOuter.id);
  EXPECT_NE(LatchSite("test latch", "another_function").id, kTestSite.id);
  EXPECT_STREQ(latch_name_of_site(kTestSite.id), "test latch");
  EXPECT_STREQ(function_name_of_site(kTestSite.id), "test_function");
}

TEST_F(Telemetry, CountersAddUpOverThreads) {
  tests::run_threads(4, [](uint32_t) {
    for (int i = 0; i < 1000; ++i)
      count(Counter::block_reads);
  });
  EXPECT_EQ(counter_total(Counter::block_reads), 4000u);
  reset();
  EXPECT_EQ(counter_total(Counter::block_reads), 0u);
}

TEST_F(Telemetry, AStackIsPublishedOutermostFirst) {
  ThreadSlot& slot = recorder().slot();
  const uint32_t empty = slot.stack_word[0].read() & 0xff;
  EXPECT_EQ(empty, 0u);
  Frame outer(kOuter);
  {
    Frame inner(kInner);
    EXPECT_EQ(slot.stack_word[0].read() & 0xff, 2u);
    EXPECT_EQ(function_of_frame(slot.frames[0].read()), kOuter.id);
    EXPECT_EQ(function_of_frame(slot.frames[1].read()), kInner.id);
  }
  EXPECT_EQ(slot.stack_word[0].read() & 0xff, 1u);
}

TEST_F(Telemetry, AStackDeeperThanTheLimitComesBackWhole) {
  std::vector<std::unique_ptr<Frame>> frames;
  frames.push_back(std::make_unique<Frame>(kOuter));
  for (uint32_t i = 0; i < kFramesMax + 3; ++i)
    frames.push_back(std::make_unique<Frame>(kInner));
  EXPECT_EQ(function_of_frame(recorder().slot().frames[0].read()), kOuter.id);
  while (!frames.empty())
    frames.pop_back();
  EXPECT_EQ(recorder().slot().stack_word[0].read() & 0xff, 0u);
}

TEST_F(Telemetry, HeldLatchesAreListedUntilReleasedInAnyOrder) {
  ThreadSlot& slot = recorder().slot();
  for (uint32_t latch : {11u, 12u, 13u})
    recorder().latch_acquired(kTestSite, latch);
  recorder().latch_released(12);
  ASSERT_EQ(slot.held_count[0].read(), 2u);
  EXPECT_EQ(slot.held_latches[0].read(), 11u);
  EXPECT_EQ(slot.held_latches[1].read(), 13u);
  recorder().latch_released(13);
  recorder().latch_released(11);
  EXPECT_EQ(slot.held_count[0].read(), 0u);
  EXPECT_EQ(latch_site_total(kTestSite.id).acquisitions, 3u);
}

TEST_F(Telemetry, MoreHeldLatchesThanAreListedAreStillCounted) {
  ThreadSlot& slot = recorder().slot();
  for (uint32_t latch = 1; latch <= kHeldLatchesMax + 2; ++latch)
    recorder().latch_acquired(kTestSite, latch);
  EXPECT_EQ(slot.held_count[0].read(), kHeldLatchesMax + 2);
  for (uint32_t latch = kHeldLatchesMax + 2; latch >= 1; --latch)
    recorder().latch_released(latch);
  EXPECT_EQ(slot.held_count[0].read(), 0u);
}

TEST_F(Telemetry, EveryTransactionIsCountedAndTheWeightsOfTheTimedOnesAddUp) {
  constexpr uint64_t kTransactions = 20'000;
  for (uint64_t i = 0; i < kTransactions; ++i) {
    recorder().transaction_begins();
    recorder().transaction_ends();
  }
  EXPECT_EQ(counter_total(Counter::transactions), kTransactions);
  const uint64_t weighted = LatencyHistogram::of_all_threads().count();
  EXPECT_NEAR(static_cast<double>(weighted), static_cast<double>(kTransactions), kTransactions * 0.2);
  // Reading the virtual clock is free, so all transactions are timed there.
  const uint64_t timed_max = platform::kIsModelled ? kTransactions : kTransactions / 4;
  EXPECT_LE(counter_total(Counter::latency_samples), timed_max);
}

template <class Buckets>
void expect_buckets_without_gap() {
  for (uint32_t bucket = 1; bucket < Buckets::kCount; ++bucket) {
    const uint64_t floor_ns = Buckets::floor_ns(bucket);
    ASSERT_EQ(Buckets::of(floor_ns), bucket);
    ASSERT_EQ(Buckets::of(floor_ns - 1), bucket - 1);
  }
  EXPECT_EQ(Buckets::of(0), 0u);
  EXPECT_EQ(Buckets::of(~uint64_t{0}), Buckets::kCount - 1);
}

TEST(Histogram, BucketsFollowEachOtherWithoutGap) {
  expect_buckets_without_gap<ThreadBuckets>();
  expect_buckets_without_gap<LatencyBuckets>();
}

TEST(Histogram, PercentilesAreThoseOfTheSortedValuesToThreeDigits) {
  platform::Random random(5);
  LatencyHistogram histogram;
  std::vector<uint64_t> values_ns;
  for (int i = 0; i < 10'000; ++i) {
    const uint64_t value_ns = 600 + (uint64_t{random.next()} >> random.between(0, 20));
    values_ns.push_back(value_ns);
    histogram.add(value_ns);
  }
  std::sort(values_ns.begin(), values_ns.end());
  for (double percent : {1.0, 50.0, 95.0, 99.0, 100.0}) {
    const auto rank =
        static_cast<size_t>(std::ceil(percent / 100 * static_cast<double>(values_ns.size()))) - 1;
    const double exact_ms = static_cast<double>(values_ns[rank]) / 1e6;
    EXPECT_NEAR(histogram.percentile_ms(percent), exact_ms, exact_ms / 1000) << percent;
  }
}

// On real threads a latency is accurate to the width of the thread's own bucket.
TEST(Histogram, WhatAThreadRecordsIsFoundWithinItsBucket) {
  reset();
  constexpr uint64_t kLatencyNs = 178'300'000;
  recorder().slot().histogram[ThreadBuckets::of(kLatencyNs)].add(1);
  const double share_max = 1.0 / 64 + 1.0 / 1024;
  const auto own_slot = static_cast<uint32_t>(&recorder().slot() - block().threads);
  EXPECT_NEAR(LatencyHistogram::of_thread(own_slot).max_ms(), 178.3, 178.3 * share_max);
}

TEST(Histogram, WithoutSamplesEverythingIsZero) {
  const LatencyHistogram histogram;
  EXPECT_EQ(histogram.percentile_ms(99), 0);
  EXPECT_EQ(histogram.max_ms(), 0);
  EXPECT_EQ(histogram.mean_ms(), 0);
}

TEST(Histogram, SinceLeavesWhatWasAddedLater) {
  LatencyHistogram earlier;
  earlier.add(1'000'000);
  LatencyHistogram later = earlier;
  later.add(9'000'000, 3);
  const LatencyHistogram added = later.since(earlier);
  EXPECT_EQ(added.count(), 3u);
  EXPECT_NEAR(added.min_ms(), 9, 0.3);
}

TEST(SamplerTest, FindsStatesStacksAndWaiters) {
  reset();
  struct alignas(64) Line : platform::CacheLine {
    platform::Atomic<uint32_t> waiting{*this, 0};
    platform::Atomic<uint32_t> release{*this, 0};
  };
  Line line;
  Sampler sampler;
  tests::run_threads(3, [&](uint32_t ordinal) {
    if (ordinal < 2) {
      Frame outer(kOuter);
      Frame inner(kInner);
      recorder().latch_contended(kTestSite, 1);
      recorder().latch_wait_begins(kTestSite);
      line.waiting.fetch_add(1);
      platform::futex_wake(line.waiting, platform::kWakeAll);
      while (line.release.load() == 0)
        platform::futex_wait(line.release, 0);
      recorder().latch_wait_ends(kTestSite);
      recorder().latch_contention_ends();
    } else {
      for (uint32_t waiting; (waiting = line.waiting.load()) < 2;)
        platform::futex_wait(line.waiting, waiting);
      sampler.sample();
      line.release.store(1);
      platform::futex_wake(line.release, platform::kWakeAll);
    }
  });
  EXPECT_EQ(sampler.client_states()[static_cast<size_t>(ThreadState::waiting)], 2u);
  EXPECT_EQ(latch_site_total(kTestSite.id).samples_waiting, 2u);
  const std::vector<StackCount> stacks = sampler.stacks(10);
  ASSERT_EQ(stacks.size(), 1u);
  EXPECT_EQ(stacks[0].functions, (std::vector<uint32_t>{kOuter.id, kInner.id}));
  EXPECT_EQ(stacks[0].samples, 2u);
}

}  // namespace
}  // namespace latchscope::telemetry
