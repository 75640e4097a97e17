#include "latch/sharded_rw_lock.h"

#include <gtest/gtest.h>

#include "tests/test_threads.h"

namespace latchscope::latch {
namespace {

const telemetry::LatchSite kShardedSite("test_sharded_rw_lock", "test");

class ShardedRwLockTest : public testing::Test {
 protected:
  LatchEnvironment environment_{64};
  ShardedRwLock lock_{environment_, 8};
};

TEST_F(ShardedRwLockTest, AReaderLocksOneShardAndAWriterAll) {
  telemetry::reset();
  lock_.s_unlock(lock_.s_lock(kShardedSite));
  EXPECT_EQ(telemetry::latch_site_total(kShardedSite.id).acquisitions, 1u);
  lock_.x_lock(kShardedSite);
  EXPECT_EQ(telemetry::latch_site_total(kShardedSite.id).acquisitions, 9u);
  EXPECT_FALSE(lock_.is_free());
  lock_.x_unlock();
  EXPECT_TRUE(lock_.is_free());
}

TEST_F(ShardedRwLockTest, ReadersSpreadOverTheShards) {
  std::vector<uint32_t> picked(8);
  for (int i = 0; i < 400; ++i) {
    const uint32_t shard = lock_.s_lock(kShardedSite);
    ++picked[shard];
    lock_.s_unlock(shard);
  }
  for (uint32_t count : picked)
    EXPECT_GT(count, 10u);
}

TEST_F(ShardedRwLockTest, ThreadsHaveAShardOfTheirOwnAsLongAsThereAreEnough) {
  std::vector<uint32_t> shard_of(8);
  tests::run_threads(8, [&](uint32_t ordinal) NO_THREAD_SAFETY_ANALYSIS {
    shard_of[ordinal] = lock_.s_lock_own(kShardedSite);
    lock_.s_unlock(shard_of[ordinal]);
    const uint32_t again = lock_.s_lock_own(kShardedSite);
    lock_.s_unlock(again);
    EXPECT_EQ(again, shard_of[ordinal]);
  });
  std::sort(shard_of.begin(), shard_of.end());
  EXPECT_EQ(std::unique(shard_of.begin(), shard_of.end()), shard_of.end());
  lock_.x_lock(kShardedSite);
  tests::run_threads(
      1, [&](uint32_t) NO_THREAD_SAFETY_ANALYSIS { EXPECT_FALSE(lock_.try_x_lock(kShardedSite)); });
  lock_.x_unlock();
}

TEST_F(ShardedRwLockTest, TryXBacksOutIfAnyShardIsRead) NO_THREAD_SAFETY_ANALYSIS {
  const uint32_t shard = lock_.s_lock(kShardedSite);
  tests::run_threads(
      1, [&](uint32_t) NO_THREAD_SAFETY_ANALYSIS { EXPECT_FALSE(lock_.try_x_lock(kShardedSite)); });
  lock_.s_unlock(shard);
  EXPECT_TRUE(lock_.is_free()) << "try-X left no shard locked";
  ASSERT_TRUE(lock_.try_x_lock(kShardedSite));
  lock_.x_unlock();
}

TEST_F(ShardedRwLockTest, WritersExcludeReadersAndEachOther) {
  uint64_t value = 0;
  uint64_t copy = 0;
  const uint32_t rounds = tests::stress_rounds(5'000);
  tests::run_threads(4, [&](uint32_t ordinal) NO_THREAD_SAFETY_ANALYSIS {
    for (uint32_t i = 0; i < rounds; ++i) {
      if (ordinal == 0 || i % 64 == 0) {
        lock_.x_lock(kShardedSite);
        ++value;
        ++copy;
        lock_.x_unlock();
      } else {
        const uint32_t shard = lock_.s_lock(kShardedSite);
        ASSERT_EQ(value, copy);
        lock_.s_unlock(shard);
      }
    }
  });
  EXPECT_EQ(value, rounds + 3 * ((rounds + 63) / 64));
  EXPECT_TRUE(lock_.is_free());
}

}  // namespace
}  // namespace latchscope::latch
