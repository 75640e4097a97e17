// Reads a page into the pool. Source: InnoDB's buf0rea, and the functions of buf0buf that it calls.
#include "server/buf/buf_pool.h"

#include <cstring>

#include "server/buf/buf_read_ahead.h"

namespace latchscope::server::buf {

using latch::ExclusiveGuard;
using latch::MutexGuard;
using telemetry::Counter;

namespace {

const telemetry::LatchSite kHashXInit("buf_pool->page_hash", "buf_page_init_for_read");
const telemetry::LatchSite kHashXError("buf_pool->page_hash", "buf_read_page_handle_error");
const LruSite kLruInit("buf_page_init_for_read");
const LruSite kLruError("buf_read_page_handle_error");
const telemetry::LatchSite kMutexIoComplete("buf_pool->mutex", "buf_page_io_complete");
const telemetry::LatchSite kLogPeek("log_sys->mutex", "log_peek_lsn");
const telemetry::LatchSite kBlockXBitmap("buf_block_t::lock", "ibuf_bitmap_get_map_page");
const telemetry::LatchSite kBlockXRead("buf_block_t::lock", "buf_page_init_for_read");

const telemetry::Function kReadPage("buf_read_page");
const telemetry::Function kReadPageLow("buf_read_page_low");
const telemetry::Function kInitForRead("buf_page_init_for_read");
const telemetry::Function kFilIo("fil_io");
const telemetry::Function kIoComplete("buf_page_io_complete");
const telemetry::Function kIbufMerge("ibuf_merge_or_delete_for_page");
const telemetry::Function kIbufBitmap("ibuf_bitmap_get_map_page");

}  // namespace

// Reads one page into the pool. Also succeeds if another thread was faster: the caller looks up the
// page again.
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

// buf_page_init_for_read. Returns null with success if another thread is already reading the page,
// and null with an error if it must not be read.
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
  LATCHSCOPE_ASSERT(page_is_sound(block.frame, read.page), "a page that was read has a valid checksum");
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

// Compares the page's LSN with the end of the redo log, as 5.6 does, unless another thread holds
// the log's mutex.
void BufPool::log_peek_lsn() NO_THREAD_SAFETY_ANALYSIS {
  if (log_sys_mutex_.try_enter(kLogPeek)) log_sys_mutex_.exit();
}

// ibuf_merge_or_delete_for_page: there is never anything to merge, but only the bitmap page shows
// that.
void BufPool::merge_ibuf(fil::BlockRead& read) {
  telemetry::Frame frame(kIbufMerge);
  fil_system_.lookup().acquire_for_ibuf(read);
  if (read.pinned != nullptr) read_ibuf_bitmap(read);
  fil_system_.lookup().release_for_ibuf(read);
}

// Returns without effect if the tablespace is being dropped: it has no bits any more.
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

// buf_read_page_handle_error: removes the block from the page hash, wakes its waiters, and frees
// it.
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

}  // namespace latchscope::server::buf
