// One modelled server that runs the engine's threads: a discrete-event model in one thread of the host, with integer
// time. Every engine thread is a fiber. Whoever creates and watches the engine is one too, but stands *beside* the
// server: nothing that it does costs anything or takes time, but for its sleeps.
//
//   scheduler      who goes on next (scheduler.h): by the clock (clock_scheduler.h), which keeps the events to come
//                  (event_queue.h), or as a schedule chooses (exploring_scheduler.h)
//   CPUs           each runs one fiber at a time; further fibers stand in one line, in slices (cpus.h)
//   accesses       cache lines are serial resources (coherence_model.h); an access ends at a time that is known when it is
//                  issued. A store asks for its line and leaves its thread; when it takes effect is known then, too
//                  (store_buffer.h)
//   futexes        a queue of sleepers under a bucket lock, which is a serial resource, too (futex_queue.h)
//   spinning       polls, carried out without waking the fiber
//
// The machine's own code lies in machine.cc (fibers, sleeps, slices of the host), machine_accesses.cc, machine_futexes.cc and
// machine_spinning.cc.
//
// Invariants
//   1. Among fibers on cores, shared accesses take effect in the order of their times. Private work is put off until
//      the next access, at most kFoldedMax of it.
//   2. A fiber's clock never goes back.
//   3. Nothing depends on an address, on the host's clock or on floating point: the same calls give the same times.
//   4. Stores of a thread take effect in their order, and the thread itself reads the newest of them. Its buffer is
//      empty before a read-modify-write, a sequentially consistent store, a system call and a context switch.
//
// Not modelled: that a line which was fetched for a store may be lost again while that waits for older ones; capacity
// misses, TLB, memory bandwidth, frequency; wake-up preemption (a woken thread runs on an
// idle CPU or at the end of the line).
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
  void watch_cores(CoreOnlooker& onlooker) { onlooker_ = &onlooker; }
  uint16_t current_core() const {
    return current_->cpu == kNoCpu ? kNoCore : static_cast<uint16_t>(current_->core);
  }

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

  // Accesses. The first two return whether the line is watched: then the caller tells what became of the word.
  [[gnu::always_inline]] bool load(LineState& line) {
    settle();
    go_on_in(issue_load(line));
    return current_->accesses_watched_line;
  }
  // A read-modify-write, or a store after which the thread waits until it has taken effect.
  [[gnu::always_inline]] bool write(LineState& line) {
    stall_until_drained();
    settle();
    go_on_in(issue_write(line));
    return current_->accesses_watched_line;
  }
  // A store through the buffer. False if it is under way; true if it takes effect here, which is for the caller to do.
  // `word_on_line` matters if the line is watched.
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
  // The same to data that a latch guards.
  void store(LineState& line) {
    if (!uses_store_buffer()) {
      write(line);
      return;
    }
    settle();
    stall_for_room();
    issue_store_of_data(line);
  }
  // True, with the value, if the thread reads a store of its own that is still under way.
  bool reads_own_store(const void* word, uint64_t& bits);
  // Until the stores of the calling thread have taken effect and are there to be seen.
  void wait_for_stores();
  // The same, at what a read-modify-write of a line of one's own costs, which is how x86 compilers do it.
  void fence() {
    wait_for_stores();
    charge(profile_.local_rmw_ps);
  }
  // The word goes away.
  void forget_stores_to(const void* word) { stores_under_way_.forget(word); }
  // Loads of lines that a latch guards, so that nobody writes to them meanwhile: one event for all of them.
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
  // Somebody may have to know of each access to the line: who watches it, or who spins on it and sees a release at once.
  bool watches(const LineState& line) const {
    return told_bits_ != 0 && line.latch.latch != 0 && (told_bits_ >> (line.latch.latch % 64) & 1) != 0;
  }
  // What the calling fiber's access to a watched line, which takes effect now, has left behind.
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

  // What if (platform.h): until the next boot.
  void keep_line_still(uint32_t latch) { model_->keep_still(latch); }
  void let_spinners_see(uint32_t latch) {
    if (seen_.size() <= latch) seen_.resize(latch + 1);
    seen_[latch] = true;
    seen_bits_ |= uint64_t{1} << (latch % 64);
    update_told_bits();
  }
  // From now on all costs are those of this profile, which differs in nothing else.
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
  // Work of so much time on a core of 2025. Whether the sibling works, too, is asked when it begins.
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

  // Sleeps if `*word` is still `expected`; false if the timeout ended it. kNever: no timeout.
  bool futex_wait(FutexQueue& queue, const uint32_t& word, uint32_t expected, Ps timeout);
  uint32_t futex_wake(FutexQueue& queue, uint32_t count);
  // Between two slices: the first sleeper's timeout ends so much sooner, and the run takes the course that it would have taken
  // had the sleeper said so. Nothing if nobody sleeps there.
  void bring_timeout_forward(FutexQueue& queue, Ps sooner);
  SpinOutcome spin(const SpinTask& task);

  const ServerProfile& profile() const { return profile_; }
  ModelTotals totals() const;
  uint64_t line_transfers_of_caller() const { return current_->line_transfers; }

  // For schedulers.

  // From the next boot() on `scheduler` decides who goes on; or the clock, as from the beginning.
  void use(Scheduler& scheduler) { scheduler_ = &scheduler; }
  void use_clock() { scheduler_ = &clock_; }
  // Threads that are still there are gone, on the server and beside it.
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
  // The fiber's event has come.
  void advance_to(Ps time, const Fiber& fiber) {
    note_event_of(time, fiber.server_number);
    now_ = time;
    if (totals_.events >= looks_at_) [[unlikely]]
      look_at_event_of(fiber);
  }
  void commit_store(uint32_t place, Ps time) {
    const uint32_t thread = stores_under_way_.commit(place);
    note_event_of(time, thread);
    if (totals_.events >= looks_at_) [[unlikely]]
      look_at_store(place, time, thread);
  }
  // One step of a spinning fiber, whose time has come.
  SpinStep step_spin(Fiber& fiber);
  // Its timer has ended it.
  void end_sleep(Fiber& fiber);
  // The calling fiber enters the kernel: its stores take effect first.
  void begin_system_call();

  bool is_slice_over(Ps next_event) const {
    return totals_.events >= slice_ends_at_ || next_event >= slice_until_;
  }
  // Nothing more is to be done in this slice: the main fiber goes on, which is the host's. kNever: nothing is to come.
  Fiber& end_slice_before(Ps next_event);
  // What the onlooker is told. A thread that the room above knows nothing of, yet or any more, is no matter of its.
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
  // Leaves the fiber whose stack this is for the one that goes on next.
  void switch_away() { go_on_in(whoever_is_next()); }
  // The same for a given one; returns once somebody goes back.
  void go_to(Fiber& next);

 private:
  // Private work up to this is added to the next shared access instead of being an event of its own.
  static constexpr Ps kFoldedMax = 60 * kPsPerNs;

  void note_event_of(Ps time, uint32_t thread) {
    constexpr uint64_t kHashPrime = 0x9e3779b97f4a7c15ull;
    ++totals_.events;
    totals_.hash = (totals_.hash ^ (time + (uint64_t{thread} << 48))) * kHashPrime;
    totals_.hash ^= totals_.hash >> 29;
  }

  // What a fiber does is of two kinds, because WebAssembly takes a fiber's calls apart when it is left (fiber_context.h), which
  // costs time for each, and for each function that might be among them. A fiber can be left only in go_on_in(), which is inlined into
  // what the engine calls. All else here returns who goes on.

  bool is_by_clock() const { return scheduler_ == &clock_; }
  // The fiber that runs goes on at `time`, after whatever comes before.
  [[gnu::always_inline]] void reach(Ps time) { go_on_in(reached(time)); }
  Fiber& reached(Ps time) {
    if (time < horizon_ && !is_slice_over(time)) {
      advance_to(time, *current_);
      return *current_;
    }
    return reached_after_others(time);
  }
  Fiber& reached_after_others(Ps time);
  // Before a shared access: others come first if private work has put this fiber too far ahead of them.
  void settle() {
    if (is_too_far_ahead()) [[unlikely]]
      let_others_catch_up();
  }
  void let_others_catch_up();
  bool is_too_far_ahead() const { return now_ >= horizon_ && now_ - horizon_ > kFoldedMax; }
  // Returns once the fiber whose stack this is goes on.
  [[gnu::always_inline]] void go_on_in(Fiber& next) {
    Fiber& self = *current_;
    if (&next == &self) return;
    ++totals_.fiber_switches;
    make_current(next);
    FiberContext::switch_from_to(self.context, next.context);
  }
  void make_current(Fiber& next);
  Fiber& whoever_is_next();
  // Others' events have been carried out meanwhile.
  Fiber& chosen(Fiber& next) {
    if (&next == current_) update_horizon();
    return next;
  }
  void update_horizon() { horizon_ = is_by_clock() ? clock_.horizon() : scheduler_->horizon(); }
  void plan(Fiber& fiber, Ps time, Next next);
  void make_ready(Fiber& fiber, Ps latency);
  void block();

  // What threads that are no part of the server do takes no time.
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
  // The fiber that runs stands still from now on, for so long.
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
  // As private work is, the wait is put off until the next event.
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
  uint32_t buffered_stores_max_ = 0;  // of a thread; 0: there are no buffers

  std::vector<std::unique_ptr<Fiber>> fibers_;  // by id; [0] is the main one, on the host's own stack
  std::vector<uint32_t> free_ids_;
  Fiber* current_ = nullptr;
  void* slot_ = nullptr;  // of the fiber that runs
  CoreOnlooker* onlooker_ = nullptr;
  uint64_t told_bits_ = 0;  // bit n: accesses to lines of latch n (modulo 64) are told, to whomever
  uint64_t looks_at_ = 0;   // from this event on each is looked at: for the trail, or to be told
  Ps line_stall_ = 0;       // of the fiber that runs
  Ps now_ = 0;              // of the fiber that runs
  Ps horizon_ = 0;          // until then the fiber that runs may go on without asking
  bool is_sliced_ = false;
  bool is_idle_ = false;            // the last slice ended because nothing was left to do
  Fiber* interrupted_ = nullptr;    // who has ended the last slice and goes on in the next one
  uint64_t slice_ends_at_ = ~0ull;  // events
  Ps slice_until_ = kNever;

  uint32_t threads_started_ = 0;  // on the server
  ModelTotals totals_;

  uint64_t watched_bits_ = 0;
  LineWatcher line_watcher_ = nullptr;
  uint64_t seen_bits_ = 0;  // of the latches in seen_
  std::vector<bool> seen_;  // by the number of the latch: who spins on it sees its release at once
  std::vector<Fiber*> spinners_that_see_;  // in the order in which they began
  EventTrail trail_;
  uint64_t note_after_ = 0, note_until_ = 0;
  bool notes_next_ = false;  // the next event is told, and so are its accesses
  EventWatcher event_watcher_;
  std::vector<LatchLine> noted_stores_;  // by their places, while events are told
};

// The machine of this process: one engine, one machine.
namespace detail {
extern Machine the_machine;
}
inline Machine& machine() {
  return detail::the_machine;
}

}  // namespace latchscope::platform
