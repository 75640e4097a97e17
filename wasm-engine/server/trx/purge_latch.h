// The latch by which readers of undo records and purge exclude each other: the knob `purge_latch`.
//
//   variant          a reader of an undo record holds          purge, to clone the oldest view,
//                                                              holds
//   rw_lock          purge_sys->latch S, until the record      purge_sys->latch X
//                    is copied
//   sharded_rw_lock  one of 64 shards S, until the record      all 64 shards X
//                    is copied
//   view_guard       purge_sys->end_latch S, until the page    purge_sys->latch X; and, before it
//                    is fixed                                  frees pages, purge_sys->end_latch X
//   sharded_         its own one of 64 shards of               the same, with all 64 shards
//     view_guard     purge_sys->end_latch S, until the page
//                    is fixed
//   yours            as rw_lock, with the latch written in     the same
//                    the lab
//
// Sources: MySQL 8.0 and 8.4 trx0purge (rw_lock); MySQL 8.4 Sharded_rw_lock as lock_sys uses it
// (sharded_rw_lock); MariaDB MDEV-34515 (view_guard), whose latches do not record their readers.
// sharded_view_guard has never shipped. It is a design of this project that shows the remaining
// cost once readers share no counter.
//
// Invariants
//   1. The state that a reader tests (the purge view, or the end view under a view guard) does not
//      change while the reader holds its latch.
//   2. Purge frees a page only after it has held X since the view that allows this was set. A
//      reader that passed the test has therefore copied its record, or fixed its page. A fixed page
//      is not freed.
//   3. A reader never acquires S twice. Latch order: clustered leaf, purge latch, fil shard, page
//      hash, undo page.
#pragma once

#include <cstdint>
#include <optional>

#include "lab/your_latch.h"
#include "latch/rw_lock.h"
#include "latch/sharded_rw_lock.h"

namespace latchscope::server::trx {

enum class PurgeLatchVariant : uint8_t { rw_lock, sharded_rw_lock, view_guard, sharded_view_guard, yours };
inline constexpr uint32_t kPurgeLatchShards = 64;  // same number as the global latch of lock_sys

class PurgeLatch {
 public:
  // `place` is the place of the rw-latch written in the lab, or null.
  PurgeLatch(latch::LatchEnvironment& latches, PurgeLatchVariant variant, lab::LatchPlace* place = nullptr);

  PurgeLatchVariant variant() const { return variant_; }
  // True if readers test the end view, hold their latch only until the page is fixed, and read the
  // page without its latch.
  bool guards_end_view() const {
    return variant_ == PurgeLatchVariant::view_guard || variant_ == PurgeLatchVariant::sharded_view_guard;
  }
  // Changes the variant.
  // REQUIRES: no reader and no purge is active.
  void use(PurgeLatchVariant variant);

  // Called by a reader of an undo record. Returns the value to pass to s_unlock.
  uint32_t s_lock();
  void s_unlock(uint32_t shard);

  // Called by purge around a change of its view or its state.
  void x_lock(const telemetry::LatchSite& site);
  void x_unlock();
  // Called by purge around a change of the end view.
  void end_x_lock(const telemetry::LatchSite& site);
  void end_x_unlock();

  // Returns the number of latch acquisitions in one x_lock().
  uint32_t latches_per_x() const {
    return variant_ == PurgeLatchVariant::sharded_rw_lock ? kPurgeLatchShards : 1;
  }
  // Return the latch sites (ids) of s_lock: purge_sys->latch and purge_sys->end_latch.
  static uint32_t reader_site();
  static uint32_t reader_end_site();
  // Returns true if no thread holds any of the latches.
  bool is_free() const;

 private:
  void s_lock_yours(const telemetry::LatchSite& site);
  void x_lock_yours(const telemetry::LatchSite& site);

  PurgeLatchVariant variant_;
  lab::LatchPlace* const place_;
  latch::LatchEnvironment srw_latches_;  // MariaDB's srw_lock: readers are not recorded
  latch::RwLock latch_;
  std::optional<lab::YourLatch> yours_;
  latch::ShardedRwLock sharded_latch_;
  latch::RwLock view_latch_;
  latch::RwLock end_latch_;
  latch::ShardedRwLock sharded_end_latch_;
};

}  // namespace latchscope::server::trx
