// Simulated asynchronous I/O (innodb_use_native_aio = OFF): the arrays, and the handlers that a
// poster wakes. Source: MySQL 8.0 os0file.
//
//    array    segments                  global segment numbers
//    ibuf     1                         0
//    log      1 (through 8.0.29)        1
//    reads    innodb_read_io_threads    2 ...
//    writes   innodb_write_io_threads   after the reads
//
// Requests of a batch are posted "do not wake". The poster wakes handlers at the end of the batch,
// and before it sleeps (for a slot, or for a free frame). The knob `handler_wakeup` decides which
// ones:
//
//    variant                 at end of batch        array full                   no free frame
//    wake_all                every segment          every segment of all arrays  every segment
//    wake_preferred_segment  every segment          the preferred segment        every segment
//    wake_touched_segments   segments posted to     segments posted to           segments posted to
//
// Invariants
//   1. After a request was put into a segment, its own poster wakes that segment. A batch must not
//      end before every segment it touched was woken. Under wake_touched_segments its poster must
//      not sleep before that either.
//   2. ibuf pages have their own array, because completing another read may need them.
// While the array is full, wake_preferred_segment is sufficient: that segment has a request, and
// its handler will free a slot. Requests in other segments depend on the end of the batch.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "server/aio/aio_array.h"

namespace latchscope::server::aio {

enum class HandlerWakeup : uint8_t { wake_all, wake_preferred_segment, wake_touched_segments };

struct OsAioConfig {
  uint32_t read_io_threads = 4;   // innodb_read_io_threads
  uint32_t write_io_threads = 4;  // innodb_write_io_threads
  uint32_t slots_per_segment = kSlotsPerSegment;
  HandlerWakeup handler_wakeup = HandlerWakeup::wake_all;
  SlotWait slot_wait = SlotWait::event_broadcast;
  bool groups_in_one_call = false;  // 5.6; from 5.7 on handlers work page by page
};

class OsAio {
 public:
  explicit OsAio(const OsAioConfig& config);

  uint32_t segments() const;
  AIO& reads() { return reads_; }
  AIO& writes() { return writes_; }

  // Posts a single request; wakes only the handler of its segment (os_aio_func).
  void post(AIO& array, const IoRequest& request);
  // Wakes the handler of every segment of every array that has a reserved slot.
  void simulated_wake_handler_threads();

  // See AIO::simulated_handler.
  std::optional<IoRequest> simulated_handler(uint32_t global_segment);
  void request_stop();

  // Blocks until every handler is asleep. Returns false if a request is left after the timeout,
  // although no thread will wake its handler.
  // REQUIRES: no batch is open.
  bool wait_until_idle(uint64_t timeout_ns);

  HandlerWakeup handler_wakeup() const { return handler_wakeup_; }
  SlotWait slot_wait() const { return slot_wait_; }
  // REQUIRES for the setters below: wait_until_idle() has returned true and no batch is open.
  void set_handler_wakeup(HandlerWakeup handler_wakeup) { handler_wakeup_ = handler_wakeup; }
  void set_slot_wait(SlotWait slot_wait);

  const std::array<AIO*, 4>& arrays() const { return arrays_; }

 private:
  HandlerWakeup handler_wakeup_;
  SlotWait slot_wait_;
  AIO ibuf_;
  AIO log_;
  AIO reads_;
  AIO writes_;
  const std::array<AIO*, 4> arrays_{&ibuf_, &log_, &reads_, &writes_};
};

// The requests that one thread posts to one array before it wakes their handlers.
// REQUIRES: end() is called before the batch is destroyed.
class AioBatch {
 public:
  AioBatch(OsAio& os_aio, AIO& array) : os_aio_(os_aio), array_(array) {}
  ~AioBatch() { LATCHSCOPE_ASSERT(unwoken_ == 0, "a batch has woken every segment that it posted to"); }
  AioBatch(const AioBatch&) = delete;
  AioBatch& operator=(const AioBatch&) = delete;

  void post(const IoRequest& request) { array_.reserve_slot(request, *this); }
  void end();

  // AIO and the buffer pool call these during the batch.
  void touched(uint32_t segment) { unwoken_ |= uint64_t{1} << segment; }
  void array_is_full(uint32_t preferred_segment);
  void no_free_frame() { end(); }

 private:
  friend class OsAio;
  void wake(uint32_t segment);
  void wake_touched();

  OsAio& os_aio_;
  AIO& array_;
  uint64_t unwoken_ = 0;  // bit per segment of the array: posted to since its last wake
};

}  // namespace latchscope::server::aio
