#include "server/aio/simulated_aio_handler.h"

#include <cstring>

#include "server/page.h"
#include "server/ut/work_costs.h"
#include "telemetry/telemetry.h"

namespace latchscope::server::aio {

using telemetry::Counter;

namespace {

const telemetry::Function kIo("SimulatedAIOHandler::io");

void charge_for_visits(size_t slots) {
  telemetry::count(Counter::aio_slots_scanned, slots);
  platform::charge(slots * ut::work_cost::aio_slot_visit_ns);
}

void transfer_page(const IoRequest& request) {
  fil::File& file = *request.node->file;
  const uint32_t page_no = static_cast<uint32_t>(request.offset_bytes / kPageBytes);
  LATCHSCOPE_ASSERT(page_no < file.pages(), "an asynchronous I/O stays inside its file");
  telemetry::io(file.device(), kPageBytes);
  if (request.type == IoType::read) {
    memcpy(request.buffer, file.page(page_no), kPageBytes);
  } else {
    memcpy(file.page(page_no), request.buffer, kPageBytes);
  }
}

}  // namespace

Slot* select_request(std::span<Slot> segment, uint64_t now_ns) {
  Slot* oldest = nullptr;
  Slot* lowest = nullptr;
  for (Slot& slot : segment) {
    if (slot.state != SlotState::reserved) continue;
    const bool has_lower_offset =
        lowest == nullptr || slot.request.offset_bytes < lowest->request.offset_bytes;
    if (has_lower_offset) lowest = &slot;
    const bool has_lower_offset_than_oldest = oldest != nullptr &&
                                              slot.reserved_at_ns == oldest->reserved_at_ns &&
                                              slot.request.offset_bytes < oldest->request.offset_bytes;
    if (oldest == nullptr || slot.reserved_at_ns < oldest->reserved_at_ns || has_lower_offset_than_oldest) {
      oldest = &slot;
    }
  }
  const bool is_too_old =
      oldest != nullptr && now_ns >= oldest->reserved_at_ns && now_ns - oldest->reserved_at_ns >= kAgeLimitNs;
  return is_too_old ? oldest : lowest;
}

Slot* find_continuation(std::span<Slot> segment, const Slot& last) {
  for (Slot& slot : segment) {
    if (slot.state == SlotState::reserved && slot.request.node == last.request.node &&
        slot.request.type == last.request.type &&
        slot.request.offset_bytes == last.request.offset_bytes + kPageBytes) {
      return &slot;
    }
  }
  return nullptr;
}

Slot* SimulatedAIOHandler::find_done() const {
  charge_for_visits(segment_.size());
  for (Slot& slot : segment_) {
    if (slot.state == SlotState::done) return &slot;
  }
  return nullptr;
}

bool SimulatedAIOHandler::select_and_merge(uint64_t now_ns) {
  charge_for_visits(segment_.size());
  Slot* next = select_request(segment_, now_ns);
  group_size_ = 0;
  while (next != nullptr && group_size_ < kMergeSlotsMax) {
    group_[group_size_++] = next;
    if (group_size_ == kMergeSlotsMax) break;
    charge_for_visits(segment_.size());
    next = find_continuation(segment_, *next);
  }
  return group_size_ > 0;
}

void SimulatedAIOHandler::execute() {
  telemetry::Frame frame(kIo);
  for (uint32_t i = 0; i < group_size_; ++i)
    transfer_page(group_[i]->request);
}

void SimulatedAIOHandler::mark_done() {
  for (uint32_t i = 0; i < group_size_; ++i) {
    LATCHSCOPE_ASSERT(group_[i]->state == SlotState::reserved, "a request is done once");
    group_[i]->state = SlotState::done;
  }
}

}  // namespace latchscope::server::aio
