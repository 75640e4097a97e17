#include "latch/sync_array.h"

#include "telemetry/telemetry.h"

namespace latchscope::latch {

namespace {

const telemetry::Function kSyncArrayWait("sync_array_wait_event");

}  // namespace

SyncArray::SyncArray(uint32_t cells_max) : cells_(cells_max) {
  free_cells_.reserve(cells_max);
  for (Cell cell = cells_max; cell-- > 0;)
    free_cells_.push_back(cell);
}

SyncArray::Cell SyncArray::reserve(OsEvent& event) {
  OsMutexGuard guard(mutex_);
  LATCHSCOPE_ASSERT(!free_cells_.empty(), "the sync array has a cell for every thread");
  const Cell cell = free_cells_.back();
  free_cells_.pop_back();
  cells_[cell] = {&event, event.reset(), false};
  return cell;
}

void SyncArray::free(Cell cell) {
  OsMutexGuard guard(mutex_);
  free_locked(cell);
}

void SyncArray::free_locked(Cell cell) {
  LATCHSCOPE_ASSERT(cells_[cell].event != nullptr, "only a reserved sync array cell is freed");
  cells_[cell] = {};
  free_cells_.push_back(cell);
}

void SyncArray::wait(Cell cell) {
  telemetry::Frame frame(kSyncArrayWait);
  OsEvent* event;
  uint64_t signal_count;
  {
    OsMutexGuard guard(mutex_);
    cells_[cell].waiting = true;
    event = cells_[cell].event;
    signal_count = cells_[cell].signal_count;
  }
  event->wait(signal_count);
  free(cell);
}

}  // namespace latchscope::latch
