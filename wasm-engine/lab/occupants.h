// The occupants of a latch of the server, by the user's latch and by the engine's own. They are one
// word, which costs the modelled server nothing.
//
// Invariant: the occupants exclude each other as they should. A thread that would break this is
// rejected.
#pragma once

#include <cstdint>

#include "platform/platform.h"

namespace latchscope::lab {

class Occupants {
 public:
  enum class Way : uint8_t { by_readers_latch, by_own };
  enum class Outcome : uint8_t {
    is_in,
    somebody_in_by_own,  // the two latches do not know each other, so the caller waits
    // By the engine's own latch the caller waits; the user's let it in wrongly.
    somebody_in_by_readers,
  };

  Outcome enter(Way way, bool is_shared) {
    uint64_t found = word_.read_acquire();
    for (;;) {
      const uint64_t in_the_way = found & (is_shared ? kExclusive : kAnybody);
      if (in_the_way != 0)
        return (in_the_way & kByOwn) != 0 ? Outcome::somebody_in_by_own : Outcome::somebody_in_by_readers;
      if (word_.compare_exchange(found, found + kEntry + one(way, is_shared))) return Outcome::is_in;
    }
  }

  void leave(Way way, bool is_shared) {
    uint64_t found = word_.read();
    while (!word_.compare_exchange(found, found - one(way, is_shared))) {
    }
  }

  bool is_exclusive_by_readers() const { return (word_.read() & kExclusive & ~kByOwn) != 0; }
  bool is_anybody_in() const { return (seen() & kAnybody) != 0; }
  bool is_anybody_in_by_readers() const { return (seen() & kAnybody & ~kByOwn) != 0; }
  // Returns a value that differs whenever a thread has got in or out since, modulo 2^30 entries.
  uint64_t seen() const { return word_.read_acquire(); }

 private:
  // Bits 0 and 16: shared occupants, by the user's latch and by the engine's own. Bits 32 and 33:
  // an exclusive occupant, likewise. From bit 34 on: entries.
  static constexpr uint64_t kShared = 1;
  static constexpr uint64_t kSharedByOwn = uint64_t{1} << 16;
  static constexpr uint64_t kAlone = uint64_t{1} << 32;
  static constexpr uint64_t kAloneByOwn = uint64_t{1} << 33;
  static constexpr uint64_t kEntry = uint64_t{1} << 34;
  static constexpr uint64_t kExclusive = kAlone | kAloneByOwn;
  static constexpr uint64_t kAnybody = kEntry - 1;
  static constexpr uint64_t kByOwn = kAloneByOwn | (0xffff * kSharedByOwn);

  static constexpr uint64_t one(Way way, bool is_shared) {
    if (way == Way::by_own) return is_shared ? kSharedByOwn : kAloneByOwn;
    return is_shared ? kShared : kAlone;
  }

  platform::Published<uint64_t> word_;
};

}  // namespace latchscope::lab
