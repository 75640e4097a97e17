// What all threads did in full, for whoever wants to know why one transaction took so long: every stretch of one state, every
// hold of a latch and every transaction, in picoseconds. lanes.h draws what a reader can see; nothing is left out here. Only
// of a modelled server, where a look at the clock costs nothing; a run takes the same course either way.
//
// Nobody keeps a chronicle unless a host makes one. What is kept is bounded by the spans that are wanted: a stretch or a hold
// that touches none of them is dropped. Latches that are held already when a span begins are known, and so are leaders of
// commit groups.
//
// Times are those of the engine's clock. A thread may be a little ahead of it: how long it stalls is known when that begins.
//
// Not part of the telemetry block, for the reasons of lanes.h.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "telemetry/layout.h"

namespace latchscope::telemetry {

struct Span {
  uint64_t from_ps, to_ps;
};

struct Transaction {
  uint64_t began_ps, ended_ps;
  uint32_t slot;     // of the client's thread
  uint32_t ordinal;  // which of this client's, from 1
  // Else the time of the run ended first, at `ended_ps`.
  bool is_over = true;

  uint64_t latency_ps() const { return ended_ps - began_ps; }
};

inline constexpr uint16_t kNobodyYet = 0;
inline constexpr uint16_t kByTimer = 0xffff;

// A thread was in one state. While it wanted a latch the latch is named, also for what of that time it stalled or was ready.
struct Stretch {
  uint64_t from_ps, to_ps;
  uint32_t latch;     // its number; 0: none
  uint16_t site;      // latch site + 1; 0: none
  uint16_t function;  // innermost call frame + 1, if it was that throughout; 0: not known
  uint16_t woken_by;  // since it fell asleep: slot + 1, kByTimer, or kNobodyYet
  ThreadState state;
};
static_assert(sizeof(Stretch) == 32);

// From when the latch's word said that it was taken until it said that it was given back.
struct Hold {
  uint64_t from_ps, to_ps;
  uint32_t latch;
  uint16_t slot;        // who took it
  uint16_t site;        // where: latch site
  uint16_t given_by;    // slot + 1 of who gave it back; 0: nobody yet
  bool is_for_another;  // taken for another thread to give back
};
inline constexpr uint64_t kNotYetPs = ~uint64_t{0};

// From then on a thread of a commit group has this leader, who works for it.
struct Led {
  uint64_t from_ps;
  uint16_t leader;  // slot + 1; 0: its work is done
};

// At most one at a time. It begins with the next run, at telemetry::reset().
class Chronicle {
 public:
  // So many stretches and holds are kept; when there are more in the wanted spans, all of them are lost.
  static constexpr size_t kRecordsMax = platform::kIsModelled ? 12'000'000 : 1;

  // `wanted`: in any order; none: transactions alone are listed.
  explicit Chronicle(std::vector<Span> wanted = {}, size_t records_max = kRecordsMax);
  ~Chronicle();
  Chronicle(const Chronicle&) = delete;
  Chronicle& operator=(const Chronicle&) = delete;

  // Those that ended within the time of the run, in the order of their ends.
  const std::vector<Transaction>& transactions() const { return transactions_; }
  // Those that were under way when the time of the run ended, by slot.
  const std::vector<Transaction>& not_over() const { return not_over_; }

  // What is under way is known until now. Between two events, by a thread beside the server.
  void bring_up_to_now();
  // By time and without a gap, as far as they are wanted.
  const std::vector<Stretch>& stretches_of(uint32_t slot) const { return threads_[slot].stretches; }
  // By the times of their ends; those without one last.
  std::vector<Hold> holds_of(uint32_t latch) const;
  // By time.
  const std::vector<Led>& leaders_of(uint32_t slot) const { return threads_[slot].leaders; }
  // A condition, an event or a semaphore: nobody holds it.
  bool is_event(uint32_t latch) const { return mutex_of_event_.contains(latch); }
  // That a thread takes before it has done with waiting for the condition; 0: none.
  uint32_t mutex_of_event(uint32_t latch) const { return mutex_of_event_.at(latch); }

  bool is_half_full() const { return records_kept_ > records_max_ / 2; }
  // Before then nothing need be known any more.
  void forget_before(uint64_t time_ps);
  // All that ended before is lost, because there was too much of it.
  uint64_t lost_before_ps() const { return lost_before_ps_; }

  // For telemetry.
  void begin();
  void end();
  void add(uint32_t slot, const Stretch& stretch);
  void wakes(uint32_t slot, uint32_t waker) { threads_[slot].next_waker = static_cast<uint16_t>(waker + 1); }
  void is_awake(uint32_t slot);
  void falls_in_new_state(uint32_t slot) { threads_[slot].woken_by = kNobodyYet; }
  uint16_t woken_by(uint32_t slot) const { return threads_[slot].woken_by; }
  void got_latch(uint32_t slot, uint32_t site, uint32_t latch, bool is_for_another);
  void gave_back(uint32_t slot, uint32_t latch);
  void is_led(uint32_t slot, uint16_t leader);
  void waits_for_event(uint32_t event, uint32_t mutex) { mutex_of_event_[event] = mutex; }
  void transaction_began(uint32_t slot);
  void transaction_ended(uint32_t slot);

 private:
  struct Thread {
    std::vector<Stretch> stretches;
    std::vector<Hold> held;
    std::vector<Led> leaders;
    uint64_t transaction_began_ps = kNotYetPs;
    uint32_t transactions = 0;
    uint16_t next_waker = 0;
    uint16_t woken_by = kNobodyYet;
  };

  bool is_wanted(uint64_t from_ps, uint64_t to_ps);
  void keep(Hold hold, uint32_t given_by);
  void lose_all();

  std::vector<Span> wanted_;  // by time, none touches another
  size_t present_ = 0;        // the one looked at last
  const size_t records_max_;
  size_t records_kept_ = 0;
  uint64_t lost_before_ps_ = 0;
  bool has_ended_ = false;
  std::vector<Thread> threads_;                            // by slot
  std::unordered_map<uint32_t, std::vector<Hold>> holds_;  // that have ended, by latch
  std::unordered_map<uint32_t, Hold> held_for_another_;    // by latch
  std::unordered_map<uint32_t, uint32_t> mutex_of_event_;
  std::vector<Transaction> transactions_;
  std::vector<Transaction> not_over_;
};

namespace detail {
extern Chronicle* kept_chronicle;
}
// Null while nobody keeps one.
inline Chronicle* chronicle() {
  if constexpr (!platform::kIsModelled) return nullptr;
  return detail::kept_chronicle;
}

// `follower` and `leader`: thread numbers inside latches (slot + 1). 0: its work is done.
inline void thread_is_led_by(uint32_t follower, uint32_t leader) {
  if (chronicle() != nullptr && follower != 0)
    chronicle()->is_led(follower - 1, static_cast<uint16_t>(leader));
}
// A condition, or an event. `mutex`: which the thread takes before it goes on; 0: none.
inline void thread_waits_for_event(uint32_t event, uint32_t mutex = 0) {
  if (chronicle() != nullptr) chronicle()->waits_for_event(event, mutex);
}

}  // namespace latchscope::telemetry
