#include "server/fil/page_size_lookup.h"

namespace latchscope::server::fil {

namespace {

const telemetry::LatchSite kGetPageSizeMutex("Fil_shard::m_mutex", "fil_space_get_page_size");
const telemetry::LatchSite kGetPageSizeRwLock("Fil_shard::m_rw_lock", "fil_space_get_page_size");
const telemetry::Function kGetPageSizeFrame("fil_space_get_page_size");

DbErr page_size_of(const FilSpace* space, uint32_t& page_bytes) {
  if (space == nullptr) return DbErr::tablespace_missing;
  page_bytes = space->page_bytes;
  return DbErr::success;
}

DbErr under_mutex(FilShard& shard, uint32_t space_id, uint32_t& page_bytes) {
  FilMutexGuard guard(shard.mutex, kGetPageSizeMutex);
  return page_size_of(shard.find(space_id), page_bytes);
}

// Reads `spaces` under the rw_lock instead of the mutex; a thread that changes it holds both.
DbErr under_rw_lock(FilShard& shard, uint32_t space_id, uint32_t& page_bytes) NO_THREAD_SAFETY_ANALYSIS {
  latch::SharedGuard guard(shard.rw_lock, kGetPageSizeRwLock);
  return page_size_of(shard.find(space_id), page_bytes);
}

}  // namespace

DbErr fil_space_get_page_size(FilSystem& fil_system, PageSizeLookupVariant variant, uint32_t space_id,
                              uint32_t cached_page_bytes, uint32_t& page_bytes) {
  if (variant == PageSizeLookupVariant::cached) {
    page_bytes = cached_page_bytes;
    return DbErr::success;
  }
  telemetry::Frame frame(kGetPageSizeFrame);
  FilShard& shard = fil_system.shard_of(space_id);
  return variant == PageSizeLookupVariant::shard_rw_lock ? under_rw_lock(shard, space_id, page_bytes)
                                                         : under_mutex(shard, space_id, page_bytes);
}

uint32_t page_size_mutex_site() {
  return kGetPageSizeMutex.id;
}
uint32_t page_size_rw_lock_site() {
  return kGetPageSizeRwLock.id;
}

}  // namespace latchscope::server::fil
