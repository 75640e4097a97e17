// The time of one transaction, to the picosecond: parts that cover it without gap or overlap. Each
// part that waited has a chain of what it waited for. These are pure functions over a chronicle.
//
// A wait is cut where the thread behind it changes, so that each part has one thread behind it:
//
//     holder   holds the latch when the part begins; of several holders, the last to release it
//     leader   leads a commit group that works for this thread
//     waker    ended this thread's sleep, on a condition, an event or a semaphore, which has no
//              holder
//     earlier  the client itself, with requests before this one. No client was free when this
//              request arrived
//
// The actions of that thread meanwhile are the parts of the chain. They cover the part in turn, and
// so on.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "telemetry/chronicle.h"

namespace latchscope::explain {

// Which thread or other cause stood behind a part.
enum class Behind : uint8_t {
  nothing,  // it did not wait for a latch
  holder,
  leader,
  waker,
  // The latch is free, or the group's work done, but this thread has not got hold of it yet.
  nobody,
  timer,    // only the clock ended the sleep
  unknown,  // it lasted longer than the chronicle
  earlier,  // the client still served another request
};
// Returns whether a thread stood behind a part, whose actions are its chain.
constexpr bool is_thread(Behind behind) {
  return behind == Behind::holder || behind == Behind::leader || behind == Behind::waker ||
         behind == Behind::earlier;
}
// Why a chain ends although a thread stood behind the part.
enum class Cut : uint8_t {
  not_cut,
  depth,  // kChainDepthMax
  cycle,  // that thread is already in this chain
  size,   // kChainPartsMax
};

inline constexpr uint32_t kChainDepthMax = 16;
inline constexpr uint64_t kChainPartsMax = 1'000'000;  // of all chains of a transaction

struct Part {
  uint64_t from_ps = 0, to_ps = 0;
  telemetry::ThreadState state{};
  uint32_t slot = 0;      // the thread that the part belongs to
  uint32_t latch = 0;     // number of the wanted latch; 0: none
  uint32_t site = 0;      // latch site + 1 where it wanted the latch; 0: none
  uint32_t function = 0;  // + 1; 0: unknown

  Behind behind = Behind::nothing;
  uint32_t behind_slot = 0;    // if is_thread(behind)
  uint32_t holder_site = 0;    // holder: the latch site where it acquired the latch
  uint64_t held_since_ps = 0;  // for holder
  uint32_t holders = 0;        // holder: number of holders when the part begins
  Cut cut = Cut::not_cut;
  std::vector<Part> chain;

  uint64_t ps() const { return to_ps - from_ps; }
  bool operator==(const Part&) const = default;
};

struct Explained {
  telemetry::Transaction transaction;
  std::vector<Part> parts;
  uint64_t chain_parts = 0;
};

// Reads a chronicle.
//
// REQUIRES: the chronicle is up to date, and does not change meanwhile.
class ChainReader {
 public:
  explicit ChainReader(const telemetry::Chronicle& chronicle) : chronicle_(chronicle) {}

  Explained explain(const telemetry::Transaction& transaction);

 private:
  // Holds of a latch by their ends, each with the earliest begin among itself and all later ones.
  struct Holds {
    std::vector<telemetry::Hold> by_end;
    std::vector<uint64_t> earliest_from_here;
  };
  struct HeldAt {
    const telemetry::Hold* last_to_give = nullptr;  // null: no holder
    uint32_t holders = 0;
    uint64_t until_ps = 0;
  };
  using Stretches = std::vector<telemetry::Stretch>;

  std::vector<Part> doings(uint32_t slot, telemetry::Span span);
  void add_wait(const Stretches& stretches, size_t index, const Part& wait, std::vector<Part>& parts);
  void add_held(Part wait, uint32_t latch, std::vector<Part>& parts);
  static HeldAt held_at(const Holds& holds, const Part& wait);
  void add_led(Part wait, std::vector<Part>& parts);
  void add_woken(const Stretches& stretches, size_t index, Part wait, std::vector<Part>& parts);
  void add(Part part, std::vector<Part>& parts);
  void follow(Part& part);
  const Holds& holds_of(uint32_t latch);

  const telemetry::Chronicle& chronicle_;
  std::unordered_map<uint32_t, Holds> holds_;
  std::vector<uint32_t> path_;  // slots, starting with the transaction's own
  uint64_t chain_parts_ = 0;
};

// The time of some transactions by its causes, in picoseconds. All maps add up to `latency_ps`,
// except `by_latch`, `by_site` and `by_holder`, which only contain waits.
struct Blame {
  // For a wait: what stood behind it, and the latch site where the holder acquired the latch (+ 1).
  using HolderKey =
      std::tuple<Behind, uint32_t /*site of the wait + 1*/, uint32_t /*site of the holder + 1*/>;
  // The action of the thread at the end of a chain.
  struct End {
    telemetry::ThreadState state;
    Behind behind;
    uint32_t site;      // + 1
    uint32_t function;  // + 1; 0: unknown, or there is a site
    auto operator<=>(const End&) const = default;
  };

  uint64_t transactions = 0;
  uint64_t latency_ps = 0;
  std::map<telemetry::ThreadState, uint64_t> by_state;
  std::map<std::string, uint64_t> by_latch;
  std::map<uint32_t, uint64_t> by_site;  // + 1
  std::map<HolderKey, uint64_t> by_holder;
  std::map<End, uint64_t> by_end;

  void add(const Explained& explained);
};

}  // namespace latchscope::explain
