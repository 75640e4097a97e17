#include "server/trx/purge_latch.h"

namespace latchscope::server::trx {

namespace {

const telemetry::LatchSite kLatchSGet("purge_sys->latch", "trx_undo_get_undo_rec");
const telemetry::LatchSite kEndLatchSGet("purge_sys->end_latch", "trx_undo_get_undo_rec");

}  // namespace

PurgeLatch::PurgeLatch(latch::LatchEnvironment& latches, PurgeLatchVariant variant, lab::LatchPlace* place)
    : variant_(variant),
      place_(place),
      srw_latches_(platform::threads_max()),
      latch_(latches),
      sharded_latch_(latches, kPurgeLatchShards),
      view_latch_(srw_latches_),
      end_latch_(srw_latches_),
      sharded_end_latch_(srw_latches_, kPurgeLatchShards) {
  srw_latches_.rw_lock_bookkeeping = latch::RwLockBookkeeping::none;
  if (place != nullptr) yours_.emplace(*place);
  use(variant);
}

void PurgeLatch::use(PurgeLatchVariant variant) {
  variant_ = variant;
  if (place_ != nullptr) place_->put_in_force(variant == PurgeLatchVariant::yours);
}

// Acquires the latch written in the lab, or the rw_lock that replaces it when it is not in force.
void PurgeLatch::s_lock_yours(const telemetry::LatchSite& site) NO_THREAD_SAFETY_ANALYSIS {
  if (yours_->enter_shared(site)) return;
  latch_.s_lock(site);
  yours_->enter_shared_beside_own();
}

void PurgeLatch::x_lock_yours(const telemetry::LatchSite& site) NO_THREAD_SAFETY_ANALYSIS {
  if (yours_->enter(site)) return;
  latch_.x_lock(site);
  yours_->enter_beside_own();
}

uint32_t PurgeLatch::s_lock() NO_THREAD_SAFETY_ANALYSIS {
  switch (variant_) {
    case PurgeLatchVariant::rw_lock:
      latch_.s_lock(kLatchSGet);
      return 0;
    case PurgeLatchVariant::sharded_rw_lock:
      return sharded_latch_.s_lock(kLatchSGet);
    case PurgeLatchVariant::view_guard:
      end_latch_.s_lock(kEndLatchSGet);
      return 0;
    case PurgeLatchVariant::sharded_view_guard:
      return sharded_end_latch_.s_lock_own(kEndLatchSGet);
    case PurgeLatchVariant::yours:
      s_lock_yours(kLatchSGet);
      return 0;
  }
  return 0;
}

void PurgeLatch::s_unlock(uint32_t shard) NO_THREAD_SAFETY_ANALYSIS {
  switch (variant_) {
    case PurgeLatchVariant::rw_lock:
      return latch_.s_unlock();
    case PurgeLatchVariant::sharded_rw_lock:
      return sharded_latch_.s_unlock(shard);
    case PurgeLatchVariant::view_guard:
      return end_latch_.s_unlock();
    case PurgeLatchVariant::sharded_view_guard:
      return sharded_end_latch_.s_unlock(shard);
    case PurgeLatchVariant::yours:
      if (!yours_->exit_shared()) latch_.s_unlock();
      return;
  }
}

void PurgeLatch::x_lock(const telemetry::LatchSite& site) NO_THREAD_SAFETY_ANALYSIS {
  switch (variant_) {
    case PurgeLatchVariant::rw_lock:
      return latch_.x_lock(site);
    case PurgeLatchVariant::sharded_rw_lock:
      return sharded_latch_.x_lock(site);
    case PurgeLatchVariant::view_guard:
    case PurgeLatchVariant::sharded_view_guard:
      return view_latch_.x_lock(site);
    case PurgeLatchVariant::yours:
      return x_lock_yours(site);
  }
}

void PurgeLatch::x_unlock() NO_THREAD_SAFETY_ANALYSIS {
  switch (variant_) {
    case PurgeLatchVariant::rw_lock:
      return latch_.x_unlock();
    case PurgeLatchVariant::sharded_rw_lock:
      return sharded_latch_.x_unlock();
    case PurgeLatchVariant::view_guard:
    case PurgeLatchVariant::sharded_view_guard:
      return view_latch_.x_unlock();
    case PurgeLatchVariant::yours:
      if (!yours_->exit()) latch_.x_unlock();
      return;
  }
}

// Does nothing under the other variants: readers test the purge view there, and no reader reads the
// end view.
void PurgeLatch::end_x_lock(const telemetry::LatchSite& site) NO_THREAD_SAFETY_ANALYSIS {
  if (variant_ == PurgeLatchVariant::view_guard) end_latch_.x_lock(site);
  if (variant_ == PurgeLatchVariant::sharded_view_guard) sharded_end_latch_.x_lock(site);
}

void PurgeLatch::end_x_unlock() NO_THREAD_SAFETY_ANALYSIS {
  if (variant_ == PurgeLatchVariant::view_guard) end_latch_.x_unlock();
  if (variant_ == PurgeLatchVariant::sharded_view_guard) sharded_end_latch_.x_unlock();
}

uint32_t PurgeLatch::reader_site() {
  return kLatchSGet.id;
}
uint32_t PurgeLatch::reader_end_site() {
  return kEndLatchSGet.id;
}

bool PurgeLatch::is_free() const {
  constexpr int32_t kFree = latch::RwLock::kXLockDecr;
  return latch_.lock_word() == kFree && view_latch_.lock_word() == kFree && end_latch_.lock_word() == kFree &&
         sharded_latch_.is_free() && sharded_end_latch_.is_free();
}

}  // namespace latchscope::server::trx
