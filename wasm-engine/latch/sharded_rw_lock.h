// Sharded_rw_lock: N rw_locks, each on cache lines of its own. Readers spread over the shards; a
// writer pays for all of them. MySQL uses it with 64 shards for the global latch of lock_sys.
// Source: MySQL 8.4 sync0sharded_rw.
//
//     S        locks one shard, picked at random, and returns its index for the unlock
//     S, own   locks the thread's own shard, which other threads share only if there are more
//              threads than shards. The cache line of a shard with one thread stays with that
//              thread's core (not in MySQL)
//     X        locks all shards in order
//     try S    locks one shard, picked at random, if no writer has it
//     try X    locks free shards in order, and backs out at the first shard in use
//
// Invariants
//   1. X is held exactly if every shard is X-locked: no reader has any shard then.
//   2. Writers take the shards in ascending order, so two writers do not deadlock.
//
// As with rw_lock, a thread must not take S twice: the second S may pick the shard that a writer
// has reserved.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "latch/rw_lock.h"

namespace latchscope::latch {

class CAPABILITY("rw_lock") ShardedRwLock {
 public:
  ShardedRwLock(LatchEnvironment& environment, uint32_t shards) {
    LATCHSCOPE_ASSERT(shards > 0, "a sharded rw_lock has at least one shard");
    shards_.reserve(shards);
    for (uint32_t i = 0; i < shards; ++i)
      shards_.push_back(std::make_unique<RwLock>(environment));
  }

  uint32_t shards() const { return static_cast<uint32_t>(shards_.size()); }

  // InnoDB picks by the cycle counter; here the thread's own generator picks, so that a run can be
  // repeated.
  uint32_t s_lock(const telemetry::LatchSite& site) ACQUIRE_SHARED() NO_THREAD_SAFETY_ANALYSIS {
    const uint32_t shard = telemetry::recorder().random().below(shards());
    shards_[shard]->s_lock(site);
    return shard;
  }
  uint32_t s_lock_own(const telemetry::LatchSite& site) ACQUIRE_SHARED() NO_THREAD_SAFETY_ANALYSIS {
    const uint32_t shard = telemetry::recorder().thread_number() % shards();
    shards_[shard]->s_lock(site);
    return shard;
  }
  // Tries one shard, picked at random. Returns nothing if a writer has it.
  std::optional<uint32_t> try_s_lock(const telemetry::LatchSite& site) NO_THREAD_SAFETY_ANALYSIS {
    const uint32_t shard = telemetry::recorder().random().below(shards());
    return shards_[shard]->try_s_lock(site) ? std::optional(shard) : std::nullopt;
  }
  void s_unlock(uint32_t shard) RELEASE_SHARED() NO_THREAD_SAFETY_ANALYSIS { shards_[shard]->s_unlock(); }

  void x_lock(const telemetry::LatchSite& site) ACQUIRE() NO_THREAD_SAFETY_ANALYSIS {
    for (const auto& shard : shards_)
      shard->x_lock(site);
  }
  void x_unlock() RELEASE() NO_THREAD_SAFETY_ANALYSIS {
    for (const auto& shard : shards_)
      shard->x_unlock();
  }
  bool try_x_lock(const telemetry::LatchSite& site) TRY_ACQUIRE(true) NO_THREAD_SAFETY_ANALYSIS {
    for (size_t locked = 0; locked < shards_.size(); ++locked) {
      if (shards_[locked]->try_x_lock(site)) continue;
      while (locked > 0)
        shards_[--locked]->x_unlock();
      return false;
    }
    return true;
  }

  bool is_free() const {
    return std::all_of(shards_.begin(), shards_.end(),
                       [](const auto& shard) { return shard->lock_word() == RwLock::kXLockDecr; });
  }

 private:
  std::vector<std::unique_ptr<RwLock>> shards_;  // each RwLock's words have their own cache line
};

}  // namespace latchscope::latch
