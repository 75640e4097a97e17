// A frame of the buffer pool and its control block (buf_block_t).
//
// Invariants
//   1. `id`, `space` and membership in the page hash change only under the X lock of the id's page-hash cell,
//      and only while the fix count is 0 (except by the thread that reads the page in, for whom the block is
//      X-latched).
//   2. A fixed block is not evicted. The fix count goes up only under the page-hash lock.
//   3. A block in io_fix read is X-latched by the reader, or on behalf of the I/O handler that will complete an
//      asynchronous read; only the completion of the read releases the latch.
//   4. A dirty block is written to its file before it is evicted, unless its page was freed or its tablespace
//      dropped.
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
  kReadAsync,  // the X latch waits for the I/O handler
};

struct BufBlock {
  BufBlock(latch::LatchEnvironment& latches, uint8_t* frame_bytes) : lock(latches), frame(frame_bytes) {}

  struct alignas(64) FixLine : platform::CacheLine {
    platform::Atomic<uint32_t> fix_count{*this, 0};
    platform::Atomic<uint32_t> io_fix_read{*this, kNotReading};
    platform::Atomic<uint32_t> holds_page{*this, 0};   // false: free, or its read failed
    platform::Atomic<uint32_t> young_clock{*this, 0};  // eviction clock when last moved to the young end
    platform::Atomic<uint32_t> is_dirty{*this, 0};     // newer than its file; see buf_write.cc
    // Asked for since it was read (access_time): 1 more than the eviction clock was then; 0 if not yet.
    platform::Atomic<uint32_t> first_access{*this, 0};
  };
  FixLine line;
  latch::RwLock lock;
  PageId id;
  fil::FilSpace* space = nullptr;  // counted reference, in variants in which pages refer to their tablespace
  uint8_t* const frame;
  BufBlock* hash_next = nullptr;
  ut::ListLink<BufBlock> lru;
  ut::ListLink<BufBlock> free;
};

}  // namespace latchscope::server::buf
