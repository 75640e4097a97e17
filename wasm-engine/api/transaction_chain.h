// Where the time of one transaction went, to the picosecond: parts that cover it without a gap and without overlap, and
// behind each part that waited the chain of what it waited for. Pure functions over a chronicle.
//
// A wait is cut wherever another thread comes to hold the latch, so that one thread stands behind each part:
//   holder   of several threads that hold the latch when the part begins, the one that gives it back last
//   leader   of a commit group that works for this thread
//   waker    nobody holds a condition, an event or a semaphore: who ended this thread's sleep
// What that thread did meanwhile are the parts of the chain, which in turn cover the part, and so on.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "telemetry/chronicle.h"

namespace latchscope::api {

// Who or what stood behind a part.
enum class Behind : uint8_t {
  nothing,  // it did not wait for a latch
  holder,
  leader,
  waker,
  nobody,   // the latch is free, or the group's work done: this thread has not got hold of it yet
  timer,    // nobody but the clock ended the sleep
  unknown,  // it lasted longer than the chronicle
};
// Why a chain goes no further although a thread stood behind the part.
enum class Cut : uint8_t {
  not_cut,
  depth,  // kChainDepthMax
  cycle,  // that thread is on the way here already
  size,   // kChainPartsMax
};

inline constexpr uint32_t kChainDepthMax = 16;
inline constexpr uint64_t kChainPartsMax = 1'000'000;  // of all chains of a transaction

struct Part {
  uint64_t from_ps = 0, to_ps = 0;
  telemetry::ThreadState state{};
  uint32_t slot = 0;      // the thread whose part it is
  uint32_t latch = 0;     // number of the latch that it wanted; 0: none
  uint32_t site = 0;      // latch site + 1 where it wanted it; 0: none
  uint32_t function = 0;  // + 1; 0: not known

  Behind behind = Behind::nothing;
  uint32_t behind_slot = 0;    // holder, leader and waker
  uint32_t holder_site = 0;    // holder: latch site where it took the latch
  uint64_t held_since_ps = 0;  // holder
  uint32_t holders = 0;        // holder: threads that hold the latch when the part begins
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

// Reads a chronicle that is brought up to now, and stays as it is meanwhile.
class ChainReader {
 public:
  explicit ChainReader(const telemetry::Chronicle& chronicle) : chronicle_(chronicle) {}

  Explained explain(const telemetry::Transaction& transaction);

 private:
  // Holds of a latch by their ends, each with the earliest begin among itself and those after it.
  struct Holds {
    std::vector<telemetry::Hold> by_end;
    std::vector<uint64_t> earliest_from_here;
  };
  struct HeldAt {
    const telemetry::Hold* last_to_give = nullptr;  // null: nobody has it
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
  std::vector<uint32_t> path_;  // slots, from the transaction's own on
  uint64_t chain_parts_ = 0;
};

// The time of some transactions by what it went into, in picoseconds. All but `by_latch`, `by_site` and `by_holder`, which
// are of waits alone, add up to `latency_ps`.
struct Blame {
  // Of a wait what stood behind it, and the latch site where the holder took the latch (+ 1).
  using HolderKey =
      std::tuple<Behind, uint32_t /*site of the wait + 1*/, uint32_t /*site of the holder + 1*/>;
  // What the thread at the end of a chain was at.
  struct End {
    telemetry::ThreadState state;
    Behind behind;
    uint32_t site;      // + 1
    uint32_t function;  // + 1; 0: it is not known, or there is a site
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

}  // namespace latchscope::api
