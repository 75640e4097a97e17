// Loads, stores and private work: when each takes effect.
#include <algorithm>

#include "platform/virtual/machine.h"

namespace latchscope::platform {

bool Machine::load(LineState& line) {
  if (current_->is_beside) return false;
  settle();
  const bool is_watched = watches(line);
  if (is_watched) [[unlikely]]
    note_issue(*current_, line);
  const Ps effective = model_->load(line, current_->core, now_);
  note_stall(model_->load_stall(now_, effective), line.counts_stalls());
  reach(effective);
  return is_watched;
}

void Machine::tell(const Fiber& fiber, const LineState& line, LineAccess::Kind kind, uint8_t word_on_line,
                   uint32_t value, Ps at) const {
  if (line_watcher_ == nullptr || (watched_bits_ >> (line.latch.latch % 64) & 1) == 0) return;
  LineAccess access;
  access.at_ps = at;
  access.took_ps = at - fiber.issued.at;
  access.line = line.latch;
  access.word = word_on_line;
  access.kind = kind;
  access.core = static_cast<uint16_t>(fiber.core);
  access.from_core = fiber.issued.from_core;
  access.value = value;
  access.thread = slot_of(fiber);
  line_watcher_(access);
}

bool Machine::begins_access() {
  if (current_->is_beside) return false;
  settle();
  return true;
}

Ps Machine::load_effect(LineState& line, Ps issued) const {
  return model_->load(line, current_->core, issued);
}

bool Machine::write(LineState& line) {
  if (current_->is_beside) return false;
  drain();
  settle();
  const bool is_watched = watches(line);
  if (is_watched) [[unlikely]]
    note_issue(*current_, line);
  const Ps effective = model_->write(line, current_->core, now_);
  note_stall(model_->write_stall(now_, effective), line.counts_stalls());
  reach(effective);
  return is_watched;
}

bool Machine::store(LineState& line, const StoredWord& word, uint64_t bits, uint8_t word_on_line) {
  Fiber& self = *current_;
  if (!has_store_buffers() || self.is_beside) {
    if (write(line)) [[unlikely]]
      tell_access(line, LineAccess::Kind::store, word_on_line, static_cast<uint32_t>(bits));
    return true;
  }
  settle();
  stall_for_stores(self.stores.room_from(now_, buffered_stores_max_));
  const bool is_watched = watches(line);
  if (is_watched) [[unlikely]]
    note_issue(self, line);
  const Ps commit = begin_store(self, line);
  if (is_watched) [[unlikely]]
    tell(self, line, LineAccess::Kind::store, word_on_line, static_cast<uint32_t>(bits), commit);
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
  if (!has_store_buffers() || self.is_beside) {
    write(line);
    return;
  }
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
  note_stall(until - now_, current_->stores.waits_for_counted_line());
  now_ = until;
  settle();
}

// The fiber issues a store now, for which its buffer has room. Returns when it takes effect.
Ps Machine::begin_store(Fiber& fiber, LineState& line) {
  const Ps owned = model_->store(line, fiber.core, now_);
  return fiber.stores.commit_of(std::max(owned, now_ + profile_.store_ps), line.counts_stalls());
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
