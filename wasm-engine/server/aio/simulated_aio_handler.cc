#include "server/aio/aio_array.h"

#include <algorithm>
#include <cstring>

#include "server/page.h"
#include "telemetry/telemetry.h"

namespace latchscope::server::aio {

using telemetry::Counter;

namespace {

const telemetry::Function kIo("SimulatedAIOHandler::io");

void copy_page(const IoRequest& request) {
  fil::File& file = *request.node->file;
  const uint32_t page_no = static_cast<uint32_t>(request.offset_bytes / kPageBytes);
  LATCHSCOPE_ASSERT(page_no < file.pages(), "an asynchronous I/O stays inside its file");
  if (request.type == IoType::read) {
    memcpy(request.buffer, file.page(page_no), kPageBytes);
  } else {
    memcpy(file.page(page_no), request.buffer, kPageBytes);
  }
}

}  // namespace

void visit(const SlotRange& range, size_t count) {
  telemetry::count(Counter::aio_slots_scanned, count);
  platform::DataLine::read_all(range.lines.first(count));
}

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
  const auto done = std::find_if(segment_.slots.begin(), segment_.slots.end(),
                                 [](const Slot& slot) { return slot.state == SlotState::done; });
  const auto before = static_cast<size_t>(done - segment_.slots.begin());
  if (before == segment_.size()) {
    visit(segment_, before);
    return nullptr;
  }
  visit(segment_, before + 1);
  return &*done;
}

bool SimulatedAIOHandler::select_and_merge(uint64_t now_ns) {
  visit(segment_, segment_.size());
  Slot* next = select_request(segment_.slots, now_ns);
  group_size_ = 0;
  while (next != nullptr) {
    group_[group_size_++] = next;
    if (group_size_ == kMergeSlotsMax) break;
    next = find_continuation(segment_.slots, *next);
    visit(segment_,
          next == nullptr ? segment_.size() : static_cast<size_t>(next - segment_.slots.data()) + 1);
  }
  return group_size_ > 0;
}

void SimulatedAIOHandler::execute(bool in_one_call) {
  telemetry::Frame frame(kIo);
  platform::Device& device = group_[0]->request.node->file->device();
  const uint32_t pages_per_call = in_one_call ? group_size_ : 1;
  for (uint32_t i = 0; i < group_size_; ++i) {
    if (i % pages_per_call == 0) {
      telemetry::count(Counter::aio_calls);
      telemetry::io(device, pages_per_call * kPageBytes);
    }
    copy_page(group_[i]->request);
  }
}

void SimulatedAIOHandler::mark_done() {
  for (uint32_t i = 0; i < group_size_; ++i) {
    LATCHSCOPE_ASSERT(group_[i]->state == SlotState::reserved, "a request completes exactly once");
    segment_.line_of(*group_[i]).write();
    group_[i]->state = SlotState::done;
  }
}

}  // namespace latchscope::server::aio
