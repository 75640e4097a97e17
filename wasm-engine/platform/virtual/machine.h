// One modelled server that runs the engine's threads: a discrete-event model in one host thread,
// with integer time. Every engine thread is a fiber. The thread that creates and watches the engine
// is a fiber too, but *beside* the server. Only its sleeps take time; its other operations cost
// nothing.
//
//   scheduler      chooses the next fiber (scheduler.h): by the clock (clock_scheduler.h, with the
//                  pending events in event_queue.h), or as a schedule chooses
//                  (exploring_scheduler.h)
//   CPUs           each runs one fiber at a time; the other ready fibers share one run queue, with
//                  time slices (cpus.h)
//   accesses       cache lines are serial resources (coherence_model.h), so the end of an access is
//                  known when it is issued. A store requests its line and its thread continues; the
//                  time of its effect is also known at once (store_buffer.h)
//   futexes        a queue of sleepers under a bucket lock, which is a serial resource too
//                  (futex_queue.h)
//   spinning       the machine polls without waking the fiber
//
// The implementation is in machine.cc (fibers, sleeps, host slices), machine_accesses.cc,
// machine_futexes.cc and machine_spinning.cc.
//
// Invariants
//   1. Shared accesses of fibers on cores take effect in the order of their times. Private work is
//      deferred to the next access, up to kFoldedMax of it.
//   2. A fiber's clock never goes back.
//   3. Nothing depends on an address, the host's clock or floating point: the same calls give the
//      same times.
//   4. Stores of a thread take effect in order, and the thread itself reads the newest of them. Its
//      buffer is empty before a read-modify-write, a sequentially consistent store, a system call
//      and a context switch.
//
// The model leaves out:
//   - the loss of a line that was fetched for a store while that store waits for older ones;
//   - capacity misses, the TLB, memory bandwidth and frequency;
//   - wake-up preemption: a woken thread runs on an idle CPU or joins the end of the run queue.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "platform/core_onlooker.h"
#include "platform/line_access.h"
#include "platform/noted_event.h"
#include "platform/server_profile.h"
#include "platform/spin.h"
#include "platform/virtual/clock_scheduler.h"
#include "platform/virtual/coherence_model.h"
#include "platform/virtual/cpus.h"
#include "platform/virtual/event_trail.h"
#include "platform/virtual/fiber.h"
#include "platform/virtual/futex_queue.h"
#include "platform/virtual/scheduler.h"
#include "platform/virtual/store_buffer.h"

namespace latchscope::platform {

class Machine {
 public:
  Machine();
  ~Machine();

  // Restarts the server at time 0.
  //
  // REQUIRES: no fiber is left on the server.
  void boot(const ServerProfile& profile);

  // Runs the server for `events` events, or up to `until`, for a host that must not block, such as
  // a browser. When it stops at `until`, it sets the clock to `until`. Returns true if the run can
  // continue. Returns false, perhaps earlier, once a fiber has called return_to_host() or all
  // fibers have ended. The stopping point does not change the run. Between two slices the host may
  // write words and wake sleepers; virtual time stays fixed.
  //
  // REQUIRES: the caller is the main fiber.
  bool run_slice(uint64_t events, Ps until = kNever);
  // Ends the slice in progress before the next event, so that the host sees the state of this
  // moment.
  void let_host_look() {
    if (is_sliced_) slice_ends_at_ = totals_.events;
  }
  // Ends the slice in progress at once. The next slice continues from here.
  void return_to_host();

  enum class Place : uint8_t { on_server, beside_server };
  Fiber& spawn(std::function<void()> body, Place place);
  // Blocks until `fiber` has ended, then deletes it.
  void join(Fiber& fiber);
  // Returns one pointer per fiber, for the layer above.
  void*& slot() { return slot_; }
  void watch_cores(CoreOnlooker& onlooker) { onlooker_ = &onlooker; }
  uint16_t current_core() const {
    return current_->cpu == kNoCpu ? kNoCore : static_cast<uint16_t>(current_->core);
  }

  // Stops `fiber` and lets it continue, as a debugger does. A frozen fiber makes no further
  // progress, but keeps what it holds.
  void freeze(Fiber& fiber);
  void thaw(Fiber& fiber);

  Ps now() const { return now_; }
  // Returns for how long the calling fiber has had a CPU; 0 beside the server.
  Ps cpu_time() const;
  // Returns the calling fiber's stall time since its last call. The remainder below 1 ns is carried
  // over.
  uint64_t take_line_stall_ns() {
    const uint64_t whole_ns = line_stall_ / kPsPerNs;
    line_stall_ -= whole_ns * kPsPerNs;
    return whole_ns;
  }

  // Accesses. load() and write() return whether the line is watched. If it is, the caller reports
  // the resulting value with tell_access().
  [[gnu::always_inline]] bool load(LineState& line) {
    settle();
    go_on_in(issue_load(line));
    return current_->accesses_watched_line;
  }
  // Performs a read-modify-write, or a store whose thread waits until it has taken effect.
  [[gnu::always_inline]] bool write(LineState& line) {
    stall_until_drained();
    settle();
    go_on_in(issue_write(line));
    return current_->accesses_watched_line;
  }
  // Issues a store through the buffer. Returns false if the store is pending. Returns true if it
  // takes effect now; then the caller writes the word. `word_on_line` matters only for watched
  // lines.
  bool store(LineState& line, const StoredWord& word, uint64_t bits, uint8_t word_on_line) {
    if (!uses_store_buffer()) {
      if (write(line)) [[unlikely]]
        tell_access(line, LineAccess::Kind::store, word_on_line, static_cast<uint32_t>(bits));
      return true;
    }
    settle();
    stall_for_room();
    go_on_in(issue_store(line, word, bits, word_on_line));
    return current_->store_takes_effect;
  }
  // Issues a store to data that a latch guards.
  void store(LineState& line) {
    if (!uses_store_buffer()) {
      write(line);
      return;
    }
    settle();
    stall_for_room();
    issue_store_of_data(line);
  }
  // Returns true and sets `bits` if one of the calling thread's own stores to `word` is pending.
  bool reads_own_store(const void* word, uint64_t& bits);
  // Blocks until all stores of the calling thread have taken effect and are visible.
  void wait_for_stores();
  // Waits for the stores, and costs a read-modify-write of a line that the core has. x86 compilers
  // emit this for a fence.
  void fence() {
    wait_for_stores();
    charge(profile_.local_rmw_ps);
  }
  // Drops the pending stores to `word`, which is being destroyed.
  void forget_stores_to(const void* word) { stores_under_way_.forget(word); }
  // Loads lines that a latch guards, as one event. The latch keeps writers away meanwhile.
  template <class Line>
  void load_each(std::span<const Line> lines) {
    settle();
    go_on_in(issue_loads(lines));
  }

  // See watch_lines in platform.h.
  void watch_lines(uint64_t bits, LineWatcher told) {
    watched_bits_ = bits;
    line_watcher_ = told;
    update_told_bits();
  }
  // Returns whether accesses to the line may have to be reported. The receiver is the watcher, or
  // threads that spin on the line and see a release at once.
  bool watches(const LineState& line) const {
    return told_bits_ != 0 && line.latch.latch != 0 && (told_bits_ >> (line.latch.latch % 64) & 1) != 0;
  }
  // Reports the value that the calling fiber's access to a watched line leaves. The access takes
  // effect now.
  void tell_access(const LineState& line, LineAccess::Kind kind, uint8_t word_on_line, uint32_t value) {
    tell(*current_, line, kind, word_on_line, value, now_);
    if (kind == LineAccess::Kind::read_modify_write && sees_release(line)) show_release(line);
  }

  // See note_events in platform.h.
  void note_events(uint64_t after, uint64_t count, EventWatcher watcher) {
    note_after_ = after;
    note_until_ = after + count;
    event_watcher_ = watcher;
  }
  const EventTrail& trail() const { return trail_; }

  // What-if changes (platform.h); they last until the next boot().
  void keep_line_still(uint32_t latch) { model_->keep_still(latch); }
  void let_spinners_see(uint32_t latch) {
    if (seen_.size() <= latch) seen_.resize(latch + 1);
    seen_[latch] = true;
    seen_bits_ |= uint64_t{1} << (latch % 64);
    update_told_bits();
  }
  // Switches all costs to those of `profile`, which differs in nothing else.
  void take_costs(const ServerProfile& profile);
  void scale_work(uint64_t millionths) { current_->work_millionths = millionths; }
  void wake_freely(bool is_free) { current_->wakes_freely = is_free; }

  void charge(Ps time) {
    if (now_ + time > current_->slice_ends) [[unlikely]] {
      charge_by_slices(time);
    } else {
      charge_in_slice(time);
    }
  }
  // Charges work that takes `time` on a 2025 core. Whether the sibling works is checked once, at
  // the beginning.
  void work(Ps time) {
    time = time * profile_.work_percent / 100;
    if (current_->work_millionths != kWholeWork) [[unlikely]]
      time = scaled(time, current_->work_millionths);
    charge(cpus_.has_working_sibling(*current_) ? time * profile_.sibling_work_percent / 100 : time);
  }
  void pause(uint64_t count) {
    if (is_by_clock()) {
      charge(count * profile_.pause_ps);
    } else {
      go_on_in(chosen(scheduler_->paused()));
    }
  }
  void yield();
  // Blocks until `time`; the fiber gives up its CPU.
  void sleep_until(Ps time);
  void sleep_for(Ps duration);

  // Sleeps if `word` is still `expected`. Returns false if the timeout ended the sleep. kNever: no
  // timeout.
  bool futex_wait(FutexQueue& queue, const uint32_t& word, uint32_t expected, Ps timeout);
  uint32_t futex_wake(FutexQueue& queue, uint32_t count);
  // Moves the first sleeper's timeout forward by `sooner`. The run then continues as if the sleeper
  // had asked for that timeout. Does nothing if no thread sleeps on the queue.
  //
  // REQUIRES: the caller is the host, between two slices.
  void bring_timeout_forward(FutexQueue& queue, Ps sooner);
  // Returns how far the run has advanced (platform.h).
  Ps furthest() const { return std::max(now_, furthest_); }
  SpinOutcome spin(const SpinTask& task);

  const ServerProfile& profile() const { return profile_; }
  ModelTotals totals() const;
  uint64_t line_transfers_of_caller() const { return current_->line_transfers; }

  // The functions below are for schedulers.

  // Choose who picks the next fiber from the next boot() on: `scheduler`, or the clock, which is
  // the default.
  void use(Scheduler& scheduler) { scheduler_ = &scheduler; }
  void use_clock() { scheduler_ = &clock_; }
  // Deletes all remaining threads, on the server and beside it.
  void discard_threads();

  std::span<const std::unique_ptr<Fiber>> fibers() const { return fibers_; }
  Fiber& fiber(uint32_t id) { return *fibers_[id]; }
  Fiber& main_fiber() { return *fibers_[0]; }
  const Fiber& main_fiber() const { return *fibers_[0]; }
  Fiber& current() { return *current_; }
  const Fiber& current() const { return *current_; }
  bool has_event(uint32_t fiber_id, uint64_t event) const {
    const Fiber* fiber = fibers_[fiber_id].get();
    return fiber != nullptr && fiber->event == event;
  }
  Cpus& cpus() { return cpus_; }
  const Cpus& cpus() const { return cpus_; }

  void set_clock(Ps time) { now_ = time; }
  // Moves the clock to `time`, at which the fiber's event occurs, and counts the event.
  void advance_to(Ps time, const Fiber& fiber) {
    note_event_of(time, fiber.server_number);
    now_ = time;
    if (totals_.events >= looks_at_) [[unlikely]]
      look_at_event_of(fiber);
  }
  void commit_store(uint32_t place, Ps time) {
    const uint32_t thread = stores_under_way_.commit(place);
    note_event_of(time, thread);
    furthest_ = std::max(furthest_, time);
    if (totals_.events >= looks_at_) [[unlikely]]
      look_at_store(place, time, thread);
  }
  // Performs the next step of a spinning fiber whose time has come.
  SpinStep step_spin(Fiber& fiber);
  // Ends a futex sleep whose timer has expired.
  void end_sleep(Fiber& fiber);
  // Starts a system call of the calling fiber: its stores take effect first.
  void begin_system_call();

  bool is_slice_over(Ps next_event) const {
    return totals_.events >= slice_ends_at_ || next_event >= slice_until_;
  }
  // Ends the slice and returns the main fiber, which is the host's. kNever: no event is pending.
  Fiber& end_slice_before(Ps next_event);
  // Reports to the onlooker. Threads without a slot are skipped: the layer above does not know them
  // yet, or no longer.
  void tell_ready(const Fiber& fiber) const {
    const void* thread = slot_of(fiber);
    if (onlooker_ != nullptr && thread != nullptr) onlooker_->is_ready(thread, now_);
  }
  void tell_core_of(const Fiber& fiber) const {
    const void* thread = slot_of(fiber);
    if (onlooker_ != nullptr && thread != nullptr)
      onlooker_->gets_core(thread, fiber.on_cpu_since, static_cast<uint16_t>(fiber.core));
  }
  void tell_woken(const Fiber& sleeper) const {
    if (onlooker_ != nullptr && slot_ != nullptr && sleeper.slot != nullptr)
      onlooker_->wakes(slot_, sleeper.slot);
  }
  void tell_core_left(const Fiber& fiber) const {
    const void* thread = slot_of(fiber);
    if (onlooker_ != nullptr && thread != nullptr) onlooker_->leaves_core(thread);
  }
  // Leaves the calling fiber for the scheduler's choice.
  void switch_away() { go_on_in(whoever_is_next()); }
  // Leaves the calling fiber for `next`. Returns once a fiber switches back.
  void go_to(Fiber& next);

 private:
  // Private work up to this is added to the next shared access instead of being an event of its
  // own.
  static constexpr Ps kFoldedMax = 60 * kPsPerNs;

  void note_event_of(Ps time, uint32_t thread) {
    constexpr uint64_t kHashPrime = 0x9e3779b97f4a7c15ull;
    ++totals_.events;
    totals_.hash = (totals_.hash ^ (time + (uint64_t{thread} << 48))) * kHashPrime;
    totals_.hash ^= totals_.hash >> 29;
  }

  // Switching is confined to go_on_in(), which is inlined into the functions that the engine calls.
  // WebAssembly unwinds all of a fiber's frames when it leaves the fiber (fiber_context.h). That
  // costs time for each frame and for each function that could be among them. All other functions
  // here return the next fiber instead of switching.

  bool is_by_clock() const { return scheduler_ == &clock_; }
  // Continues the running fiber at `time`, after all earlier events.
  [[gnu::always_inline]] void reach(Ps time) { go_on_in(reached(time)); }
  Fiber& reached(Ps time) {
    if (time < horizon_ && !is_slice_over(time)) {
      advance_to(time, *current_);
      return *current_;
    }
    return reached_after_others(time);
  }
  Fiber& reached_after_others(Ps time);
  // Before a shared access: lets others run first if private work has moved this fiber too far
  // ahead.
  void settle() {
    if (is_too_far_ahead()) [[unlikely]]
      let_others_catch_up();
  }
  void let_others_catch_up();
  bool is_too_far_ahead() const { return now_ >= horizon_ && now_ - horizon_ > kFoldedMax; }
  // Switches to `next`. Returns once the calling fiber continues.
  [[gnu::always_inline]] void go_on_in(Fiber& next) {
    Fiber& self = *current_;
    if (&next == &self) return;
    ++totals_.fiber_switches;
    make_current(next);
    FiberContext::switch_from_to(self.context, next.context);
  }
  void make_current(Fiber& next);
  Fiber& whoever_is_next();
  // Updates the horizon, because the events of others have been handled meanwhile.
  Fiber& chosen(Fiber& next) {
    if (&next == current_) update_horizon();
    return next;
  }
  void update_horizon() { horizon_ = is_by_clock() ? clock_.horizon() : scheduler_->horizon(); }
  void plan(Fiber& fiber, Ps time, Next next);
  void make_ready(Fiber& fiber, Ps latency);
  void block();

  // Operations of threads beside the server take no time.
  Fiber& issue_load(LineState& line);
  Fiber& issue_write(LineState& line);
  Fiber& issue_store(LineState& line, const StoredWord& word, uint64_t bits, uint8_t word_on_line);
  void issue_store_of_data(LineState& line);
  template <class Line>
  Fiber& issue_loads(std::span<const Line> lines) {
    if (current_->is_beside) return *current_;
    Ps effective = now_;
    for (const Line& line : lines)
      effective = model_->load(line.line_state, current_->core, effective);
    note_stall(model_->beyond(now_ + lines.size() * profile_.load_hit_ps, effective), false);
    return reached(effective);
  }
  const void* slot_of(const Fiber& fiber) const { return &fiber == current_ ? slot_ : fiber.slot; }
  // Records that the running fiber stalls from now on, for `stall`.
  void note_stall(Ps stall, bool is_counted) {
    if (stall == 0) return;
    if (is_counted) line_stall_ += stall;
    if (onlooker_ != nullptr && slot_ != nullptr) onlooker_->stalls(slot_, now_, now_ + stall);
  }
  bool has_store_buffers() const { return buffered_stores_max_ != 0; }
  void note_if_watched(Fiber& fiber, const LineState& line) const {
    fiber.accesses_watched_line = watches(line);
    if (fiber.accesses_watched_line) [[unlikely]]
      note_issue(fiber, line);
  }
  void note_issue(Fiber& fiber, const LineState& line) const {
    fiber.issued = {now_, model_->owner_of(line), line.latch};
  }
  void look_at_event_of(const Fiber& fiber);
  void look_at_store(uint32_t place, Ps time, uint32_t thread);
  bool is_noted(uint64_t event) const { return event > note_after_ && event <= note_until_; }
  void tell_event(NotedEvent event);
  void look_further();
  void update_told_bits() { told_bits_ = watched_bits_ | seen_bits_ | (notes_next_ ? ~uint64_t{0} : 0); }
  void tell(const Fiber& fiber, const LineState& line, LineAccess::Kind kind, uint8_t word_on_line,
            uint32_t value, Ps at) const;
  bool uses_store_buffer() const { return has_store_buffers() && !current_->is_beside; }
  // Waits for the stores. Like private work, the wait is deferred to the next event.
  void drain() {
    if (stall_until_drained()) settle();
  }
  bool stall_until_drained() {
    const Ps empty_from = current_->stores.empty_from();
    if (empty_from <= now_) [[likely]]
      return false;
    stall_for_stores(empty_from);
    return true;
  }
  void stall_for_room() {
    const Ps room_from = current_->stores.room_from(now_, buffered_stores_max_);
    if (room_from <= now_) [[likely]]
      return;
    stall_for_stores(room_from);
    settle();
  }
  void stall_for_stores(Ps until);
  void charge_in_slice(Ps time) {
    if (current_->is_beside) return;
    if (time > kFoldedMax) {
      reach(now_ + time);
    } else {
      now_ += time;
    }
  }
  void charge_by_slices(Ps time);
  Ps begin_store(Fiber& fiber, LineState& line);
  uint32_t plan_commit(Fiber& fiber, const StoredWord& word, uint64_t bits, Ps commit);
  void note_store(uint32_t place, const LineState& line);

  void enter_futex();
  Ps enter_bucket(FutexQueue& queue);

  static Ps scaled(Ps time, uint64_t millionths) {
    return time / kWholeWork * millionths + time % kWholeWork * millionths / kWholeWork;
  }
  bool sees_release(const LineState& line) const {
    return line.latch.latch < seen_.size() && seen_[line.latch.latch];
  }
  void show_release(const LineState& line);
  bool can_poll_now(const Fiber& fiber) const;

  Fiber& begin_spin(const SpinTask& task);
  Ps poll(Fiber& fiber);
  SpinStep judge_poll(Fiber& fiber, Ps seen);
  SpinStep draw_from_shared_generator(Fiber& fiber);
  SpinStep store_drawn(Fiber& fiber);
  SpinStep delay_spin(const Fiber& fiber, uint32_t generator_bits, Ps from) const;

  bool has_sleepers() const;
  [[noreturn]] void report_deadlock();
  uint32_t take_id();
  static void enter_fiber(void* fiber);

  ServerProfile profile_;
  uint32_t epoch_ = 0;
  ClockScheduler clock_{*this};
  Scheduler* scheduler_ = &clock_;
  Cpus cpus_;
  std::unique_ptr<CoherenceModel> model_;
  StoresUnderWay stores_under_way_;
  uint64_t stores_issued_ = 0;
  uint32_t buffered_stores_max_ = 0;  // of a thread; 0: no store buffers

  // By id; [0] is the main fiber, on the host's own stack.
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<uint32_t> free_ids_;
  Fiber* current_ = nullptr;
  void* slot_ = nullptr;  // of the running fiber
  CoreOnlooker* onlooker_ = nullptr;
  uint64_t told_bits_ = 0;  // bit n: accesses to lines of latch n (modulo 64) are reported
  // look_at_*() sees every event from this number on: for the trail, or to report it.
  uint64_t looks_at_ = 0;
  Ps line_stall_ = 0;  // of the running fiber
  Ps now_ = 0;         // of the running fiber
  Ps horizon_ = 0;     // until then the running fiber may continue without asking the scheduler
  bool is_sliced_ = false;
  bool is_idle_ = false;  // the last slice ended because no work was left
  // The fiber that ended the last slice; the next slice continues it.
  Fiber* interrupted_ = nullptr;
  uint64_t slice_ends_at_ = ~0ull;  // event number
  Ps slice_until_ = kNever;
  // Latest time of a store that took effect, or of private work when a slice ended.
  Ps furthest_ = 0;

  uint32_t threads_started_ = 0;  // on the server
  ModelTotals totals_;

  uint64_t watched_bits_ = 0;
  LineWatcher line_watcher_ = nullptr;
  uint64_t seen_bits_ = 0;                 // bit n: a latch n (modulo 64) is set in seen_
  std::vector<bool> seen_;                 // by latch number: its spinners see releases at once
  std::vector<Fiber*> spinners_that_see_;  // in the order in which they began to spin
  EventTrail trail_;
  uint64_t note_after_ = 0, note_until_ = 0;
  bool notes_next_ = false;  // the next event and its accesses are reported
  EventWatcher event_watcher_;
  std::vector<LatchLine> noted_stores_;  // by place of the store, while events are reported
};

// The machine of this process: an engine has exactly one.
namespace detail {
extern Machine the_machine;
}
inline Machine& machine() {
  return detail::the_machine;
}

}  // namespace latchscope::platform
