// The sync array: a table of the threads that wait for a latch. One process-wide OS mutex guards it
// (innodb_sync_array_size = 1). Each sleep takes that mutex three times, so heavy sleeping on any
// latch makes it a second hot lock. Source: MySQL 8.4 sync0arr.
//
// Invariants
//   1. A cell belongs to one thread from reserve to free.
//   2. reserve() resets the event and records its signal count *before* the thread tries its latch
//      for the last time. So a release in between is not lost.
#pragma once

#include <cstdint>
#include <vector>

#include "latch/os_event.h"
#include "latch/os_mutex.h"

namespace latchscope::latch {

class SyncArray {
 public:
  using Cell = uint32_t;

  explicit SyncArray(uint32_t cells_max);

  Cell reserve(OsEvent& event);
  void free(Cell cell);
  // Sleeps until the event has been set since reserve(), then frees the cell.
  void wait(Cell cell);

 private:
  struct CellState {
    OsEvent* event = nullptr;
    uint64_t signal_count = 0;
    bool waiting = false;
  };

  void free_locked(Cell cell) REQUIRES(mutex_);

  OsMutex mutex_;
  std::vector<CellState> cells_ GUARDED_BY(mutex_);
  std::vector<Cell> free_cells_ GUARDED_BY(mutex_);
};

}  // namespace latchscope::latch
