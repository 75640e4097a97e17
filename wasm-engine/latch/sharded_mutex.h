// A mutex in N shards, chosen by a key; each shard has its own cache line (MySQL 8.0:
// Fil_shard::m_mutex).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "latch/ttas_event_mutex.h"

namespace latchscope::latch {

class ShardedMutex {
 public:
  ShardedMutex(LatchEnvironment& environment, uint32_t shards) {
    shards_.reserve(shards);
    for (uint32_t i = 0; i < shards; ++i)
      shards_.push_back(std::make_unique<TTASEventMutex>(environment));
  }

  uint32_t shards() const { return static_cast<uint32_t>(shards_.size()); }
  TTASEventMutex& shard(uint32_t index) { return *shards_[index]; }

 private:
  std::vector<std::unique_ptr<TTASEventMutex>> shards_;
};

}  // namespace latchscope::latch
