#include "server/buf/buf_read_ahead.h"

#include <gtest/gtest.h>

#include "telemetry/telemetry.h"
#include "tests/small_server.h"
#include "tests/test_threads.h"

namespace latchscope::server::buf {
namespace {

using fil::TablespaceLookupVariant;
using telemetry::Counter;
using tests::SmallServer;

TEST(ReadAheadArea, IsAThirtySecondOfThePoolAtMost64Pages) {
  EXPECT_EQ(read_ahead_area_pages(16), 1u);
  EXPECT_EQ(read_ahead_area_pages(128), 4u);
  EXPECT_EQ(read_ahead_area_pages(1024), 32u);
  EXPECT_EQ(read_ahead_area_pages(1056), 64u) << "the next power of two";
  EXPECT_EQ(read_ahead_area_pages(100'000), 64u);
}

TEST(ReadAheadArea, ThirteenPagesOfAnExtentAreEnough) {
  EXPECT_EQ(read_ahead_threshold(64), 13u);
  EXPECT_EQ(read_ahead_threshold(8), 6u);
}

// A pool of 256 frames: areas of 8 pages, of which 6 must have been accessed.
class BufReadAheadTest : public testing::Test {
 protected:
  void SetUp() override {
    server_.create(0, /*rows=*/4'000);
    space_ = server_.fil_system.find(SmallServer::kFirstSpaceId);
    server_.buffer_pool.use_read_ahead(&read_ahead_);
    telemetry::reset();
  }

  void get(uint32_t first, uint32_t last) {
    for (uint32_t page_no = first; page_no <= last; ++page_no) {
      PageLatch page;
      ASSERT_EQ(server_.buffer_pool.get(space_, {space_->id, page_no}, page), DbErr::success);
      EXPECT_EQ(memcmp(page.frame(), space_->node.file->page(page_no), kPageBytes), 0);
    }
  }

  // Does the I/O handler's work on this thread.
  void handle() {
    os_aio_.request_stop();
    read_ahead_.io_handler_thread(kReads0);
  }

  static constexpr uint32_t kReads0 = 2;
  SmallServer server_{TablespaceLookupVariant::sharded_mutex, /*frames=*/256};
  aio::OsAio os_aio_{{.read_io_threads = 1, .write_io_threads = 1}};
  BufReadAhead read_ahead_{server_.buffer_pool, server_.fil_system, os_aio_, /*enabled=*/true};
  fil::FilSpace* space_ = nullptr;
};

TEST_F(BufReadAheadTest, SixPagesAskedForBringTheRestOfTheArea) {
  get(8, 13);
  EXPECT_EQ(telemetry::counter_total(Counter::read_aheads), 0u)
      << "the sixth was read, but not yet requested";
  get(15, 15);
  EXPECT_EQ(telemetry::counter_total(Counter::read_aheads), 1u);
  EXPECT_EQ(telemetry::counter_total(Counter::read_ahead_checks), 7u);
  EXPECT_EQ(telemetry::counter_total(Counter::aio_reads_posted), 1u) << "page 14";
  EXPECT_EQ(server_.buffer_pool.pending_reads(), 1u);
  handle();
  EXPECT_EQ(server_.buffer_pool.pending_reads(), 0u);
  EXPECT_EQ(telemetry::counter_total(Counter::aio_reads_completed), 1u);
  const uint64_t reads = telemetry::counter_total(Counter::block_reads);
  get(14, 14);
  EXPECT_EQ(telemetry::counter_total(Counter::block_reads), reads) << "it is there";
  EXPECT_TRUE(server_.buffer_pool.is_consistent());
}

TEST_F(BufReadAheadTest, SwitchedOffNothingIsReadAhead) {
  read_ahead_.enable(false);
  get(8, 15);
  EXPECT_EQ(telemetry::counter_total(Counter::read_ahead_checks), 0u);
  EXPECT_EQ(telemetry::counter_total(Counter::aio_reads_posted), 0u);
}

TEST_F(BufReadAheadTest, TheFirstAreaIncludesTheFileHeaderAndTheLastEndsWithTheFile) {
  get(1, 7);
  EXPECT_EQ(telemetry::counter_total(Counter::aio_reads_posted), 1u) << "page 0";
  handle();
  EXPECT_TRUE(server_.buffer_pool.is_consistent());
}

TEST_F(BufReadAheadTest, ThePosterHoldsNoLatchAfterwardsAndTheBlockIsLatched) {
  get(8, 13);
  get(15, 15);
  EXPECT_EQ(telemetry::recorder().slot().held_count[0].read(), 0u);
  EXPECT_FALSE(server_.buffer_pool.is_consistent()) << "page 14 is X-latched until its handler comes";
  handle();
  EXPECT_TRUE(server_.buffer_pool.is_consistent());
}

TEST_F(BufReadAheadTest, WhoWantsAPageThatIsBeingReadWaitsForItsLatch) {
  get(8, 13);
  get(15, 15);
  telemetry::reset();
  tests::run_threads(2, [&](uint32_t ordinal) {
    if (ordinal == 0) return get(14, 14);
    const auto blocked = [] {
      uint64_t waits = 0;
      for (uint32_t site = 0; site < telemetry::latch_sites_count(); ++site) {
        if (std::string_view(telemetry::latch_name_of_site(site)) == "buf_block_t::lock")
          waits += telemetry::latch_site_total(site).waits;
      }
      return waits > 0;
    };
    while (!blocked())
      platform::yield();
    handle();
  });
  EXPECT_EQ(telemetry::counter_total(Counter::block_reads), 1u);
  EXPECT_TRUE(server_.buffer_pool.is_consistent());
}

// Acquisitions: 5 per leaf page, 3 per other page, 2 per check of an area.
TEST_F(BufReadAheadTest, TheTablespaceMutexIsTakenAtPostAndAtCompletion) {
  get(8, 13);
  get(15, 15);
  handle();
  uint64_t acquisitions = 0;
  for (uint32_t site : server_.fil_system.lookup().read_path_sites())
    acquisitions += telemetry::latch_site_total(site).acquisitions;
  EXPECT_EQ(acquisitions, 5u * 8 + 3 + 2 * 7) << "8 leaf pages, the bitmap page, 7 looks at an area";
}

}  // namespace
}  // namespace latchscope::server::buf
