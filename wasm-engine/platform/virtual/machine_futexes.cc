// Sleeping on a word and waking its sleepers, as Linux does.
#include "platform/platform.h"
#include "platform/virtual/machine.h"

namespace latchscope::platform {

void Machine::enter_futex() {
  drain();
  settle();
  reach(now_ + profile_.system_call_ps);
}

// Spins for the bucket's lock. Returns when this hold of the lock ends.
Ps Machine::enter_bucket(FutexQueue& queue) {
  const Ps start = queue.lock_from(now_);
  totals_.bucket_spin_ps += start - now_;
  queue.bucket_busy_until = start + profile_.futex_bucket_hold_ps;
  return queue.bucket_busy_until;
}

// The sleeper announces itself before it takes the bucket's lock, and checks the word under that
// lock.
bool Machine::futex_wait(FutexQueue& queue, const uint32_t& word, uint32_t expected, Ps timeout) {
  queue.refresh(epoch_);
  Fiber& self = *current_;
  if (!self.is_beside) enter_futex();
  ++queue.pending;
  if (!self.is_beside) reach(enter_bucket(queue));
  if (word != expected) {
    --queue.pending;
    return true;
  }
  if (!self.is_beside) ++totals_.futex_waits;
  queue.add(self);
  self.was_timed_out = false;
  if (timeout != kNever) {
    const Ps slack = self.is_beside ? 0 : profile_.sleep_slack_ps;
    plan(self, now_ + timeout + slack, Next::timer);
  }
  block();
  return !self.was_timed_out;
}

void Machine::bring_timeout_forward(FutexQueue& queue, Ps sooner) {
  LATCHSCOPE_ASSERT(scheduler_ == &clock_ && current_ == fibers_[0].get(),
                    "only the host moves timeouts, and only under the clock scheduler");
  queue.refresh(epoch_);
  if (queue.first != nullptr && queue.first->next == Next::timer) clock_.bring_forward(*queue.first, sooner);
}

// Costs nothing beside the server, or if the first sleeper wakes freely.
uint32_t Machine::futex_wake(FutexQueue& queue, uint32_t count) {
  queue.refresh(epoch_);
  const bool is_free = current_->is_beside || (queue.first != nullptr && queue.first->wakes_freely);
  if (!is_free) enter_futex();
  if (queue.pending == 0) return 0;
  if (!is_free) reach(enter_bucket(queue));
  uint32_t woken = 0;
  Ps time = now_;
  while (woken < count && queue.first != nullptr) {
    Fiber& sleeper = *queue.first;
    queue.remove(sleeper);
    tell_woken(sleeper);
    if (!is_free) time += profile_.wake_one_ps;
    plan(sleeper, time, Next::wake);
    ++woken;
  }
  if (!current_->is_beside) totals_.futex_wakes += woken;
  update_horizon();
  if (woken > 0 && !is_free) reach(time);
  return woken;
}

}  // namespace latchscope::platform
