// One modelled server that runs the engine's threads: a discrete-event model in one thread of the host, with integer
// time. Every engine thread is a fiber. Whoever creates and watches the engine is one too, but stands *beside* the
// server: nothing that it does costs anything or takes time, but for its sleeps.
//
//   event queue    when each fiber goes on; at equal times, in the order of planning
//   CPUs           each runs one fiber at a time; further fibers stand in one queue, in slices. A core is one CPU or two
//                  siblings, which slow each other down while both work
//   cache lines    serial resources (coherence_model.h); an access ends at a time that is known when it is issued
//   store buffers  a store asks for its line and leaves its thread; when it takes effect is known then, too (store_buffer.h)
//   futexes        a queue of sleepers under a bucket lock, which is a serial resource, too
//
// Invariants
//   1. Among fibers on cores, shared accesses take effect in the order of their times. Private work is put off until
//      the next access, at most kFoldedMax of it.
//   2. A fiber's clock never goes back; two fibers never run at the same virtual time on one CPU.
//   3. Each fiber has at most one event to come. An event whose sequence number is not its fiber's is void.
//   4. Nothing depends on an address, on the host's clock or on floating point: the same calls give the same times.
//   5. Explored threads (explore()) all count as running on core 0, so that no access is a transfer, and no event is in
//      the heap: each fiber's own event is its candidate. Stores take effect at once.
//   6. Stores of a thread take effect in their order, and the thread itself reads the newest of them. Its buffer is
//      empty before a read-modify-write, a sequentially consistent store, a system call and a context switch.
//
// Not modelled: that a line which was fetched for a store may be lost again while that waits for older ones; capacity
// misses, TLB, memory bandwidth, frequency; wake-up preemption (a woken thread runs on an
// idle CPU or at the end of the queue).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "platform/server_profile.h"
#include "platform/spin.h"
#include "platform/virtual/coherence_model.h"
#include "platform/virtual/event_queue.h"
#include "platform/virtual/fiber_context.h"
#include "platform/virtual/schedule.h"
#include "platform/virtual/store_buffer.h"

namespace latchscope::platform {

struct Fiber;

// The sleepers on one futex word and the kernel's lock over them.
struct FutexQueue {
  uint32_t epoch = 0;
  uint32_t pending = 0;  // between their system call and their wake-up; a waker that finds none does not lock
  Ps bucket_busy_until = 0;
  Fiber* first = nullptr;
  Fiber* last = nullptr;
};

// Polling a word, as the scheduler carries it out.
struct SpinTask {
  LineState* line;
  const void* word;
  bool (*holds)(const void* word);
  SpinPolicy policy;
  // Of the shared generator, null if the thread has one of its own.
  LineState* generator_line;
  StoredWord generator_word;
};

class Machine {
 public:
  Machine();
  ~Machine();

  // Starts afresh at time 0. No fiber may be left on the server.
  void boot(const ServerProfile& profile);

  // For a host that must not be kept waiting, such as a browser: called by the main fiber, carries out `events` events,
  // or those before `until`, when the clock stands at `until`, and returns true; or returns false, perhaps earlier, once
  // some fiber has called return_to_host or all have ended. Where it stops changes nothing about the run. Between two
  // slices the host may write words and wake sleepers; time stands.
  bool run_slice(uint64_t events, Ps until = kNever);
  // The slice under way ends before the next event, so that the host sees what is now.
  void let_host_look() {
    if (is_sliced_) slice_ends_at_ = totals_.events;
  }
  // Ends the slice here and now; the next one goes on from here.
  void return_to_host();

  enum class Place : uint8_t { on_server, beside_server };
  Fiber& spawn(std::function<void()> body, Place place);
  // Until the fiber has ended; then it is gone.
  void join(Fiber& fiber);
  // One pointer per fiber, for the room above.
  void*& slot() { return slot_; }

  // As a debugger stops and releases a thread. A frozen one takes effect no more; what it holds it keeps.
  void freeze(Fiber& fiber);
  void thaw(Fiber& fiber);

  Ps now() const { return now_; }
  // For which the calling fiber has had a CPU; none beside the server.
  Ps cpu_time() const;
  // Of the calling fiber, since it last asked; what is less than a nanosecond is left for the next time.
  uint64_t take_line_stall_ns() {
    const uint64_t whole_ns = line_stall_ / kPsPerNs;
    line_stall_ -= whole_ns * kPsPerNs;
    return whole_ns;
  }
  void load(LineState& line);
  // A read-modify-write, or a store after which the thread waits until it has taken effect.
  void write(LineState& line);
  // A store through the buffer. False if it is under way; true if it takes effect here, which is for the caller to do.
  bool store(LineState& line, const StoredWord& word, uint64_t bits);
  // The same to data that a latch guards.
  void store(LineState& line);
  // True, with the value, if the thread reads a store of its own that is still under way.
  bool reads_own_store(const void* word, uint64_t& bits);
  // Until the stores of the calling thread have taken effect and are there to be seen.
  void wait_for_stores();
  // The word goes away.
  void forget_stores_to(const void* word) { stores_under_way_.forget(word); }
  // Loads of lines that a latch guards, so that nobody writes to them meanwhile: one event for all of them.
  template <class Line>
  void load_each(std::span<const Line> lines) {
    if (!begins_access()) return;
    Ps effective = now_;
    for (const Line& line : lines)
      effective = load_effect(line.line_state, effective);
    reach(effective);
  }
  void charge(Ps time);
  // Work of so much time on a core of 2025. Whether the sibling works, too, is asked when it begins.
  void work(Ps time) {
    time = time * profile_.work_percent / 100;
    charge(has_working_sibling(*current_) ? time * profile_.sibling_work_percent / 100 : time);
  }
  void pause(uint64_t count) {
    if (schedule_ != nullptr) return yield();  // whoever pauses waits for others
    charge(count * profile_.pause_ps);
  }
  void yield();
  // Blocks until `time`; the fiber gives up its CPU.
  void sleep_until(Ps time);
  void sleep_for(Ps duration);

  // Sleeps if `*word` is still `expected`; false if the timeout ended it. kNever: no timeout.
  bool futex_wait(FutexQueue& queue, const uint32_t& word, uint32_t expected, Ps timeout);
  uint32_t futex_wake(FutexQueue& queue, uint32_t count);
  SpinOutcome spin(const SpinTask& task);

  const ServerProfile& profile() const { return profile_; }
  ModelTotals totals() const;

  // Exploration: the machine starts afresh, and from now on `schedule` chooses who goes on, at each shared access, system
  // call and wake-up, whatever the clock says. Time only moves on; accesses cost next to nothing. Threads of an earlier
  // exploration that are still there are gone: their stacks are freed as they are, without running any destructor.
  // `timeouts_end`: whether the timeout of a futex wait may end it; if not, a wait that needs its timeout never ends.
  void explore(Schedule& schedule, bool timeouts_end);
  // Lets the threads go on, for at most so many steps. Called by the main fiber, which has spawned them.
  enum class Explored : uint8_t { all_ended, some_are_stuck, too_many_steps, abandoned };
  Explored run_exploration(uint64_t steps_max);
  // Called by an explored thread: run_exploration() returns, and no thread goes on any more.
  [[noreturn]] void abandon_exploration();
  // The clock rules again.
  void end_exploration();
  // Whether an explored thread is running.
  bool is_exploring() const { return schedule_ != nullptr && current_ != fibers_[0].get(); }

 private:
  friend struct Fiber;
  enum class Next : uint8_t;
  struct SpinStep;

  void reach(Ps time);
  void reach_after_others(Ps time);
  void settle();
  // False for threads that are no part of the server: what they do takes no time.
  bool begins_access();
  Ps load_effect(LineState& line, Ps issued) const;
  bool has_store_buffers() const { return buffered_stores_max_ != 0; }
  void drain();
  void stall_for_stores(Ps until);
  Ps begin_store(Fiber& fiber, LineState& line);
  void plan_commit(Fiber& fiber, const StoredWord& word, uint64_t bits, Ps commit);
  void commit_next_store();
  bool is_store_next() const { return !queue_.is_empty() && queue_.top().fiber() >= kFirstStore; }
  void switch_away();
  void go_to(Fiber& next);
  Fiber& run_until_a_fiber_goes_on();
  void end_slice();
  bool take_next_event(Event& event);
  void hold(Fiber& fiber);
  void begin_event(Fiber& fiber, Next next);
  void end_sleep(Fiber& fiber);
  Fiber& next_of_schedule();
  bool is_candidate(const Fiber& fiber) const;
  void find_candidates();
  void discard_threads();
  void plan(Fiber& fiber, Ps time, Next next);
  void block();
  void make_ready(Fiber& fiber, Ps latency);
  void put_on_cpu(Fiber& fiber, uint32_t cpu, Ps starts);
  void release_cpu(Fiber& fiber);
  uint32_t pick_idle_cpu(const Fiber& fiber) const;
  const Fiber* sibling_of(uint32_t cpu) const;
  bool has_working_sibling(const Fiber& fiber) const;
  void note_idle(uint32_t cpu, bool is_idle);
  bool is_overdue(const Fiber& fiber) const;
  bool is_slice_over(Ps next_event) const {
    return totals_.events >= slice_ends_at_ || next_event >= slice_until_;
  }
  void preempt(Fiber& fiber);
  void update_horizon();
  void note_event(Ps time, const Fiber& fiber);
  void note_event_of(Ps time, uint32_t thread);
  Ps enter_bucket(FutexQueue& queue);
  void enqueue(FutexQueue& queue, Fiber& fiber);
  void dequeue(FutexQueue& queue, Fiber& fiber);
  SpinStep step_spin(Fiber& fiber);
  Ps poll(Fiber& fiber);
  SpinStep judge_poll(Fiber& fiber, Ps seen);
  SpinStep draw_from_shared_generator(Fiber& fiber);
  SpinStep store_drawn(Fiber& fiber);
  SpinStep delay_spin(const Fiber& fiber, uint32_t generator_bits, Ps from);
  bool has_sleepers() const;
  [[noreturn]] void report_deadlock();
  static void enter_fiber(void* fiber);

  ServerProfile profile_;
  uint32_t epoch_ = 0;
  std::unique_ptr<CoherenceModel> model_;
  EventQueue queue_;
  uint64_t next_sequence_ = 1;
  // An event from this number on is of no fiber, but of a store under way.
  static constexpr uint32_t kFirstStore = 1u << (Event::kFiberBits - 1);
  StoresUnderWay stores_under_way_;
  uint32_t buffered_stores_max_ = 0;  // of a thread; 0: there are no buffers

  std::vector<std::unique_ptr<Fiber>> fibers_;  // by id; [0] is the main one, on the host's own stack
  std::vector<uint32_t> free_ids_;
  Fiber* current_ = nullptr;
  void* slot_ = nullptr;  // of the fiber that runs
  Ps line_stall_ = 0;     // of the fiber that runs
  Ps now_ = 0;            // of the fiber that runs
  Ps horizon_ = 0;        // until then the fiber that runs may go on without asking
  bool is_sliced_ = false;
  bool is_idle_ = false;            // the last slice ended because nothing was left to do
  Fiber* interrupted_ = nullptr;    // on whose stack the scheduler was when the last slice ended
  uint64_t slice_ends_at_ = ~0ull;  // events
  Ps slice_until_ = kNever;

  std::vector<Fiber*> on_cpu_;  // null = idle
  std::vector<uint32_t> idle_cpus_of_socket_;
  std::vector<uint32_t> idle_cpus_of_complex_;
  uint32_t idle_cpus_ = 0;
  Fiber* ready_first_ = nullptr;
  Fiber* ready_last_ = nullptr;

  Schedule* schedule_ = nullptr;  // of an exploration
  bool timeouts_end_ = true;
  bool is_abandoned_ = false;
  uint64_t steps_left_ = 0;
  std::vector<Candidate> candidates_;

  uint32_t threads_started_ = 0;  // on the server
  ModelTotals totals_;
};

// The machine of this process: one engine, one machine.
namespace detail {
extern Machine the_machine;
}
inline Machine& machine() {
  return detail::the_machine;
}

}  // namespace latchscope::platform
