// How readers of undo records and purge exclude each other: the knob `purge_latch`.
//
//   variant           a reader of an undo record holds                     purge, to clone the oldest view,
//                                                                          holds
//   rw_lock           purge_sys->latch S, until the record is copied       purge_sys->latch X
//   sharded_rw_lock   one of 64 shards S, until the record is copied       all 64 shards X
//   view_guard        purge_sys->end_latch S, until the page is fixed      purge_sys->latch X; and, before
//                                                                          it frees pages,
//                                                                          purge_sys->end_latch X
//   sharded_          one of 64 shards of purge_sys->end_latch S, its      the same, with all 64 shards
//     view_guard      own, until the page is fixed
//   yours             as rw_lock, but the latch is one that the page's      the same
//                     reader has written
//
// Sources: MySQL 8.0 and 8.4 trx0purge (rw_lock); MySQL 8.4 Sharded_rw_lock as lock_sys uses it
// (sharded_rw_lock); MariaDB MDEV-34515 (view_guard), whose latches do not record their readers. Nobody has
// shipped sharded_view_guard: it is a design of this project, which shows what remains once readers share no
// counter.
//
// Invariants
//   1. What a reader tests (purge view, or end view under a view guard) does not change while it holds its
//      latch.
//   2. Purge frees a page only after it has held X since the view that allows it was set. So a reader that
//      passed the test has its record copied, or its page fixed, before; and a fixed page is not freed.
//   3. A reader never takes S twice. Latch order: clustered leaf, purge latch, fil shard, page hash, undo
//      page.
#pragma once

#include <cstdint>
#include <optional>

#include "lab/your_latch.h"
#include "latch/rw_lock.h"
#include "latch/sharded_rw_lock.h"

namespace latchscope::server::trx {

enum class PurgeLatchVariant : uint8_t { rw_lock, sharded_rw_lock, view_guard, sharded_view_guard, yours };
inline constexpr uint32_t kPurgeLatchShards = 64;  // as the global latch of lock_sys

class PurgeLatch {
 public:
  // `place`: of a reader's rw-latch, or null.
  PurgeLatch(latch::LatchEnvironment& latches, PurgeLatchVariant variant, lab::LatchPlace* place = nullptr);

  PurgeLatchVariant variant() const { return variant_; }
  // Whether readers test the end view, hold their latch only until the page is fixed, and read it without its latch.
  bool guards_end_view() const {
    return variant_ == PurgeLatchVariant::view_guard || variant_ == PurgeLatchVariant::sharded_view_guard;
  }
  // Changes the variant. No reader and no purge may be active.
  void use(PurgeLatchVariant variant);

  // A reader of an undo record. Returns the value to pass to s_unlock.
  uint32_t s_lock();
  void s_unlock(uint32_t shard);

  // Purge, around a change of its view or its state.
  void x_lock(const telemetry::LatchSite& site);
  void x_unlock();
  // Purge, around a change of the end view.
  void end_x_lock(const telemetry::LatchSite& site);
  void end_x_unlock();

  // Latch acquisitions of one x_lock().
  uint32_t latches_per_x() const {
    return variant_ == PurgeLatchVariant::sharded_rw_lock ? kPurgeLatchShards : 1;
  }
  // Latch sites (ids) of s_lock: purge_sys->latch and purge_sys->end_latch.
  static uint32_t reader_site();
  static uint32_t reader_end_site();
  // Nobody holds any of them.
  bool is_free() const;

 private:
  void s_lock_yours(const telemetry::LatchSite& site);
  void x_lock_yours(const telemetry::LatchSite& site);

  PurgeLatchVariant variant_;
  lab::LatchPlace* const place_;
  latch::LatchEnvironment srw_latches_;  // MariaDB's srw_lock: no bookkeeping of readers
  latch::RwLock latch_;
  std::optional<lab::YourLatch> yours_;
  latch::ShardedRwLock sharded_latch_;
  latch::RwLock view_latch_;
  latch::RwLock end_latch_;
  latch::ShardedRwLock sharded_end_latch_;
};

}  // namespace latchscope::server::trx
