// Chronicle: a complete record of one run, used to explain why one transaction took long. It
// contains every thread state, every latch hold and every transaction, in picoseconds. lanes.h
// stores what a reader can see; the chronicle omits nothing.
//
// Virtual server only, where reading the clock is free. Recording does not change the run.
//
// A chronicle exists only if the host creates one. The wanted spans bound its size: states and
// holds that touch no wanted span are dropped. Latches already held, and commit-group leaders
// already chosen, when a span begins are known.
//
// Times are on the engine's clock. A thread may run slightly ahead of it, because the length of a
// stall is known when the stall begins.
//
// The chronicle is not part of the telemetry block, for the reasons given in lanes.h.
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
  uint64_t began_ps = 0, ended_ps = 0;
  uint32_t slot = 0;     // index of the client's thread slot
  uint32_t ordinal = 0;  // position among this client's transactions, from 1
  // False if the run ended first, at `ended_ps`.
  bool is_over = true;
  // When its client began. The request may have arrived earlier, at `began_ps`.
  uint64_t taken_ps = began_ps;

  uint64_t latency_ps() const { return ended_ps - began_ps; }
};

inline constexpr uint16_t kNobodyYet = 0;
inline constexpr uint16_t kByTimer = 0xffff;

// An interval in which a thread stayed in one state. An interval spent acquiring a latch names the
// latch, even while the thread stalled or was ready.
struct Stretch {
  uint64_t from_ps, to_ps;
  uint32_t latch;  // latch number; 0: none
  uint16_t site;   // latch site + 1; 0: none
  // Innermost call frame + 1 if it is constant throughout; 0: unknown.
  uint16_t function;
  uint16_t woken_by;  // who ended the sleep: slot + 1, kByTimer or kNobodyYet
  ThreadState state;
};
static_assert(sizeof(Stretch) == 32);

// An interval in which a latch was held: from when its word became taken until it became free.
struct Hold {
  uint64_t from_ps, to_ps;
  uint32_t latch;
  uint16_t slot;      // slot of the acquiring thread
  uint16_t site;      // latch site of the acquisition
  uint16_t given_by;  // slot + 1 of the releasing thread, 0 until then.
  // True if the latch was acquired on behalf of another thread. That thread will release it.
  bool is_for_another;
};
inline constexpr uint64_t kNotYetPs = ~uint64_t{0};

// The leader of a thread in a commit group from `from_ps` on. The leader does the thread's work.
struct Led {
  uint64_t from_ps;
  uint16_t leader;  // slot + 1; 0: the thread's work is done
};

// Records one run, starting at the next telemetry::reset(). At most one instance exists at a time.
class Chronicle {
 public:
  // Maximum number of stretches and holds. If the wanted spans contain more, all records are
  // discarded.
  static constexpr size_t kRecordsMax = platform::kIsModelled ? 12'000'000 : 1;

  // `wanted` may be unordered. If it is empty, only transactions are recorded.
  explicit Chronicle(std::vector<Span> wanted = {}, size_t records_max = kRecordsMax);
  ~Chronicle();
  Chronicle(const Chronicle&) = delete;
  Chronicle& operator=(const Chronicle&) = delete;

  // Returns the transactions that ended within the run, ordered by end time.
  const std::vector<Transaction>& transactions() const { return transactions_; }
  // Returns the transactions still running when the run ended, by slot.
  const std::vector<Transaction>& not_over() const { return not_over_; }

  // Extends the record of unfinished states up to now. Call it between two events, outside the
  // server's threads.
  void bring_up_to_now();
  // Returns the wanted states of the thread in time order, without gaps inside a wanted span.
  const std::vector<Stretch>& stretches_of(uint32_t slot) const { return threads_[slot].stretches; }
  // Returns holds ordered by end time; holds that have not ended come last.
  std::vector<Hold> holds_of(uint32_t latch) const;
  // Returns the leaders of the thread in time order.
  const std::vector<Led>& leaders_of(uint32_t slot) const { return threads_[slot].leaders; }
  // True for a condition, an event or a semaphore, which no thread holds.
  bool is_event(uint32_t latch) const { return mutex_of_event_.contains(latch); }
  // Returns the mutex that a thread reacquires before its wait for the condition ends; 0: none.
  uint32_t mutex_of_event(uint32_t latch) const { return mutex_of_event_.at(latch); }

  bool is_half_full() const { return records_kept_ > records_max_ / 2; }
  // Drops records that ended before `time_ps`.
  void forget_before(uint64_t time_ps);
  // Records that ended before this time were discarded because there were too many.
  uint64_t lost_before_ps() const { return lost_before_ps_; }

  // The functions below are called only by telemetry.
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
  // `arrived_ps`: when its request arrived; 0: now.
  void transaction_began(uint32_t slot, uint64_t arrived_ps = 0);
  void transaction_ended(uint32_t slot);

 private:
  struct Thread {
    std::vector<Stretch> stretches;
    std::vector<Hold> held;
    std::vector<Led> leaders;
    uint64_t transaction_began_ps = kNotYetPs;
    uint64_t transaction_taken_ps = kNotYetPs;
    uint32_t transactions = 0;
    uint16_t next_waker = 0;
    uint16_t woken_by = kNobodyYet;
  };

  bool is_wanted(uint64_t from_ps, uint64_t to_ps);
  void keep(Hold hold, uint32_t given_by);
  void lose_all();

  std::vector<Span> wanted_;  // by time, disjoint
  size_t present_ = 0;        // index of the span checked last
  const size_t records_max_;
  size_t records_kept_ = 0;
  uint64_t lost_before_ps_ = 0;
  bool has_ended_ = false;
  std::vector<Thread> threads_;                            // by slot
  std::unordered_map<uint32_t, std::vector<Hold>> holds_;  // ended holds, by latch
  std::unordered_map<uint32_t, Hold> held_for_another_;    // by latch
  std::unordered_map<uint32_t, uint32_t> mutex_of_event_;
  std::vector<Transaction> transactions_;
  std::vector<Transaction> not_over_;
};

namespace detail {
extern Chronicle* kept_chronicle;
}
// Null while no chronicle exists.
inline Chronicle* chronicle() {
  if constexpr (!platform::kIsModelled) return nullptr;
  return detail::kept_chronicle;
}

// `follower` and `leader` are thread numbers as stored in latches (slot + 1). `leader` 0: the
// follower's work is done.
inline void thread_is_led_by(uint32_t follower, uint32_t leader) {
  if (chronicle() != nullptr && follower != 0)
    chronicle()->is_led(follower - 1, static_cast<uint16_t>(leader));
}
// `event` is a condition or an event. `mutex` is the mutex that the thread reacquires before it
// continues; 0: none.
inline void thread_waits_for_event(uint32_t event, uint32_t mutex = 0) {
  if (chronicle() != nullptr) chronicle()->waits_for_event(event, mutex);
}

}  // namespace latchscope::telemetry
