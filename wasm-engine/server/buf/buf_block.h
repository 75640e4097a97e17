// BufBlock: a frame of the buffer pool and its control block (buf_block_t).
//
// Invariants
//   1. `id`, `space` and membership in the page hash change only under the X lock of the id's
//      page-hash cell, and only while the fix count is 0. The thread that reads the page in is
//      exempt from the latter: the block is X-latched for it.
//   2. A fixed block is not evicted. The fix count increases only under the page-hash lock.
//   3. A block in io_fix read is X-latched by the reader, or on behalf of the I/O handler that will
//      complete an asynchronous read. Only the completion of the read releases the latch.
//   4. A dirty block is written to its file before it is evicted, unless its page was freed or its
//      tablespace dropped.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "latch/rw_lock.h"
#include "platform/platform.h"
#include "server/fil/fil_space.h"
#include "server/page.h"
#include "server/ut/intrusive_list.h"

namespace latchscope::server::buf {

enum IoFixRead : uint32_t {
  kNotReading,
  kReadSync,   // the reader holds the X latch
  kReadAsync,  // the X latch is held for the I/O handler
};

struct BufBlock {
  BufBlock(latch::LatchEnvironment& latches, uint8_t* frame_bytes) : lock(latches), frame(frame_bytes) {}

  struct alignas(64) FixLine : platform::CacheLine {
    platform::Atomic<uint32_t> fix_count{*this, 0};
    platform::Atomic<uint32_t> io_fix_read{*this, kNotReading};
    platform::Atomic<uint32_t> holds_page{*this, 0};  // 0: free, or its read failed
    // Eviction clock when the page last moved to the young end.
    platform::Atomic<uint32_t> young_clock{*this, 0};
    // Newer than its file; see buf_write.cc.
    platform::Atomic<uint32_t> is_dirty{*this, 0};
    // First access since the page was read (access_time): the eviction clock at that time + 1; 0 if
    // there was none.
    platform::Atomic<uint32_t> first_access{*this, 0};
  };
  FixLine line;
  latch::RwLock lock;
  PageId id;
  // Counted reference, in variants in which pages refer to their tablespace.
  fil::FilSpace* space = nullptr;
  uint8_t* const frame;
  BufBlock* hash_next = nullptr;
  ut::ListLink<BufBlock> lru;
  ut::ListLink<BufBlock> free;
};

// The page hash of a buffer pool instance. Source: InnoDB's buf_pool_t::page_hash. Blocks are
// chained through BufBlock::hash_next, in 16 cells (innodb_page_hash_locks) with one rw_lock each.
// No operation allocates memory.

inline constexpr uint32_t kPageHashCells = 16;

inline uint64_t page_hash_value(PageId id) {
  return platform::split_mix_64((uint64_t{id.space} << 32) | id.page_no);
}

// One cell. Readers hold its lock S, writers hold it X.
class PageHashCell {
 public:
  PageHashCell(latch::LatchEnvironment& latches, uint32_t frames_of_instance)
      : lock(latches), chains_(std::bit_ceil(2 * frames_of_instance / kPageHashCells + 1), nullptr) {}

  size_t size() const { return size_; }

  // Returns null if the page is not in the pool.
  BufBlock* find(PageId id) const {
    BufBlock* block = chains_[chain_of(id)];
    while (block != nullptr && block->id != id)
      block = block->hash_next;
    return block;
  }

  void insert(BufBlock& block) {
    BufBlock*& first = chains_[chain_of(block.id)];
    block.hash_next = first;
    first = &block;
    ++size_;
  }

  void remove(BufBlock& block) {
    BufBlock** place = &chains_[chain_of(block.id)];
    while (*place != &block) {
      LATCHSCOPE_ASSERT(*place != nullptr, "a block removed from the page hash is in it");
      place = &(*place)->hash_next;
    }
    *place = block.hash_next;
    block.hash_next = nullptr;
    --size_;
  }

  latch::RwLock lock;

 private:
  // cell_of() uses the low bits of the hash to choose the cell, so the chain uses the high bits.
  size_t chain_of(PageId id) const { return (page_hash_value(id) >> 32) & (chains_.size() - 1); }

  std::vector<BufBlock*> chains_;
  size_t size_ = 0;
};

}  // namespace latchscope::server::buf
