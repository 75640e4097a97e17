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

#include <cstdint>

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

}  // namespace latchscope::server::buf
