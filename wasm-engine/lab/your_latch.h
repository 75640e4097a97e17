// A latch that the page's user has written, in the place of a latch of the server. It may be wrong,
// so the engine watches it and replaces it with its own latch if it has to stop it.
//
//   LatchPlace   the replaced latches of the server, such as every Fil_shard::m_mutex: one knob. It
//                is in force or not, and may be stopped once.
//   YourLatch    one latch of the place.
//
// A latch of the server combines the two (server/fil/fil_mutex.h):
//
//   enter   if (yours.enter(site)) return;      in by the user's latch; else
//           own.enter(site);                    the engine's own, and
//           yours.enter_beside_own();           once no thread is in by the user's
//   exit    if (!yours.exit()) own.exit();      by the latch that it entered by
//
// A place may be put in force, put out of force or stopped at any time; threads are then in by
// either latch. Each thread that gets in by either of them registers with Occupants, at no cost to
// the modelled server.
//
// Invariants
//   1. No two threads are in at once, unless both share, whatever the user's latch does. If it lets
//      in a second one, that thread leaves again and takes the engine's own latch.
//   2. A latch is stopped if it lets two threads in, no longer lets any thread in, or cannot run.
//      Every thread then leaves it, and the engine's own latch serves. The work done under it is
//      intact.
//   3. An entry by one of the two latches counts as one acquisition, at its site.
//   4. The coordinator always takes the engine's own latch, because it checks whether a latch
//      hangs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lab_latch.h"
#include "lab/program.h"
#include "platform/platform.h"
#include "telemetry/telemetry.h"

namespace latchscope::lab {

// The occupants of a latch of the server, by the user's latch and by the engine's own. They are one
// word, which costs the modelled server nothing.
//
// Invariant: the occupants exclude each other as they should. A thread that would break this is
// rejected.
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

// The user's latch of a run. `threads`: how many threads may take it (telemetry's thread numbers,
// from 1). `patience_ns`: it counts as hanging if threads want it and none gets in for this long.
struct YourLatchSpec {
  std::shared_ptr<const Program> program;
  uint32_t threads = 0;
  uint64_t patience_ns = 0;
};

class YourLatch;

class LatchPlace {
 public:
  // `knob`: the knob whose variant it is.
  LatchPlace(const YourLatchSpec& spec, std::string knob);
  LatchPlace(const LatchPlace&) = delete;
  LatchPlace& operator=(const LatchPlace&) = delete;

  const std::string& knob() const { return knob_; }
  const Program& program() const { return *spec_.program; }
  uint32_t threads() const { return spec_.threads; }

  // Coordinator only. A stopped place stays stopped.
  void put_in_force(bool is_in_force);
  bool is_in_force() const { return in_force_.read_acquire() != 0; }
  bool was_in_force() const { return was_in_force_; }
  // Returns whether any thread has tried to enter it.
  bool was_entered() const;

  // Coordinator only, every few milliseconds while threads run. Returns true if the place was
  // stopped since the last call.
  bool look();
  bool is_stopped() const { return stopped_.read_acquire() == kIsKnown; }
  // Returns why it was stopped, as a sentence; empty if it was not.
  std::string why_stopped() const;
  // Returns whether no thread is in by the user's latch, or in a call of it.
  bool is_left() const;

 private:
  friend class YourLatch;

  // Written only by its thread, read by the coordinator.
  struct alignas(64) Caller {
    platform::Published<uint32_t> in_call_of;  // 1 + the latch's index in latches_; 0: none
    platform::Published<uint32_t> calls;
    bool is_in_shared = false;  // by the user's latch
  };
  // The coordinator's last observation of a thread.
  struct Watch {
    uint32_t calls = 0;
    uint64_t occupancy = 0;
    uint64_t waited_ns = 0;
  };
  enum class Why : uint8_t { two_were_in, nobody_gets_in, cannot_go_on };
  struct Stop {
    Why why = Why::two_were_in;
    uint32_t thread = 0;
    uint32_t other = 0;  // two_were_in: the thread inside; nobody_gets_in: number of waiters
    Wrong wrong = Wrong::nothing;
    uint32_t source_line = 0;
    uint64_t waited_ns = 0;
  };

  // Returns the caller's number, or 0 if it always takes the engine's own latch.
  uint32_t number_of_caller() const {
    const uint32_t number = telemetry::recorder().thread_number();
    return number <= spec_.threads ? number : 0;
  }
  void stop(const Stop& stop);
  bool hangs(uint32_t thread, uint64_t passed_ns);
  void give_up();

  uint32_t enroll(YourLatch& latch);
  void leave(uint32_t latch) { latches_[latch] = nullptr; }

  static constexpr uint32_t kNotStopped = 0, kIsBeingStopped = 1, kIsKnown = 2;

  const YourLatchSpec spec_;
  const std::string knob_;
  platform::Published<uint32_t> in_force_;
  platform::Published<uint32_t> stopped_;
  Stop stop_;  // written once, before stopped_ is kIsKnown
  std::unique_ptr<Caller[]> callers_;
  std::vector<Watch> watches_;
  uint64_t looked_ns_ = 0;
  bool was_in_force_ = false;
  bool is_told_ = false;
  std::vector<YourLatch*> latches_;
};

class YourLatch {
 public:
  explicit YourLatch(LatchPlace& place)
      : place_(place), number_(place.enroll(*this)), latch_(place.program(), place.threads()) {}
  ~YourLatch() { place_.leave(number_); }
  YourLatch(const YourLatch&) = delete;
  YourLatch& operator=(const YourLatch&) = delete;

  // Returns false if the caller must take the engine's own latch and then call enter_beside_own().
  bool enter(const telemetry::LatchSite& site) { return enter(FunctionName::enter, site); }
  bool enter_shared(const telemetry::LatchSite& site) { return enter(FunctionName::enter_shared, site); }
  // Returns once no thread that would exclude the caller is in by the user's latch.
  void enter_beside_own() { enter_beside_own(false); }
  void enter_shared_beside_own() { enter_beside_own(true); }

  // Returns false if the caller was in by the engine's own latch, which it must release now.
  //
  // REQUIRES (exit_shared): the caller holds no other latch of the place.
  bool exit();
  bool exit_shared();
  // Exits for a caller that knows by which latch it entered. If by the engine's own, it must release
  // that one now.
  void exit_by_readers(bool is_shared);
  void exit_by_own(bool is_shared) { occupants_.leave(Occupants::Way::by_own, is_shared); }

  bool is_anybody_in() const { return occupants_.is_anybody_in(); }

 private:
  friend class LatchPlace;
  class Call;

  bool enter(FunctionName function, const telemetry::LatchSite& site);
  void stop_if_it_cannot_go_on();
  bool may_stay(uint32_t thread, bool is_shared);
  void enter_beside_own(bool is_shared);

  LatchPlace& place_;
  const uint32_t number_;
  LabLatch latch_;
  Occupants occupants_;
  platform::Published<uint32_t> last_in_;  // the thread that got in last
};

}  // namespace latchscope::lab
