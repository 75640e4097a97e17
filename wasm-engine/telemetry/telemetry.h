// The interface through which engine code reports what it does: counters, latch totals, each
// thread's state and its stack of call frames. All data goes into the TelemetryBlock (layout.h),
// into cache lines that only the reporting thread writes.
//
// Invariants
//   1. No call blocks, allocates or writes another thread's lines.
//   2. Every event is counted; only time is sampled. A timed event represents as many events as its
//      stride. The stride is chosen before the event, so the estimates are unbiased.
//   3. A thread calls telemetry only inside a ThreadScope.
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

// `bench` compiles telemetry out to measure its cost. The client loop's own counters stay.
#if defined(LATCHSCOPE_TELEMETRY_OFF)
inline constexpr bool kTelemetryOn = false;
#else
inline constexpr bool kTelemetryOn = true;
#endif

TelemetryBlock& block();

// A function that appears in call frames, under InnoDB's name.
// REQUIRES: constructed before main(), as a namespace-scope constant, or while a run is built, as a
// name of this run. The same holds for LatchSite.
struct Function {
  explicit Function(const char* name);
  uint32_t id;
};

// A place in the source that acquires one kind of latch. Both names are InnoDB's.
struct LatchSite {
  LatchSite(const char* latch, const char* function_name);
  uint32_t id;
  uint32_t function;  // id of the acquiring function
};

// Forgets the names of the last run's own functions, latches and sites.
// REQUIRES: no thread except the caller is in a ThreadScope, and main() has begun.
void forget_names_of_run();

// Returns the number of a new latch, never 0. A reader uses it to find the thread that holds the
// latch another thread waits for.
// REQUIRES: one thread at a time builds latches.
uint32_t next_latch_number();
// Returns the highest number given in this process so far.
uint32_t latch_numbers_given();

// Site of a latch that no thread is known to have acquired.
inline constexpr uint32_t kNoSite = ~0u;

// Reports on behalf of one thread.
class ThreadRecorder {
 public:
  ThreadRecorder(uint32_t slot, uint64_t seed);
  ThreadRecorder(const ThreadRecorder&) = delete;
  ThreadRecorder& operator=(const ThreadRecorder&) = delete;

  ThreadSlot& slot() { return slot_; }
  // Returns the number that identifies the thread inside latches; never 0.
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
  // Reports an acquisition on behalf of another thread, which will release the latch. It is counted
  // but not listed as held.
  void latch_acquired_for_other(const LatchSite& site, uint32_t latch) {
    if constexpr (!kTelemetryOn) return;
    if (chronicle() != nullptr) chronicle()->got_latch(thread_number_ - 1, site.id, latch, true);
    slot_.latch_sites[site.id].acquisitions[0].add(1);
    latch_line_left(site.id, latch);
  }
  // Returns the id of the site at which the latch was acquired, or kNoSite if it is not in the list
  // of held latches.
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
  // Charges the time stalled on latch lines since the last call to this latch and site. With
  // kNoSite the time is discarded.
  void latch_line_left(uint32_t site, uint32_t latch) {
    if constexpr (!kTelemetryOn || !platform::kIsModelled) return;
    const uint64_t stalled_ns = platform::take_line_stall_ns();
    if (site == kNoSite) return;
    slot_.latch_sites[site].line_stall_ns[0].add(stalled_ns);
    add_cost(slot_.latch_sites[site], latch, stalled_ns);
  }

  // `is_counted`: the acquisition counts as contended already.
  void latch_contended(const LatchSite& site, uint32_t latch, bool is_counted = false);
  void latch_polled(const LatchSite& site, uint32_t rounds) {
    if constexpr (!kTelemetryOn) return;
    slot_.latch_sites[site.id].spin_rounds[0].add(rounds);
  }
  // The thread goes to sleep, either for the latch or in a commit group (`following`).
  void latch_wait_begins(const LatchSite& site, ThreadState asleep = ThreadState::waiting);
  void latch_wait_ends(const LatchSite& site);
  void latch_contention_ends();

  // `arrived_ps`: when its request arrived, from which its latency counts; 0: now.
  void transaction_begins(uint64_t arrived_ps = 0) {
    if (chronicle() != nullptr) chronicle()->transaction_began(thread_number_ - 1, arrived_ps);
    if (--transactions_until_timed_ > 0) return;
    // A clock in picoseconds may have wrapped; differences are right.
    const uint64_t waited_ps = arrived_ps == 0 ? 0 : platform::now_ps() - arrived_ps;
    transaction_began_ns_ = platform::now_ns() - waited_ps / platform::kPsPerNs;
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
  bool is_follower_ = false;  // in the contention since contended_since_ns_

  uint32_t holds_until_timed_;
  uint32_t timed_hold_latch_ = 0;
  uint32_t timed_hold_site_ = 0;
  uint64_t timed_hold_began_ns_ = 0;
  // Parallel to `held`. Used where a clock read is free.
  uint64_t held_since_ns_[kHeldLatchesMax] = {};

  uint32_t waits_until_timed_;
  uint64_t timed_wait_began_ns_ = kNotTimed;

  uint32_t transactions_until_timed_ = 1;
  uint32_t latency_stride_ = 1;
  uint64_t transaction_began_ns_ = kNotTimed;
};

// Returns the recorder of the calling thread.
inline ThreadRecorder& recorder() {
  return *static_cast<ThreadRecorder*>(platform::thread_local_slot());
}

// Reports that the calling thread has released the latch and its word is free, whichever thread
// acquired it. 0: not a latch.
inline void latch_is_free(uint32_t latch) {
  if (chronicle() != nullptr && latch != 0) chronicle()->gave_back(recorder().thread_number() - 1, latch);
}

// Encloses the release of a latch: the latch is no longer held, and stalls on its line are charged
// to the site that acquired it.
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

// Identifies the thread that writes to a slot.
struct ThreadIdentity {
  uint32_t slot;     // index into TelemetryBlock::threads, unique among running threads
  uint32_t kind;     // see ThreadSlot::kind
  uint32_t ordinal;  // which of its kind
  uint64_t seed;
};

// Binds the calling thread to its slot for the lifetime of the scope. Totals remain when the scope
// ends; only reset() clears them.
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

// Pushes a call frame for the lifetime of the scope.
class Frame {
 public:
  explicit Frame(const Function& function) : Frame(function.id) {}
  // Pushes the frame of the function that acquires the latch.
  explicit Frame(const LatchSite& site) : Frame(site.function) {}
  ~Frame() { recorder_.pop_frame(); }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

 private:
  explicit Frame(uint32_t function) : recorder_(recorder()) { recorder_.push_frame(function); }

  ThreadRecorder& recorder_;
};

// Sets the thread state for the lifetime of the scope.
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

inline void count_of_script(uint32_t number, uint64_t amount) {
  recorder().count(static_cast<Counter>(kFirstCounterOfScript + number), amount);
}
inline void count(Counter counter, uint64_t amount = 1) {
  recorder().count(counter, amount);
}

// Sleeps in state `sleeping`, so that the sampler finds the thread asleep.
void sleep_ns(uint64_t duration_ns);
// Calls platform::io in state `io`.
void io(platform::Device& device, uint64_t bytes);
// Calls platform::occupy in state `io`.
void occupy(platform::Device& device, uint64_t duration_ns);

// Clears all totals and marks for a new run.
// REQUIRES: no thread except the caller is in a ThreadScope.
void reset();
// Called when the run time is over. Lanes and latch events end here; totals continue.
void end_run();

// Return sums over all threads.
uint64_t counter_total(Counter counter);
// `number`: of a counter of the workload file, from 0.
inline uint64_t counter_of_script(uint32_t number) {
  return counter_total(static_cast<Counter>(kFirstCounterOfScript + number));
}
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
