#include "server/buf/buf_pool.h"

#include "server/buf/buf_read_ahead.h"

namespace latchscope::server::buf {

using latch::MutexGuard;
using latch::SharedGuard;
using telemetry::Counter;

namespace {

const telemetry::LatchSite kHashSGet("buf_pool->page_hash", "buf_page_get_gen");
const telemetry::LatchSite kMutexReadAhead("buf_pool->mutex", "buf_read_ahead_linear");
const telemetry::LatchSite kHashSLinear("buf_pool->page_hash", "buf_read_ahead_linear");
const telemetry::LatchSite kBlockS("buf_block_t::lock", "buf_page_get_gen");

const telemetry::Function kPageGet("buf_page_get_gen");
const telemetry::Function kReadAheadLinear("buf_read_ahead_linear");

constexpr uint32_t kLinearFailuresMax = kReadAheadPagesMax - 56;  // innodb_read_ahead_threshold

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

// buf_pool_get: adjacent pages (64, an extent) are in the same instance.
BufPool::Instance& BufPool::instance_of(PageId id) {
  const PageId extent{id.space, id.page_no >> 6};
  return *instances_[page_hash_value(extent) % instances_.size()];
}

DbErr BufPool::get(fil::FilSpace* table_space, PageId id, PageLatch& page) {
  return get_at(kBlockS, table_space, id, page);
}

// Finds the page or reads it. On success it is fixed, but its read may still be in progress.
DbErr BufPool::fix_block(Instance& instance, fil::FilSpace* table_space, PageId id, BufBlock*& block) {
  for (;;) {
    block = find_and_fix(instance, id);
    if (block != nullptr) return DbErr::success;
    const DbErr outcome = read_page(instance, table_space, id);
    if (outcome != DbErr::success) return outcome;
    if (read_ahead_ != nullptr) read_ahead_->random(table_space, id);
  }
}

// Returns false if the read failed or the page belongs to a dropped tablespace.
// REQUIRES: the block is fixed and its read complete.
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

// Records the first access since the page was read, and lets linear read-ahead check its area.
// REQUIRES: the page is fixed.
void BufPool::note_access(Instance& instance, fil::FilSpace* table_space, BufBlock& block) {
  if (block.line.first_access.load_relaxed() != 0) return;
  block.line.first_access.store_relaxed(instance.line.freed_page_clock.load_relaxed() + 1);
  if (checks_linear_read_ahead_) check_linear_read_ahead(instance, table_space, block.id);
}

// buf_read_ahead_linear without the reads.
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

// Returns true if nearly all pages from `low` to `high` were accessed in the order of their
// numbers.
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

}  // namespace latchscope::server::buf
