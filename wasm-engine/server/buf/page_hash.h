// The page hash of a buffer pool instance. Source: InnoDB's buf_pool_t::page_hash. Blocks are
// chained through BufBlock::hash_next, in 16 cells (innodb_page_hash_locks) with one rw_lock each.
// No operation allocates memory.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "latch/rw_lock.h"
#include "platform/platform.h"
#include "server/buf/buf_block.h"
#include "server/page.h"

namespace latchscope::server::buf {

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
