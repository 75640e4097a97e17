#include "lab/check_circles.h"

#include <algorithm>

namespace latchscope::lab {

namespace {

constexpr uint32_t kNoNumber = ~0u;
constexpr uint64_t kEndlessWayBytes = 200'000'000;

// Returns whether every move from the component stays inside it. Then a thread that does not move
// there never moves again.
bool is_closed(const Search& search, const Circles& circles, const std::vector<uint32_t>& component) {
  return std::ranges::all_of(component, [&](uint32_t state) {
    return std::ranges::all_of(search.edges_of(state),
                               [&](const Search::Edge& edge) { return circles.stays(state, edge); });
  });
}

// Returns one move of each thread that moves in the component.
std::vector<Circles::Step> a_move_of_each(const Search& search, const std::vector<uint32_t>& component) {
  std::vector<Circles::Step> steps;
  uint32_t have_moved = 0;
  for (const uint32_t state : component) {
    for (const Search::Edge& edge : search.edges_of(state)) {
      if ((have_moved >> edge.thread & 1) != 0) continue;
      have_moved |= 1u << edge.thread;
      steps.push_back({state, edge});
    }
  }
  return steps;
}

}  // namespace

void Circles::find_components() {
  components_.clear();
  component_.assign(search_.states(), kNoNumber);
  index_.assign(search_.states(), 0);
  low_.assign(search_.states(), 0);
  next_index_ = 1;
  for (uint32_t state = 0; state < search_.expanded(); ++state) {
    if (kept_[state] && index_[state] == 0) visit(state);
  }
}

bool Circles::is_of_a_circle(uint32_t state) const {
  return std::ranges::any_of(search_.edges_of(state),
                             [&](const Search::Edge& edge) { return stays(state, edge); });
}

void Circles::enter(uint32_t state) {
  index_[state] = low_[state] = next_index_++;
  path_.push_back(state);
  visits_.push_back({state, 0});
}

void Circles::visit(uint32_t first) {
  enter(first);
  while (!visits_.empty()) {
    const uint32_t state = visits_.back().state;
    const auto edges = search_.edges_of(state);
    if (visits_.back().edge < edges.size()) {
      const uint32_t to = edges[visits_.back().edge++].to;
      if (!kept_[to] || component_[to] != kNoNumber) continue;
      if (index_[to] == 0) {
        enter(to);
      } else {
        low_[state] = std::min(low_[state], index_[to]);
      }
      continue;
    }
    visits_.pop_back();
    if (!visits_.empty()) low_[visits_.back().state] = std::min(low_[visits_.back().state], low_[state]);
    if (low_[state] == index_[state]) close_component(state);
  }
}

void Circles::close_component(uint32_t root) {
  std::vector<uint32_t> states;
  for (uint32_t state = kNoNumber; state != root;) {
    state = path_.back();
    path_.pop_back();
    component_[state] = static_cast<uint32_t>(components_.size());
    states.push_back(state);
  }
  std::ranges::sort(states);
  components_.push_back(std::move(states));
}

std::vector<Circles::Step> Circles::through(uint32_t first, const std::vector<Step>& wanted) const {
  std::vector<Step> steps;
  uint32_t at = first;
  for (const Step& step : wanted) {
    go(at, step.from, steps);
    steps.push_back(step);
    at = step.edge.to;
  }
  go(at, first, steps);
  return steps;
}

void Circles::go(uint32_t from, uint32_t to, std::vector<Step>& steps) const {
  std::vector<Step> reached_by(search_.states(), {kNoNumber, {}});
  std::vector<uint32_t> open{from};
  for (size_t i = 0; i < open.size() && open[i] != to; ++i) {
    for (const Search::Edge& edge : search_.edges_of(open[i])) {
      if (!stays(open[i], edge) || edge.to == from || reached_by[edge.to].from != kNoNumber) continue;
      reached_by[edge.to] = {open[i], edge};
      open.push_back(edge.to);
    }
  }
  const auto first = static_cast<std::ptrdiff_t>(steps.size());
  for (uint32_t state = to; state != from; state = reached_by[state].from)
    steps.push_back(reached_by[state]);
  std::reverse(steps.begin() + first, steps.end());
}

std::optional<EndlessWay> endless_way(const CheckedMachine& machine, const MachineState& state,
                                      uint32_t states_max) {
  Search search(machine, {states_max, kEndlessWayBytes}, false);
  search.begin_at(state);
  search.go_on(states_max);
  if (!search.is_complete() || search.found()) return std::nullopt;
  Circles circles(search);
  for (uint32_t number = 0; number < search.states(); ++number)
    circles.keep(number);
  circles.find_components();
  // States are numbered by their distance from the initial state.
  for (uint32_t first = 0; first < search.states(); ++first) {
    const std::vector<uint32_t>& component = circles.components()[circles.component_of(first)];
    if (!circles.is_of_a_circle(first) || !is_closed(search, circles, component)) continue;
    EndlessWay endless{search.way_to(first), {}};
    MachineState present = state;
    for (const Move& move : endless.way)
      machine.carry_out(present, move);
    for (const Circles::Step& step : circles.through(first, a_move_of_each(search, component))) {
      endless.circle.push_back(Search::move_of(machine, present, step.edge));
      machine.carry_out(present, endless.circle.back());
    }
    return endless;
  }
  return std::nullopt;
}

}  // namespace latchscope::lab
