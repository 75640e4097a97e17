#include "lab/check_starvation.h"

#include <algorithm>

#include "lab/check_circles.h"

namespace latchscope::lab {

namespace {

constexpr uint32_t kAloneMovesMax = 400;

// The place and registers of a thread that runs alone. If it returns to them, it repeats forever.
struct Place {
  uint32_t pc;
  Registers registers;
  bool is_same(const ThreadState& thread, uint32_t count) const {
    return pc == thread.pc && std::equal(registers.values, registers.values + count, thread.registers.values);
  }
};

// Runs one thread alone until `is_done`. Returns false if it will not get there.
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

bool isIn(const ThreadState& thread) {
  return !thread.is_in_enter();
}

// Overwrites `state`.
bool would_get_in(const CheckedMachine& machine, MachineState& state, uint32_t number) {
  for (uint32_t other = 0; other < machine.configuration().threads; ++other) {
    if (state.threads[other].phase != Phase::exiting) continue;
    goes_alone(machine, state, other,
               [](const ThreadState& thread) { return thread.phase != Phase::exiting; });
  }
  return goes_alone(machine, state, number, isIn);
}

// Returns a bit for each thread in enter that would get in if it alone ran.
uint32_t who_would_get_in(const CheckedMachine& machine, const MachineState& state) {
  uint32_t who = 0;
  for (uint32_t number = 0; number < machine.configuration().threads; ++number) {
    if (!state.threads[number].is_in_enter()) continue;
    MachineState copy = state;
    who |= goes_alone(machine, copy, number, isIn) ? 1u << number : 0;
  }
  return who;
}

// Finds the cycles in which one thread waits. States are those of the search.
class WaitingOf {
 public:
  WaitingOf(const CheckedMachine& machine, const Search& search, uint32_t waiting)
      : machine_(machine), search_(search), waiting_(waiting), circles_(search) {}

  std::optional<Starvation> find() {
    for (uint32_t state = 0; state < search_.expanded(); ++state)
      circles_.keep(state, is_waiting_in(state));
    circles_.find_components();
    // Cycles exist only inside components, and these have fewer states.
    for (uint32_t state = 0; state < search_.expanded(); ++state) {
      circles_.keep(state,
                    circles_.is_kept(state) && circles_.is_of_a_circle(state) && !would_get_in_at(state));
    }
    // Each pass removes states from a component or decides it.
    for (bool is_smaller = true; is_smaller;) {
      is_smaller = false;
      circles_.find_components();
      for (const std::vector<uint32_t>& states : circles_.components()) {
        if (!circles_.is_of_a_circle(states.front())) continue;
        if (leave_out_missed_chances(states)) {
          is_smaller = true;
        } else if (auto circle = fair_circle(states)) {
          return circle;
        }
      }
    }
    return std::nullopt;
  }

 private:
  using Step = Circles::Step;

  bool is_waiting_in(uint32_t state) {
    search_.state_of(state, state_);
    return state_.threads[waiting_].is_in_enter();
  }
  bool would_get_in_at(uint32_t state) {
    search_.state_of(state, state_);
    return would_get_in(machine_, state_, waiting_);
  }

  // Returns whether the thread of the edge holds the latch from then on.
  bool gets_in(uint32_t from, const Search::Edge& edge) {
    search_.state_of(from, state_);
    if (!state_.threads[edge.thread].is_in_enter()) return false;
    search_.state_of(edge.to, state_);
    return state_.threads[edge.thread].phase == Phase::holding;
  }

  // Removes states at which a thread would get in if it alone ran, although it never gets in while
  // the schedule stays in the component. In the long run such a thread takes its chance. Returns
  // whether there were any.
  bool leave_out_missed_chances(const std::vector<uint32_t>& states) {
    uint32_t get_in = 0;
    for (const uint32_t from : states) {
      for (const Search::Edge& edge : search_.edges_of(from)) {
        if (circles_.stays(from, edge) && gets_in(from, edge)) get_in |= 1u << edge.thread;
      }
    }
    bool is_smaller = false;
    for (const uint32_t state : states) {
      search_.state_of(state, state_);
      if ((who_would_get_in(machine_, state_) & ~get_in) == 0) continue;
      circles_.keep(state, false);
      is_smaller = true;
    }
    return is_smaller;
  }

  std::optional<Starvation> fair_circle(const std::vector<uint32_t>& states) {
    std::vector<Step> wanted;  // the cycle passes through all of these
    uint32_t have_moved = 0, have_got_in = 0;
    for (const uint32_t from : states) {
      for (const Search::Edge& edge : search_.edges_of(from)) {
        if (!circles_.stays(from, edge)) continue;
        const uint32_t bit = 1u << edge.thread;
        const bool moves_first = (have_moved & bit) == 0;
        const bool gets_in_first = (have_got_in & bit) == 0 && gets_in(from, edge);
        if (!moves_first && !gets_in_first) continue;
        have_moved |= bit;
        have_got_in |= gets_in_first ? bit : 0;
        wanted.push_back({from, edge});
      }
    }
    if (have_got_in == 0 || !all_others_sleep(states.front(), have_moved)) return std::nullopt;
    Starvation found{waiting_, search_.way_to(states.front()), {}};
    for (const Step& step : circles_.through(states.front(), wanted)) {
      search_.state_of(step.from, state_);
      found.circle.push_back(Search::move_of(machine_, state_, step.edge));
    }
    return found;
  }

  // A thread that does not move in a cycle sleeps in all of its states or in none.
  bool all_others_sleep(uint32_t state, uint32_t have_moved) {
    search_.state_of(state, state_);
    for (uint32_t number = 0; number < machine_.configuration().threads; ++number) {
      if ((have_moved >> number & 1) == 0 && state_.threads[number].status != Status::asleep) return false;
    }
    return true;
  }

  const CheckedMachine& machine_;
  const Search& search_;
  const uint32_t waiting_;
  Circles circles_;
  MachineState state_;
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
  std::array<bool, kCheckedThreadsMax> waits{}, has_moved{}, sleeps{}, has_got_in{}, could_get_in{};
  for (uint32_t thread = 0; thread < threads; ++thread)
    waits[thread] = sleeps[thread] = true;
  MachineState state = begin;
  const auto look = [&] {
    for (uint32_t thread = 0; thread < threads; ++thread) {
      MachineState copy = state;
      sleeps[thread] = sleeps[thread] && state.threads[thread].status == Status::asleep;
      waits[thread] =
          waits[thread] && state.threads[thread].is_in_enter() && !would_get_in(machine, copy, thread);
      could_get_in[thread] = could_get_in[thread] || (who_would_get_in(machine, state) >> thread & 1) != 0;
    }
  };
  look();
  for (const Move& move : circle) {
    if (!machine.is_possible(state, move)) return std::nullopt;
    const Happening happening = machine.carry_out(state, move);
    has_got_in[move.thread] = has_got_in[move.thread] || happening.got_in;
    has_moved[move.thread] = true;
    look();
  }
  const StatePacking packing(machine.program(), threads, Shifts::leaves_out);
  std::vector<uint32_t> first, last;
  packing.pack(begin, first);
  packing.pack(state, last);
  if (first != last || std::ranges::find(has_got_in, true) == has_got_in.end()) return std::nullopt;
  for (uint32_t thread = 0; thread < threads; ++thread) {
    if (!has_moved[thread] && !sleeps[thread]) return std::nullopt;
    if (could_get_in[thread] && !has_got_in[thread]) return std::nullopt;
  }
  const auto* const who = std::find(waits.begin(), waits.begin() + threads, true);
  if (who == waits.begin() + threads) return std::nullopt;
  return static_cast<uint32_t>(who - waits.begin());
}

}  // namespace latchscope::lab
