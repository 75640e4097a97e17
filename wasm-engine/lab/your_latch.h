// A latch that the page's reader has written, in the place of a latch of the server. Nobody knows whether it is right, so it is
// watched, and the engine's own latch of that place stands in for it once it was stopped.
//
//   LatchPlace   what of the server is written anew, such as every Fil_shard::m_mutex: one knob. It is in force or not, and may be
//                stopped once.
//   YourLatch    one latch of the place.
//
// How a latch of the server is built of the two (server/fil/fil_mutex.h):
//
//   enter   if (yours.enter(site)) return;      in by the reader's latch; else
//           own.enter(site);                    the engine's own, and
//           yours.enter_beside_own();           once nobody is in by the reader's
//   exit    if (!yours.exit()) own.exit();      in the way it was entered
//
// A place may be put in force or out of force at any time, and be stopped at any time: threads are then in by either latch.
// Whoever gets in by either of them enters itself with Occupants, at no cost to the modelled server.
//
// Invariants
//   1. No two are in at one time, unless both share, whatever the reader's latch does: of two that it lets in the second one goes away
//      again and takes the engine's own latch.
//   2. A latch that lets two in, that nobody gets into any more, or that cannot be carried out, is stopped: every thread then leaves
//      it, and the engine's own latch serves. What was done under it is whole.
//   3. Who gets in by one of the two latches is counted as one acquisition, at its site.
//   4. The coordinator takes the engine's own latch always: it is who looks whether a latch hangs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lab_latch.h"
#include "lab/occupants.h"
#include "lab/program.h"
#include "platform/platform.h"
#include "telemetry/telemetry.h"

namespace latchscope::lab {

// Of a run: the latch, how many threads may take it (numbers of the telemetry's threads, from 1), and after which time without anybody
// getting in, while somebody wants to, it counts as hanging.
struct YourLatchSpec {
  std::shared_ptr<const Program> program;
  uint32_t threads = 0;
  uint64_t patience_ns = 0;
};

class YourLatch;

class LatchPlace {
 public:
  // `knob`: whose variant it is.
  LatchPlace(const YourLatchSpec& spec, std::string knob);
  LatchPlace(const LatchPlace&) = delete;
  LatchPlace& operator=(const LatchPlace&) = delete;

  const std::string& knob() const { return knob_; }
  const Program& program() const { return *spec_.program; }
  uint32_t threads() const { return spec_.threads; }

  // Coordinator. A place that was stopped stays so.
  void put_in_force(bool is_in_force);
  bool is_in_force() const { return in_force_.read_acquire() != 0; }
  bool was_in_force() const { return was_in_force_; }
  // Some thread has tried to enter it.
  bool was_entered() const;

  // Coordinator, every few milliseconds while threads run. True: since the last call it was stopped.
  bool look();
  bool is_stopped() const { return stopped_.read_acquire() == kIsKnown; }
  // Why it was stopped, as a sentence; empty if it was not.
  std::string why_stopped() const;
  // Nobody is in by the reader's latch, or in a call of it.
  bool is_left() const;

 private:
  friend class YourLatch;

  // Written by its thread only, read by the coordinator.
  struct alignas(64) Caller {
    platform::Published<uint32_t> in_call_of;  // 1 + the number of the latch in latches_; 0: of none
    platform::Published<uint32_t> calls;
    bool is_in_shared = false;  // by the reader's latch
  };
  // What the coordinator has seen of a thread.
  struct Watch {
    uint32_t calls = 0;
    uint64_t occupancy = 0;
    uint64_t waited_ns = 0;
  };
  enum class Why : uint8_t { two_were_in, nobody_gets_in, cannot_go_on };
  struct Stop {
    Why why = Why::two_were_in;
    uint32_t thread = 0;
    uint32_t other = 0;  // two_were_in: who was in; nobody_gets_in: how many waited
    Wrong wrong = Wrong::nothing;
    uint32_t source_line = 0;
    uint64_t waited_ns = 0;
  };

  // The caller's number, or 0 if it takes the engine's own latch always.
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

  // False: the caller takes the engine's own latch, then enters beside it.
  bool enter(const telemetry::LatchSite& site) { return enter(FunctionName::enter, site); }
  bool enter_shared(const telemetry::LatchSite& site) { return enter(FunctionName::enter_shared, site); }
  // Returns once nobody who would exclude the caller is in by the reader's latch.
  void enter_beside_own() { enter_beside_own(false); }
  void enter_shared_beside_own() { enter_beside_own(true); }

  // False: the caller was in by the engine's own latch, and now gives that back.
  bool exit();
  bool exit_shared();

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
  platform::Published<uint32_t> last_in_;  // the thread
};

}  // namespace latchscope::lab
