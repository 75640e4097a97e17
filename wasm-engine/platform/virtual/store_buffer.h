// The store buffers of the modelled cores. A thread continues `store_ps` after it issues a store.
// The store takes effect later, when its core has the line, and never before an older store of the
// same thread. This is total store order, as on x86. Until then only the thread itself sees the
// store.
//
//   StoreBuffer      of one thread: when each of its stores takes effect; a full buffer stalls the
//                    thread
//   StoresUnderWay   of the machine: the pending values of words, each with an event in the
//                    machine's queue
//
// A store to plain data (DataLine) has no value: it needs room in the buffer, and its line.
//
// Source: P. Sewell et al., x86-TSO, CACM 2010.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "platform/server_profile.h"

namespace latchscope::platform {

// A word of 4 or 8 bytes that can be stored to, with its number of pending stores.
struct StoredWord {
  void* value;
  uint32_t bytes;
  uint32_t* stores_under_way;
};

class StoresUnderWay {
 public:
  static constexpr uint32_t kNone = ~0u;

  struct Store {
    StoredWord word;
    uint64_t bits;
    uint64_t sequence;  // number of the store; a later store in the same place has another
    uint32_t thread;
  };

  // Adds a pending store and returns its place.
  uint32_t add(const Store& store) {
    ++*store.word.stores_under_way;
    if (free_.empty()) {
      stores_.push_back(store);
      return static_cast<uint32_t>(stores_.size() - 1);
    }
    const uint32_t place = free_.back();
    free_.pop_back();
    stores_[place] = store;
    return place;
  }

  // Returns the store, or null once it has taken effect.
  const Store* find(uint32_t place, uint64_t sequence) const {
    return stores_[place].sequence == sequence ? &stores_[place] : nullptr;
  }

  // Writes the store's value to its word. Returns the number of the thread that issued it.
  uint32_t commit(uint32_t place) {
    Store& store = stores_[place];
    if (store.word.value != nullptr) {
      --*store.word.stores_under_way;
      if (store.word.bytes == sizeof(uint32_t)) {
        *static_cast<uint32_t*>(store.word.value) = static_cast<uint32_t>(store.bits);
      } else {
        *static_cast<uint64_t*>(store.word.value) = store.bits;
      }
    }
    store.sequence = 0;
    free_.push_back(place);
    return store.thread;
  }

  // Drops the values of stores to a word that is being destroyed.
  void forget(const void* value) {
    for (Store& store : stores_)
      if (store.word.value == value) store.word.value = nullptr;
  }

  void clear() {
    stores_.clear();
    free_.clear();
  }

 private:
  std::vector<Store> stores_;
  std::vector<uint32_t> free_;
};

class StoreBuffer {
 public:
  // Returns when the newest store takes effect; then the buffer is empty.
  Ps empty_from() const { return last_commit_; }
  // Returns whether the last store waits for a line whose stalls are counted.
  bool waits_for_counted_line() const { return waits_for_counted_line_; }

  // Returns when the buffer has room for one more store; `now` or earlier if it has room already.
  Ps room_from(Ps now, uint32_t entries_max) {
    while (!stores_.empty() && stores_.front().commit <= now)
      stores_.pop_front();
    return stores_.size() < entries_max ? now : stores_.front().commit;
  }

  // `owned`: when the core has the line. Returns when the store takes effect.
  Ps commit_of(Ps owned, bool counts_stalls) {
    if (owned > last_commit_) {
      last_commit_ = owned;
      waits_for_counted_line_ = counts_stalls;
    }
    return last_commit_;
  }

  // REQUIRES: the buffer has room.
  void add(Ps commit, uint32_t place = StoresUnderWay::kNone, uint64_t sequence = 0) {
    stores_.push_back({commit, sequence, place});
  }

  // Returns the newest pending store of this thread to the word, whose value the thread reads; null
  // if none.
  const StoresUnderWay::Store* newest_to(const void* value, const StoresUnderWay& under_way) const {
    for (auto own = stores_.rbegin(); own != stores_.rend(); ++own) {
      if (own->place == StoresUnderWay::kNone) continue;
      const StoresUnderWay::Store* store = under_way.find(own->place, own->sequence);
      if (store != nullptr && store->word.value == value) return store;
    }
    return nullptr;
  }

 private:
  struct Own {
    Ps commit;
    uint64_t sequence;
    uint32_t place;  // index in StoresUnderWay
  };
  std::deque<Own> stores_;  // in the order of their commits
  Ps last_commit_ = 0;
  bool waits_for_counted_line_ = false;
};

}  // namespace latchscope::platform
