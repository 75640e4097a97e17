#include "telemetry/chronicle.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "telemetry/telemetry.h"

namespace latchscope::telemetry {

namespace detail {
Chronicle* kept_chronicle = nullptr;
}

namespace {

std::vector<Span> without_overlap(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.from_ps < b.from_ps; });
  std::vector<Span> merged;
  for (const Span& span : spans) {
    if (!merged.empty() && span.from_ps <= merged.back().to_ps) {
      merged.back().to_ps = std::max(merged.back().to_ps, span.to_ps);
    } else {
      merged.push_back(span);
    }
  }
  return merged;
}

template <class Record>
void forget_those_before(std::vector<Record>& records, uint64_t time_ps) {
  std::erase_if(records, [&](const Record& record) { return record.to_ps <= time_ps; });
}

bool is_of_the_same(const Stretch& a, const Stretch& b) {
  return a.state == b.state && a.latch == b.latch && a.site == b.site && a.function == b.function &&
         a.woken_by == b.woken_by;
}

}  // namespace

Chronicle::Chronicle(std::vector<Span> wanted, size_t records_max)
    : wanted_(without_overlap(std::move(wanted))), records_max_(records_max), threads_(kThreadSlots) {
  LATCHSCOPE_ASSERT(detail::kept_chronicle == nullptr, "at most one chronicle exists at a time");
  detail::kept_chronicle = this;
}

Chronicle::~Chronicle() {
  detail::kept_chronicle = nullptr;
}

void Chronicle::begin() {
  threads_.assign(kThreadSlots, Thread{});
  holds_.clear();
  held_for_another_.clear();
  mutex_of_event_.clear();
  transactions_.clear();
  not_over_.clear();
  present_ = 0;
  records_kept_ = 0;
  lost_before_ps_ = 0;
  has_ended_ = false;
}

void Chronicle::end() {
  has_ended_ = true;
  const uint64_t now_ps = platform::now_ps();
  for (uint32_t slot = 0; slot < kThreadSlots; ++slot) {
    const Thread& thread = threads_[slot];
    if (thread.transaction_began_ps < now_ps)
      not_over_.push_back({thread.transaction_began_ps, now_ps, slot, thread.transactions + 1, false,
                           thread.transaction_taken_ps});
  }
}

bool Chronicle::is_wanted(uint64_t from_ps, uint64_t to_ps) {
  if (wanted_.empty()) return false;
  const auto touches = [&](const Span& span) { return to_ps > span.from_ps && from_ps < span.to_ps; };
  if (touches(wanted_[present_])) return true;
  const auto span =
      std::upper_bound(wanted_.begin(), wanted_.end(), from_ps,
                       [](uint64_t time_ps, const Span& other) { return time_ps < other.to_ps; });
  if (span == wanted_.end() || !touches(*span)) return false;
  present_ = static_cast<size_t>(span - wanted_.begin());
  return true;
}

// An interval reported as unfinished may be extended later, or reported again.
void Chronicle::add(uint32_t slot, const Stretch& stretch) {
  if (!is_wanted(stretch.from_ps, stretch.to_ps)) return;
  std::vector<Stretch>& stretches = threads_[slot].stretches;
  Stretch added = stretch;
  if (!stretches.empty() && added.from_ps <= stretches.back().to_ps) {
    if (is_of_the_same(stretches.back(), added)) {
      stretches.back().to_ps = std::max(stretches.back().to_ps, added.to_ps);
      return;
    }
    added.from_ps = stretches.back().to_ps;
    if (added.to_ps <= added.from_ps) return;
  }
  stretches.push_back(added);
  if (++records_kept_ > records_max_) lose_all();
}

void Chronicle::lose_all() {
  for (Thread& thread : threads_)
    thread.stretches = {};
  holds_.clear();
  records_kept_ = 0;
  lost_before_ps_ = platform::now_ps();
}

void Chronicle::forget_before(uint64_t time_ps) {
  records_kept_ = 0;
  for (Thread& thread : threads_) {
    forget_those_before(thread.stretches, time_ps);
    records_kept_ += thread.stretches.size();
    std::vector<Led>& leaders = thread.leaders;
    // The newest entry at or before `time_ps` still applies.
    const auto later =
        std::find_if(leaders.begin(), leaders.end(), [&](const Led& led) { return led.from_ps > time_ps; });
    if (later - leaders.begin() > 1) leaders.erase(leaders.begin(), later - 1);
  }
  for (auto& [latch, holds] : holds_) {
    forget_those_before(holds, time_ps);
    records_kept_ += holds.size();
  }
}

void Chronicle::bring_up_to_now() {
  tell_lanes_until_now();
}

void Chronicle::is_awake(uint32_t slot) {
  Thread& thread = threads_[slot];
  thread.woken_by = thread.next_waker != 0 ? thread.next_waker : kByTimer;
  thread.next_waker = 0;
}

void Chronicle::got_latch(uint32_t slot, uint32_t site, uint32_t latch, bool is_for_another) {
  if (wanted_.empty()) return;
  const Hold hold{platform::now_ps(),          kNotYetPs, latch,         static_cast<uint16_t>(slot),
                  static_cast<uint16_t>(site), 0,         is_for_another};
  if (is_for_another) {
    held_for_another_[latch] = hold;
  } else {
    threads_[slot].held.push_back(hold);
  }
}

void Chronicle::keep(Hold hold, uint32_t given_by) {
  hold.to_ps = platform::now_ps();
  hold.given_by = static_cast<uint16_t>(given_by + 1);
  if (!is_wanted(hold.from_ps, hold.to_ps)) return;
  holds_[hold.latch].push_back(hold);
  if (++records_kept_ > records_max_) lose_all();
}

void Chronicle::gave_back(uint32_t slot, uint32_t latch) {
  if (const auto held = held_for_another_.find(latch); held != held_for_another_.end()) {
    keep(held->second, slot);
    held_for_another_.erase(held);
    return;
  }
  std::vector<Hold>& held = threads_[slot].held;
  const auto newest =
      std::find_if(held.rbegin(), held.rend(), [&](const Hold& hold) { return hold.latch == latch; });
  if (newest == held.rend()) return;
  keep(*newest, slot);
  held.erase(std::next(newest).base());
}

std::vector<Hold> Chronicle::holds_of(uint32_t latch) const {
  std::vector<Hold> holds;
  if (const auto ended = holds_.find(latch); ended != holds_.end()) holds = ended->second;
  for (const Thread& thread : threads_) {
    for (const Hold& hold : thread.held) {
      if (hold.latch == latch) holds.push_back(hold);
    }
  }
  if (const auto held = held_for_another_.find(latch); held != held_for_another_.end())
    holds.push_back(held->second);
  std::sort(holds.begin(), holds.end(), [](const Hold& a, const Hold& b) {
    return std::tie(a.to_ps, a.from_ps, a.slot) < std::tie(b.to_ps, b.from_ps, b.slot);
  });
  return holds;
}

void Chronicle::is_led(uint32_t slot, uint16_t leader) {
  if (wanted_.empty()) return;
  const Led led{platform::now_ps(), leader};
  std::vector<Led>& leaders = threads_[slot].leaders;
  if (!leaders.empty() && !is_wanted(leaders.back().from_ps, led.from_ps)) leaders.pop_back();
  leaders.push_back(led);
}

void Chronicle::transaction_began(uint32_t slot, uint64_t arrived_ps) {
  Thread& thread = threads_[slot];
  thread.transaction_taken_ps = platform::now_ps();
  thread.transaction_began_ps = arrived_ps == 0 ? thread.transaction_taken_ps : arrived_ps;
}

void Chronicle::transaction_ended(uint32_t slot) {
  Thread& thread = threads_[slot];
  if (thread.transaction_began_ps == kNotYetPs || has_ended_) return;
  transactions_.push_back({thread.transaction_began_ps, platform::now_ps(), slot, ++thread.transactions, true,
                           thread.transaction_taken_ps});
  thread.transaction_began_ps = kNotYetPs;
}

}  // namespace latchscope::telemetry
