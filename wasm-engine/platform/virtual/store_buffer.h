// The store buffers of the modelled cores. A store leaves its thread after `store_ps` and takes effect later, when its
// core has the line, and never before an older store of the same thread: total store order, as on x86 (P. Sewell et al.,
// x86-TSO, CACM 2010). Until then only the thread itself sees it.
//
//   StoreBuffer      of one thread: when each of its stores takes effect; what does not fit stalls the thread
//   StoresUnderWay   of the machine: the values that words will get, each with an event of the machine's queue
//
// A store to plain data (DataLine) has no value: it needs room in the buffer, and its line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "platform/server_profile.h"

namespace latchscope::platform {

// A word that can be stored to, of 4 or 8 bytes, and how many stores to it are under way.
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
    uint64_t sequence;  // of its event; tells it from a later one in the same place
    uint32_t thread;
  };

  // Returns its place.
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

  // Null once it has taken effect.
  const Store* find(uint32_t place, uint64_t sequence) const {
    return stores_[place].sequence == sequence ? &stores_[place] : nullptr;
  }

  // It takes effect. Returns whose it was.
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

  // The word goes away.
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
  // When the newest store takes effect; then the buffer is empty.
  Ps empty_from() const { return last_commit_; }
  // The last one waits for a line whose stalls are counted.
  bool waits_for_counted_line() const { return waits_for_counted_line_; }

  // When there is room for one more; `now` or earlier if there is.
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

  // There is room.
  void add(Ps commit, uint32_t place = StoresUnderWay::kNone, uint64_t sequence = 0) {
    stores_.push_back({commit, sequence, place});
  }

  // The value that the thread itself reads; null if none of its stores to the word is under way.
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
    uint32_t place;  // among the stores under way
  };
  std::deque<Own> stores_;  // in the order of their commits
  Ps last_commit_ = 0;
  bool waits_for_counted_line_ = false;
};

}  // namespace latchscope::platform
