// Polls a word until it holds what a thread waits for, step by step, without waking the thread.
#include <algorithm>

#include "platform/virtual/machine.h"

namespace latchscope::platform {

SpinOutcome Machine::spin(const SpinTask& task) {
  Fiber& self = *current_;
  if (self.is_beside) {
    sleep_until(now_ + profile_.pause_ps);
    return {task.holds(task.word), 1};
  }
  settle();
  const bool sees = sees_release(*task.line);
  if (sees) spinners_that_see_.push_back(&self);
  go_on_in(begin_spin(task));
  if (sees) std::erase(spinners_that_see_, &self);
  return {self.is_satisfied, self.rounds};
}

// Starts the polls of the running fiber. Returns the fiber that continues first.
Fiber& Machine::begin_spin(const SpinTask& task) {
  Fiber& self = *current_;
  self.spin = task;
  self.rounds = 0;
  self.is_satisfied = false;
  self.next = Next::poll;
  SpinStep step = is_by_clock() ? step_spin(self) : scheduler_->begin_spin(self);
  while (step.time < horizon_ && !is_slice_over(step.time)) {  // no event comes before
    advance_to(step.time, self);
    self.next = step.next;
    if (step.next == Next::go_on) return self;
    step = step_spin(self);
  }
  plan(self, step.time, step.next);
  return whoever_is_next();
}

// Shows a changed word to the spinners of `line`. Of the threads whose predicate now holds, the one
// that has spun longest polls at once. The others keep their delays and rounds, until its own
// change of the word admits the next one.
void Machine::show_release(const LineState& line) {
  const auto is_let_in = [&](const Fiber* spinner) {
    return spinner->spin.line == &line && can_poll_now(*spinner) && spinner->spin.holds(spinner->spin.word);
  };
  const auto first = std::ranges::find_if(spinners_that_see_, is_let_in);
  if (first == spinners_that_see_.end()) return;
  plan(**first, now_, Next::poll);
  update_horizon();
}

// Returns whether the fiber spins on a core and is between two polls.
bool Machine::can_poll_now(const Fiber& fiber) const {
  return fiber.next == Next::poll && fiber.event != 0 && fiber.cpu != kNoCpu && fiber.on_cpu_since <= now_ &&
         !fiber.is_frozen;
}

// Issues a poll. Returns when the spinning fiber sees the word.
Ps Machine::poll(Fiber& fiber) {
  LineState& line = *fiber.spin.line;
  if (watches(line)) [[unlikely]]
    note_issue(fiber, line);
  const Ps seen = model_->load(line, fiber.core, now_);
  if (line.counts_stalls())
    (&fiber == current_ ? line_stall_ : fiber.line_stall) += model_->load_stall(now_, seen);
  return seen;
}

SpinStep Machine::step_spin(Fiber& fiber) {
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

SpinStep Machine::draw_from_shared_generator(Fiber& fiber) {
  const SpinTask& task = fiber.spin;
  const bool is_own = *task.generator_word.stores_under_way != 0 &&
                      fiber.stores.newest_to(task.generator_word.value, stores_under_way_) != nullptr;
  const Ps seen = is_own ? now_ + profile_.load_hit_ps : model_->load(*task.generator_line, fiber.core, now_);
  return {seen, Next::store_drawn};
}

// The spinner continues while its store is pending, and reads that store in the next round if it
// still is.
SpinStep Machine::store_drawn(Fiber& fiber) {
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

SpinStep Machine::judge_poll(Fiber& fiber, Ps seen) {
  const SpinTask& task = fiber.spin;
  ++fiber.rounds;
  if (watches(*task.line)) [[unlikely]] {
    const uint32_t value = *static_cast<const uint32_t*>(task.word);
    tell(fiber, *task.line, LineAccess::Kind::poll, task.word_on_line, value, seen);
  }
  fiber.is_satisfied = task.holds(task.word);
  if (fiber.is_satisfied) return {seen, Next::go_on};
  if (task.generator_line != nullptr) return {seen, Next::draw};
  return delay_spin(fiber, task.policy.generator->next(), seen);
}

SpinStep Machine::delay_spin(const Fiber& fiber, uint32_t generator_bits, Ps from) const {
  const SpinPolicy& policy = fiber.spin.policy;
  uint64_t pauses = uint64_t{scale_to(generator_bits, policy.delay_units_max)} * policy.pauses_per_unit;
  const bool was_last = fiber.rounds == policy.rounds_max;
  const bool is_let_in = sees_release(*fiber.spin.line) && fiber.spin.holds(fiber.spin.word);
  if (is_let_in && !was_last) [[unlikely]]
    pauses = 0;
  return {from + pauses * profile_.pause_ps, was_last ? Next::go_on : Next::poll};
}

}  // namespace latchscope::platform
