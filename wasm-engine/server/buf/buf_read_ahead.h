// Random read-ahead and asynchronous page reads. Sources: MySQL 8.0 buf0rea, fil0fil
// (fil_aio_wait).
//
// After a page had to be read, buf_read_ahead_random checks the area around it. An area has min(64,
// pool pages / 32 rounded up to a power of two) pages. At least 5 + area / 8 of them must be in the
// pool, accessed and young. All missing pages of the area are then posted in one batch.
//
// Latches acquired by one asynchronous read (S = Fil_shard::m_mutex of the tablespace;
// sharded_mutex only):
//
//   by the poster                              by the I/O handler
//   LRU_list_mutex, page-hash X: admit (S),    AIO::m_mutex: the slot is free again
//     X latch of the block for the handler     complete_io (S)
//   prepare_io (S)                             leaf pages: acquire and release for the change
//   AIO::m_mutex: reserve_slot                   buffer (S, S)
//                                              X latch of the block released
//
// Each check of an area also acquires S twice (fil_space_acquire, fil_space_release) and up to 64
// page-hash S locks.
//
// Invariants
//   1. After a block was posted, only its handler accesses it, until its X latch is released.
//   2. A thread that needs a page being read waits for the block's latch, not for the I/O.
//   3. An area is skipped while more than half of the pool's frames wait for reads.
#pragma once

#include <cstdint>

#include "server/aio/os_aio.h"
#include "server/buf/buf_pool.h"

namespace latchscope::server::buf {

inline constexpr uint32_t kReadAheadPagesMax = 64;       // BUF_READ_AHEAD_PAGES
inline constexpr uint32_t kReadAheadPoolShare = 32;      // BUF_READ_AHEAD_PORTION
inline constexpr uint32_t kReadAheadPendingLimit = 2;    // BUF_READ_AHEAD_PEND_LIMIT
inline constexpr uint32_t kReadAheadThresholdBase = 5;   // BUF_READ_AHEAD_RANDOM_THRESHOLD
inline constexpr uint32_t kReadAheadThresholdShare = 8;  // of the area

// Returns the number of pages in an area, for a pool instance with this many frames.
uint32_t read_ahead_area_pages(uint32_t frames);
// Returns the number of pages of the area that must have been accessed recently.
uint32_t read_ahead_threshold(uint32_t area_pages);

class BufReadAhead {
 public:
  // REQUIRES: the tablespace lookup is sharded_mutex; other variants hold a pin in the reader's own
  // stack frame.
  BufReadAhead(BufPool& pool, fil::FilSystem& fil_system, aio::OsAio& os_aio, bool enabled);

  // innodb_random_read_ahead.
  bool is_enabled() const { return line_.enabled.load_relaxed() != 0; }
  void enable(bool enabled) { line_.enabled.store(enabled ? 1 : 0); }

  // buf_read_ahead_random: called after `id` was read.
  void random(fil::FilSpace* table_space, PageId id);

  // Body of an I/O handler thread: completes reads until the arrays are stopped.
  void io_handler_thread(uint32_t global_segment);

 private:
  struct Area {
    uint32_t low, high;  // page numbers [low, high)
  };

  // Returns an empty area if the tablespace is missing.
  Area area_of(BufPool::Instance& instance, fil::FilSpace* table_space, PageId id);
  bool is_worth_reading(BufPool::Instance& instance, uint32_t space_id, Area area, uint32_t threshold);
  DbErr post_page(BufPool::Instance& instance, fil::FilSpace* table_space, PageId id, aio::AioBatch& batch);
  bool fil_aio_wait(uint32_t global_segment);

  BufPool& pool_;
  fil::FilSystem& fil_system_;
  aio::OsAio& os_aio_;
  struct alignas(64) Line : platform::CacheLine {
    explicit Line(bool is_on) : enabled(*this, is_on ? 1 : 0) {}
    platform::Atomic<uint32_t> enabled;
  };
  Line line_;
};

}  // namespace latchscope::server::buf
