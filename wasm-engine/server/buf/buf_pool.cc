#include "server/buf/buf_pool.h"

#include <algorithm>
#include <cstring>

#include "server/buf/buf_read_ahead.h"

namespace latchscope::server::buf {

using latch::ExclusiveGuard;
using latch::MutexGuard;
using latch::SharedGuard;
using telemetry::Counter;

namespace {

const telemetry::LatchSite kHashSGet("buf_pool->page_hash", "buf_page_get_gen");
const telemetry::LatchSite kHashXInit("buf_pool->page_hash", "buf_page_init_for_read");
const telemetry::LatchSite kHashXEvict("buf_pool->page_hash", "buf_LRU_free_page");
const telemetry::LatchSite kHashXError("buf_pool->page_hash", "buf_read_page_handle_error");
const LruSite kLruInit("buf_page_init_for_read");
const LruSite kLruYoung("buf_page_make_young");
const LruSite kLruFree("buf_LRU_get_free_block");
const LruSite kLruCleaner("buf_flush_LRU_list");
const LruSite kLruDrop("buf_LRU_flush_or_remove_pages");
const LruSite kLruStale("buf_page_free_stale");
const LruSite kLruError("buf_read_page_handle_error");
const FreeSite kFreeGet("buf_LRU_get_free_block", "buf_LRU_get_free_only");
const FreeSite kFreePut("buf_LRU_free_page", "buf_LRU_block_free_non_file_page");
const telemetry::LatchSite kMutexIoComplete("buf_pool->mutex", "buf_page_io_complete");
const telemetry::LatchSite kMutexReadAhead("buf_pool->mutex", "buf_read_ahead_linear");
const telemetry::LatchSite kLogPeek("log_sys->mutex", "log_peek_lsn");
const telemetry::LatchSite kHashSLinear("buf_pool->page_hash", "buf_read_ahead_linear");
const telemetry::LatchSite kBlockS("buf_block_t::lock", "buf_page_get_gen");
const telemetry::LatchSite kBlockXBitmap("buf_block_t::lock", "ibuf_bitmap_get_map_page");
const telemetry::LatchSite kBlockXRead("buf_block_t::lock", "buf_page_init_for_read");

const telemetry::Function kPageGet("buf_page_get_gen");
const telemetry::Function kReadPage("buf_read_page");
const telemetry::Function kReadPageLow("buf_read_page_low");
const telemetry::Function kInitForRead("buf_page_init_for_read");
const telemetry::Function kFilIo("fil_io");
const telemetry::Function kIoComplete("buf_page_io_complete");
const telemetry::Function kIbufMerge("ibuf_merge_or_delete_for_page");
const telemetry::Function kIbufBitmap("ibuf_bitmap_get_map_page");
const telemetry::Function kReadAheadLinear("buf_read_ahead_linear");
const telemetry::Function kGetFreeBlock("buf_LRU_get_free_block");
const telemetry::Function kFlushLruList("buf_flush_LRU_list");

constexpr uint32_t kLruScanForFree = 100;  // blocks that a client looks at from the tail of the LRU list
constexpr uint32_t kCleanerBatch = 32;     // evictions per hold of LRU_list_mutex
constexpr uint32_t kFreeShareInverse = 8;  // the page cleaner keeps 1/8 of the frames free
constexpr uint32_t kLinearFailuresMax = kReadAheadPagesMax - 56;  // innodb_read_ahead_threshold
constexpr uint64_t kNoFreeFrameSleepNs = 1'000'000;
constexpr uint32_t kYoungShareInverse =
    4;  // a page is moved to the young end once 1/4 of the pool was evicted since

}  // namespace

PageLatch& PageLatch::operator=(PageLatch&& other) noexcept {
  std::swap(block_, other.block_);
  return *this;
}

void PageLatch::release() NO_THREAD_SAFETY_ANALYSIS {
  if (block_ == nullptr) return;
  block_->lock.s_unlock();
  block_->line.fix_count.fetch_sub(1);
  block_ = nullptr;
}

BufPool::Instance::Instance(latch::LatchEnvironment& latches, uint32_t frames, PoolMutexVariant variant)
    : memory(new uint8_t[size_t{frames} * kPageBytes]),
      mutex(latches),
      lru_list_mutex(latches, mutex),
      free_list_mutex(latches, mutex) {
  use(variant);
  for (uint32_t i = 0; i < kPageHashCells; ++i)
    page_hash.push_back(std::make_unique<PageHashCell>(latches, frames));
  PoolListGuard guard(free_list_mutex, kFreePut);
  for (uint32_t i = 0; i < frames; ++i) {
    blocks.push_back(std::make_unique<BufBlock>(latches, memory.get() + size_t{i} * kPageBytes));
    free.push_back(*blocks.back());
  }
  line.free_frames.store(frames);
}

void BufPool::Instance::use(PoolMutexVariant variant) {
  lru_list_mutex.use(variant);
  free_list_mutex.use(variant);
}

PageHashCell& BufPool::Instance::cell_of(PageId id) {
  return *page_hash[page_hash_value(id) % kPageHashCells];
}

BufPool::BufPool(latch::LatchEnvironment& latches, fil::FilSystem& fil_system, BufPoolSize size,
                 PoolMutexVariant pool_mutexes)
    : latches_(latches),
      fil_system_(fil_system),
      size_{},
      pool_mutexes_(pool_mutexes),
      log_sys_mutex_(latches) {
  resize(size);
}

BufPool::~BufPool() = default;

// buf_pool_get: neighbouring pages (64, an extent) are in the same instance.
BufPool::Instance& BufPool::instance_of(PageId id) {
  const PageId extent{id.space, id.page_no >> 6};
  return *instances_[page_hash_value(extent) % instances_.size()];
}

DbErr BufPool::get(fil::FilSpace* table_space, PageId id, PageLatch& page) {
  return get_at(kBlockS, table_space, id, page);
}

// Finds the page or reads it; on success it is fixed, but may still be on its way in.
DbErr BufPool::fix_block(Instance& instance, fil::FilSpace* table_space, PageId id, BufBlock*& block) {
  for (;;) {
    block = find_and_fix(instance, id);
    if (block != nullptr) return DbErr::success;
    const DbErr outcome = read_page(instance, table_space, id);
    if (outcome != DbErr::success) return outcome;
    if (read_ahead_ != nullptr) read_ahead_->random(table_space, id);
  }
}

// Called with the block fixed and not on its way in: false if its read failed or it belongs to a dropped
// tablespace.
bool BufPool::is_usable(Instance& instance, BufBlock& block) {
  if (block.line.holds_page.load() == 0) return false;
  if (block.space != nullptr && block.space->references.is_deleted.load() != 0) return false;
  make_young_if_needed(instance, block);
  return true;
}

DbErr BufPool::get_at(const telemetry::LatchSite& site, fil::FilSpace* table_space, PageId id,
                      PageLatch& page) NO_THREAD_SAFETY_ANALYSIS {
  telemetry::Frame frame(kPageGet);
  telemetry::count(Counter::page_gets);
  Instance& instance = instance_of(id);
  for (;;) {
    BufBlock* block;
    const DbErr outcome = fix_block(instance, table_space, id, block);
    if (outcome != DbErr::success) return outcome;
    block->lock.s_lock(site);
    PageLatch latched(*block);
    if (is_usable(instance, *block)) {
      page = std::move(latched);
      note_access(instance, table_space, *block);
      return DbErr::success;
    }
    latched.release();
    evict_stale(instance, *block);
  }
}

// Called with the page fixed. The first access since the page was read makes linear read-ahead look at its area.
void BufPool::note_access(Instance& instance, fil::FilSpace* table_space, BufBlock& block) {
  if (block.line.first_access.load_relaxed() != 0) return;
  block.line.first_access.store_relaxed(instance.line.freed_page_clock.load_relaxed() + 1);
  if (checks_linear_read_ahead_) check_linear_read_ahead(instance, table_space, block.id);
}

// buf_read_ahead_linear, but for the reads.
void BufPool::check_linear_read_ahead(Instance& instance, fil::FilSpace* table_space, PageId id) {
  const uint32_t low = id.page_no / kReadAheadPagesMax * kReadAheadPagesMax;
  const uint32_t high = low + kReadAheadPagesMax;
  const bool is_border = id.page_no == low || id.page_no == high - 1;
  if (!is_border || is_ibuf_bitmap_page(id.page_no)) return;
  telemetry::Frame frame(kReadAheadLinear);
  telemetry::count(Counter::read_ahead_linear_checks);
  fil::BlockRead query{.page = id, .table_space = table_space};
  fil_system_.lookup().begin_read_ahead(query);
  if (pool_mutexes_ == PoolMutexVariant::split_mutexes) {
    if (high <= fil_system_.lookup().size(query)) look_for_linear_access(instance, id, low, high);
    return;
  }
  MutexGuard guard(instance.mutex, kMutexReadAhead);
  if (high <= fil_system_.lookup().size(query)) look_for_linear_access(instance, id, low, high);
}

// Whether nearly all pages from `low` to `high` were asked for in the order of their numbers.
bool BufPool::look_for_linear_access(Instance& instance, PageId id, uint32_t low, uint32_t high) {
  uint32_t failures = 0;
  uint32_t last_access = 0;
  for (uint32_t page_no = low; page_no < high; ++page_no) {
    uint32_t access = 0;
    {
      PageHashCell& cell = instance.cell_of({id.space, page_no});
      SharedGuard guard(cell.lock, kHashSLinear);
      const BufBlock* block = cell.find({id.space, page_no});
      if (block != nullptr) access = block->line.first_access.load_relaxed();
    }
    const bool descending = id.page_no == low;
    const bool out_of_order = last_access != 0 && (descending ? access > last_access : access < last_access);
    if (access == 0 || out_of_order) ++failures;
    if (access != 0) last_access = access;
    if (failures > kLinearFailuresMax) return false;
  }
  return true;
}

BufBlock* BufPool::find_and_fix(Instance& instance, PageId id) {
  PageHashCell& cell = instance.cell_of(id);
  SharedGuard guard(cell.lock, kHashSGet);
  BufBlock* block = cell.find(id);
  if (block != nullptr) block->line.fix_count.fetch_add(1);
  return block;
}

// Reads one page into the pool. Success also when another thread was faster: the caller looks the page up
// again.
DbErr BufPool::read_page(Instance& instance, fil::FilSpace* table_space, PageId id) {
  telemetry::Frame frame(kReadPage);
  fil::BlockRead read{.page = id, .table_space = table_space};
  DbErr outcome = fil_system_.lookup().begin(read);
  if (outcome == DbErr::success) {
    BufBlock* block = init_for_read(instance, read, outcome, nullptr);
    if (block != nullptr) {
      outcome = read_into(instance, *block, read);
    } else if (outcome == DbErr::success) {
      telemetry::count(Counter::block_reads_lost_race);
    }
    fil_system_.lookup().end(read);
  }
  if (outcome == DbErr::tablespace_missing) telemetry::count(Counter::block_reads_refused);
  return outcome;
}

// buf_page_init_for_read: null if another thread already reads the page, or with an error if it must not be
// read.
BufBlock* BufPool::init_for_read(Instance& instance, fil::BlockRead& read, DbErr& outcome,
                                 aio::AioBatch* batch) NO_THREAD_SAFETY_ANALYSIS {
  telemetry::Frame frame(kInitForRead);
  BufBlock* block = take_free_block(instance, batch);
  {
    PoolListGuard lru_guard(instance.lru_list_mutex, kLruInit);
    PageHashCell& cell = instance.cell_of(read.page);
    ExclusiveGuard hash_guard(cell.lock, kHashXInit);
    const bool already_there = cell.find(read.page) != nullptr;
    if (!already_there) outcome = fil_system_.lookup().admit(read, block->space);
    if (!already_there && outcome == DbErr::success) {
      block->id = read.page;
      block->line.io_fix_read.store_release(batch == nullptr ? kReadSync : kReadAsync);
      block->line.holds_page.store_release(1);
      block->line.first_access.store_relaxed(0);
      block->line.young_clock.store_release(instance.line.freed_page_clock.load_relaxed());
      if (batch == nullptr) {
        block->lock.x_lock(kBlockXRead);
      } else {
        block->lock.x_lock_for_other(kBlockXRead);
      }
      instance.reads.n_pend_reads.fetch_add(1);
      cell.insert(*block);
      instance.lru.push_front(*block);
      return block;
    }
  }
  put_free(instance, *block);
  return nullptr;
}

DbErr BufPool::read_into(Instance& instance, BufBlock& block, fil::BlockRead& read) {
  telemetry::Frame frame(kReadPageLow);
  {
    telemetry::Frame fil_io_frame(kFilIo);
    ut::pay(ut::work_cost::page_read_ns);
    fil::FilNode* node = fil_system_.lookup().prepare_io(read);
    if (node == nullptr) {
      give_up_read(instance, block);
      return DbErr::tablespace_missing;
    }
    LATCHSCOPE_ASSERT(read.page.page_no < node->file->pages(), "a read stays inside its file");
    telemetry::io(node->file->device(), kPageBytes);
    memcpy(block.frame, node->file->page(read.page.page_no), kPageBytes);
    fil_system_.lookup().complete_io(read, *node);
  }
  io_complete(instance, block, read);
  return DbErr::success;
}

void BufPool::io_complete(Instance& instance, BufBlock& block, fil::BlockRead& read) {
  telemetry::Frame frame(kIoComplete);
  ut::pay(ut::work_cost::page_checksum_ns);
  LATCHSCOPE_ASSERT(page_is_sound(block.frame, read.page), "a page that was read has its checksum");
  if (pool_mutexes_ == PoolMutexVariant::one_mutex) log_peek_lsn();
  read.is_leaf = page_is_leaf(block.frame);
  const bool has_bits = has_ibuf_bits(read.page.page_no);
  if (has_bits) merge_ibuf(read);
  telemetry::count(Counter::block_reads);
  if (read.is_leaf) telemetry::count(Counter::block_reads_leaf);
  if (!has_bits) telemetry::count(Counter::block_reads_no_ibuf);
  if (pool_mutexes_ == PoolMutexVariant::one_mutex) {
    MutexGuard guard(instance.mutex, kMutexIoComplete);
    end_read(instance, block);
  } else {
    end_read(instance, block);
  }
}

void BufPool::end_read(Instance& instance, BufBlock& block) {
  instance.reads.n_pages_read.fetch_add(1);
  instance.reads.n_pend_reads.fetch_sub(1);
  release_read_latch(block);
}

// 5.6 compares the page's LSN with the end of the redo log, unless somebody else is behind the log's mutex.
void BufPool::log_peek_lsn() NO_THREAD_SAFETY_ANALYSIS {
  if (log_sys_mutex_.try_enter(kLogPeek)) log_sys_mutex_.exit();
}

// ibuf_merge_or_delete_for_page: there is never anything to merge, but to know that takes the bitmap page.
void BufPool::merge_ibuf(fil::BlockRead& read) {
  telemetry::Frame frame(kIbufMerge);
  fil_system_.lookup().acquire_for_ibuf(read);
  if (read.pinned != nullptr) read_ibuf_bitmap(read);
  fil_system_.lookup().release_for_ibuf(read);
}

// A tablespace that is being dropped has no bits any more.
void BufPool::read_ibuf_bitmap(const fil::BlockRead& read) NO_THREAD_SAFETY_ANALYSIS {
  telemetry::Frame frame(kIbufBitmap);
  BufBlock* bitmap;
  if (x_latch_page(kBlockXBitmap, read.table_space, ibuf_bitmap_page_of(read.page), bitmap) != DbErr::success)
    return;
  ut::pay(ut::work_cost::ibuf_bitmap_ns);
  bitmap->lock.x_unlock();
  bitmap->line.fix_count.fetch_sub(1);
}

void BufPool::release_read_latch(BufBlock& block) NO_THREAD_SAFETY_ANALYSIS {
  if (block.line.io_fix_read.exchange(kNotReading) == kReadAsync) {
    block.lock.x_unlock_by_other();
  } else {
    block.lock.x_unlock();
  }
}

// buf_read_page_handle_error: takes the block out of the page hash, wakes those who wait for it, frees it.
void BufPool::give_up_read(Instance& instance, BufBlock& block) {
  {
    PoolListGuard lru_guard(instance.lru_list_mutex, kLruError);
    PageHashCell& cell = instance.cell_of(block.id);
    ExclusiveGuard hash_guard(cell.lock, kHashXError);
    cell.remove(block);
    instance.lru.remove(block);
    forget_page(block);
  }
  instance.reads.n_pend_reads.fetch_sub(1);
  release_read_latch(block);
  while (block.line.fix_count.load() != 0)
    platform::yield();
  put_free(instance, block);
}

// buf_page_make_young_if_needed: pages near the young end stay where they are, so that hits rarely take the
// mutex.
void BufPool::make_young_if_needed(Instance& instance, BufBlock& block) {
  if (is_young(instance, block)) return;
  PoolListGuard guard(instance.lru_list_mutex, kLruYoung);
  block.line.young_clock.store_relaxed(instance.line.freed_page_clock.load_relaxed());
  instance.lru.remove(block);
  instance.lru.push_front(block);
}

// buf_page_peek_if_young.
bool BufPool::is_young(const Instance& instance, const BufBlock& block) const {
  const uint32_t evicted_since =
      instance.line.freed_page_clock.load_relaxed() - block.line.young_clock.load_relaxed();
  return evicted_since * kYoungShareInverse < instance.blocks.size();
}

// A client that finds no free frame evicts a page, puts its frame into the free list and looks there again, where others
// may have been faster.
BufBlock* BufPool::take_free_block(Instance& instance, aio::AioBatch* batch) {
  telemetry::Frame frame(kGetFreeBlock);
  for (;;) {
    BufBlock* evicted = nullptr;
    if (BufBlock* block = pop_free_or_evict(instance, evicted)) return block;
    if (evicted == nullptr) evicted = evict_after_write(instance);
    if (evicted != nullptr) {
      telemetry::count(Counter::pages_evicted_by_clients);
      put_free(instance, *evicted);
      continue;
    }
    cleaner_event_.set();
    // The frames may all be waiting for reads that this thread has posted and not woken anybody for.
    if (batch != nullptr) batch->no_free_frame();
    telemetry::sleep_ns(kNoFreeFrameSleepNs);
  }
}

// 5.6 does both in one hold of its mutex.
BufBlock* BufPool::pop_free_or_evict(Instance& instance, BufBlock*& evicted) {
  if (pool_mutexes_ == PoolMutexVariant::split_mutexes) {
    BufBlock* block = pop_free(instance);
    if (block == nullptr) evicted = evict_from_tail(instance);
    return block;
  }
  PoolListGuard guard(instance.lru_list_mutex, kLruFree);
  instance.free_list_mutex.assert_shared();
  BufBlock* block = first_free(instance);
  if (block == nullptr) evicted = evict_last(instance);
  return block;
}

BufBlock* BufPool::pop_free(Instance& instance) {
  PoolListGuard guard(instance.free_list_mutex, kFreeGet);
  return first_free(instance);
}

BufBlock* BufPool::first_free(Instance& instance) {
  BufBlock* block = instance.free.pop_front();
  if (block != nullptr) instance.line.free_frames.store_relaxed(static_cast<uint32_t>(instance.free.size()));
  return block;
}

void BufPool::put_free(Instance& instance, BufBlock& block) {
  PoolListGuard guard(instance.free_list_mutex, kFreePut);
  instance.free.push_front(block);
  instance.line.free_frames.store_relaxed(static_cast<uint32_t>(instance.free.size()));
}

BufBlock* BufPool::evict_from_tail(Instance& instance) {
  PoolListGuard guard(instance.lru_list_mutex, kLruFree);
  return evict_last(instance);
}

// The oldest page that nobody uses.
BufBlock* BufPool::evict_last(Instance& instance) {
  BufBlock* block = instance.lru.last();
  for (uint32_t scanned = 0; block != nullptr && scanned < kLruScanForFree; ++scanned) {
    BufBlock* previous = instance.lru.previous(*block);
    if (try_evict(instance, *block)) return block;
    block = previous;
  }
  return nullptr;
}

bool BufPool::try_evict(Instance& instance, BufBlock& block) {
  if (block.line.fix_count.load() != 0 || block.line.io_fix_read.load() != 0) return false;
  PageHashCell& cell = instance.cell_of(block.id);
  {
    ExclusiveGuard guard(cell.lock, kHashXEvict);
    if (block.line.fix_count.load() != 0 || block.line.io_fix_read.load() != 0) return false;
    if (must_be_written(block)) return false;
    cell.remove(block);
    forget_page(block);
  }
  instance.lru.remove(block);
  instance.line.freed_page_clock.store_relaxed(instance.line.freed_page_clock.load_relaxed() + 1);
  telemetry::count(Counter::pages_evicted);
  return true;
}

void BufPool::forget_page(BufBlock& block) {
  block.line.holds_page.store_release(0);
  block.line.is_dirty.store_release(0);
  if (block.space == nullptr) return;
  block.space->references.n_ref_count.fetch_sub(1);
  block.space = nullptr;
}

// A page of a dropped tablespace was found: frees it, unless another thread does or the page is in use.
void BufPool::evict_stale(Instance& instance, BufBlock& block) {
  {
    PoolListGuard guard(instance.lru_list_mutex, kLruStale);
    const bool still_stale = instance.lru.is_linked(block) && block.space != nullptr &&
                             block.space->references.is_deleted.load() != 0;
    if (!still_stale || !try_evict(instance, block)) return;
  }
  put_free(instance, block);
}

uint32_t BufPool::refill_free_lists() {
  telemetry::Frame frame(kFlushLruList);
  latch::OsMutexGuard guard(refill_mutex_);
  cleaner_event_.reset();
  telemetry::count(Counter::page_cleaner_rounds);
  uint32_t evicted = 0;
  for (const auto& instance : instances_)
    evicted += refill_free_list(*instance);
  return evicted;
}

uint32_t BufPool::refill_free_list(Instance& instance) {
  const uint32_t wanted = static_cast<uint32_t>(instance.blocks.size()) / kFreeShareInverse;
  uint32_t evicted = 0;
  while (instance.line.free_frames.load_relaxed() < wanted) {
    BufBlock* batch[kCleanerBatch];
    uint32_t batch_size = 0;
    {
      PoolListGuard guard(instance.lru_list_mutex, kLruCleaner);
      BufBlock* block = instance.lru.last();
      for (uint32_t scanned = 0; block != nullptr && scanned < 2 * kCleanerBatch; ++scanned) {
        BufBlock* previous = instance.lru.previous(*block);
        if (try_evict(instance, *block)) batch[batch_size++] = block;
        if (batch_size == kCleanerBatch) break;
        block = previous;
      }
    }
    if (batch_size == 0) {
      BufBlock* block = evict_after_write(instance);
      if (block == nullptr) break;
      batch[batch_size++] = block;
    }
    for (uint32_t i = 0; i < batch_size; ++i)
      put_free(instance, *batch[i]);
    evicted += batch_size;
  }
  return evicted;
}

uint64_t BufPool::pages_read() const {
  uint64_t pages = 0;
  for (const auto& instance : instances_)
    pages += instance->reads.n_pages_read.load_relaxed();
  return pages;
}

uint64_t BufPool::pending_reads() const {
  uint64_t reads = 0;
  for (const auto& instance : instances_)
    reads += instance->reads.n_pend_reads.load();
  return reads;
}

void BufPool::evict_pages(const fil::FilSpace& space) {
  for (const auto& owned_instance : instances_) {
    Instance& instance = *owned_instance;
    for (bool some_in_use = true; some_in_use;) {
      some_in_use = false;
      std::vector<BufBlock*> evicted;
      {
        PoolListGuard guard(instance.lru_list_mutex, kLruDrop);
        for (BufBlock* block = instance.lru.first(); block != nullptr;) {
          BufBlock* next = instance.lru.next(*block);
          if (block->id.space == space.id) {
            if (try_evict(instance, *block)) {
              evicted.push_back(block);
            } else {
              some_in_use = true;
            }
          }
          block = next;
        }
      }
      for (BufBlock* block : evicted)
        put_free(instance, *block);
      if (some_in_use) platform::yield();
    }
  }
}

void BufPool::resize(BufPoolSize size) {
  latch::OsMutexGuard guard(refill_mutex_);
  write_dirty_pages();
  for (const auto& instance : instances_) {
    for (const auto& block : instance->blocks)
      forget_page(*block);
  }
  instances_.clear();
  size_ = size;
  for (uint32_t i = 0; i < size.instances; ++i) {
    instances_.push_back(std::make_unique<Instance>(latches_, size.frames / size.instances, pool_mutexes_));
  }
}

void BufPool::while_page_cleaner_stands(const std::function<void()>& change) {
  latch::OsMutexGuard guard(refill_mutex_);
  change();
}

void BufPool::use(PoolMutexVariant pool_mutexes) {
  latch::OsMutexGuard guard(refill_mutex_);
  pool_mutexes_ = pool_mutexes;
  for (const auto& instance : instances_)
    instance->use(pool_mutexes);
}

void BufPool::rebind_pages() {
  latch::OsMutexGuard guard(refill_mutex_);
  const bool pages_refer = !fil_system_.lookup().drop_evicts_pages();
  for (const auto& owned_instance : instances_) {
    Instance& instance = *owned_instance;
    for (const auto& block : instance.blocks) {
      if (block->line.holds_page.load() == 0) continue;
      fil::FilSpace* space = fil_system_.find(block->id.space);
      const bool is_stale = space == nullptr || (block->space != nullptr && block->space != space);
      if (is_stale) {
        bool evicted;
        {
          PoolListGuard lru_guard(instance.lru_list_mutex, kLruStale);
          evicted = try_evict(instance, *block);
        }
        if (evicted) put_free(instance, *block);
        continue;
      }
      if (block->space != nullptr) block->space->references.n_ref_count.fetch_sub(1);
      block->space = pages_refer ? space : nullptr;
      if (pages_refer) space->references.n_ref_count.fetch_add(1);
    }
  }
}

bool BufPool::is_consistent() {
  latch::OsMutexGuard guard(refill_mutex_);
  return std::all_of(instances_.begin(), instances_.end(), [](const auto& instance) {
    size_t free;
    {
      PoolListGuard free_guard(instance->free_list_mutex, kFreeGet);
      free = instance->free.size();
    }
    PoolListGuard lru_guard(instance->lru_list_mutex, kLruCleaner);
    size_t hashed = 0;
    for (const auto& cell : instance->page_hash)
      hashed += cell->size();
    const bool nothing_fixed =
        std::all_of(instance->blocks.begin(), instance->blocks.end(), [](const auto& block) {
          return block->line.fix_count.load() == 0 && block->line.io_fix_read.load() == 0 &&
                 block->lock.lock_word() == latch::RwLock::kXLockDecr;
        });
    return nothing_fixed && hashed == instance->lru.size() &&
           instance->lru.size() + free == instance->blocks.size();
  });
}

}  // namespace latchscope::server::buf
