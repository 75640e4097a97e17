// The sync array: a table of the threads that wait for a latch (source: MySQL 8.4 sync0arr). One process-wide
// OS mutex, taken three times per sleep, so that heavy sleeping on any latch makes it a second hot lock
// (innodb_sync_array_size = 1).
//
// Invariants
//   1. A cell belongs to one thread from reserve to free.
//   2. reserve() resets the event and keeps its signal count *before* the thread tries its latch for the last
//      time: a release in between is not lost.
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
  // Sleeps until the event is set after reserve(), then frees the cell.
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
