#include "platform/virtual/exploring_scheduler.h"

#include <algorithm>
#include <cstdlib>

#include "platform/platform.h"
#include "platform/virtual/machine.h"

namespace latchscope::platform {

namespace {

ServerProfile one_core_without_store_buffer() {
  ServerProfile profile;
  profile.sockets = profile.cores_per_socket = 1;
  profile.store_buffer_entries = 0;
  return profile;
}

}  // namespace

ExploringScheduler::ExploringScheduler(Machine& machine) : machine_(machine) {
  machine_.use(*this);
}

ExploringScheduler::~ExploringScheduler() {
  machine_.discard_threads();
  machine_.use_clock();
  machine_.boot(ServerProfile{});
}

void ExploringScheduler::begin(Schedule& schedule, bool timeouts_end) {
  machine_.discard_threads();
  schedule_ = &schedule;
  timeouts_end_ = timeouts_end;
  is_abandoned_ = false;
  machine_.boot(one_core_without_store_buffer());
}

ExploringScheduler::Outcome ExploringScheduler::run(uint64_t steps_max) {
  steps_left_ = steps_max;
  machine_.switch_away();
  if (is_abandoned_) return Outcome::abandoned;
  const auto fibers = machine_.fibers();
  const bool all_ended = std::all_of(fibers.begin() + 1, fibers.end(),
                                     [](const auto& fiber) { return fiber == nullptr || fiber->has_ended; });
  if (all_ended) return Outcome::all_ended;
  return steps_left_ == 0 ? Outcome::too_many_steps : Outcome::some_are_stuck;
}

void ExploringScheduler::abandon() {
  is_abandoned_ = true;
  steps_left_ = 0;
  machine_.go_to(machine_.main_fiber());
  LATCHSCOPE_ASSERT(false, "no thread continues in an abandoned exploration");
  abort();
}

bool ExploringScheduler::is_in_thread() const {
  return &machine_.current() != &machine_.main_fiber();
}

bool ExploringScheduler::is_candidate(const Fiber& fiber) const {
  if (fiber.event == 0) return false;
  return timeouts_end_ || fiber.next != Next::timer || fiber.sleeps_on == nullptr;
}

void ExploringScheduler::find_candidates() {
  candidates_.clear();
  for (const auto& fiber : machine_.fibers()) {
    if (fiber == nullptr || !is_candidate(*fiber)) continue;
    Candidate::Kind kind = Candidate::Kind::step;
    if (fiber->next == Next::timer) kind = Candidate::Kind::timer;
    if (fiber->next == Next::retry || (fiber->next == Next::poll && fiber->rounds > 0))
      kind = Candidate::Kind::retry;
    candidates_.push_back({fiber->id, kind});
  }
}

// Returns the main fiber if no thread can continue or no step is left.
Fiber& ExploringScheduler::run_until_a_fiber_goes_on() {
  for (;;) {
    find_candidates();
    if (candidates_.empty() || steps_left_ == 0) return machine_.main_fiber();
    --steps_left_;
    Fiber& fiber = machine_.fiber(candidates_[schedule_->choose(candidates_)].thread);
    machine_.advance_to(std::max(machine_.now(), fiber.event_time), fiber);
    if (is_spinning(fiber.next)) {
      const SpinStep step = machine_.step_spin(fiber);
      fiber.next = step.next;
      plan(fiber, step.time);
      continue;
    }
    fiber.event = 0;
    if (fiber.next == Next::timer) machine_.end_sleep(fiber);
    return fiber;
  }
}

// No fiber continues without being chosen.
Ps ExploringScheduler::horizon() const {
  return machine_.now();
}

Fiber& ExploringScheduler::reach(Ps time) {
  machine_.current().next = Next::go_on;
  plan(machine_.current(), time);
  return run_until_a_fiber_goes_on();
}

void ExploringScheduler::plan(Fiber& fiber, Ps time) {
  fiber.event = 1;
  fiber.event_time = time;
}

void ExploringScheduler::plan_store(uint32_t /*place*/, Ps /*commit*/) {
  LATCHSCOPE_ASSERT(false, "an explored server has no store buffers");
}

void ExploringScheduler::make_ready(Fiber& fiber, Ps /*latency*/) {
  plan(fiber, machine_.now());
}

Fiber& ExploringScheduler::yielded() {
  machine_.current().next = Next::retry;
  plan(machine_.current(), machine_.now());
  return run_until_a_fiber_goes_on();
}

// The first poll is a step of its own too.
SpinStep ExploringScheduler::begin_spin(Fiber& /*fiber*/) {
  return {machine_.now(), Next::poll};
}

}  // namespace latchscope::platform
