// Loads, stores and private work: the times at which they take effect.
#include <algorithm>

#include "platform/virtual/machine.h"

namespace latchscope::platform {

Fiber& Machine::issue_load(LineState& line) {
  Fiber& self = *current_;
  self.accesses_watched_line = false;
  if (self.is_beside) return self;
  note_if_watched(self, line);
  const uint64_t transfers_before = model_->transfers();
  const Ps effective = model_->load(line, self.core, now_);
  self.line_transfers += model_->transfers() - transfers_before;
  note_stall(model_->load_stall(now_, effective), line.counts_stalls());
  return reached(effective);
}

Fiber& Machine::issue_write(LineState& line) {
  Fiber& self = *current_;
  self.accesses_watched_line = false;
  if (self.is_beside) return self;
  note_if_watched(self, line);
  const uint64_t transfers_before = model_->transfers();
  const Ps effective = model_->write(line, self.core, now_);
  self.line_transfers += model_->transfers() - transfers_before;
  note_stall(model_->write_stall(now_, effective), line.counts_stalls());
  return reached(effective);
}

void Machine::tell(const Fiber& fiber, const LineState& line, LineAccess::Kind kind, uint8_t word_on_line,
                   uint32_t value, Ps at) const {
  const bool is_watched = line_watcher_ != nullptr && (watched_bits_ >> (line.latch.latch % 64) & 1) != 0;
  if (!is_watched && !notes_next_) return;
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
  if (is_watched) line_watcher_(access);
  if (notes_next_ && event_watcher_.accessed != nullptr) event_watcher_.accessed(access);
}

Fiber& Machine::issue_store(LineState& line, const StoredWord& word, uint64_t bits, uint8_t word_on_line) {
  Fiber& self = *current_;
  note_if_watched(self, line);
  const Ps commit = begin_store(self, line);
  if (self.accesses_watched_line) [[unlikely]]
    tell(self, line, LineAccess::Kind::store, word_on_line, static_cast<uint32_t>(bits), commit);
  now_ += profile_.store_ps;
  self.store_takes_effect = commit == now_;
  if (self.store_takes_effect) return reached(commit);
  const uint32_t place = plan_commit(self, word, bits, commit);
  if (notes_next_) [[unlikely]]
    note_store(place, line);
  return self;
}

void Machine::issue_store_of_data(LineState& line) {
  Fiber& self = *current_;
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

void Machine::wait_for_stores() {
  if (current_->stores.empty_from() <= now_) return;
  drain();
  reach(now_);
}

void Machine::let_others_catch_up() {
  // The host is no thread of the server, so its reads between slices are no events.
  if (!current_->is_beside) reach(now_);
}

void Machine::stall_for_stores(Ps until) {
  note_stall(until - now_, current_->stores.waits_for_counted_line());
  now_ = until;
}

// Issues a store now. Returns when it takes effect.
//
// REQUIRES: the fiber's store buffer has room.
Ps Machine::begin_store(Fiber& fiber, LineState& line) {
  const uint64_t transfers_before = model_->transfers();
  const Ps owned = model_->store(line, fiber.core, now_);
  fiber.line_transfers += model_->transfers() - transfers_before;
  return fiber.stores.commit_of(std::max(owned, now_ + profile_.store_ps), line.counts_stalls());
}

uint32_t Machine::plan_commit(Fiber& fiber, const StoredWord& word, uint64_t bits, Ps commit) {
  const uint64_t number = ++stores_issued_;
  const uint32_t place = stores_under_way_.add({word, bits, number, fiber.server_number});
  fiber.stores.add(commit, place, number);
  scheduler_->plan_store(place, commit);
  horizon_ = std::min(horizon_, commit);
  return place;
}

// Records the line of a pending store. The thread has moved on when the store takes effect.
void Machine::note_store(uint32_t place, const LineState& line) {
  current_->issued.line = {};
  if (noted_stores_.size() <= place) noted_stores_.resize(place + 1);
  noted_stores_[place] = line.latch;
}

// Charges work that may take longer than the time slice.
void Machine::charge_by_slices(Ps work) {
  if (current_->is_beside) return;
  while (now_ + work > current_->slice_ends && now_ < current_->slice_ends) {
    const Ps part = current_->slice_ends - now_;
    work -= part;
    reach(now_ + part);
    if (now_ >= current_->slice_ends) current_->slice_ends = now_ + profile_.time_slice_ps;
  }
  charge_in_slice(work);
}

}  // namespace latchscope::platform
