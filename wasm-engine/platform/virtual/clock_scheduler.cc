#include "platform/virtual/clock_scheduler.h"

#include <algorithm>

#include "platform/virtual/machine.h"

namespace latchscope::platform {

void ClockScheduler::boot() {
  queue_.clear();
  next_sequence_ = 1;
}

// Returns the time of the next event or, if a fiber waits in the run queue, the end of the slice if
// that is earlier.
Ps ClockScheduler::horizon() const {
  const Ps next = queue_.next_time();
  return machine_.cpus().somebody_waits() ? std::min(next, machine_.current().slice_ends) : next;
}

// Stores that take effect before `time` need no switch.
Fiber& ClockScheduler::reach(Ps time) {
  while (!queue_.is_empty() && is_of_store(queue_.top()) && queue_.next_time() <= time &&
         !machine_.is_slice_over(queue_.next_time()))
    commit_next_store();
  Fiber& self = machine_.current();
  if (time < horizon() && !machine_.is_slice_over(time)) {
    machine_.advance_to(time, self);
    return self;
  }
  self.next = Next::go_on;
  plan(self, time);
  return run_until_a_fiber_goes_on();
}

void ClockScheduler::plan(Fiber& fiber, Ps time) {
  fiber.event = next_sequence_++;
  fiber.event_time = time;
  queue_.push(Event::of(time, fiber.event, fiber.id));
}

void ClockScheduler::bring_forward(Fiber& fiber, Ps sooner) {
  const Event planned = Event::of(fiber.event_time, fiber.event, fiber.id);
  fiber.event_time -= sooner;
  queue_.bring_forward(planned, fiber.event_time);
}

void ClockScheduler::plan_store(uint32_t place, Ps commit) {
  queue_.push(Event::of(commit, next_sequence_++, kFirstStore + place));
}

void ClockScheduler::commit_next_store() {
  const Event event = queue_.top();
  queue_.pop();
  machine_.commit_store(event.fiber() - kFirstStore, event.time);
}

// --- pending events ------------------------------------------------------------------------------

Fiber& ClockScheduler::run_until_a_fiber_goes_on() {
  for (;;) {
    const Event event = next_event();
    if (event.time == kNever || machine_.is_slice_over(event.time))
      return machine_.end_slice_before(event.time);
    if (is_of_store(event)) {
      machine_.set_clock(event.time);
      commit_next_store();
      continue;
    }
    Fiber& fiber = machine_.fiber(event.fiber());
    machine_.advance_to(event.time, fiber);
    if (is_spinning(fiber.next) && !fiber.is_frozen && !is_overdue(fiber)) {
      const SpinStep step = machine_.step_spin(fiber);
      fiber.event = next_sequence_++;
      fiber.next = step.next;
      queue_.replace_top(Event::of(step.time, fiber.event, fiber.id));
      continue;
    }
    queue_.pop();
    fiber.event = 0;
    if (fiber.is_frozen) {
      hold(fiber);
    } else if (is_overdue(fiber)) {
      preempt(fiber);
    } else if (fiber.next == Next::go_on) {
      return fiber;
    } else {
      wake(fiber);
    }
  }
}

// Returns the next valid event, or one at kNever if none is pending.
Event ClockScheduler::next_event() {
  while (!queue_.is_empty()) {
    const Event event = queue_.top();
    if (is_of_store(event) || machine_.has_event(event.fiber(), event.sequence())) return event;
    queue_.pop();
  }
  return Event::of(kNever, 0, 0);
}

// Wakes a sleeping fiber, whose wake-up or timer has come.
void ClockScheduler::wake(Fiber& fiber) {
  const bool by_timer = fiber.next == Next::timer;
  fiber.next = Next::go_on;
  if (by_timer) machine_.end_sleep(fiber);
  make_ready(fiber, by_timer || fiber.wakes_freely ? 0 : machine_.profile().wake_latency_ps);
}

// Holds a frozen fiber that would continue: it keeps its `next` and loses its CPU.
void ClockScheduler::hold(Fiber& fiber) {
  fiber.is_held = true;
  if (fiber.cpu != kNoCpu) release_cpu(fiber);
}

// --- CPUs ----------------------------------------------------------------------------------------

void ClockScheduler::make_ready(Fiber& fiber, Ps latency) {
  Cpus& cpus = machine_.cpus();
  if (fiber.is_beside) {
    plan(fiber, machine_.now());
    return;
  }
  machine_.tell_ready(fiber);
  if (cpus.has_idle()) {
    cpus.give_idle(fiber, machine_.now() + latency);
    machine_.tell_core_of(fiber);
    plan(fiber, machine_.now() + latency);
  } else {
    cpus.line_up(fiber);
  }
}

void ClockScheduler::block(Fiber& fiber) {
  if (!fiber.is_beside) release_cpu(fiber);
}

// The first fiber of the run queue continues with its `next`.
void ClockScheduler::release_cpu(Fiber& fiber) {
  machine_.tell_core_left(fiber);
  Fiber* next = machine_.cpus().release(fiber, machine_.now());
  if (next == nullptr) return;
  machine_.tell_core_of(*next);
  plan(*next, next->on_cpu_since);
}

bool ClockScheduler::is_overdue(const Fiber& fiber) const {
  return machine_.cpus().somebody_waits() && machine_.now() >= fiber.slice_ends;
}

// Moves the fiber to the end of the run queue. Once it has a CPU again it does its `next`.
void ClockScheduler::preempt(Fiber& fiber) {
  machine_.tell_ready(fiber);
  machine_.cpus().line_up(fiber);
  release_cpu(fiber);
}

Fiber& ClockScheduler::yielded() {
  Fiber& self = machine_.current();
  if (!machine_.cpus().somebody_waits()) return self;
  self.next = Next::go_on;
  preempt(self);
  return run_until_a_fiber_goes_on();
}

Fiber& ClockScheduler::paused() {
  return machine_.current();
}

SpinStep ClockScheduler::begin_spin(Fiber& fiber) {
  return machine_.step_spin(fiber);
}

}  // namespace latchscope::platform
