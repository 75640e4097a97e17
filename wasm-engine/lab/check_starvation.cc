#include "lab/check_starvation.h"

#include <algorithm>

namespace latchscope::lab {

namespace {

constexpr uint32_t kAloneMovesMax = 400;
constexpr uint32_t kNoNumber = ~0u;

// What a thread that goes on alone has seen: if it comes back to it, it will for ever.
struct Place {
  uint32_t pc;
  Registers registers;
  bool is_same(const ThreadState& thread, uint32_t count) const {
    return pc == thread.pc && std::equal(registers.values, registers.values + count, thread.registers.values);
  }
};

// One thread alone, until `is_done`. False: it will not come that far.
template <class Done>
bool goes_alone(const CheckedMachine& machine, MachineState& state, uint32_t number, Done is_done) {
  const ThreadState& thread = state.threads[number];
  const uint32_t registers = machine.program().program().registers;
  Place seen{thread.pc, thread.registers};
  for (uint32_t moves = 0, renewed = 1; !is_done(thread); ++moves) {
    if (thread.status != Status::running || moves == kAloneMovesMax) return false;
    const Moves possible = machine.possible(state);
    const auto own =
        std::ranges::find_if(possible.all(), [&](const Move& move) { return move.thread == number; });
    if (own == possible.all().end()) return false;
    const Happening happening = machine.carry_out(state, *own);
    if (happening.fault != FaultKind::none) return false;
    if (!happening.changed_words && seen.is_same(thread, registers) && !is_done(thread)) return false;
    if (happening.changed_words || moves + 1 == renewed) {
      seen = {thread.pc, thread.registers};
      renewed = 2 * (moves + 1);
    }
  }
  return true;
}

// `state` is spoilt.
bool would_get_in(const CheckedMachine& machine, MachineState& state, uint32_t number) {
  for (uint32_t other = 0; other < machine.configuration().threads; ++other) {
    if (state.threads[other].phase != Phase::exiting) continue;
    goes_alone(machine, state, other,
               [](const ThreadState& thread) { return thread.phase != Phase::exiting; });
  }
  return goes_alone(machine, state, number, [](const ThreadState& thread) { return !thread.is_in_enter(); });
}

// Finds the circles in which one thread waits. States are those of the search.
class WaitingOf {
 public:
  WaitingOf(const CheckedMachine& machine, const Search& search, uint32_t waiting)
      : machine_(machine), search_(search), waiting_(waiting), component_(search.states(), kNoNumber) {}

  std::optional<Starvation> find() {
    is_in_.assign(search_.states(), false);
    for (uint32_t state = 0; state < search_.expanded(); ++state)
      is_in_[state] = is_waiting_in(state);
    find_components();
    // Only in components there are circles, and there are fewer of them.
    for (uint32_t state = 0; state < search_.expanded(); ++state)
      is_in_[state] = is_in_[state] && is_of_a_circle(state) && !would_get_in_at(state);
    find_components();
    for (const std::vector<uint32_t>& states : components_) {
      if (auto circle = fair_circle(states)) return circle;
    }
    return std::nullopt;
  }

 private:
  bool is_waiting_in(uint32_t state) {
    search_.state_of(state, state_);
    return state_.threads[waiting_].is_in_enter();
  }
  bool would_get_in_at(uint32_t state) {
    search_.state_of(state, state_);
    return would_get_in(machine_, state_, waiting_);
  }
  bool stays(uint32_t from, const Search::Edge& edge) const {
    return is_in_[edge.to] && component_[edge.to] == component_[from];
  }
  bool is_of_a_circle(uint32_t state) const {
    return std::ranges::any_of(search_.edges_of(state),
                               [&](const Search::Edge& edge) { return stays(state, edge); });
  }

  // Strongly connected components (Tarjan 1972), without recursion.
  void find_components() {
    components_.clear();
    component_.assign(search_.states(), kNoNumber);
    index_.assign(search_.states(), 0);
    low_.assign(search_.states(), 0);
    next_index_ = 1;
    for (uint32_t state = 0; state < search_.expanded(); ++state) {
      if (is_in_[state] && index_[state] == 0) visit(state);
    }
  }
  struct Visit {
    uint32_t state;
    uint32_t edge;
  };
  void enter(uint32_t state) {
    index_[state] = low_[state] = next_index_++;
    path_.push_back(state);
    visits_.push_back({state, 0});
  }
  void visit(uint32_t first) {
    enter(first);
    while (!visits_.empty()) {
      const uint32_t state = visits_.back().state;
      const auto edges = search_.edges_of(state);
      if (visits_.back().edge < edges.size()) {
        const uint32_t to = edges[visits_.back().edge++].to;
        if (!is_in_[to] || component_[to] != kNoNumber) continue;
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
  void close_component(uint32_t root) {
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

  struct Step {
    uint32_t from;
    Search::Edge edge;
  };

  bool lets_another_in(const Step& step) {
    search_.state_of(step.from, state_);
    const uint32_t before = holders(state_);
    search_.state_of(step.edge.to, state_);
    return (holders(state_) & ~before) != 0;
  }
  uint32_t holders(const MachineState& state) const {
    uint32_t bits = 0;
    for (uint32_t number = 0; number < machine_.configuration().threads; ++number)
      bits |= state.threads[number].phase == Phase::holding ? 1u << number : 0;
    return bits;
  }

  std::optional<Starvation> fair_circle(const std::vector<uint32_t>& states) {
    std::vector<Step> wanted;  // a circle through all of these
    uint32_t have_moved = 0;
    bool somebody_got_in = false;
    for (const uint32_t from : states) {
      for (const Search::Edge& edge : search_.edges_of(from)) {
        if (!stays(from, edge)) continue;
        const Step step{from, edge};
        const bool moves_first = (have_moved >> edge.thread & 1) == 0;
        const bool gets_in_first = !somebody_got_in && lets_another_in(step);
        if (!moves_first && !gets_in_first) continue;
        have_moved |= 1u << edge.thread;
        somebody_got_in |= gets_in_first;
        wanted.push_back(step);
      }
    }
    if (!somebody_got_in || !all_others_sleep(states.front(), have_moved)) return std::nullopt;
    return circle_through(states.front(), wanted);
  }

  // Who does not move in a circle sleeps in all of its states or in none.
  bool all_others_sleep(uint32_t state, uint32_t have_moved) {
    search_.state_of(state, state_);
    for (uint32_t number = 0; number < machine_.configuration().threads; ++number) {
      if ((have_moved >> number & 1) == 0 && state_.threads[number].status != Status::asleep) return false;
    }
    return true;
  }

  Starvation circle_through(uint32_t first, const std::vector<Step>& wanted) {
    std::vector<Step> steps;
    uint32_t at = first;
    for (const Step& step : wanted) {
      go(at, step.from, steps);
      steps.push_back(step);
      at = step.edge.to;
    }
    go(at, first, steps);
    Starvation found{waiting_, search_.way_to(first), {}};
    for (const Step& step : steps) {
      search_.state_of(step.from, state_);
      found.circle.push_back(Search::move_of(machine_, state_, step.edge));
    }
    return found;
  }

  // The shortest way inside the component.
  void go(uint32_t from, uint32_t to, std::vector<Step>& steps) {
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

  const CheckedMachine& machine_;
  const Search& search_;
  const uint32_t waiting_;
  MachineState state_;
  std::vector<bool> is_in_;
  std::vector<uint32_t> component_, index_, low_, path_;
  uint32_t next_index_ = 1;
  std::vector<Visit> visits_;
  std::vector<std::vector<uint32_t>> components_;
};

}  // namespace

std::optional<Starvation> find_starvation(const CheckedMachine& machine, const Search& search) {
  for (uint32_t thread = 0; thread < machine.configuration().threads; ++thread) {
    if (auto found = WaitingOf(machine, search, thread).find()) return found;
  }
  return std::nullopt;
}

std::optional<uint32_t> who_starves_in(const CheckedMachine& machine, const MachineState& begin,
                                       const std::vector<Move>& circle) {
  const uint32_t threads = machine.configuration().threads;
  std::array<bool, kCheckedThreadsMax> waits{}, has_moved{}, sleeps{};
  for (uint32_t thread = 0; thread < threads; ++thread)
    waits[thread] = sleeps[thread] = true;
  MachineState state = begin;
  bool somebody_got_in = false;
  const auto look = [&] {
    for (uint32_t thread = 0; thread < threads; ++thread) {
      MachineState copy = state;
      sleeps[thread] = sleeps[thread] && state.threads[thread].status == Status::asleep;
      waits[thread] =
          waits[thread] && state.threads[thread].is_in_enter() && !would_get_in(machine, copy, thread);
    }
  };
  look();
  for (const Move& move : circle) {
    if (!machine.is_possible(state, move)) return std::nullopt;
    const Happening happening = machine.carry_out(state, move);
    somebody_got_in |= happening.got_in;
    has_moved[move.thread] = true;
    look();
  }
  const StatePacking packing(machine.program(), threads, Shifts::leaves_out);
  std::vector<uint32_t> first, last;
  packing.pack(begin, first);
  packing.pack(state, last);
  if (first != last || !somebody_got_in) return std::nullopt;
  for (uint32_t thread = 0; thread < threads; ++thread) {
    if (!has_moved[thread] && !sleeps[thread]) return std::nullopt;
  }
  const auto* const who = std::find(waits.begin(), waits.begin() + threads, true);
  if (who == waits.begin() + threads) return std::nullopt;
  return static_cast<uint32_t>(who - waits.begin());
}

}  // namespace latchscope::lab
