#include "server/buf/buf_pool.h"

#include <gtest/gtest.h>

#include "telemetry/telemetry.h"
#include "tests/small_server.h"
#include "tests/test_threads.h"

namespace latchscope::server::buf {
namespace {

using fil::TablespaceLookupVariant;
using telemetry::Counter;
using tests::SmallServer;

class BufPoolTest : public testing::Test {
 protected:
  void SetUp() override {
    server_.create(0);
    space_ = server_.fil_system.find(SmallServer::kFirstSpaceId);
    telemetry::reset();
  }

  DbErr get(uint32_t page_no) {
    PageLatch page;
    return server_.buffer_pool.get(space_, {space_->id, page_no}, page);
  }

  SmallServer server_{TablespaceLookupVariant::global_mutex, /*frames=*/16};
  fil::FilSpace* space_ = nullptr;
};

TEST_F(BufPoolTest, APageIsReadOnceAndThenFound) {
  ASSERT_EQ(get(1), DbErr::success);
  ASSERT_EQ(get(1), DbErr::success);
  EXPECT_EQ(telemetry::counter_total(Counter::page_gets), 2u);
  EXPECT_EQ(telemetry::counter_total(Counter::block_reads), 1u);
}

TEST_F(BufPoolTest, ThePageIsThatOfTheFile) {
  PageLatch page;
  ASSERT_EQ(server_.buffer_pool.get(space_, {space_->id, 3}, page), DbErr::success);
  EXPECT_EQ(read_at<uint32_t>(page.frame(), kFilPageNo), 3u);
  EXPECT_EQ(memcmp(page.frame(), space_->node.file->page(3), kPageBytes), 0);
}

TEST_F(BufPoolTest, TheLeastRecentlyUsedPageIsEvictedFirst) {
  for (uint32_t page_no = 2; page_no <= 16; ++page_no)
    ASSERT_EQ(get(page_no), DbErr::success);  // and the bitmap page, page 1
  ASSERT_EQ(get(17), DbErr::success);         // evicts page 2
  const uint64_t reads = telemetry::counter_total(Counter::block_reads);
  ASSERT_EQ(get(3), DbErr::success);
  EXPECT_EQ(telemetry::counter_total(Counter::block_reads), reads);
  ASSERT_EQ(get(2), DbErr::success);
  EXPECT_EQ(telemetry::counter_total(Counter::block_reads), reads + 2)
      << "the bitmap page was the oldest then";
}

TEST_F(BufPoolTest, AFixedPageIsNotEvicted) {
  PageLatch fixed;
  ASSERT_EQ(server_.buffer_pool.get(space_, {space_->id, 2}, fixed), DbErr::success);
  for (uint32_t page_no = 3; page_no <= 25; ++page_no)
    ASSERT_EQ(get(page_no), DbErr::success);
  EXPECT_EQ(read_at<uint32_t>(fixed.frame(), kFilPageNo), 2u);
  const uint64_t reads = telemetry::counter_total(Counter::block_reads);
  ASSERT_EQ(get(2), DbErr::success);
  EXPECT_EQ(telemetry::counter_total(Counter::block_reads), reads);
}

TEST_F(BufPoolTest, ThePageCleanerKeepsAnEighthOfTheFramesFree) {
  for (uint32_t page_no = 2; page_no <= 16; ++page_no)
    ASSERT_EQ(get(page_no), DbErr::success);
  EXPECT_GE(server_.buffer_pool.refill_free_lists(), 2u);
  EXPECT_EQ(server_.buffer_pool.refill_free_lists(), 0u) << "enough frames are free now";
  const uint64_t by_clients = telemetry::counter_total(Counter::pages_evicted_by_clients);
  ASSERT_EQ(get(20), DbErr::success);
  EXPECT_EQ(telemetry::counter_total(Counter::pages_evicted_by_clients), by_clients);
}

// A client that finds no free frame evicts one page itself, and does not wake the page cleaner.
TEST_F(BufPoolTest, AClientWithoutAFreeFrameEvictsOnePage) {
  for (const PoolMutexVariant variant : {PoolMutexVariant::one_mutex, PoolMutexVariant::split_mutexes}) {
    server_.buffer_pool.use(variant);
    for (uint32_t page_no = 2; page_no <= 16; ++page_no)
      ASSERT_EQ(get(page_no), DbErr::success);
    ASSERT_EQ(get(17), DbErr::success);
    ASSERT_EQ(get(18), DbErr::success);  // the bitmap page is no longer among the oldest
    server_.buffer_pool.cleaner_event().reset();
    const uint64_t by_clients = telemetry::counter_total(Counter::pages_evicted_by_clients);
    ASSERT_EQ(get(19), DbErr::success);
    EXPECT_EQ(telemetry::counter_total(Counter::pages_evicted_by_clients), by_clients + 1);
    EXPECT_FALSE(server_.buffer_pool.cleaner_event().is_set());
    EXPECT_TRUE(server_.buffer_pool.is_consistent());
  }
}

// 65 pages; the first area has 64 of them. An area is checked when its first or last page is
// accessed.
TEST(LinearReadAhead, LooksAtAnAreaOncePerBorderPage) {
  SmallServer server(TablespaceLookupVariant::global_mutex, /*frames=*/128);
  server.create(0, /*rows=*/6'000);
  fil::FilSpace* space = server.fil_system.find(SmallServer::kFirstSpaceId);
  ASSERT_GT(space->node.file->pages(), 64u);
  server.buffer_pool.use_linear_read_ahead(true);
  telemetry::reset();
  const auto get = [&](uint32_t page_no) {
    PageLatch page;
    ASSERT_EQ(server.buffer_pool.get(space, {space->id, page_no}, page), DbErr::success);
  };
  get(30);
  EXPECT_EQ(telemetry::counter_total(Counter::read_ahead_linear_checks), 0u);
  get(63);
  EXPECT_EQ(telemetry::counter_total(Counter::read_ahead_linear_checks), 1u);
  get(63);
  EXPECT_EQ(telemetry::counter_total(Counter::read_ahead_linear_checks), 1u) << "only the first access";
}

TEST_F(BufPoolTest, ResizingKeepsThePoolUsable) {
  for (uint32_t frames : {32u, 8u, 16u}) {
    server_.buffer_pool.resize({frames, 2});
    for (uint32_t page_no = 1; page_no <= 25; ++page_no)
      ASSERT_EQ(get(page_no), DbErr::success);
    EXPECT_TRUE(server_.buffer_pool.is_consistent());
    EXPECT_EQ(server_.buffer_pool.size().frames, frames);
  }
}

TEST_F(BufPoolTest, ManyThreadsThatWantTheSamePageReadItOnce) {
  tests::run_threads(8, [&](uint32_t) { ASSERT_EQ(get(5), DbErr::success); });
  EXPECT_EQ(telemetry::counter_total(Counter::block_reads), 2u) << "it and the bitmap page";
}

TEST_F(BufPoolTest, AReadOfAMissingTablespaceLeavesNoFrameBehind) {
  PageLatch page;
  for (int i = 0; i < 40; ++i) {
    ASSERT_EQ(server_.buffer_pool.get(space_, {/*space=*/999, 1}, page), DbErr::tablespace_missing);
  }
  EXPECT_TRUE(server_.buffer_pool.is_consistent());
}

using BufPoolDeathTest = BufPoolTest;

TEST_F(BufPoolDeathTest, ACorruptPageStopsTheEngine) {
  space_->node.file->page(2)[5000] ^= 1;
  EXPECT_DEATH((void)get(2), "a page that was read has a valid checksum");
}

}  // namespace
}  // namespace latchscope::server::buf
