#include "server/aio/aio_array.h"

#include <algorithm>

#include "server/aio/os_aio.h"
#include "telemetry/telemetry.h"

namespace latchscope::server::aio {

using latch::SysMutexGuard;
using telemetry::Counter;

namespace {

constexpr const char* kMutex = "AIO::m_mutex";
const telemetry::LatchSite kReserve(kMutex, "AIO::reserve_slot");
const telemetry::LatchSite kWake(kMutex, "AIO::wake_simulated_handler_thread");
const telemetry::LatchSite kHandler(kMutex, "os_aio_simulated_handler");
const telemetry::LatchSite kControl(kMutex, "os_aio_wait_until_no_pending");
const telemetry::LatchSite kNotFull("AIO::m_not_full", "AIO::reserve_slot");
const telemetry::LatchSite kUnusedSlots("AIO::m_unused_slots", "AIO::reserve_slot");

const telemetry::Function kReserveFrame("AIO::reserve_slot");
const telemetry::Function kWakeFrame("AIO::wake_simulated_handler_thread");
const telemetry::Function kHandlerFrame("os_aio_simulated_handler");

constexpr uint32_t kOffsetUnitBits = 20;  // 64 pages of 16 KiB

}  // namespace

AIO::AIO(uint32_t segments, uint32_t slots_per_segment, SlotWait slot_wait, bool groups_in_one_call)
    : slots_per_segment_(slots_per_segment),
      slot_wait_(slot_wait),
      groups_in_one_call_(groups_in_one_call),
      slots_(size_t{segments} * slots_per_segment),
      slot_lines_(size_t{segments} * slots_per_segment),
      not_full_number_(telemetry::next_latch_number()),
      unused_slots_(segments * slots_per_segment) {
  LATCHSCOPE_ASSERT(segments >= 1 && segments <= kSegmentsMax && slots_per_segment >= 1,
                    "an AIO array has 1 to 64 segments of at least one slot");
  for (uint32_t i = 0; i < segments; ++i)
    segments_.push_back(std::make_unique<Segment>());
  not_full_.set();
  is_empty_.set();
}

uint32_t AIO::preferred_segment(uint64_t offset_bytes) const {
  return static_cast<uint32_t>((offset_bytes >> kOffsetUnitBits) % segments());
}

SlotRange AIO::slots_of(uint32_t segment) {
  return slots_from(segment * slots_per_segment_, slots_per_segment_);
}

SlotRange AIO::slots_from(uint32_t first, uint32_t count) {
  return {std::span(slots_).subspan(first, count),
          std::span(std::as_const(slot_lines_)).subspan(first, count)};
}

uint32_t AIO::reserve_slot(const IoRequest& request, AioBatch& batch) {
  telemetry::Frame frame(kReserveFrame);
  const uint32_t preferred = preferred_segment(request.offset_bytes);
  if (slot_wait_ == SlotWait::counting_semaphore) claim_unused_slot(preferred, batch);
  enter_when_not_full(preferred, batch);
  const uint32_t segment = fill_free_slot(preferred, request);
  mutex_.exit();
  batch.touched(segment);
  return segment;
}

// As in 9.x: the thread claims one slot before it acquires the mutex.
void AIO::claim_unused_slot(uint32_t preferred, AioBatch& batch) {
  unused_slots_.acquire(kUnusedSlots, [&](uint32_t attempt) {
    if (attempt > 0) telemetry::count(Counter::slot_waits_in_vain);
    telemetry::count(Counter::slot_waits);
    batch.array_is_full(preferred);
  });
}

// As in MySQL through 8.4: if the array is full, wakes handlers, sleeps until the event is set, and
// tries again.
void AIO::enter_when_not_full(uint32_t preferred, AioBatch& batch) {
  for (bool has_waited = false;; has_waited = true) {
    mutex_.enter(kReserve);
    if (reserved_ < slots_.size()) return;
    LATCHSCOPE_ASSERT(slot_wait_ == SlotWait::event_broadcast,
                      "a thread that claimed an unused slot finds one");
    mutex_.exit();
    if (has_waited) telemetry::count(Counter::slot_waits_in_vain);
    telemetry::count(Counter::slot_waits);
    batch.array_is_full(preferred);
    wait_until_not_full();
  }
}

void AIO::wait_until_not_full() {
  telemetry::ThreadRecorder& recorder = telemetry::recorder();
  waiting_.posters.fetch_add(1);
  recorder.latch_contended(kNotFull, not_full_number_);
  telemetry::thread_waits_for_event(not_full_number_);
  recorder.latch_wait_begins(kNotFull);
  not_full_.wait(not_full_.signal_count());
  recorder.latch_wait_ends(kNotFull);
  recorder.latch_contention_ends();
  waiting_.posters.fetch_sub(1);
}

// Searches the whole array, starting at the preferred segment.
uint32_t AIO::fill_free_slot(uint32_t preferred, const IoRequest& request) {
  const uint32_t caller = telemetry::recorder().thread_number();
  LATCHSCOPE_ASSERT(std::none_of(segments_.begin(), segments_.end(),
                                 [&](const auto& segment) { return segment->handler_thread == caller; }),
                    "a handler never waits for its own array");
  const uint32_t all = slots();
  const uint32_t start = preferred * slots_per_segment_;
  uint32_t visited = 0;
  while (slots_[(start + visited) % all].state != SlotState::free) {
    ++visited;
    LATCHSCOPE_ASSERT(visited < all, "an array that is not full has a free slot");
  }
  const uint32_t index = (start + visited) % all;
  const uint32_t looked_at = visited + 1;
  const uint32_t to_the_end = std::min(looked_at, all - start);
  visit(slots_from(start, to_the_end), to_the_end);
  if (looked_at > to_the_end) visit(slots_from(0, all), looked_at - to_the_end);
  slot_lines_[index].write();
  slots_[index] = {SlotState::reserved, request, platform::now_ns()};
  ++reserved_ever_;
  if (reserved_++ == 0) is_empty_.reset();
  if (reserved_ == all) not_full_.reset();
  if (request.type == IoType::read) telemetry::count(Counter::aio_reads_posted);
  return index / slots_per_segment_;
}

IoRequest AIO::release_slot(Segment& segment, Slot& slot) {
  LATCHSCOPE_ASSERT(slot.state == SlotState::done, "only a completed request leaves its slot");
  const IoRequest request = slot.request;
  slot_lines_[static_cast<size_t>(&slot - slots_.data())].write();
  slot = {};
  ++segment.freed;
  if (reserved_ == slots_.size()) not_full_.set();
  if (--reserved_ == 0) is_empty_.set();
  if (slot_wait_ == SlotWait::counting_semaphore) unused_slots_.release();
  return request;
}

void AIO::wake_simulated_handler_thread(uint32_t segment) {
  telemetry::Frame frame(kWakeFrame);
  telemetry::count(Counter::handler_wake_calls);
  bool has_reserved = false;
  {
    SysMutexGuard guard(mutex_, kWake);
    const SlotRange range = slots_of(segment);
    const auto reserved = std::find_if(range.slots.begin(), range.slots.end(),
                                       [](const Slot& slot) { return slot.state != SlotState::free; });
    has_reserved = reserved != range.slots.end();
    visit(range, static_cast<size_t>(reserved - range.slots.begin()) + (has_reserved ? 1 : 0));
  }
  if (!has_reserved) return;
  telemetry::count(Counter::handler_events_set);
  segments_[segment]->event.set();
}

std::optional<IoRequest> AIO::simulated_handler(uint32_t segment_no) NO_THREAD_SAFETY_ANALYSIS {
  telemetry::Frame frame(kHandlerFrame);
  Segment& segment = *segments_[segment_no];
  for (bool was_woken = false;; was_woken = true) {
    mutex_.enter(kHandler);
    segment.is_idle = false;
    segment.handler_thread = telemetry::recorder().thread_number();
    const SlotRange range = slots_of(segment_no);
    SimulatedAIOHandler handler(range);
    Slot* complete = handler.find_done();
    if (complete == nullptr) {
      // 8.0 reads the clock once per reserved slot; once is enough, as in 9.x.
      const uint64_t now_ns = platform::now_ns();
      if (handler.select_and_merge(now_ns)) {
        complete = &handler.first();
        note_selection(segment, range.slots, *complete, now_ns);
        mutex_.exit();
        handler.execute(groups_in_one_call_);
        mutex_.enter(kHandler);
        handler.mark_done();
        segment.done += handler.group_size();
        telemetry::count(Counter::aio_groups);
      }
    }
    if (complete != nullptr) {
      const IoRequest request = release_slot(segment, *complete);
      mutex_.exit();
      return request;
    }

    telemetry::count(Counter::handler_idle_rounds);
    if (was_woken) telemetry::count(Counter::handler_wakeups_empty);
    const uint64_t signal_count = segment.event.reset();
    const bool has_requests = std::any_of(range.slots.begin(), range.slots.end(),
                                          [](const Slot& slot) { return slot.state != SlotState::free; });
    if (has_requests) ++resets_with_requests_;
    segment.is_idle = true;
    const bool stop = stop_;
    if (stop) segment.handler_thread = 0;
    mutex_.exit();
    // is_idle stays true: this handler does not return.
    if (stop) return std::nullopt;
    telemetry::StateScope state(telemetry::ThreadState::sleeping);
    segment.event.wait(signal_count);
    telemetry::count(Counter::handler_wakeups);
  }
}

// Records how long the selected request waited, and whether it passed over an older request that
// had waited for 2 seconds. The check that no request starves uses both.
void AIO::note_selection(Segment& segment, std::span<Slot> slots, const Slot& selected, uint64_t now_ns) {
  const uint64_t waited_ns = now_ns - std::min(now_ns, selected.reserved_at_ns);
  segment.waited_ns_max = std::max(segment.waited_ns_max, waited_ns);
  const bool passed_over = std::any_of(slots.begin(), slots.end(), [&](const Slot& slot) {
    return slot.state == SlotState::reserved && slot.reserved_at_ns < selected.reserved_at_ns &&
           now_ns >= slot.reserved_at_ns + kAgeLimitNs;
  });
  if (passed_over) ++segment.overtaken;
}

void AIO::request_stop() {
  {
    SysMutexGuard guard(mutex_, kControl);
    stop_ = true;
  }
  for (const auto& segment : segments_)
    segment->event.set();
}

bool AIO::is_idle() {
  SysMutexGuard guard(mutex_, kControl);
  return reserved_ == 0 && waiting_.posters.load() == 0 && unused_slots_.waiters() == 0 &&
         std::all_of(segments_.begin(), segments_.end(),
                     [](const auto& segment) { return segment->is_idle && !segment->event.is_set(); });
}

bool AIO::wait_until_empty(uint64_t timeout_ns) {
  const uint64_t signal_count = is_empty_.signal_count();
  {
    SysMutexGuard guard(mutex_, kControl);
    if (reserved_ == 0) return true;
  }
  return is_empty_.wait(signal_count, timeout_ns);
}

void AIO::set_slot_wait(SlotWait slot_wait) {
  SysMutexGuard guard(mutex_, kControl);
  LATCHSCOPE_ASSERT(reserved_ == 0 && waiting_.posters.load() == 0 && unused_slots_.waiters() == 0,
                    "slot_wait changes only while no request is pending");
  slot_wait_ = slot_wait;
  unused_slots_.reset(slots());
}

AIO::Check AIO::check() {
  SysMutexGuard guard(mutex_, kControl);
  Check check{};
  check.reserved_ever = reserved_ever_;
  check.reserved_now = reserved_;
  check.posters_waiting = waiting_.posters.load() + unused_slots_.waiters();
  check.resets_with_requests = resets_with_requests_;
  for (const auto& segment : segments_) {
    check.done_ever += segment->done;
    check.freed_ever += segment->freed;
    check.overtaken += segment->overtaken;
    check.waited_ns_max = std::max(check.waited_ns_max, segment->waited_ns_max);
  }
  const bool not_full = reserved_ < slots_.size();
  check.free_slots_are_announced = slot_wait_ == SlotWait::event_broadcast
                                       ? not_full_.is_set() == not_full
                                       : unused_slots_.units() == slots_.size() - reserved_;
  return check;
}

}  // namespace latchscope::server::aio
