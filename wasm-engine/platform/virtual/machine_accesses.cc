// Loads, stores and private work: when each takes effect.
#include <algorithm>

#include "platform/virtual/machine.h"

namespace latchscope::platform {

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
  const uint64_t number = ++stores_issued_;
  const uint32_t place = stores_under_way_.add({word, bits, number, fiber.server_number});
  fiber.stores.add(commit, place, number);
  scheduler_->plan_store(place, commit);
  horizon_ = std::min(horizon_, commit);
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

}  // namespace latchscope::platform
