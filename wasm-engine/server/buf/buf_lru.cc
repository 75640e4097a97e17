// The lists of an instance: free frames, and pages by age (InnoDB: buf0lru). Also chooses the page
// to evict, and updates the lists when a tablespace is dropped or the pool is resized.
#include "server/buf/buf_pool.h"

#include <algorithm>

#include "server/buf/buf_read_ahead.h"

namespace latchscope::server::buf {

using latch::ExclusiveGuard;
using telemetry::Counter;

namespace {

const telemetry::LatchSite kHashXEvict("buf_pool->page_hash", "buf_LRU_free_page");
const LruSite kLruYoung("buf_page_make_young");
const LruSite kLruFree("buf_LRU_get_free_block");
const LruSite kLruCleaner("buf_flush_LRU_list");
const LruSite kLruDrop("buf_LRU_flush_or_remove_pages");
const LruSite kLruStale("buf_page_free_stale");
const FreeSite kFreeGet("buf_LRU_get_free_block", "buf_LRU_get_free_only");
const FreeSite kFreePut("buf_LRU_free_page", "buf_LRU_block_free_non_file_page");

const telemetry::Function kGetFreeBlock("buf_LRU_get_free_block");
const telemetry::Function kFlushLruList("buf_flush_LRU_list");

constexpr uint32_t kLruScanForFree = 100;  // blocks that a client checks from the LRU tail
constexpr uint32_t kCleanerBatch = 32;     // evictions per hold of LRU_list_mutex
constexpr uint32_t kFreeShareInverse = 8;  // the page cleaner keeps 1/8 of the frames free
constexpr uint64_t kNoFreeFrameSleepNs = 1'000'000;
constexpr uint32_t kYoungShareInverse =
    // A page moves to the young end once 1/4 of the pool was evicted since its last move.
    4;

}  // namespace

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

// buf_page_make_young_if_needed: pages near the young end keep their place, so that hits rarely
// acquire the mutex.
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

// Evicts a page if no frame is free, puts its frame into the free list and tries again. Another
// thread may take the frame in between.
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
    // All frames may be waiting for reads that this thread posted without waking a handler.
    if (batch != nullptr) batch->no_free_frame();
    telemetry::sleep_ns(kNoFreeFrameSleepNs);
  }
}

// Under one_mutex both steps happen in one critical section, as in 5.6.
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

// Evicts the oldest page that no thread uses.
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

// Frees a page of a dropped tablespace, unless another thread frees it or the page is in use.
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
