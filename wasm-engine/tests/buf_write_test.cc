#include <gtest/gtest.h>

#include "server/buf/buf_pool.h"
#include "telemetry/telemetry.h"
#include "tests/small_server.h"
#include "tests/test_threads.h"

namespace latchscope::server::buf {
namespace {

using telemetry::Counter;
using tests::SmallServer;

const telemetry::LatchSite kSite("buf_block_t::lock", "test");
constexpr uint32_t kChangedByte = 9'000;

class BufWriteTest : public testing::Test {
 protected:
  void SetUp() override {
    server_.create(0);
    space_ = server_.fil_system.find(SmallServer::kFirstSpaceId);
    telemetry::reset();
  }

  PageId id(uint32_t page_no) const { return {space_->id, page_no}; }

  void change(uint32_t page_no, uint8_t value) {
    PageXLatch page;
    ASSERT_EQ(server_.buffer_pool.get_x(kSite, space_, id(page_no), page), DbErr::success);
    page.frame()[kChangedByte] = value;
  }

  uint8_t read(uint32_t page_no) {
    PageLatch page;
    EXPECT_EQ(server_.buffer_pool.get(space_, id(page_no), page), DbErr::success);
    return page.frame()[kChangedByte];
  }

  // Reads 16 other pages, which evicts all others.
  void evict_everything() {
    for (uint32_t page_no = 10; page_no < 26; ++page_no)
      read(page_no);
  }

  SmallServer server_{fil::TablespaceLookupVariant::sharded_mutex, /*frames=*/16};
  fil::FilSpace* space_ = nullptr;
};

TEST_F(BufWriteTest, AChangedPageIsWrittenWhenItIsEvictedAndReadBack) {
  change(3, 77);
  EXPECT_NE(space_->node.file->page(3)[kChangedByte], 77) << "not written before";
  for (uint32_t page_no = 10; page_no < 25; ++page_no)
    // All pages except the bitmap page are now dirty, so one of them must be written.
    change(page_no, 1);
  EXPECT_EQ(telemetry::counter_total(Counter::pages_flushed), 1u);
  EXPECT_EQ(space_->node.file->page(3)[kChangedByte], 77);
  EXPECT_TRUE(page_is_sound(space_->node.file->page(3), id(3)));
  EXPECT_EQ(read(3), 77);
}

TEST_F(BufWriteTest, APoolFullOfDirtyPagesStillHasRoom) {
  for (uint32_t page_no = 1; page_no <= 25; ++page_no)
    change(page_no, static_cast<uint8_t>(page_no));
  for (uint32_t page_no = 1; page_no <= 25; ++page_no)
    EXPECT_EQ(read(page_no), page_no);
  EXPECT_TRUE(server_.buffer_pool.is_consistent());
}

TEST_F(BufWriteTest, ThePageCleanerWritesDirtyPages) {
  for (uint32_t page_no = 1; page_no <= 16; ++page_no)
    change(page_no, 5);
  EXPECT_GE(server_.buffer_pool.refill_free_lists(), 2u);
  EXPECT_GE(telemetry::counter_total(Counter::pages_flushed), 2u);
}

TEST_F(BufWriteTest, ResizingWritesDirtyPages) {
  change(4, 99);
  server_.buffer_pool.resize({32, 1});
  EXPECT_EQ(read(4), 99);
}

TEST_F(BufWriteTest, ADiscardedPageIsNotWritten) {
  change(5, 123);
  const uint8_t in_file = space_->node.file->page(5)[kChangedByte];
  server_.buffer_pool.discard(id(5));
  evict_everything();
  EXPECT_EQ(telemetry::counter_total(Counter::pages_flushed), 0u);
  EXPECT_EQ(read(5), in_file);
  server_.buffer_pool.discard(id(1));  // a page that is not in the pool
  EXPECT_TRUE(server_.buffer_pool.is_consistent());
}

TEST_F(BufWriteTest, DiscardWaitsForTheFixOfAReader) {
  platform::CacheLine line;
  platform::Atomic<uint32_t> fixed(line, 0);
  platform::Atomic<uint32_t> released(line, 0);
  tests::run_threads(2, [&](uint32_t ordinal) {
    if (ordinal == 0) {
      PageFix page;
      ASSERT_EQ(server_.buffer_pool.fix(space_, id(6), page), DbErr::success);
      fixed.store(1);
      telemetry::sleep_ns(2'000'000);  // gives a discard that does not wait time to finish first
      EXPECT_EQ(read_at<uint32_t>(page.frame(), kFilPageNo), 6u);
      released.store(1);
    } else {
      while (fixed.load() == 0)
        platform::yield();
      server_.buffer_pool.discard(id(6));
      EXPECT_EQ(released.load(), 1u);
    }
  });
}

TEST_F(BufWriteTest, ANewPageIsZerosAndIsNotRead) {
  server_.buffer_pool.discard(id(7));
  {
    PageXLatch page;
    ASSERT_EQ(server_.buffer_pool.create(kSite, id(7), page), DbErr::success);
    for (uint32_t i = 0; i < kPageBytes; ++i)
      ASSERT_EQ(page.frame()[i], 0);
    write_at<uint32_t>(page.frame(), kFilPageNo, 7);
    write_at<uint32_t>(page.frame(), kFilSpace, space_->id);
  }
  EXPECT_EQ(telemetry::counter_total(Counter::block_reads), 0u);
  evict_everything();
  EXPECT_TRUE(page_is_sound(space_->node.file->page(7), id(7)));
  PageXLatch page;
  EXPECT_EQ(server_.buffer_pool.create(kSite, {/*space=*/999, 1}, page), DbErr::tablespace_missing);
  EXPECT_TRUE(server_.buffer_pool.is_consistent());
}

// Each writer adds 1 to two bytes. Every reader must find their original difference, even after the
// page was written to its file and read back.
TEST_F(BufWriteTest, WritersAndReadersOfAPoolThatIsTooSmall) {
  constexpr uint32_t kPages = 25;
  uint8_t difference[kPages + 1] = {};
  const auto difference_in = [](const uint8_t* page) {
    return static_cast<uint8_t>(page[kChangedByte] - page[kChangedByte + 1]);
  };
  for (uint32_t page_no = 1; page_no <= kPages; ++page_no)
    difference[page_no] = difference_in(space_->node.file->page(page_no));
  const uint32_t rounds = tests::stress_rounds(3'000);
  tests::run_threads(4, [&](uint32_t ordinal) {
    platform::Random& random = telemetry::recorder().random();
    for (uint32_t i = 0; i < rounds; ++i) {
      const uint32_t page_no = 1 + random.below(kPages);
      if (ordinal % 2 == 0) {
        PageXLatch page;
        ASSERT_EQ(server_.buffer_pool.get_x(kSite, space_, id(page_no), page), DbErr::success);
        ++page.frame()[kChangedByte];
        ++page.frame()[kChangedByte + 1];
      } else {
        PageLatch page;
        ASSERT_EQ(server_.buffer_pool.get_at(kSite, space_, id(page_no), page), DbErr::success);
        ASSERT_EQ(difference_in(page.frame()), difference[page_no]);
      }
    }
  });
  EXPECT_GT(telemetry::counter_total(Counter::pages_flushed), 0u);
  EXPECT_TRUE(server_.buffer_pool.is_consistent());
}

}  // namespace
}  // namespace latchscope::server::buf
