#include "explain/transaction_chain.h"

#include <algorithm>

#include "telemetry/telemetry.h"

namespace latchscope::explain {

using telemetry::Hold;
using telemetry::Led;
using telemetry::Span;
using telemetry::Stretch;
using telemetry::ThreadState;

namespace {

Part part_of(uint32_t slot, const Stretch& stretch, Span span) {
  Part part;
  part.from_ps = std::max(stretch.from_ps, span.from_ps);
  part.to_ps = std::min(stretch.to_ps, span.to_ps);
  part.state = stretch.state;
  part.slot = slot;
  part.latch = stretch.latch;
  part.site = stretch.site;
  part.function = stretch.function;
  return part;
}

// Returns the part up to `to_ps`; `rest` begins there.
Part take_until(Part& rest, uint64_t to_ps) {
  Part first = rest;
  first.to_ps = rest.from_ps = std::min(to_ps, rest.to_ps);
  return first;
}

// Returns a part that the chronicle has no record of. There is none within the requested spans.
Part unknown_part(uint32_t slot, Span span) {
  Part part;
  part.from_ps = span.from_ps;
  part.to_ps = span.to_ps;
  part.state = ThreadState::absent;
  part.slot = slot;
  part.behind = Behind::unknown;
  return part;
}

}  // namespace

Explained ChainReader::explain(const telemetry::Transaction& transaction) {
  path_ = {transaction.slot};
  chain_parts_ = 0;
  std::vector<Part> parts = doings(transaction.slot, {transaction.taken_ps, transaction.ended_ps});
  if (transaction.taken_ps > transaction.began_ps) {
    Part queued;
    queued.from_ps = transaction.began_ps;
    queued.to_ps = transaction.taken_ps;
    queued.state = ThreadState::waiting;
    queued.slot = transaction.slot;
    queued.behind = Behind::earlier;
    queued.behind_slot = transaction.slot;
    path_.push_back(transaction.slot);
    queued.chain = doings(transaction.slot, {queued.from_ps, queued.to_ps});
    parts.insert(parts.begin(), std::move(queued));
  }
  return {transaction, std::move(parts), chain_parts_};
}

std::vector<Part> ChainReader::doings(uint32_t slot, Span span) {
  const Stretches& stretches = chronicle_.stretches_of(slot);
  std::vector<Part> parts;
  uint64_t known_ps = span.from_ps;
  const auto first = std::partition_point(stretches.begin(), stretches.end(), [&](const Stretch& stretch) {
    return stretch.to_ps <= span.from_ps;
  });
  for (auto stretch = first; stretch != stretches.end() && stretch->from_ps < span.to_ps; ++stretch) {
    const Part part = part_of(slot, *stretch, span);
    if (part.from_ps > known_ps) add(unknown_part(slot, {known_ps, part.from_ps}), parts);
    if (is_after_latch(part.state) && part.latch != 0) {
      add_wait(stretches, static_cast<size_t>(stretch - stretches.begin()), part, parts);
    } else {
      add(part, parts);
    }
    known_ps = part.to_ps;
  }
  if (known_ps < span.to_ps) add(unknown_part(slot, {known_ps, span.to_ps}), parts);
  return parts;
}

void ChainReader::add(Part part, std::vector<Part>& parts) {
  if (part.ps() == 0) return;
  if (path_.size() > 1) ++chain_parts_;
  follow(part);
  parts.push_back(std::move(part));
}

void ChainReader::follow(Part& part) {
  if (!is_thread(part.behind)) return;
  if (std::find(path_.begin(), path_.end(), part.behind_slot) != path_.end()) {
    part.cut = Cut::cycle;
  } else if (path_.size() > kChainDepthMax) {
    part.cut = Cut::depth;
  } else if (chain_parts_ >= kChainPartsMax) {
    part.cut = Cut::size;
  } else {
    path_.push_back(part.behind_slot);
    part.chain = doings(part.behind_slot, {part.from_ps, part.to_ps});
    path_.pop_back();
  }
}

void ChainReader::add_wait(const Stretches& stretches, size_t index, const Part& wait,
                           std::vector<Part>& parts) {
  if (!chronicle_.is_event(wait.latch)) {
    add_held(wait, wait.latch, parts);
  } else if (stretches[index].woken_by != telemetry::kNobodyYet) {
    add_held(wait, chronicle_.mutex_of_event(wait.latch), parts);
  } else if (wait.state == ThreadState::following) {
    add_led(wait, parts);
  } else {
    add_woken(stretches, index, wait, parts);
  }
}

void ChainReader::add_held(Part wait, uint32_t latch, std::vector<Part>& parts) {
  const Holds& holds = holds_of(latch);
  while (wait.ps() > 0) {
    const HeldAt at = held_at(holds, wait);
    Part part = take_until(wait, at.until_ps);
    part.behind = Behind::nobody;
    if (at.last_to_give != nullptr) {
      const Hold& hold = *at.last_to_give;
      part.behind = Behind::holder;
      // The thread that releases it does the work.
      part.behind_slot = hold.is_for_another && hold.given_by != 0 ? hold.given_by - 1u : hold.slot;
      part.holder_site = hold.site;
      part.held_since_ps = hold.from_ps;
      part.holders = at.holders;
    }
    add(std::move(part), parts);
  }
}

// Returns the holder when the wait begins, and until when that stays so.
ChainReader::HeldAt ChainReader::held_at(const Holds& holds, const Part& wait) {
  HeldAt at;
  uint64_t next_ps = wait.to_ps;
  const auto first =
      std::upper_bound(holds.by_end.begin(), holds.by_end.end(), wait.from_ps,
                       [](uint64_t time_ps, const Hold& hold) { return time_ps < hold.to_ps; });
  for (auto hold = first; hold != holds.by_end.end(); ++hold) {
    const uint64_t earliest_ps = holds.earliest_from_here[static_cast<size_t>(hold - holds.by_end.begin())];
    if (earliest_ps > wait.from_ps) {
      next_ps = std::min(next_ps, earliest_ps);
      break;
    }
    if (hold->slot == wait.slot && !hold->is_for_another) continue;
    if (hold->from_ps > wait.from_ps) {
      next_ps = std::min(next_ps, hold->from_ps);
    } else {
      ++at.holders;
      at.last_to_give = &*hold;
    }
  }
  at.until_ps = at.last_to_give == nullptr ? next_ps : at.last_to_give->to_ps;
  return at;
}

void ChainReader::add_led(Part wait, std::vector<Part>& parts) {
  const std::vector<Led>& leaders = chronicle_.leaders_of(wait.slot);
  const auto next = std::upper_bound(leaders.begin(), leaders.end(), wait.from_ps,
                                     [](uint64_t time_ps, const Led& led) { return time_ps < led.from_ps; });
  for (auto led = next; wait.ps() > 0; ++led) {
    Part part = take_until(wait, led == leaders.end() ? wait.to_ps : led->from_ps);
    if (led == leaders.begin()) {
      part.behind = Behind::unknown;
    } else if ((led - 1)->leader == 0) {
      part.behind = Behind::nobody;
    } else {
      part.behind = Behind::leader;
      part.behind_slot = (led - 1)->leader - 1u;
    }
    add(std::move(part), parts);
  }
}

void ChainReader::add_woken(const Stretches& stretches, size_t index, Part wait, std::vector<Part>& parts) {
  const auto is_of_wait = [&](const Stretch& stretch) { return stretch.latch == wait.latch; };
  const auto is_woken = [](const Stretch& stretch) { return stretch.woken_by != telemetry::kNobodyYet; };
  size_t later = index;
  while (later < stretches.size() && is_of_wait(stretches[later]) && !is_woken(stretches[later]))
    ++later;
  wait.behind = Behind::unknown;
  if (later < stretches.size() && is_of_wait(stretches[later])) {
    const uint16_t waker = stretches[later].woken_by;
    wait.behind = waker == telemetry::kByTimer ? Behind::timer : Behind::waker;
    wait.behind_slot = waker == telemetry::kByTimer ? 0 : waker - 1u;
  }
  add(std::move(wait), parts);
}

const ChainReader::Holds& ChainReader::holds_of(uint32_t latch) {
  const auto [place, is_new] = holds_.try_emplace(latch);
  Holds& holds = place->second;
  if (!is_new) return holds;
  holds.by_end = chronicle_.holds_of(latch);
  holds.earliest_from_here.resize(holds.by_end.size());
  uint64_t earliest_ps = telemetry::kNotYetPs;
  for (size_t i = holds.by_end.size(); i-- > 0;) {
    earliest_ps = std::min(earliest_ps, holds.by_end[i].from_ps);
    holds.earliest_from_here[i] = earliest_ps;
  }
  return holds;
}

// --- blame ---------------------------------------------------------------------------------------

namespace {

void add_ends(const Part& part, std::map<Blame::End, uint64_t>& ends) {
  if (part.chain.empty()) {
    ends[{part.state, part.behind, part.site, part.site == 0 ? part.function : 0}] += part.ps();
    return;
  }
  for (const Part& behind : part.chain)
    add_ends(behind, ends);
}

}  // namespace

void Blame::add(const Explained& explained) {
  ++transactions;
  latency_ps += explained.transaction.latency_ps();
  for (const Part& part : explained.parts) {
    by_state[part.state] += part.ps();
    add_ends(part, by_end);
    if (part.site != 0) {
      by_latch[telemetry::latch_name_of_site(part.site - 1)] += part.ps();
      by_site[part.site] += part.ps();
    }
    if (part.behind != Behind::nothing) {
      const uint32_t holder_site = part.behind == Behind::holder ? part.holder_site + 1 : 0;
      by_holder[{part.behind, part.site, holder_site}] += part.ps();
    }
  }
}

}  // namespace latchscope::explain
