// FilShard: one part of the tablespace memory cache. It has a mutex, a hash table of tablespaces by
// id, and the LRU list of open files. MySQL 5.6 and 5.7 have one (fil_system), 8.0 has 68.
//
// Invariants
//   1. A node is in the LRU list exactly if it is open and has no pending I/O.
//   2. A file with pending I/O is never closed. At most open_files_max files are open, unless all
//      have pending I/O.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "latch/rw_lock.h"
#include "server/fil/fil_mutex.h"
#include "server/fil/fil_space.h"
#include "server/ut/intrusive_list.h"
#include "server/ut/work_costs.h"

namespace latchscope::server::fil {

struct FilShard {
  // `place` is the place of a latch written in the lab, or null.
  FilShard(latch::LatchEnvironment& latches, uint32_t open_files_max_of_shard,
           lab::LatchPlace* place = nullptr)
      : mutex(latches, place), rw_lock(latches), open_files_max(open_files_max_of_shard) {}

  FilSpace* find(uint32_t space_id) REQUIRES(mutex) {
    ut::pay(ut::work_cost::fil_hash_lookup_ns);
    const auto found = spaces.find(space_id);
    if (found == spaces.end()) return nullptr;
    found->second->line.read();
    return found->second;
  }

  // fil_node_prepare_for_io: opens the file if necessary, removes it from the LRU list and counts
  // the I/O.
  void prepare_node(FilNode& node) REQUIRES(mutex);
  // fil_node_complete_io.
  void complete_node(FilNode& node) REQUIRES(mutex);
  // Opens the file. Closes the least recently used one if too many are open.
  void open_node(FilNode& node) REQUIRES(mutex);
  void close_node(FilNode& node) REQUIRES(mutex);

  FilMutex mutex;
  // Proposed in bug #117533: readers that change nothing in `spaces` may hold this latch S instead
  // of the mutex. A thread that changes `spaces` holds both, the mutex first.
  latch::RwLock rw_lock;
  std::unordered_map<uint32_t, FilSpace*> spaces GUARDED_BY(mutex);
  ut::IntrusiveList<FilNode, &FilNode::lru> lru GUARDED_BY(mutex);
  platform::DataLine lru_line;  // the ends of `lru`
  uint32_t open_files GUARDED_BY(mutex) = 0;
  const uint32_t open_files_max;

 private:
  void close_least_recently_used() REQUIRES(mutex);
};

}  // namespace latchscope::server::fil
