#include "platform/virtual/machine.h"

#include <algorithm>
#include <string>
#include <utility>

#include "platform/platform.h"

namespace latchscope::platform {

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
  cpus_.boot(profile_);
  scheduler_->boot();
  stores_under_way_.clear();
  buffered_stores_max_ = profile_.buffered_stores_max();
  seen_bits_ = 0;
  seen_.clear();
  spinners_that_see_.clear();
  now_ = 0;
  furthest_ = 0;
  slice_ends_at_ -= std::min(slice_ends_at_, totals_.events);  // keeps the rest of the slice
  slice_until_ = kNever;
  // A boot from outside a slice abandons the fiber that ended the last slice: it may no longer
  // exist.
  if (current_ == fibers_[0].get()) interrupted_ = nullptr;
  totals_ = {};
  trail_.clear();
  look_further();
  threads_started_ = 0;
  for (const auto& fiber : fibers_) {
    if (fiber == nullptr) continue;
    LATCHSCOPE_ASSERT(fiber->is_beside, "a machine starts without threads on its cores");
    fiber->core = profile.cores();
    fiber->event = 0;
  }
  update_horizon();
}

void Machine::take_costs(const ServerProfile& profile) {
  profile_ = profile;
  model_->take_costs(profile);
  cpus_.take_costs(profile);
}

Ps Machine::cpu_time() const {
  if (current_->cpu == kNoCpu) return 0;
  return current_->cpu_time + (now_ - current_->on_cpu_since);
}

ModelTotals Machine::totals() const {
  ModelTotals totals = totals_;
  totals.time_ps = now_;
  totals.busy_ps = cpus_.busy(now_);
  totals.line_transfers = model_->transfers();
  totals.context_switches = cpus_.context_switches();
  return totals;
}

// --- fibers --------------------------------------------------------------------------------------

uint32_t Machine::take_id() {
  if (free_ids_.empty()) {
    LATCHSCOPE_ASSERT(fibers_.size() < threads_max(), "at most threads_max() threads exist");
    fibers_.emplace_back();
    return static_cast<uint32_t>(fibers_.size() - 1);
  }
  const uint32_t id = free_ids_.back();
  free_ids_.pop_back();
  return id;
}

Fiber& Machine::spawn(std::function<void()> body, Place place) {
  const uint32_t id = take_id();
  fibers_[id] = std::make_unique<Fiber>(id, std::move(body), enter_fiber);
  Fiber& fiber = *fibers_[id];
  if (place == Place::beside_server) {
    fiber.is_beside = true;
    fiber.core = profile_.cores();
  } else {
    fiber.server_number = ++threads_started_;
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
  const uint32_t id = fiber.id;
  free_ids_.push_back(id);
  fibers_[id].reset();
}

void Machine::discard_threads() {
  LATCHSCOPE_ASSERT(current_ == fibers_[0].get(), "only the main fiber discards the others");
  fibers_.resize(1);
  free_ids_.clear();
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

// --- scheduling ----------------------------------------------------------------------------------

void Machine::plan(Fiber& fiber, Ps time, Next next) {
  fiber.next = next;
  scheduler_->plan(fiber, time);
}

void Machine::make_ready(Fiber& fiber, Ps latency) {
  scheduler_->make_ready(fiber, latency);
  update_horizon();
}

// Blocks the running fiber: it gives up its CPU until it is made ready.
void Machine::block() {
  scheduler_->block(*current_);
  switch_away();
}

Fiber& Machine::reached_after_others(Ps time) {
  return chosen(is_by_clock() ? clock_.reach(time) : scheduler_->reach(time));
}

Fiber& Machine::whoever_is_next() {
  return chosen(is_by_clock() ? clock_.run_until_a_fiber_goes_on() : scheduler_->run_until_a_fiber_goes_on());
}

void Machine::make_current(Fiber& next) {
  Fiber& self = *current_;
  self.slot = slot_;
  slot_ = next.slot;
  self.line_stall = line_stall_;
  line_stall_ = next.line_stall;
  current_ = &next;
  update_horizon();
}

void Machine::go_to(Fiber& next) {
  Fiber& self = *current_;
  make_current(next);
  if (&next != &self) FiberContext::switch_from_to(self.context, next.context);
}

void Machine::begin_system_call() {
  drain();
  charge(profile_.system_call_ps);
  settle();
}

void Machine::yield() {
  if (current_->is_beside) {
    sleep_until(now_ + profile_.system_call_ps);
  } else {
    if (is_by_clock()) begin_system_call();
    go_on_in(chosen(scheduler_->yielded()));
  }
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

void Machine::end_sleep(Fiber& fiber) {
  if (fiber.sleeps_on == nullptr) return;
  fiber.was_timed_out = true;
  fiber.sleeps_on->remove(fiber);
}

// --- the trail and noted events ------------------------------------------------------------------

void Machine::look_at_event_of(const Fiber& fiber) {
  using enum NotedEvent::Kind;
  NotedEvent event{};
  event.at_ps = now_;
  event.core = static_cast<uint16_t>(fiber.cpu == kNoCpu ? kNoCore : fiber.core);
  event.thread = slot_of(fiber);
  event.is_of_server = !fiber.is_beside;
  if (is_spinning(fiber.next)) {
    event.kind = polls;
    event.line = fiber.spin.line->latch;
  } else if (fiber.next == Next::wake || fiber.next == Next::timer) {
    event.kind = fiber.next == Next::wake ? wakes : timer;
  } else {
    event.line = fiber.issued.line;
    event.kind = event.line.latch == 0 ? goes_on : access;
  }
  fibers_[fiber.id]->issued.line = {};
  tell_event(event);
}

void Machine::look_at_store(uint32_t place, Ps time, uint32_t thread) {
  NotedEvent event{};
  event.at_ps = time;
  event.kind = NotedEvent::Kind::store;
  event.is_of_server = true;
  if (place < noted_stores_.size()) event.line = std::exchange(noted_stores_[place], {});
  event.core = kNoCore;
  for (const auto& fiber : fibers_) {
    if (fiber == nullptr || fiber->is_beside || fiber->server_number != thread) continue;
    event.thread = slot_of(*fiber);
    event.core = static_cast<uint16_t>(fiber->core);
  }
  tell_event(event);
}

void Machine::tell_event(NotedEvent event) {
  event.number = totals_.events;
  event.hash = totals_.hash;
  if (event.number == trail_.next_at()) trail_.add(event.hash);
  if (is_noted(event.number) && event_watcher_.happened != nullptr) event_watcher_.happened(event);
  look_further();
}

void Machine::look_further() {
  notes_next_ = is_noted(totals_.events + 1);
  update_told_bits();
  if (notes_next_) {
    looks_at_ = 0;
    return;
  }
  looks_at_ = trail_.next_at();
  noted_stores_.clear();
  if (note_after_ > totals_.events) looks_at_ = std::min(looks_at_, note_after_);
}

// --- slices of the host --------------------------------------------------------------------------

bool Machine::run_slice(uint64_t events, Ps until) {
  Fiber& main = *fibers_[0];
  LATCHSCOPE_ASSERT(current_ == &main, "only the main fiber runs slices");
  is_sliced_ = true;
  is_idle_ = false;
  slice_ends_at_ = totals_.events + events;
  slice_until_ = std::max(until, now_);
  Fiber* const interrupted = std::exchange(interrupted_, nullptr);
  go_to(interrupted != nullptr ? *interrupted : scheduler_->run_until_a_fiber_goes_on());
  is_sliced_ = false;
  slice_ends_at_ = ~0ull;
  slice_until_ = kNever;
  return !is_idle_;
}

void Machine::return_to_host() {
  is_idle_ = true;
  interrupted_ = current_;
  go_to(*fibers_[0]);
}

Fiber& Machine::end_slice_before(Ps next_event) {
  const bool is_there_one = next_event != kNever;
  if (!is_sliced_ || (!is_there_one && has_sleepers())) report_deadlock();
  is_idle_ = !is_there_one;
  furthest_ = std::max(furthest_, now_);
  if (is_there_one && next_event >= slice_until_) now_ = slice_until_;
  return *fibers_[0];
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
  fail_at(__FILE__, __LINE__, "an event is pending", text.c_str());
}

}  // namespace latchscope::platform
