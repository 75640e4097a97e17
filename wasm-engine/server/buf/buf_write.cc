// The part of the buffer pool that changes pages: X latches, new pages, dirty pages and their
// write-back. Sources: MySQL 8.0 buf0buf, buf0flu, buf0lru.
#include <cstring>

#include "server/buf/buf_pool.h"
#include "telemetry/telemetry.h"

namespace latchscope::server::buf {

using latch::ExclusiveGuard;
using latch::SharedGuard;
using telemetry::Counter;

namespace {

const telemetry::LatchSite kHashXCreate("buf_pool->page_hash", "buf_page_create");
const telemetry::LatchSite kHashSDiscard("buf_pool->page_hash", "buf_page_free");
const telemetry::LatchSite kHashSFlush("buf_pool->page_hash", "buf_flush_single_page_from_LRU");
const LruSite kLruCreate("buf_page_create");
const LruSite kLruDiscard("buf_page_free");
const LruSite kLruFlush("buf_flush_single_page_from_LRU");
const telemetry::LatchSite kBlockSxFlush("buf_block_t::lock", "buf_flush_page");
const telemetry::LatchSite kBlockSFix("buf_block_t::lock", "buf_wait_for_read");

const telemetry::Function kPageGetForWrite("buf_page_get_gen");
const telemetry::Function kPageCreate("buf_page_create");
const telemetry::Function kFlushPage("buf_flush_page");

constexpr uint32_t kLruScanForWrite = 100;

}  // namespace

PageXLatch& PageXLatch::operator=(PageXLatch&& other) noexcept {
  std::swap(block_, other.block_);
  return *this;
}

// mtr_commit: marks the page dirty before its latch is released.
void PageXLatch::release() NO_THREAD_SAFETY_ANALYSIS {
  if (block_ == nullptr) return;
  LATCHSCOPE_ASSERT(block_->space != nullptr, "a changed page refers to its tablespace");
  block_->line.is_dirty.store_release(1);
  block_->lock.x_unlock();
  block_->line.fix_count.fetch_sub(1);
  block_ = nullptr;
}

PageFix& PageFix::operator=(PageFix&& other) noexcept {
  std::swap(block_, other.block_);
  return *this;
}

void PageFix::release() {
  if (block_ == nullptr) return;
  block_->line.fix_count.fetch_sub(1);
  block_ = nullptr;
}

DbErr BufPool::get_x(const telemetry::LatchSite& site, fil::FilSpace* table_space, PageId id,
                     PageXLatch& page) {
  BufBlock* block;
  const DbErr outcome = x_latch_page(site, table_space, id, block);
  if (outcome == DbErr::success) page = PageXLatch(*block);
  return outcome;
}

// On success the page is fixed and X-latched.
DbErr BufPool::x_latch_page(const telemetry::LatchSite& site, fil::FilSpace* table_space, PageId id,
                            BufBlock*& block) NO_THREAD_SAFETY_ANALYSIS {
  telemetry::Frame frame(kPageGetForWrite);
  telemetry::count(Counter::page_gets);
  Instance& instance = instance_of(id);
  for (;;) {
    const DbErr outcome = fix_block(instance, table_space, id, block);
    if (outcome != DbErr::success) return outcome;
    block->lock.x_lock(site);
    if (is_usable(instance, *block)) {
      note_access(instance, table_space, *block);
      return DbErr::success;
    }
    block->lock.x_unlock();
    block->line.fix_count.fetch_sub(1);
    evict_stale(instance, *block);
  }
}

DbErr BufPool::fix(fil::FilSpace* table_space, PageId id, PageFix& page) NO_THREAD_SAFETY_ANALYSIS {
  telemetry::Frame frame(kPageGetForWrite);
  telemetry::count(Counter::page_gets);
  Instance& instance = instance_of(id);
  for (;;) {
    BufBlock* block;
    const DbErr outcome = fix_block(instance, table_space, id, block);
    if (outcome != DbErr::success) return outcome;
    // The reader holds X until the page has been read.
    if (block->line.io_fix_read.load() != 0) {
      block->lock.s_lock(kBlockSFix);
      block->lock.s_unlock();
    }
    PageFix fixed(*block);
    if (is_usable(instance, *block)) {
      page = std::move(fixed);
      note_access(instance, table_space, *block);
      return DbErr::success;
    }
    fixed.release();
    evict_stale(instance, *block);
  }
}

DbErr BufPool::create(const telemetry::LatchSite& site, PageId id,
                      PageXLatch& page) NO_THREAD_SAFETY_ANALYSIS {
  telemetry::Frame frame(kPageCreate);
  Instance& instance = instance_of(id);
  BufBlock* block = take_free_block(instance, /*batch=*/nullptr);
  fil::BlockRead no_read{.page = id, .table_space = nullptr};
  {
    PoolListGuard lru_guard(instance.lru_list_mutex, kLruCreate);
    PageHashCell& cell = instance.cell_of(id);
    ExclusiveGuard hash_guard(cell.lock, kHashXCreate);
    LATCHSCOPE_ASSERT(cell.find(id) == nullptr, "a new page is not in the pool");
    if (fil_system_.lookup().admit(no_read, block->space) == DbErr::success) {
      block->id = id;
      block->line.fix_count.fetch_add(1);
      block->line.holds_page.store_release(1);
      block->line.young_clock.store_release(instance.line.freed_page_clock.load_relaxed());
      block->lock.x_lock(site);
      cell.insert(*block);
      instance.lru.push_front(*block);
      page = PageXLatch(*block);
    }
  }
  if (block->line.holds_page.load() == 0) {
    put_free(instance, *block);
    return DbErr::tablespace_missing;
  }
  memset(page.frame(), 0, kPageBytes);
  return DbErr::success;
}

void BufPool::discard(PageId id) {
  Instance& instance = instance_of(id);
  for (;;) {
    BufBlock* block = nullptr;
    {
      PoolListGuard lru_guard(instance.lru_list_mutex, kLruDiscard);
      PageHashCell& cell = instance.cell_of(id);
      {
        SharedGuard hash_guard(cell.lock, kHashSDiscard);
        block = cell.find(id);
        if (block == nullptr) return;
      }
      block->line.is_dirty.store_release(0);
      if (!try_evict(instance, *block)) block = nullptr;
    }
    if (block != nullptr) {
      put_free(instance, *block);
      return;
    }
    platform::yield();
  }
}

bool BufPool::must_be_written(const BufBlock& block) {
  return block.line.is_dirty.load() != 0 && block.space->references.is_deleted.load() == 0;
}

// buf_flush_single_page_from_LRU: writes one dirty page from the LRU tail and evicts it. Returns
// null if there is none.
BufBlock* BufPool::evict_after_write(Instance& instance) {
  BufBlock* dirty = nullptr;
  {
    PoolListGuard lru_guard(instance.lru_list_mutex, kLruFlush);
    BufBlock* block = instance.lru.last();
    for (uint32_t scanned = 0; block != nullptr && scanned < kLruScanForWrite && dirty == nullptr;
         ++scanned) {
      SharedGuard hash_guard(instance.cell_of(block->id).lock, kHashSFlush);
      if (block->line.is_dirty.load() != 0 && block->line.fix_count.load() == 0) {
        block->line.fix_count.fetch_add(1);
        dirty = block;
      }
      block = instance.lru.previous(*block);
    }
  }
  if (dirty == nullptr) return nullptr;
  write_block(*dirty);
  dirty->line.fix_count.fetch_sub(1);
  PoolListGuard lru_guard(instance.lru_list_mutex, kLruFlush);
  return instance.lru.is_linked(*dirty) && try_evict(instance, *dirty) ? dirty : nullptr;
}

// buf_flush_page: SX excludes other writers and flushers but admits readers. The checksum is
// written to the file's copy, so that readers of the frame are not disturbed.
void BufPool::write_block(BufBlock& block) {
  telemetry::Frame frame(kFlushPage);
  block.lock.sx_lock(kBlockSxFlush);
  if (block.line.is_dirty.load() != 0) {
    fil::File& file = *block.space->node.file;
    telemetry::io(file.device(), kPageBytes);
    uint8_t* page_in_file = file.page(block.id.page_no);
    memcpy(page_in_file, block.frame, kPageBytes);
    seal_page(page_in_file);
    block.line.is_dirty.store_release(0);
    telemetry::count(Counter::pages_flushed);
  }
  block.lock.sx_unlock();
}

// REQUIRES: the pool is idle.
void BufPool::write_dirty_pages() {
  for (const auto& instance : instances_) {
    for (const auto& block : instance->blocks) {
      if (block->line.holds_page.load() != 0 && must_be_written(*block)) write_block(*block);
    }
  }
}

namespace {

const telemetry::Function kPageCleaner("buf_flush_page_cleaner_thread");

}  // namespace

void PageCleaner::run() {
  telemetry::Frame frame(kPageCleaner);
  while (stop_.is_requested.load() == 0) {
    pool_.refill_free_lists();
    const uint64_t signal_count = pool_.cleaner_event().reset();
    if (stop_.is_requested.load() != 0) return;
    telemetry::StateScope state(telemetry::ThreadState::sleeping);
    pool_.cleaner_event().wait(signal_count, period_ns_);
  }
}

void PageCleaner::request_stop() {
  stop_.is_requested.store(1);
  pool_.cleaner_event().set();
}

}  // namespace latchscope::server::buf
