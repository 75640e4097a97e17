// The buffer pool. Sources: MySQL 5.6 and 8.0 buf0buf, buf0rea, buf0lru. Each instance has frames,
// a page hash of 16 cells with one rw_lock each, an LRU list and a free list. pool_mutexes.h lists
// the mutexes that guard these lists, and the latches that a page read acquires.
//
// Latch order: LRU_list_mutex or buf_pool->mutex, page-hash cell, tablespace latch,
// free_list_mutex. Only the reader that holds a block in io_fix read acquires the block latch
// before these.
//
// Simplifications compared with InnoDB (see the scenario's fidelity note): no midpoint in the LRU
// list, no compressed pages, no adaptive hash index. Dirty pages are written only when they are
// evicted. Linear read-ahead checks areas but reads nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "latch/os_event.h"
#include "latch/rw_lock.h"
#include "latch/ttas_event_mutex.h"
#include "platform/platform.h"
#include "server/aio/os_aio.h"
#include "server/buf/buf_block.h"
#include "server/buf/pool_mutexes.h"
#include "server/db_err.h"
#include "server/fil/fil_system.h"
#include "server/page.h"

namespace latchscope::server::buf {

struct BufPoolSize {
  uint32_t frames;     // total of all instances
  uint32_t instances;  // innodb_buffer_pool_instances
};

class BufPool;
class BufReadAhead;

// Holds a page fixed and S-latched for the lifetime of the object.
class PageLatch {
 public:
  PageLatch() = default;
  PageLatch(PageLatch&& other) noexcept : block_(other.block_) { other.block_ = nullptr; }
  PageLatch& operator=(PageLatch&& other) noexcept;
  ~PageLatch() { release(); }

  const uint8_t* frame() const { return block_->frame; }
  void release();

 private:
  friend class BufPool;
  explicit PageLatch(BufBlock& block) : block_(&block) {}

  BufBlock* block_ = nullptr;
};

// Holds a page fixed and X-latched for the lifetime of the object. The page is dirty afterwards.
class PageXLatch {
 public:
  PageXLatch() = default;
  PageXLatch(PageXLatch&& other) noexcept : block_(other.block_) { other.block_ = nullptr; }
  PageXLatch& operator=(PageXLatch&& other) noexcept;
  ~PageXLatch() { release(); }

  uint8_t* frame() const { return block_->frame; }
  void release();

 private:
  friend class BufPool;
  explicit PageXLatch(BufBlock& block) : block_(&block) {}

  BufBlock* block_ = nullptr;
};

// Holds a page fixed without a latch: it stays in place, but others may write to it. For readers of
// bytes that are never overwritten while they can be referenced, such as undo records.
class PageFix {
 public:
  PageFix() = default;
  PageFix(PageFix&& other) noexcept : block_(other.block_) { other.block_ = nullptr; }
  PageFix& operator=(PageFix&& other) noexcept;
  ~PageFix() { release(); }

  const uint8_t* frame() const { return block_->frame; }
  void release();

 private:
  friend class BufPool;
  explicit PageFix(BufBlock& block) : block_(&block) {}

  BufBlock* block_ = nullptr;
};

class BufPool {
 public:
  BufPool(latch::LatchEnvironment& latches, fil::FilSystem& fil_system, BufPoolSize size,
          PoolMutexVariant pool_mutexes = PoolMutexVariant::split_mutexes);
  ~BufPool();

  // Fixes and S-latches a page. Reads it from its file if necessary. `table_space` is the pointer
  // stored in the table.
  DbErr get(fil::FilSpace* table_space, PageId id, PageLatch& page);
  // Like get(), but with the caller's own site for the block latch.
  DbErr get_at(const telemetry::LatchSite& site, fil::FilSpace* table_space, PageId id, PageLatch& page);

  // The functions below are in buf_write.cc. They are for servers in which pages refer to their
  // tablespace (8.0); `table_space` may be null there.
  DbErr get_x(const telemetry::LatchSite& site, fil::FilSpace* table_space, PageId id, PageXLatch& page);
  // Fixes the page without a latch, after its read is complete.
  DbErr fix(fil::FilSpace* table_space, PageId id, PageFix& page);
  // buf_page_create: creates a page of zeros without reading its file.
  // REQUIRES: the page is not in the pool.
  DbErr create(const telemetry::LatchSite& site, PageId id, PageXLatch& page);
  // Removes a page that was freed in its tablespace, without writing it. Waits until no thread has
  // it fixed.
  void discard(PageId id);

  // Runs one round of the page cleaner: refills each instance's free list. Returns the number of
  // pages evicted.
  uint32_t refill_free_lists();
  // Set when a client finds no free frame.
  latch::OsEvent& cleaner_event() { return cleaner_event_; }

  // Evicts every page of a tablespace. Waits for pages that are in use.
  void evict_pages(const fil::FilSpace& space);

  // Returns the number of pages whose read has completed since the pool was created or resized.
  uint64_t pages_read() const;
  // Returns the number of pending page reads.
  uint64_t pending_reads() const;

  // REQUIRES for the functions below: no client uses the pool.
  // Enables random read-ahead after each read of a missing page; null disables it.
  void use_read_ahead(BufReadAhead* read_ahead) { read_ahead_ = read_ahead; }
  // Sets whether linear read-ahead checks the areas of requested pages.
  void use_linear_read_ahead(bool on) { checks_linear_read_ahead_ = on; }
  void while_page_cleaner_stands(const std::function<void()>& change);
  PoolMutexVariant pool_mutexes() const { return pool_mutexes_; }
  void use(PoolMutexVariant pool_mutexes);
  BufPoolSize size() const { return size_; }
  void resize(BufPoolSize size);
  // Gives each page the reference to its tablespace that the variant needs, after the lookup
  // variant has changed.
  void rebind_pages();
  // Returns true if every frame is in exactly one place and no page is fixed. For end-of-run
  // checks.
  bool is_consistent();

 private:
  friend class BufReadAhead;

  struct Instance {
    Instance(latch::LatchEnvironment& latches, uint32_t frames, PoolMutexVariant variant);

    void use(PoolMutexVariant variant);

    PageHashCell& cell_of(PageId id);

    std::unique_ptr<uint8_t[]> memory;
    std::vector<std::unique_ptr<BufBlock>> blocks;
    std::vector<std::unique_ptr<PageHashCell>> page_hash;
    latch::TTASEventMutex mutex;  // acquired directly only under one_mutex
    PoolListMutex lru_list_mutex;
    ut::IntrusiveList<BufBlock, &BufBlock::lru> lru GUARDED_BY(lru_list_mutex);
    PoolListMutex free_list_mutex;
    ut::IntrusiveList<BufBlock, &BufBlock::free> free GUARDED_BY(free_list_mutex);
    struct alignas(64) ClockLine : platform::CacheLine {
      platform::Atomic<uint32_t> freed_page_clock{*this, 0};
      platform::Atomic<uint32_t> free_frames{*this, 0};
    };
    ClockLine line;
    struct alignas(64) ReadsLine : platform::CacheLine {
      platform::Atomic<uint32_t> n_pend_reads{*this, 0};
      platform::Atomic<uint64_t> n_pages_read{*this, 0};
    };
    ReadsLine reads;
  };

  Instance& instance_of(PageId id);
  DbErr fix_block(Instance& instance, fil::FilSpace* table_space, PageId id, BufBlock*& block);
  BufBlock* find_and_fix(Instance& instance, PageId id);
  bool is_usable(Instance& instance, BufBlock& block);
  void note_access(Instance& instance, fil::FilSpace* table_space, BufBlock& block);
  void check_linear_read_ahead(Instance& instance, fil::FilSpace* table_space, PageId id);
  bool look_for_linear_access(Instance& instance, PageId id, uint32_t low, uint32_t high);
  DbErr read_page(Instance& instance, fil::FilSpace* table_space, PageId id);
  // With a batch the read is asynchronous: the block's X latch is held for an I/O handler.
  BufBlock* init_for_read(Instance& instance, fil::BlockRead& read, DbErr& outcome, aio::AioBatch* batch);
  DbErr read_into(Instance& instance, BufBlock& block, fil::BlockRead& read);
  void io_complete(Instance& instance, BufBlock& block, fil::BlockRead& read);
  void end_read(Instance& instance, BufBlock& block);
  void log_peek_lsn();
  void merge_ibuf(fil::BlockRead& read);
  void read_ibuf_bitmap(const fil::BlockRead& read);
  void release_read_latch(BufBlock& block);
  void give_up_read(Instance& instance, BufBlock& block);
  void make_young_if_needed(Instance& instance, BufBlock& block);

  bool is_young(const Instance& instance, const BufBlock& block) const;

  BufBlock* take_free_block(Instance& instance, aio::AioBatch* batch);
  BufBlock* pop_free_or_evict(Instance& instance, BufBlock*& evicted);
  BufBlock* pop_free(Instance& instance);
  BufBlock* first_free(Instance& instance) REQUIRES(instance.free_list_mutex);
  void put_free(Instance& instance, BufBlock& block);
  BufBlock* evict_from_tail(Instance& instance);
  BufBlock* evict_last(Instance& instance) REQUIRES(instance.lru_list_mutex);
  bool try_evict(Instance& instance, BufBlock& block) REQUIRES(instance.lru_list_mutex);
  void forget_page(BufBlock& block);
  void evict_stale(Instance& instance, BufBlock& block);
  uint32_t refill_free_list(Instance& instance);

  // buf_write.cc
  DbErr x_latch_page(const telemetry::LatchSite& site, fil::FilSpace* table_space, PageId id,
                     BufBlock*& block);
  static bool must_be_written(const BufBlock& block);
  BufBlock* evict_after_write(Instance& instance);
  void write_block(BufBlock& block);
  void write_dirty_pages();

  latch::LatchEnvironment& latches_;
  fil::FilSystem& fil_system_;
  BufPoolSize size_;
  std::vector<std::unique_ptr<Instance>> instances_;
  PoolMutexVariant pool_mutexes_;
  latch::TTASEventMutex log_sys_mutex_;
  BufReadAhead* read_ahead_ = nullptr;
  bool checks_linear_read_ahead_ = false;
  latch::OsEvent cleaner_event_;
  latch::OsMutex refill_mutex_;  // keeps the page cleaner out while the pool is resized
};

// The page cleaner thread. Source: MySQL 5.6 and 8.0 buf0flu (buf_flush_page_cleaner_thread). It
// keeps some frames of each buffer pool instance free. It runs once per period, and whenever a
// client finds no free frame.
class PageCleaner {
 public:
  PageCleaner(BufPool& pool, uint64_t period_ns) : pool_(pool), period_ns_(period_ns) {}

  // Thread body; returns soon after request_stop().
  void run();
  void request_stop();

 private:
  BufPool& pool_;
  const uint64_t period_ns_;
  struct alignas(64) StopLine : platform::CacheLine {
    platform::Atomic<uint32_t> is_requested{*this, 0};
  };
  StopLine stop_;
};

}  // namespace latchscope::server::buf
