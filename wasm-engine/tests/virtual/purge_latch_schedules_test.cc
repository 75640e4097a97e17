// Readers of undo records against purge, over many schedules (explorer.h): every variant of the
// purge latch.
#include <gtest/gtest.h>

#include "server/trx/purge_latch.h"
#include "tests/virtual/explorer.h"

namespace latchscope::server::trx {
namespace {

using tests::expect_found;
using tests::expect_holds;
using tests::require;

const telemetry::LatchSite kViewX("purge_sys->latch", "purge_latch_schedules_test");
const telemetry::LatchSite kEndViewX("purge_sys->end_latch", "purge_latch_schedules_test");

constexpr const char* kFreedUnderReader = "a page is not freed while its record is copied";

enum class PurgeFault { none, no_x_lock, page_fixed_after_the_latch, frees_fixed_pages };

// One page of history. Readers copy its record unless the view says that it may be gone. Purge
// advances the view, then frees the page. purge_latch.h lists the latches that readers hold
// meanwhile.
class PurgeWorld final : public tests::Scenario {
 public:
  PurgeWorld(PurgeLatchVariant variant, PurgeFault fault) : fault_(fault), purge_latch_(latches_, variant) {
    latches_.spin = {1, 0, 0};
  }

  uint32_t threads() const override { return 3; }
  void run(uint32_t thread) override {
    if (thread == 2) return purge();
    purge_latch_.guards_end_view() ? read_from_fixed_page() : read_under_the_latch();
  }
  void check() override { require(purge_latch_.is_free(), "no thread holds the purge latch at the end"); }

 private:
  void copy_record() {
    require(!is_freed_, kFreedUnderReader);
    page_.fixes.load();
    require(!is_freed_, kFreedUnderReader);
  }

  void read_under_the_latch() {
    const uint32_t shard = purge_latch_.s_lock();
    if (!may_be_gone_) copy_record();
    purge_latch_.s_unlock(shard);
  }

  void read_from_fixed_page() {
    const uint32_t shard = purge_latch_.s_lock();
    const bool is_there = !may_be_gone_;
    const bool fixes_late = fault_ == PurgeFault::page_fixed_after_the_latch;
    if (is_there && !fixes_late) page_.fixes.fetch_add(1);
    purge_latch_.s_unlock(shard);
    if (!is_there) return;
    if (fixes_late) page_.fixes.fetch_add(1);
    copy_record();
    page_.fixes.fetch_sub(1);
  }

  void purge() {
    if (fault_ != PurgeFault::no_x_lock) purge_latch_.x_lock(kViewX);
    if (!purge_latch_.guards_end_view()) may_be_gone_ = true;
    if (fault_ != PurgeFault::no_x_lock) purge_latch_.x_unlock();
    if (purge_latch_.guards_end_view()) {
      if (fault_ != PurgeFault::no_x_lock) purge_latch_.end_x_lock(kEndViewX);
      may_be_gone_ = true;
      if (fault_ != PurgeFault::no_x_lock) purge_latch_.end_x_unlock();
      while (fault_ != PurgeFault::frees_fixed_pages && page_.fixes.load() != 0)
        platform::yield();
    }
    is_freed_ = true;
  }

  struct alignas(64) Page : platform::CacheLine {
    platform::Atomic<uint32_t> fixes{*this, 0};
  };
  const PurgeFault fault_;
  latch::LatchEnvironment latches_{3};
  PurgeLatch purge_latch_;
  bool may_be_gone_ = false;
  bool is_freed_ = false;
  Page page_;
};

tests::BuildScenario purge(PurgeLatchVariant variant, PurgeFault fault = PurgeFault::none) {
  return [=] { return std::make_unique<PurgeWorld>(variant, fault); };
}

TEST(Schedules, PurgeLatchRwLock) {
  expect_holds("purge latch, rw_lock", purge(PurgeLatchVariant::rw_lock));
}
TEST(Schedules, PurgeLatchShardedRwLock) {
  expect_holds("purge latch, sharded_rw_lock", purge(PurgeLatchVariant::sharded_rw_lock));
}
TEST(Schedules, PurgeLatchViewGuard) {
  expect_holds("purge latch, view_guard", purge(PurgeLatchVariant::view_guard));
}
TEST(Schedules, PurgeLatchShardedViewGuard) {
  expect_holds("purge latch, sharded_view_guard", purge(PurgeLatchVariant::sharded_view_guard));
}
TEST(BrokenTwin, PurgeThatMovesItsViewWithoutTheLatch) {
  for (const auto variant :
       {PurgeLatchVariant::rw_lock, PurgeLatchVariant::view_guard, PurgeLatchVariant::sharded_view_guard})
    expect_found("purge latch, view moved without the latch", kFreedUnderReader,
                 purge(variant, PurgeFault::no_x_lock));
}
TEST(BrokenTwin, ViewGuardWhoseReaderFixesItsPageAfterTheLatch) {
  expect_found("purge latch, page fixed after the latch", kFreedUnderReader,
               purge(PurgeLatchVariant::view_guard, PurgeFault::page_fixed_after_the_latch));
}
TEST(BrokenTwin, ViewGuardThatFreesFixedPages) {
  expect_found("purge latch, frees fixed pages", kFreedUnderReader,
               purge(PurgeLatchVariant::view_guard, PurgeFault::frees_fixed_pages));
}

}  // namespace
}  // namespace latchscope::server::trx
