// What engine code says about itself while it runs: counters, latch totals, the state of each thread and its
// stack of call frames. Everything lands in the TelemetryBlock (layout.h), in cache lines that only the
// speaking thread writes.
//
// Invariants
//   1. No call blocks, allocates or writes another thread's lines.
//   2. Everything is counted; only time is sampled. A timed event stands for as many as its stride says, and
//      the stride is chosen before the event, so that the estimates are unbiased.
//   3. A thread speaks only inside a ThreadScope.
#pragma once

#include <cstdint>

#include "platform/platform.h"
#include "telemetry/chronicle.h"
#include "telemetry/counters.h"
#include "telemetry/hot_latches.h"
#include "telemetry/lanes.h"
#include "telemetry/latch_trace.h"
#include "telemetry/layout.h"
#include "telemetry/publish.h"
#include "telemetry/what_if.h"

namespace latchscope::telemetry {

// Compiled out by `bench` to measure what telemetry costs; the client loop's own counters stay.
#if defined(LATCHSCOPE_TELEMETRY_OFF)
inline constexpr bool kTelemetryOn = false;
#else
inline constexpr bool kTelemetryOn = true;
#endif

TelemetryBlock& block();

// A function that appears in call frames, under InnoDB's name. Constructed before main(), as a
// namespace-scope constant.
struct Function {
  explicit Function(const char* name);
  uint32_t id;
};

// One place in the source that takes one kind of latch. Both names are InnoDB's.
struct LatchSite {
  LatchSite(const char* latch, const char* function_name);
  uint32_t id;
  uint32_t function;  // id of the function that takes it
};

// Latches get numbers so that a reader can tell which thread holds what another waits for. Never 0. Latches
// are built by one thread at a time.
uint32_t next_latch_number();
// In this process so far.
uint32_t latch_numbers_given();

// Of a latch that nobody knows to have been taken.
inline constexpr uint32_t kNoSite = ~0u;

// One thread's voice.
class ThreadRecorder {
 public:
  ThreadRecorder(uint32_t slot, uint64_t seed);
  ThreadRecorder(const ThreadRecorder&) = delete;
  ThreadRecorder& operator=(const ThreadRecorder&) = delete;

  ThreadSlot& slot() { return slot_; }
  // Identifies the thread inside latches. Never 0.
  uint32_t thread_number() const { return thread_number_; }
  platform::Random& random() { return random_; }

  void count(Counter counter, uint64_t amount = 1) {
    slot_.counters[static_cast<uint32_t>(counter)].add(amount);
  }

  void push_frame(uint32_t function) {
    if constexpr (kTelemetryOn) telemetry::push_frame(slot_, function);
  }
  void pop_frame() {
    if constexpr (kTelemetryOn) telemetry::pop_frame(slot_);
  }

  ThreadState state() const { return static_cast<ThreadState>(slot_.state[0].read()); }
  void set_state(ThreadState state) {
    if constexpr (!kTelemetryOn) return;
    if constexpr (platform::kIsModelled)
      lane_goes_on(thread_number_ - 1, state, slot_.wait_site[0].read(), slot_.wait_latch[0].read());
    slot_.state[0].set(static_cast<uint32_t>(state));
  }

  void latch_acquired(const LatchSite& site, uint32_t latch) {
    if constexpr (!kTelemetryOn) return;
    slot_.latch_sites[site.id].acquisitions[0].add(1);
    latch_line_left(site.id, latch);
    const uint32_t held = slot_.held_count[0].read();
    if (held < kHeldLatchesMax) {
      slot_.held[held].set(site.id + 1);
      slot_.held_latches[held].set(latch);
    }
    slot_.held_count[0].set(held + 1);
    held_latches_changed(slot_);
    if constexpr (platform::kIsModelled) {
      if (held < kHeldLatchesMax) held_since_ns_[held] = platform::now_ns();
      lane_got_latch(thread_number_ - 1, site.id, latch);
      if (chronicle() != nullptr) chronicle()->got_latch(thread_number_ - 1, site.id, latch, false);
      trace_latch(LatchEventKind::gets, thread_number_ - 1, latch, site.id);
    } else if (--holds_until_timed_ == 0) {
      start_timing_hold(site, latch);
    }
  }
  // Taken, but for another thread to release: counted, not listed as held.
  void latch_acquired_for_other(const LatchSite& site, uint32_t latch) {
    if constexpr (!kTelemetryOn) return;
    if (chronicle() != nullptr) chronicle()->got_latch(thread_number_ - 1, site.id, latch, true);
    slot_.latch_sites[site.id].acquisitions[0].add(1);
    latch_line_left(site.id, latch);
  }
  // Returns the site (id) at which it was taken, kNoSite if it is not in the list of held latches.
  uint32_t latch_released(uint32_t latch) {
    if constexpr (!kTelemetryOn) return kNoSite;
    if (latch == timed_hold_latch_) finish_timing_hold();
    const uint32_t last = slot_.held_count[0].read() - 1;
    const bool is_newest = last < kHeldLatchesMax && slot_.held_latches[last].read() == latch;
    uint32_t site = kNoSite;
    if constexpr (platform::kIsModelled) {
      site = add_hold_time(latch, last);
      trace_latch(LatchEventKind::gives_back, thread_number_ - 1, latch, 0);
    }
    if (!is_newest) close_gap_of_held(latch, last);
    slot_.held_count[0].set(last);
    held_latches_changed(slot_);
    return site;
  }
  // Charges the time stalled on lines of latches since the last call to this latch and site; to none if the site is kNoSite.
  void latch_line_left(uint32_t site, uint32_t latch) {
    if constexpr (!kTelemetryOn || !platform::kIsModelled) return;
    const uint64_t stalled_ns = platform::take_line_stall_ns();
    if (site == kNoSite) return;
    slot_.latch_sites[site].line_stall_ns[0].add(stalled_ns);
    add_cost(slot_.latch_sites[site], latch, stalled_ns);
  }

  void latch_contended(const LatchSite& site, uint32_t latch);
  void latch_polled(const LatchSite& site, uint32_t rounds) {
    if constexpr (!kTelemetryOn) return;
    slot_.latch_sites[site.id].spin_rounds[0].add(rounds);
  }
  // The thread goes to sleep: for the latch, or in a commit group (`following`).
  void latch_wait_begins(const LatchSite& site, ThreadState asleep = ThreadState::waiting);
  void latch_wait_ends(const LatchSite& site);
  void latch_contention_ends();

  void transaction_begins() {
    if (chronicle() != nullptr) chronicle()->transaction_began(thread_number_ - 1);
    if (--transactions_until_timed_ == 0) transaction_began_ns_ = platform::now_ns();
  }
  void transaction_ends() {
    if (chronicle() != nullptr) chronicle()->transaction_ended(thread_number_ - 1);
    count(Counter::transactions);
    if (transaction_began_ns_ != kNotTimed) record_latency();
  }

 private:
  static constexpr uint64_t kNotTimed = ~uint64_t{0};

  void trace_wait(LatchEventKind kind, const LatchSite& site);
  void start_timing_hold(const LatchSite& site, uint32_t latch);
  void finish_timing_hold();
  uint32_t position_of_held(uint32_t latch, uint32_t last) const;
  uint32_t add_hold_time(uint32_t latch, uint32_t last);
  void add_queue_time();
  static void add_cost(LatchSiteTotals& totals, uint32_t latch, uint64_t cost_ns) {
    totals.cost_ns[0].add(cost_ns);
    note_latch_cost(latch, cost_ns);
  }
  void close_gap_of_held(uint32_t latch, uint32_t last);
  void record_latency();

  ThreadSlot& slot_;
  const uint32_t thread_number_;
  platform::Random random_;
  ThreadState state_before_contention_ = ThreadState::running;
  uint64_t contended_since_ns_ = 0;
  bool is_follower_ = false;  // in what it waits for since then

  uint32_t holds_until_timed_;
  uint32_t timed_hold_latch_ = 0;
  uint32_t timed_hold_site_ = 0;
  uint64_t timed_hold_began_ns_ = 0;
  uint64_t held_since_ns_[kHeldLatchesMax] = {};  // beside `held`, where a clock read costs nothing

  uint32_t waits_until_timed_;
  uint64_t timed_wait_began_ns_ = kNotTimed;

  uint32_t transactions_until_timed_ = 1;
  uint32_t latency_stride_ = 1;
  uint64_t transaction_began_ns_ = kNotTimed;
};

// The recorder of the calling thread.
inline ThreadRecorder& recorder() {
  return *static_cast<ThreadRecorder*>(platform::thread_local_slot());
}

// The calling thread has given it back, and its word says so, whoever took it. 0: it is no latch.
inline void latch_is_free(uint32_t latch) {
  if (chronicle() != nullptr && latch != 0) chronicle()->gave_back(recorder().thread_number() - 1, latch);
}

// Around what releases a latch: it is not held any more, and the stalls on its line go to the site that took it.
class LatchRelease {
 public:
  explicit LatchRelease(uint32_t latch)
      : recorder_(recorder()), latch_(latch), site_(recorder_.latch_released(latch)) {}
  ~LatchRelease() { recorder_.latch_line_left(site_, latch_); }
  LatchRelease(const LatchRelease&) = delete;
  LatchRelease& operator=(const LatchRelease&) = delete;

 private:
  ThreadRecorder& recorder_;
  const uint32_t latch_;
  const uint32_t site_;
};

// Which thread it is that writes to a slot.
struct ThreadIdentity {
  uint32_t slot;     // index into TelemetryBlock::threads, unique among running threads
  uint32_t kind;     // see ThreadSlot::kind
  uint32_t ordinal;  // which of its kind
  uint64_t seed;
};

// Binds the calling thread to its slot for the scope's life. Totals stay when the scope ends; only reset()
// clears them.
class ThreadScope {
 public:
  explicit ThreadScope(const ThreadIdentity& identity);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  ThreadRecorder recorder_;
  void* outer_;
};

// A call frame for the scope's life.
class Frame {
 public:
  explicit Frame(const Function& function) : Frame(function.id) {}
  // Of the function that takes the latch.
  explicit Frame(const LatchSite& site) : Frame(site.function) {}
  ~Frame() { recorder_.pop_frame(); }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

 private:
  explicit Frame(uint32_t function) : recorder_(recorder()) { recorder_.push_frame(function); }

  ThreadRecorder& recorder_;
};

// A thread state for the scope's life.
class StateScope {
 public:
  explicit StateScope(ThreadState state) : recorder_(recorder()), outer_(recorder_.state()) {
    recorder_.set_state(state);
  }
  ~StateScope() { recorder_.set_state(outer_); }
  StateScope(const StateScope&) = delete;
  StateScope& operator=(const StateScope&) = delete;

 private:
  ThreadRecorder& recorder_;
  ThreadState outer_;
};

inline void count(Counter counter, uint64_t amount = 1) {
  recorder().count(counter, amount);
}

// Sleeps, says so, and is found asleep by the sampler.
void sleep_ns(uint64_t duration_ns);
// platform::io in state `io`.
void io(platform::Device& device, uint64_t bytes);
// platform::occupy in state `io`.
void occupy(platform::Device& device, uint64_t duration_ns);

// Clears all totals and marks for a new run. No thread may be in a ThreadScope but the caller.
void reset();
// The time of the run is over: lanes and what is told of latches end here. Totals go on.
void end_run();

// Sums over all threads.
uint64_t counter_total(Counter counter);
struct LatchSiteSum {
  uint64_t acquisitions, contended, spin_rounds, waits, wait_ns, hold_ns, line_stall_ns, queue_ns, cost_ns,
      samples_waiting, samples_spinning;
};
LatchSiteSum latch_site_total(uint32_t latch_site);

const char* function_name(uint32_t function);
const char* latch_name_of_site(uint32_t latch_site);
const char* function_name_of_site(uint32_t latch_site);
uint32_t latch_sites_count();

}  // namespace latchscope::telemetry
