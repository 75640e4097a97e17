#include "platform/virtual/machine.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "platform/platform.h"

namespace latchscope::platform {

namespace {

// Private work up to this is added to the next shared access instead of being an event of its own.
constexpr Ps kFoldedMax = 60 * kPsPerNs;
constexpr uint32_t kNoCpu = ~0u;
constexpr uint64_t kHashPrime = 0x9e3779b97f4a7c15ull;

}  // namespace

// What a fiber does when its event comes.
enum class Machine::Next : uint8_t {
  go_on,        // it goes on where it is
  retry,        // the same, after a yield (only while exploring)
  wake,         // it was asleep and wants a CPU, with the latency of a wake-up
  timer,        // the same, when its time has come
  poll,         // it spins: issue a poll
  judge,        // the poll has taken effect
  draw,         // issue the load of the shared generator
  store_drawn,  // the load has taken effect: issue the store
  drawn,        // the store has taken effect (without store buffers)
};

struct Fiber {
  explicit Fiber(uint32_t fiber_id) : id(fiber_id) {}
  Fiber(uint32_t fiber_id, std::function<void()> fiber_body, void (*entry)(void*))
      : id(fiber_id), body(std::move(fiber_body)), context(entry, this) {}

  const uint32_t id;
  bool is_beside = false;      // the server
  uint32_t server_number = 0;  // which thread of the server since its start, from 1; 0 beside it
  std::function<void()> body;
  FiberContext context;
  void* slot = nullptr;
  Ps line_stall = 0;
  StoreBuffer stores;

  uint32_t cpu = kNoCpu;
  uint32_t core = 0;  // the CPU's, or the last one's
  uint32_t last_cpu = kNoCpu;
  Ps on_cpu_since = 0;
  Ps cpu_time = 0;  // before that
  Ps slice_ends = kNever;
  Fiber* next_in_queue = nullptr;  // of ready fibers, or of a futex
  Fiber* previous_in_queue = nullptr;

  uint64_t event = 0;  // sequence of the event that counts; 0: none
  Ps event_time = 0;   // while exploring
  Machine::Next next{};
  FutexQueue* sleeps_on = nullptr;
  bool was_timed_out = false;

  SpinTask spin{};
  uint32_t rounds = 0;
  bool is_satisfied = false;
  uint32_t drawn_bits = 0;

  bool is_frozen = false;
  bool is_held = false;  // frozen, and its event has come
  bool has_ended = false;
  Fiber* joiner = nullptr;
};

// What a spinning fiber does next, and when.
struct Machine::SpinStep {
  Ps time;
  Next next;
};

Machine detail::the_machine;

Machine::Machine() {
  fibers_.push_back(std::make_unique<Fiber>(0));
  fibers_[0]->is_beside = true;
  current_ = fibers_[0].get();
  boot(ServerProfile{});
}

Machine::~Machine() = default;

void Machine::boot(const ServerProfile& profile) {
  profile_ = profile;
  ++epoch_;
  model_ = std::make_unique<CoherenceModel>(profile_, epoch_);
  queue_.clear();
  next_sequence_ = 1;
  stores_under_way_.clear();
  buffered_stores_max_ = profile_.buffered_stores_max();
  now_ = 0;
  slice_ends_at_ -= std::min(slice_ends_at_, totals_.events);  // what is left of the slice
  slice_until_ = kNever;
  // Begun from outside slices: whoever was left in one has no part in it, and may be gone.
  if (current_ == fibers_[0].get()) interrupted_ = nullptr;
  totals_ = {};
  threads_started_ = 0;
  on_cpu_.assign(profile.cpus(), nullptr);
  idle_cpus_of_socket_.assign(static_cast<size_t>(profile.sockets), profile.cpus_per_socket());
  idle_cpus_of_complex_.assign(profile.complexes(), 0);
  for (uint32_t cpu = 0; cpu < profile.cpus(); ++cpu)
    ++idle_cpus_of_complex_[profile.complex_of(profile.core_of(cpu))];
  idle_cpus_ = profile.cpus();
  ready_first_ = ready_last_ = nullptr;
  for (const auto& fiber : fibers_) {
    if (fiber == nullptr) continue;
    LATCHSCOPE_ASSERT(fiber->is_beside, "a machine starts with no thread on it");
    fiber->cpu = fiber->last_cpu = profile.cpus();
    fiber->core = profile.cores();
    fiber->event = 0;
  }
  update_horizon();
}

Ps Machine::cpu_time() const {
  if (current_->is_beside || schedule_ != nullptr) return 0;
  return current_->cpu_time + (now_ - current_->on_cpu_since);
}

ModelTotals Machine::totals() const {
  ModelTotals totals = totals_;
  totals.time_ps = now_;
  for (const Fiber* fiber : on_cpu_) {
    if (fiber != nullptr && now_ > fiber->on_cpu_since) totals.busy_ps += now_ - fiber->on_cpu_since;
  }
  return totals;
}

// --- time -----------------------------------------------------------------------------------------------------------

void Machine::note_event(Ps time, const Fiber& fiber) {
  note_event_of(time, fiber.server_number);
}

void Machine::note_event_of(Ps time, uint32_t thread) {
  ++totals_.events;
  totals_.hash = (totals_.hash ^ (time + (uint64_t{thread} << 48))) * kHashPrime;
  totals_.hash ^= totals_.hash >> 29;
}

// The fiber that runs may go on alone until the next event, or until its slice is over and another wants the CPU.
void Machine::update_horizon() {
  if (schedule_ != nullptr) [[unlikely]] {
    horizon_ = now_;
    return;
  }
  horizon_ = queue_.next_time();
  if (ready_first_ != nullptr) horizon_ = std::min(horizon_, current_->slice_ends);
}

void Machine::plan(Fiber& fiber, Ps time, Next next) {
  const uint64_t sequence = next_sequence_++;
  fiber.event = sequence;
  fiber.next = next;
  if (schedule_ != nullptr) [[unlikely]] {
    fiber.event_time = time;
    return;
  }
  queue_.push(Event::of(time, sequence, fiber.id));
}

// The fiber that runs goes on at `time`, after whatever comes before.
void Machine::reach(Ps time) {
  if (time < horizon_ && !is_slice_over(time)) {
    note_event(time, *current_);
    now_ = time;
    return;
  }
  reach_after_others(time);
}

// The same; stores that take effect before need no switch.
void Machine::reach_after_others(Ps time) {
  while (is_store_next() && queue_.next_time() <= time && !is_slice_over(queue_.next_time()))
    commit_next_store();
  update_horizon();
  if (time < horizon_ && !is_slice_over(time)) {
    note_event(time, *current_);
    now_ = time;
    return;
  }
  plan(*current_, time, Next::go_on);
  switch_away();
}

// Before a shared access: others come first if private work has put this fiber too far ahead of them.
void Machine::settle() {
  if (now_ >= horizon_ && now_ - horizon_ > kFoldedMax) reach(now_);
}

void Machine::load(LineState& line) {
  if (current_->is_beside) return;
  settle();
  const Ps effective = model_->load(line, current_->core, now_);
  if (line.counts_stalls) line_stall_ += model_->load_stall(now_, effective);
  reach(effective);
}

bool Machine::begins_access() {
  if (current_->is_beside) return false;
  settle();
  return true;
}

Ps Machine::load_effect(LineState& line, Ps issued) const {
  return model_->load(line, current_->core, issued);
}

void Machine::write(LineState& line) {
  if (current_->is_beside) return;
  drain();
  settle();
  const Ps effective = model_->write(line, current_->core, now_);
  if (line.counts_stalls) line_stall_ += model_->write_stall(now_, effective);
  reach(effective);
}

bool Machine::store(LineState& line, const StoredWord& word, uint64_t bits) {
  Fiber& self = *current_;
  if (!has_store_buffers() || self.is_beside) {
    write(line);
    return true;
  }
  settle();
  stall_for_stores(self.stores.room_from(now_, buffered_stores_max_));
  const Ps commit = begin_store(self, line);
  now_ += profile_.store_ps;
  if (commit == now_) {
    reach(commit);
    return true;
  }
  plan_commit(self, word, bits, commit);
  return false;
}

void Machine::store(LineState& line) {
  Fiber& self = *current_;
  if (!has_store_buffers() || self.is_beside) return write(line);
  settle();
  stall_for_stores(self.stores.room_from(now_, buffered_stores_max_));
  const Ps commit = begin_store(self, line);
  now_ += profile_.store_ps;
  if (commit > now_) self.stores.add(commit);
}

bool Machine::reads_own_store(const void* word, uint64_t& bits) {
  if (current_->is_beside) return false;
  settle();
  const StoresUnderWay::Store* store = current_->stores.newest_to(word, stores_under_way_);
  if (store == nullptr) return false;
  bits = store->bits;
  now_ += profile_.load_hit_ps;
  return true;
}

// As private work is, the wait is put off until the next event.
void Machine::drain() {
  stall_for_stores(current_->stores.empty_from());
}

void Machine::wait_for_stores() {
  if (current_->stores.empty_from() <= now_) return;
  drain();
  reach(now_);
}

void Machine::stall_for_stores(Ps until) {
  if (until <= now_) return;
  if (current_->stores.waits_for_counted_line()) line_stall_ += until - now_;
  now_ = until;
  settle();
}

// The fiber issues a store now, for which its buffer has room. Returns when it takes effect.
Ps Machine::begin_store(Fiber& fiber, LineState& line) {
  const Ps owned = model_->store(line, fiber.core, now_);
  return fiber.stores.commit_of(std::max(owned, now_ + profile_.store_ps), line.counts_stalls);
}

void Machine::plan_commit(Fiber& fiber, const StoredWord& word, uint64_t bits, Ps commit) {
  const uint64_t sequence = next_sequence_++;
  const uint32_t place = stores_under_way_.add({word, bits, sequence, fiber.server_number});
  fiber.stores.add(commit, place, sequence);
  queue_.push(Event::of(commit, sequence, kFirstStore + place));
  horizon_ = std::min(horizon_, commit);
}

void Machine::commit_next_store() {
  const Event event = queue_.top();
  queue_.pop();
  note_event_of(event.time, stores_under_way_.commit(event.fiber() - kFirstStore));
}

void Machine::charge(Ps work) {
  if (current_->is_beside) return;
  // A long piece of work may be longer than a slice.
  while (now_ + work > current_->slice_ends && now_ < current_->slice_ends) {
    const Ps part = current_->slice_ends - now_;
    work -= part;
    reach(now_ + part);
    if (now_ >= current_->slice_ends) current_->slice_ends = now_ + profile_.time_slice_ps;
  }
  if (work > kFoldedMax) {
    reach(now_ + work);
  } else {
    now_ += work;
  }
}

// --- fibers and CPUs ------------------------------------------------------------------------------------------------

Fiber& Machine::spawn(std::function<void()> body, Place place) {
  uint32_t id;
  if (free_ids_.empty()) {
    id = static_cast<uint32_t>(fibers_.size());
    LATCHSCOPE_ASSERT(id < threads_max(), "no more threads than threads_max()");
    fibers_.emplace_back();
  } else {
    id = free_ids_.back();
    free_ids_.pop_back();
  }
  fibers_[id] = std::make_unique<Fiber>(id, std::move(body), enter_fiber);
  Fiber& fiber = *fibers_[id];
  if (place == Place::beside_server) {
    fiber.is_beside = true;
    fiber.cpu = fiber.last_cpu = profile_.cpus();
    fiber.core = profile_.cores();
  } else {
    fiber.server_number = ++threads_started_;
    if (schedule_ != nullptr) fiber.cpu = fiber.core = 0;
  }
  make_ready(fiber, profile_.wake_latency_ps);
  return fiber;
}

void Machine::enter_fiber(void* argument) {
  Fiber& self = *static_cast<Fiber*>(argument);
  self.body();
  Machine& own = machine();
  own.wait_for_stores();
  self.has_ended = true;
  if (self.joiner != nullptr) own.make_ready(*self.joiner, 0);
  own.block();
}

void Machine::join(Fiber& fiber) {
  if (!fiber.has_ended) {
    fiber.joiner = current_;
    current_->next = Next::go_on;
    block();
  }
  if (interrupted_ == &fiber) interrupted_ = nullptr;  // the last slice ended on its stack
  const uint32_t id = fiber.id;
  free_ids_.push_back(id);
  fibers_[id].reset();
}

namespace {

// The first of those with most.
uint32_t richest(const std::vector<uint32_t>& counts, uint32_t first, uint32_t end) {
  return static_cast<uint32_t>(std::max_element(counts.begin() + first, counts.begin() + end) -
                               counts.begin());
}

}  // namespace

// As Linux balances: the CPU it had; else the emptiest socket, the emptiest complex of it, and there a core of its own.
uint32_t Machine::pick_idle_cpu(const Fiber& fiber) const {
  if (fiber.last_cpu != kNoCpu && on_cpu_[fiber.last_cpu] == nullptr) return fiber.last_cpu;
  const uint32_t socket = richest(idle_cpus_of_socket_, 0, static_cast<uint32_t>(profile_.sockets));
  const uint32_t first_complex = socket * profile_.complexes_per_socket();
  const uint32_t complex =
      richest(idle_cpus_of_complex_, first_complex, first_complex + profile_.complexes_per_socket());
  uint32_t beside_a_sibling = kNoCpu;
  for (uint32_t cpu = socket * profile_.cpus_per_socket(); cpu < profile_.cpus(); ++cpu) {
    if (on_cpu_[cpu] != nullptr || profile_.complex_of(profile_.core_of(cpu)) != complex) continue;
    if (sibling_of(cpu) == nullptr) return cpu;
    if (beside_a_sibling == kNoCpu) beside_a_sibling = cpu;
  }
  return beside_a_sibling;
}

// Who runs on the CPU's sibling, null if nobody does or there is none.
const Fiber* Machine::sibling_of(uint32_t cpu) const {
  return profile_.threads_per_core == 1 ? nullptr : on_cpu_[cpu ^ 1];
}

// A spinning sibling leaves the core's units to the other: that is what PAUSE is for.
bool Machine::has_working_sibling(const Fiber& fiber) const {
  if (fiber.is_beside) return false;
  const Fiber* sibling = sibling_of(fiber.cpu);
  return sibling != nullptr && (sibling->event == 0 || sibling->next < Next::poll);
}

void Machine::note_idle(uint32_t cpu, bool is_idle) {
  const uint32_t change = is_idle ? 1u : ~0u;
  idle_cpus_of_socket_[profile_.socket_of_cpu(cpu)] += change;
  idle_cpus_of_complex_[profile_.complex_of(profile_.core_of(cpu))] += change;
  idle_cpus_ += change;
}

// The fiber wants a CPU, to do what its `next` says.
void Machine::make_ready(Fiber& fiber, Ps latency) {
  if (fiber.is_beside || schedule_ != nullptr) {
    plan(fiber, now_, fiber.next);
  } else if (idle_cpus_ > 0) {
    const uint32_t cpu = pick_idle_cpu(fiber);
    note_idle(cpu, false);
    put_on_cpu(fiber, cpu, now_ + latency);
    plan(fiber, now_ + latency, fiber.next);
  } else {
    fiber.next_in_queue = nullptr;
    (ready_last_ == nullptr ? ready_first_ : ready_last_->next_in_queue) = &fiber;
    ready_last_ = &fiber;
  }
  update_horizon();
}

void Machine::put_on_cpu(Fiber& fiber, uint32_t cpu, Ps starts) {
  on_cpu_[cpu] = &fiber;
  fiber.cpu = fiber.last_cpu = cpu;
  fiber.core = profile_.core_of(cpu);
  fiber.on_cpu_since = starts;
  fiber.slice_ends = starts + profile_.time_slice_ps;
}

// The next of the ready fibers gets the CPU.
void Machine::release_cpu(Fiber& fiber) {
  if (fiber.is_beside || schedule_ != nullptr) return;
  const uint32_t cpu = fiber.cpu;
  const Ps leaves = std::max(now_, fiber.stores.empty_from());
  totals_.busy_ps += leaves - fiber.on_cpu_since;
  fiber.cpu_time += leaves - fiber.on_cpu_since;
  fiber.cpu = kNoCpu;
  fiber.slice_ends = kNever;
  Fiber* next = ready_first_;
  if (next == nullptr) {
    on_cpu_[cpu] = nullptr;
    note_idle(cpu, true);
    return;
  }
  ready_first_ = next->next_in_queue;
  if (ready_first_ == nullptr) ready_last_ = nullptr;
  ++totals_.context_switches;
  const Ps starts = std::max(leaves, next->stores.empty_from()) + profile_.context_switch_ps;
  put_on_cpu(*next, cpu, starts);
  totals_.busy_ps += profile_.context_switch_ps;
  plan(*next, starts, next->next);
}

// The fiber that runs gives up its CPU until somebody makes it ready.
void Machine::block() {
  release_cpu(*current_);
  switch_away();
}

bool Machine::is_overdue(const Fiber& fiber) const {
  return ready_first_ != nullptr && now_ >= fiber.slice_ends;
}

// The fiber goes to the end of the queue; once it has a CPU again it does what it was about to do.
void Machine::preempt(Fiber& fiber) {
  fiber.event = 0;
  fiber.next_in_queue = nullptr;
  ready_last_->next_in_queue = &fiber;
  ready_last_ = &fiber;
  release_cpu(fiber);
}

void Machine::yield() {
  if (current_->is_beside) {
    sleep_until(now_ + profile_.system_call_ps);
    return;
  }
  if (schedule_ != nullptr) {
    plan(*current_, now_, Next::retry);
    switch_away();
    return;
  }
  drain();
  charge(profile_.system_call_ps);
  settle();
  if (ready_first_ == nullptr) return;
  current_->next = Next::go_on;
  preempt(*current_);
  switch_away();
}

void Machine::sleep_until(Ps time) {
  drain();
  plan(*current_, std::max(time, now_), Next::timer);
  block();
}

void Machine::sleep_for(Ps duration) {
  if (current_->is_beside) {
    sleep_until(now_ + duration);
    return;
  }
  drain();
  charge(profile_.system_call_ps);
  sleep_until(now_ + duration + profile_.sleep_slack_ps);
}

void Machine::switch_away() {
  Fiber& self = *current_;
  Fiber& next = run_until_a_fiber_goes_on();
  if (&next != &self) ++totals_.fiber_switches;
  go_to(next);
}

// Leaves the fiber whose stack this is; returns once somebody goes back to it.
void Machine::go_to(Fiber& next) {
  Fiber& self = *current_;
  self.slot = slot_;
  slot_ = next.slot;
  self.line_stall = line_stall_;
  line_stall_ = next.line_stall;
  current_ = &next;
  update_horizon();
  if (&next != &self) FiberContext::switch_from_to(self.context, next.context);
}

// False if there is none.
bool Machine::take_next_event(Event& event) {
  while (!queue_.is_empty()) {
    event = queue_.top();
    if (event.fiber() >= kFirstStore) return true;
    const Fiber* fiber = fibers_[event.fiber()].get();
    if (fiber != nullptr && fiber->event == event.sequence()) return true;
    queue_.pop();
  }
  return false;
}

Fiber& Machine::run_until_a_fiber_goes_on() {
  if (schedule_ != nullptr) [[unlikely]]
    return next_of_schedule();
  for (;;) {
    Event event;
    const bool is_there_one = take_next_event(event);
    if (!is_there_one || is_slice_over(event.time)) {
      if (!is_sliced_ || (!is_there_one && has_sleepers())) report_deadlock();
      is_idle_ = !is_there_one;
      if (is_there_one && event.time >= slice_until_) now_ = slice_until_;
      end_slice();
      continue;
    }
    if (event.fiber() >= kFirstStore) {
      now_ = event.time;
      commit_next_store();
      continue;
    }
    Fiber& fiber = *fibers_[event.fiber()];
    now_ = event.time;
    note_event(now_, fiber);
    if (fiber.is_frozen) {
      queue_.pop();
      hold(fiber);
    } else if (is_overdue(fiber)) {
      queue_.pop();
      preempt(fiber);
    } else if (fiber.next >= Next::poll) {
      const SpinStep step = step_spin(fiber);
      fiber.event = next_sequence_++;
      fiber.next = step.next;
      queue_.replace_top(Event::of(step.time, fiber.event, fiber.id));
    } else {
      queue_.pop();
      fiber.event = 0;
      if (fiber.next == Next::go_on) return fiber;
      begin_event(fiber, fiber.next);
    }
  }
}

// A frozen fiber would go on: it keeps what it was about to do, and loses its CPU.
void Machine::hold(Fiber& fiber) {
  fiber.event = 0;
  fiber.is_held = true;
  if (fiber.cpu != kNoCpu) release_cpu(fiber);
}

void Machine::freeze(Fiber& fiber) {
  fiber.is_frozen = true;
}

void Machine::thaw(Fiber& fiber) {
  fiber.is_frozen = false;
  if (!std::exchange(fiber.is_held, false)) return;
  if (fiber.next == Next::wake || fiber.next == Next::timer) {
    plan(fiber, now_, fiber.next);
    update_horizon();
  } else {
    make_ready(fiber, profile_.wake_latency_ps);
  }
}

// A fiber that slept is awake.
void Machine::begin_event(Fiber& fiber, Next next) {
  fiber.next = Next::go_on;
  if (next == Next::wake) {
    make_ready(fiber, profile_.wake_latency_ps);
    return;
  }
  end_sleep(fiber);
  make_ready(fiber, 0);
}

// Its timer has ended it.
void Machine::end_sleep(Fiber& fiber) {
  if (fiber.sleeps_on == nullptr) return;
  fiber.was_timed_out = true;
  dequeue(*fiber.sleeps_on, fiber);
}

void Machine::return_to_host() {
  is_idle_ = true;
  end_slice();
}

bool Machine::run_slice(uint64_t events, Ps until) {
  Fiber& main = *fibers_[0];
  LATCHSCOPE_ASSERT(current_ == &main, "slices are run from outside");
  is_sliced_ = true;
  is_idle_ = false;
  slice_ends_at_ = totals_.events + events;
  slice_until_ = std::max(until, now_);
  Fiber* const interrupted = std::exchange(interrupted_, nullptr);
  go_to(interrupted != nullptr ? *interrupted : run_until_a_fiber_goes_on());
  is_sliced_ = false;
  slice_ends_at_ = ~0ull;
  slice_until_ = kNever;
  return !is_idle_;
}

// Back to whoever called run_slice; the next slice goes on from here.
void Machine::end_slice() {
  interrupted_ = current_;
  go_to(*fibers_[0]);
}

bool Machine::has_sleepers() const {
  return std::any_of(fibers_.begin(), fibers_.end(),
                     [](const auto& fiber) { return fiber != nullptr && fiber->sleeps_on != nullptr; });
}

void Machine::report_deadlock() {
  std::string text = "every thread waits and none can be woken";
  for (const auto& fiber : fibers_) {
    if (fiber != nullptr && fiber->sleeps_on != nullptr) text += "; thread " + std::to_string(fiber->id);
  }
  fail_at(__FILE__, __LINE__, "an event is to come", text.c_str());
}

// --- exploration ----------------------------------------------------------------------------------------------------

void Machine::discard_threads() {
  LATCHSCOPE_ASSERT(current_ == fibers_[0].get(), "the main fiber explores");
  fibers_.resize(1);
  free_ids_.clear();
}

void Machine::explore(Schedule& schedule, bool timeouts_end) {
  discard_threads();
  ServerProfile one_core;
  one_core.sockets = one_core.cores_per_socket = 1;
  one_core.store_buffer_entries = 0;
  schedule_ = &schedule;
  timeouts_end_ = timeouts_end;
  is_abandoned_ = false;
  boot(one_core);
}

void Machine::end_exploration() {
  discard_threads();
  schedule_ = nullptr;
  boot(ServerProfile{});
}

Machine::Explored Machine::run_exploration(uint64_t steps_max) {
  steps_left_ = steps_max;
  switch_away();
  if (is_abandoned_) return Explored::abandoned;
  const bool all_ended = std::all_of(fibers_.begin() + 1, fibers_.end(),
                                     [](const auto& fiber) { return fiber == nullptr || fiber->has_ended; });
  if (all_ended) return Explored::all_ended;
  return steps_left_ == 0 ? Explored::too_many_steps : Explored::some_are_stuck;
}

void Machine::abandon_exploration() {
  is_abandoned_ = true;
  steps_left_ = 0;
  go_to(*fibers_[0]);
  LATCHSCOPE_ASSERT(false, "nobody goes on in an exploration that was abandoned");
  abort();
}

bool Machine::is_candidate(const Fiber& fiber) const {
  if (fiber.event == 0) return false;
  return timeouts_end_ || fiber.next != Next::timer || fiber.sleeps_on == nullptr;
}

void Machine::find_candidates() {
  candidates_.clear();
  for (const auto& fiber : fibers_) {
    if (fiber == nullptr || !is_candidate(*fiber)) continue;
    Candidate::Kind kind = Candidate::Kind::step;
    if (fiber->next == Next::timer) kind = Candidate::Kind::timer;
    if (fiber->next == Next::retry || (fiber->next == Next::poll && fiber->rounds > 0))
      kind = Candidate::Kind::retry;
    candidates_.push_back({fiber->id, kind});
  }
}

// The main fiber, if no thread can go on or none shall.
Fiber& Machine::next_of_schedule() {
  for (;;) {
    find_candidates();
    if (candidates_.empty() || steps_left_ == 0) return *fibers_[0];
    --steps_left_;
    Fiber& fiber = *fibers_[candidates_[schedule_->choose(candidates_)].thread];
    now_ = std::max(now_, fiber.event_time);
    note_event(now_, fiber);
    if (fiber.next >= Next::poll) {
      const SpinStep step = step_spin(fiber);
      plan(fiber, step.time, step.next);
      continue;
    }
    fiber.event = 0;
    if (fiber.next == Next::timer) end_sleep(fiber);
    return fiber;
  }
}

// --- futexes --------------------------------------------------------------------------------------------------------

namespace {

void refresh(FutexQueue& queue, uint32_t epoch) {
  if (queue.epoch == epoch) return;
  queue = FutexQueue{};
  queue.epoch = epoch;
}

}  // namespace

// Waits for the bucket's lock, spinning, and returns when its hold ends.
Ps Machine::enter_bucket(FutexQueue& queue) {
  const Ps start = std::max(now_, queue.bucket_busy_until);
  totals_.bucket_spin_ps += start - now_;
  queue.bucket_busy_until = start + profile_.futex_bucket_hold_ps;
  return queue.bucket_busy_until;
}

void Machine::enqueue(FutexQueue& queue, Fiber& fiber) {
  fiber.sleeps_on = &queue;
  fiber.next_in_queue = nullptr;
  fiber.previous_in_queue = queue.last;
  (queue.last == nullptr ? queue.first : queue.last->next_in_queue) = &fiber;
  queue.last = &fiber;
}

void Machine::dequeue(FutexQueue& queue, Fiber& fiber) {
  (fiber.previous_in_queue == nullptr ? queue.first : fiber.previous_in_queue->next_in_queue) =
      fiber.next_in_queue;
  (fiber.next_in_queue == nullptr ? queue.last : fiber.next_in_queue->previous_in_queue) =
      fiber.previous_in_queue;
  fiber.sleeps_on = nullptr;
  --queue.pending;
}

// As Linux does: the sleeper announces itself before it takes the bucket's lock, and looks at the word under it.
bool Machine::futex_wait(FutexQueue& queue, const uint32_t& word, uint32_t expected, Ps timeout) {
  refresh(queue, epoch_);
  Fiber& self = *current_;
  if (!self.is_beside) {
    drain();
    settle();
    reach(now_ + profile_.system_call_ps);
  }
  ++queue.pending;
  if (!self.is_beside) reach(enter_bucket(queue));
  if (word != expected) {
    --queue.pending;
    return true;
  }
  if (!self.is_beside) ++totals_.futex_waits;
  enqueue(queue, self);
  self.was_timed_out = false;
  if (timeout != kNever) {
    const Ps slack = self.is_beside ? 0 : profile_.sleep_slack_ps;
    plan(self, now_ + timeout + slack, Next::timer);
  }
  block();
  return !self.was_timed_out;
}

uint32_t Machine::futex_wake(FutexQueue& queue, uint32_t count) {
  refresh(queue, epoch_);
  const bool is_beside = current_->is_beside;
  if (!is_beside) {
    drain();
    settle();
    reach(now_ + profile_.system_call_ps);
  }
  if (queue.pending == 0) return 0;
  if (!is_beside) reach(enter_bucket(queue));
  uint32_t woken = 0;
  Ps time = now_;
  while (woken < count && queue.first != nullptr) {
    Fiber& sleeper = *queue.first;
    dequeue(queue, sleeper);
    if (!is_beside) time += profile_.wake_one_ps;
    plan(sleeper, time, Next::wake);
    ++woken;
  }
  if (!is_beside) totals_.futex_wakes += woken;
  update_horizon();
  if (woken > 0 && !is_beside) reach(time);
  return woken;
}

// --- spinning -------------------------------------------------------------------------------------------------------

SpinOutcome Machine::spin(const SpinTask& task) {
  Fiber& self = *current_;
  if (self.is_beside) {
    sleep_until(now_ + profile_.pause_ps);
    return {task.holds(task.word), 1};
  }
  settle();
  self.spin = task;
  self.rounds = 0;
  self.is_satisfied = false;
  self.next = Next::poll;
  SpinStep step = schedule_ != nullptr ? SpinStep{now_, Next::poll} : step_spin(self);
  while (step.time < horizon_ && !is_slice_over(step.time)) {  // nobody comes before
    note_event(step.time, self);
    now_ = step.time;
    if (step.next == Next::go_on) return {self.is_satisfied, self.rounds};
    self.next = step.next;
    step = step_spin(self);
  }
  plan(self, step.time, step.next);
  switch_away();
  return {self.is_satisfied, self.rounds};
}

// When the spinning fiber sees the word that it polls.
Ps Machine::poll(Fiber& fiber) {
  LineState& line = *fiber.spin.line;
  const Ps seen = model_->load(line, fiber.core, now_);
  if (line.counts_stalls)
    (&fiber == current_ ? line_stall_ : fiber.line_stall) += model_->load_stall(now_, seen);
  return seen;
}

// One step of a spinning fiber, whose time has come.
Machine::SpinStep Machine::step_spin(Fiber& fiber) {
  const SpinTask& task = fiber.spin;
  switch (fiber.next) {
    case Next::poll: {
      const Ps seen = poll(fiber);
      return model_->is_hit(now_, seen) ? judge_poll(fiber, seen) : SpinStep{seen, Next::judge};
    }
    case Next::judge:
      return judge_poll(fiber, now_);
    case Next::draw:
      return draw_from_shared_generator(fiber);
    case Next::store_drawn:
      return store_drawn(fiber);
    default:
      *static_cast<uint32_t*>(task.generator_word.value) = fiber.drawn_bits;
      return delay_spin(fiber, fiber.drawn_bits, now_);
  }
}

Machine::SpinStep Machine::draw_from_shared_generator(Fiber& fiber) {
  const SpinTask& task = fiber.spin;
  const bool is_own = *task.generator_word.stores_under_way != 0 &&
                      fiber.stores.newest_to(task.generator_word.value, stores_under_way_) != nullptr;
  const Ps seen = is_own ? now_ + profile_.load_hit_ps : model_->load(*task.generator_line, fiber.core, now_);
  return {seen, Next::store_drawn};
}

// The spinner goes on while the store is under way, and reads it in the next round if it still is.
Machine::SpinStep Machine::store_drawn(Fiber& fiber) {
  const SpinTask& task = fiber.spin;
  const StoresUnderWay::Store* own =
      *task.generator_word.stores_under_way == 0
          ? nullptr
          : fiber.stores.newest_to(task.generator_word.value, stores_under_way_);
  const uint32_t drawn_from = own != nullptr ? static_cast<uint32_t>(own->bits)
                                             : *static_cast<const uint32_t*>(task.generator_word.value);
  fiber.drawn_bits = next_of_shared_generator(drawn_from);
  if (!has_store_buffers()) return {model_->write(*task.generator_line, fiber.core, now_), Next::drawn};
  const Ps room_from = fiber.stores.room_from(now_, buffered_stores_max_);
  if (room_from > now_) return {room_from, Next::store_drawn};
  plan_commit(fiber, task.generator_word, fiber.drawn_bits, begin_store(fiber, *task.generator_line));
  return delay_spin(fiber, fiber.drawn_bits, now_ + profile_.store_ps);
}

Machine::SpinStep Machine::judge_poll(Fiber& fiber, Ps seen) {
  const SpinTask& task = fiber.spin;
  ++fiber.rounds;
  fiber.is_satisfied = task.holds(task.word);
  if (fiber.is_satisfied) return {seen, Next::go_on};
  if (task.generator_line != nullptr) return {seen, Next::draw};
  return delay_spin(fiber, task.policy.generator->next(), seen);
}

Machine::SpinStep Machine::delay_spin(const Fiber& fiber, uint32_t generator_bits, Ps from) {
  const SpinPolicy& policy = fiber.spin.policy;
  const uint64_t pauses = uint64_t{scale_to(generator_bits, policy.delay_units_max)} * policy.pauses_per_unit;
  const bool was_last = fiber.rounds == policy.rounds_max;
  return {from + pauses * profile_.pause_ps, was_last ? Next::go_on : Next::poll};
}

}  // namespace latchscope::platform
