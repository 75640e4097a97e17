// AIO: an array of slots for asynchronous requests, split into segments with one handler thread
// each. Source: MySQL 8.0 os0file, class AIO. There is one mutex per array, not per segment: 16
// handlers share one mutex over 4,096 slots.
//
// A poster prefers the segment (offset in MiB) % segments but searches the whole array, so the
// array is full only when every segment is. The knob `slot_wait` decides how the poster then waits;
// `handler_wakeup` (os_aio.h) decides which handlers it wakes.
//
// Latch order: the mutex is never held together with another latch. Only m_not_full, m_is_empty and
// the events of the handlers are set and reset under it.
//
// Invariants
//   1. free -> reserved -> done -> free: exactly once per request, with one handler per segment.
//   2. The event of a segment is reset only under the mutex, after its handler found nothing there.
//   3. Every freed slot eventually admits a waiting poster. With event_broadcast, m_not_full is set
//      exactly while a slot is free. With counting_semaphore, the semaphore counts the free slots
//      minus those that posters have claimed but not yet filled.
//   4. The array never waits for itself: a handler of this array does not post to it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "latch/counting_semaphore.h"
#include "latch/os_event.h"
#include "latch/sys_mutex.h"
#include "platform/platform.h"
#include "server/fil/fil_space.h"

namespace latchscope::server::buf {
struct BufBlock;
}

namespace latchscope::server::aio {

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

// One step of an I/O handler thread: it selects a request of its own segment, adds the requests
// that continue it, and executes the I/O. Source: MySQL 8.0 os0file, class SimulatedAIOHandler.
//
// Selection: the oldest request if it has waited for 2 seconds or more, so that none starves behind
// lower offsets. Otherwise the request with the lowest offset, in whatever file, to shorten the
// movement of the disk arm.
//
// Merge: a request of the same file and type that starts where the last one ends joins the group,
// up to 64 slots. Each step searches the segment again, under the array's mutex. From 5.7 on
// merging only forms groups: every page is still read or written separately. 5.6 reads or writes a
// group in one call.

inline constexpr uint64_t kAgeLimitNs = 2'000'000'000;
inline constexpr uint32_t kMergeSlotsMax = 64;  // OS_AIO_MERGE_N_CONSECUTIVE

// Returns the slot to execute next, or null if no slot is reserved. Ages are now_ns -
// reserved_at_ns.
Slot* select_request(std::span<Slot> segment, uint64_t now_ns);
// Returns the reserved request that continues `last`, or null.
Slot* find_continuation(std::span<Slot> segment, const Slot& last);

class SimulatedAIOHandler {
 public:
  explicit SimulatedAIOHandler(SlotRange segment) : segment_(segment) {}

  // REQUIRES: the caller holds the array's mutex for the three functions below. It does not hold it
  // for execute().

  // Returns a request whose I/O is done, or null.
  Slot* find_done() const;
  // Returns false if no request is reserved. If find_done() has also returned null, the segment is
  // empty.
  bool select_and_merge(uint64_t now_ns);
  void mark_done();

  // Executes the I/O of the group, page by page or in one call.
  void execute(bool in_one_call);

  Slot& first() { return *group_[0]; }
  uint32_t group_size() const { return group_size_; }

 private:
  SlotRange segment_;
  Slot* group_[kMergeSlotsMax];
  uint32_t group_size_ = 0;
};

inline constexpr uint32_t kSlotsPerSegment = 256;  // 8 * OS_AIO_N_PENDING_IOS_PER_THREAD
inline constexpr uint32_t kSegmentsMax = 64;

// How a poster waits for a free slot.
enum class SlotWait : uint8_t {
  event_broadcast,     // m_not_full, set when the array was full: one free slot wakes all sleepers
  counting_semaphore,  // m_unused_slots: one slot wakes one sleeper
};

class AioBatch;

class AIO {
 public:
  // `groups_in_one_call`: true if a handler reads a group of consecutive pages in one call, as in
  // 5.6; false to read page by page.
  AIO(uint32_t segments, uint32_t slots_per_segment, SlotWait slot_wait, bool groups_in_one_call);
  AIO(const AIO&) = delete;
  AIO& operator=(const AIO&) = delete;

  uint32_t segments() const { return static_cast<uint32_t>(segments_.size()); }
  uint32_t slots() const { return segments() * slots_per_segment_; }
  uint32_t preferred_segment(uint64_t offset_bytes) const;

  // Puts the request into a slot and returns its segment, which the batch remembers. While the
  // array is full, the batch wakes handlers and the calling thread sleeps.
  uint32_t reserve_slot(const IoRequest& request, AioBatch& batch);
  // Wakes the handler of the segment if it has a reserved slot.
  void wake_simulated_handler_thread(uint32_t segment);

  // Called by the handler thread of a segment. Does I/O until a request is complete, frees its slot
  // and returns the request. Sleeps while there is nothing to do. After request_stop(), returns no
  // value once the segment is empty.
  std::optional<IoRequest> simulated_handler(uint32_t segment);
  void request_stop();

  // Returns true if no poster is active, and every handler is asleep with an empty segment and no
  // pending wake-up. All totals are then stable. Wakes no thread.
  bool is_idle();
  // Blocks until no slot is reserved. Returns false on timeout. InnoDB:
  // os_aio_wait_until_no_pending_*.
  bool wait_until_empty(uint64_t timeout_ns);
  // REQUIRES: is_idle().
  void set_slot_wait(SlotWait slot_wait);

  struct Check {
    uint64_t reserved_ever, done_ever, freed_ever;
    uint32_t reserved_now, posters_waiting;
    uint64_t resets_with_requests;  // events reset although the segment had a request
    uint64_t overtaken;
    uint64_t waited_ns_max;  // from reservation to selection
    bool free_slots_are_announced;
  };
  Check check();

 private:
  struct Segment {
    latch::OsEvent event;
    uint32_t handler_thread = 0;  // number of its handler thread; 0 before the thread's first call
    bool is_idle = false;         // its handler found nothing, and has not returned since
    uint64_t waited_ns_max = 0;
    // Selections that passed over a request at least 2 seconds old.
    uint64_t overtaken = 0;
    uint64_t done = 0, freed = 0;
  };

  SlotRange slots_of(uint32_t segment) REQUIRES(mutex_);
  SlotRange slots_from(uint32_t first, uint32_t count) REQUIRES(mutex_);
  void claim_unused_slot(uint32_t preferred, AioBatch& batch);
  void enter_when_not_full(uint32_t preferred, AioBatch& batch) ACQUIRE(mutex_);
  void wait_until_not_full();
  uint32_t fill_free_slot(uint32_t preferred, const IoRequest& request) REQUIRES(mutex_);
  IoRequest release_slot(Segment& segment, Slot& slot) REQUIRES(mutex_);
  void note_selection(Segment& segment, std::span<Slot> slots, const Slot& selected, uint64_t now_ns)
      REQUIRES(mutex_);

  const uint32_t slots_per_segment_;
  // Changes only while is_idle(); handlers read it under the mutex.
  SlotWait slot_wait_;
  const bool groups_in_one_call_;

  latch::SysMutex mutex_;
  std::vector<Slot> slots_ GUARDED_BY(mutex_);
  std::vector<platform::DataLine> slot_lines_ GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Segment>> segments_;  // guarded by the mutex, except for their events
  uint32_t reserved_ GUARDED_BY(mutex_) = 0;        // m_n_reserved
  uint64_t reserved_ever_ GUARDED_BY(mutex_) = 0;
  uint64_t resets_with_requests_ GUARDED_BY(mutex_) = 0;
  bool stop_ GUARDED_BY(mutex_) = false;
  latch::OsEvent not_full_;
  latch::OsEvent is_empty_;
  const uint32_t not_full_number_;
  latch::CountingSemaphore unused_slots_;
  struct alignas(64) WaitingLine : platform::CacheLine {
    platform::Atomic<uint32_t> posters{*this, 0};  // asleep until a slot is free
  };
  WaitingLine waiting_;
};

}  // namespace latchscope::server::aio
