#include "lab/check_search.h"

#include <algorithm>
#include <utility>

namespace latchscope::lab {

namespace {

constexpr size_t kSlotsAtFirst = 1u << 12;
constexpr size_t kNumbersDroppedAtOnce = 1u << 20;
constexpr uint32_t kFirstChoiceWay = 2;

}  // namespace

// --- the set of states ---------------------------------------------------------------------------

FingerprintSet::FingerprintSet() : slots_(kSlotsAtFirst) {}

std::pair<uint32_t, bool> FingerprintSet::add(const Fingerprint& fingerprint) {
  if (2 * (fingerprints_.size() + 1) > slots_.size()) grow();
  const size_t mask = slots_.size() - 1;
  const uint64_t tag = fingerprint.low & 0xffffffff00000000ull;
  for (size_t at = fingerprint.high & mask;; at = (at + 1) & mask) {
    const uint64_t slot = slots_[at];
    if (slot == 0) {
      slots_[at] = tag | (fingerprints_.size() + 1);
      fingerprints_.push_back(fingerprint);
      return {size() - 1, true};
    }
    const auto number = static_cast<uint32_t>(slot) - 1;
    if ((slot & 0xffffffff00000000ull) == tag && fingerprints_[number] == fingerprint) return {number, false};
  }
}

void FingerprintSet::grow() {
  std::vector<uint64_t> larger(slots_.size() * 2);
  const size_t mask = larger.size() - 1;
  for (const uint64_t slot : slots_) {
    if (slot == 0) continue;
    size_t at = fingerprints_[static_cast<uint32_t>(slot) - 1].high & mask;
    while (larger[at] != 0)
      at = (at + 1) & mask;
    larger[at] = slot;
  }
  slots_ = std::move(larger);
}

// --- the search ----------------------------------------------------------------------------------

Search::Search(const CheckedMachine& machine, SearchLimits limits, bool keeps_states, Reduction reduction)
    : machine_(machine),
      packing_(machine.program(), machine.configuration().threads,
               keeps_states ? Shifts::leaves_out : Shifts::keeps),
      limits_{std::min(limits.states, kStatesMax), limits.bytes},
      keeps_states_(keeps_states),
      reduction_(reduction) {}

void Search::begin_at(const MachineState& state) {
  beginning_ = state;
  begins_elsewhere_ = true;
}

void Search::start() {
  has_begun_ = true;
  edge_begin_.push_back(0);
  if (!begins_elsewhere_) {
    const Happening happening = machine_.begin(beginning_);
    if (happening.fault != FaultKind::none) {
      found_ = {happening.fault, {}};
      return;
    }
  }
  add_state(beginning_, 0, Edge{});
}

void Search::add_state(const MachineState& state, uint32_t from, Edge edge) {
  packed_.clear();
  packing_.pack(state, packed_);
  const auto [number, is_new] = set_.add(StatePacking::fingerprint(packed_.data(), packed_.size()));
  edge.to = number;
  if (!parents_.empty()) edges_.push_back(edge);  // no edge leads to the initial state
  if (!is_new) return;
  parents_.push_back({from, edge});
  is_end_.push_back(state.stage == Stage::done);
  ends_ += state.stage == Stage::done ? 1 : 0;
  if (keeps_states_) offsets_.push_back(queue_.size());
  queue_.insert(queue_.end(), packed_.begin(), packed_.end());
}

bool Search::go_on(uint32_t states_more) {
  if (!has_begun_) start();
  for (uint32_t done = 0; done < states_more; ++done) {
    if (found_ || over_limit_ != Limit::none || expanded_ == set_.size()) return false;
    const uint64_t bytes =
        queue_.size() * sizeof(uint32_t) + edges_.size() * sizeof(Edge) + set_.size() * 48ull;
    over_limit_ = set_.size() >= limits_.states ? Limit::states
                  : bytes > limits_.bytes       ? Limit::memory
                                                : Limit::none;
    if (over_limit_ != Limit::none) return false;
    expand();
  }
  return true;
}

Moves Search::moves_tried() const {
  Moves moves = machine_.possible(current_);
  if (reduction_ == Reduction::none) return moves;
  const auto unseen =
      std::ranges::find_if(moves.all(), [&](const Move& move) { return machine_.is_unseen(current_, move); });
  if (unseen == moves.all().end()) return moves;
  Moves only;
  only.add(*unseen);
  return only;
}

void Search::expand() {
  const size_t size = packing_.unpack(queue_.data() + head_, current_);
  const Moves moves = moves_tried();
  has_left_out_choices_ |= moves.leaves_out_choices;
  if (moves.count == 0) {
    const FaultKind fault = machine_.fault_at_the_end(current_);
    if (fault != FaultKind::none) found_ = {fault, way_to(expanded_)};
  }
  // A skipped choice may lead to an end.
  if (moves.leaves_out_choices) is_end_[expanded_] = true;
  for (uint32_t i = 0; i < moves.count && !found_; ++i) {
    const Move& move = moves.moves[i];
    if (i > 0) packing_.unpack(queue_.data() + head_, current_);
    const uint32_t way = move.kind == Move::Kind::step           ? 0
                         : move.kind == Move::Kind::takes_effect ? 1
                                                                 : kFirstChoiceWay + i;
    try_move(move, way);
  }
  head_ += size;
  ++expanded_;
  edge_begin_.push_back(static_cast<uint32_t>(edges_.size()));
  drop_what_is_done();
}

void Search::try_move(const Move& move, uint32_t way) {
  const Happening happening = machine_.carry_out(current_, move);
  if (happening.fault == FaultKind::none)
    return add_state(current_, expanded_, Edge{0, move.thread & 7, way & 7});
  found_ = {happening.fault, way_to(expanded_)};
  found_->way.push_back(move);
}

void Search::drop_what_is_done() {
  if (keeps_states_ || head_ < kNumbersDroppedAtOnce || head_ < queue_.size() / 2) return;
  queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(head_));
  head_ = 0;
}

Move Search::move_of(const CheckedMachine& machine, const MachineState& state, const Edge& edge) {
  if (edge.way == 0) return {edge.thread, Move::Kind::step, 0};
  if (edge.way == 1) return {edge.thread, Move::Kind::takes_effect, 0};
  return machine.possible(state).moves[edge.way - kFirstChoiceWay];
}

std::vector<Move> Search::way_to(uint32_t number) const {
  std::vector<Edge> edges;
  for (; number != 0; number = parents_[number].state)
    edges.push_back(parents_[number].edge);
  std::ranges::reverse(edges);
  MachineState state = beginning_;
  std::vector<Move> way;
  for (const Edge& edge : edges) {
    way.push_back(move_of(machine_, state, edge));
    machine_.carry_out(state, way.back());
  }
  return way;
}

// --- traps ---------------------------------------------------------------------------------------

// Searches backwards from the ends, and from states whose moves have not been tried.
std::vector<bool> Search::which_may_end() const {
  const uint32_t count = set_.size();
  std::vector<uint32_t> begin(count + 1), from(edges_.size());
  for (const Edge& edge : edges_)
    ++begin[edge.to];
  uint32_t total = 0;
  for (uint32_t& each : begin)
    total += std::exchange(each, total);
  for (uint32_t state = 0; state < expanded_; ++state) {
    for (const Edge& edge : edges_of(state))
      from[begin[edge.to]++] = state;
  }
  std::vector<bool> may_end = is_end_;
  std::vector<uint32_t> open;
  for (uint32_t state = 0; state < count; ++state) {
    if (state >= expanded_) may_end[state] = true;
    if (may_end[state]) open.push_back(state);
  }
  while (!open.empty()) {
    const uint32_t state = open.back();
    open.pop_back();
    for (uint32_t i = state == 0 ? 0 : begin[state - 1]; i < begin[state]; ++i) {
      if (may_end[from[i]]) continue;
      may_end[from[i]] = true;
      open.push_back(from[i]);
    }
  }
  return may_end;
}

std::optional<std::vector<Move>> Search::find_trap() const {
  if (found_) return std::nullopt;
  const std::vector<bool> may_end = which_may_end();
  const auto trapped = std::ranges::find(may_end, false);
  if (trapped == may_end.end()) return std::nullopt;
  return way_to(static_cast<uint32_t>(trapped - may_end.begin()));
}

CanEnd can_end(const CheckedMachine& machine, const MachineState& state, uint32_t states_max) {
  Search search(machine, {states_max, 200'000'000}, false);
  search.begin_at(state);
  constexpr uint32_t kAtOnce = 64;
  while (search.go_on(kAtOnce)) {
    if (search.ends() > 0) return CanEnd::yes;
  }
  if (search.ends() > 0) return CanEnd::yes;
  const bool is_decided = search.is_complete() && !search.found() && !search.has_left_out_choices();
  return is_decided ? CanEnd::no : CanEnd::undecided;
}

}  // namespace latchscope::lab
