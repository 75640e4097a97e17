// A slot of an AIO array and the request in it. Source: MySQL 8.0 os0file, struct Slot.
//
//   free --reserve_slot--> reserved --handler completes I/O--> done --handler returns it--> free
//
// "Reserved" includes requests that a handler is executing.
//
// Invariants
//   1. Each request goes through free, reserved, done, free; each step happens exactly once.
//   2. Only reserve_slot fills a slot. Afterwards only the handler of its segment accesses it; the
//      poster must not: the request may be complete, and its slot reused, before the poster runs
//      again.
#pragma once

#include <cstdint>
#include <span>

#include "platform/platform.h"
#include "server/fil/fil_space.h"

namespace latchscope::server::buf {
struct BufBlock;
}

namespace latchscope::server::aio {

enum class IoType : uint8_t { read, write };

// A poster's request, with the data that the poster needs when the I/O is complete. In InnoDB m1 is
// the fil_node_t and m2 the buf_page_t.
struct IoRequest {
  IoType type;
  fil::FilNode* node;     // m1
  uint64_t offset_bytes;  // in the file
  uint8_t* buffer;        // kPageBytes
  buf::BufBlock* block;   // m2
};

enum class SlotState : uint8_t { free, reserved, done };

struct Slot {
  SlotState state = SlotState::free;
  IoRequest request{};
  uint64_t reserved_at_ns = 0;  // reservation_time
};

// Adjacent slots. Each has its own cache line, which moves to any core that reads it after another
// core filled, completed or freed the slot. This is the cost of a scan under the array's mutex.
struct SlotRange {
  std::span<Slot> slots;
  std::span<const platform::DataLine> lines;  // lines of the slots, in the same order

  size_t size() const { return slots.size(); }
  const platform::DataLine& line_of(const Slot& slot) const {
    return lines[static_cast<size_t>(&slot - slots.data())];
  }
};

// Charges for reading the first `count` slots and counts them.
void visit(const SlotRange& range, size_t count);

}  // namespace latchscope::server::aio
