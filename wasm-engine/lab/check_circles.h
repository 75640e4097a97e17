// Cycles among the states that a search has found: strongly connected components of the kept
// states, and paths inside a component.
#pragma once

#include <optional>
#include <vector>

#include "lab/check_search.h"

namespace latchscope::lab {

class Circles {
 public:
  struct Step {
    uint32_t from;
    Search::Edge edge;
  };

  // REQUIRES: `search` outlives this object.
  explicit Circles(const Search& search) : search_(search), kept_(search.states(), false) {}

  void keep(uint32_t state, bool is_kept = true) { kept_[state] = is_kept; }
  bool is_kept(uint32_t state) const { return kept_[state]; }

  // Finds the components of the kept states with Tarjan's algorithm (1972). The functions below
  // refer to the components found last.
  void find_components();
  const std::vector<std::vector<uint32_t>>& components() const { return components_; }
  uint32_t component_of(uint32_t state) const { return component_[state]; }
  // Returns whether the move leads to a state of the same component.
  bool stays(uint32_t from, const Search::Edge& edge) const {
    return kept_[edge.to] && component_[edge.to] == component_[from];
  }
  bool is_of_a_circle(uint32_t state) const;
  // Returns a path from `first` back to `first` through all the wanted steps of its component, by
  // shortest paths in between.
  std::vector<Step> through(uint32_t first, const std::vector<Step>& wanted) const;

 private:
  struct Visit {
    uint32_t state;
    uint32_t edge;
  };
  void enter(uint32_t state);
  void visit(uint32_t first);
  void close_component(uint32_t root);
  void go(uint32_t from, uint32_t to, std::vector<Step>& steps) const;

  const Search& search_;
  std::vector<bool> kept_;
  std::vector<uint32_t> component_, index_, low_, path_;
  uint32_t next_index_ = 1;
  std::vector<Visit> visits_;
  std::vector<std::vector<uint32_t>> components_;
};

// A schedule that repeats forever, from a state that cannot reach an end.
struct EndlessWay {
  std::vector<Move> way;  // to the cycle
  std::vector<Move> circle;
};
// Finds the nearest cycle in which every thread moves that can ever move again. Returns nothing if
// there are more than `states_max` states.
std::optional<EndlessWay> endless_way(const CheckedMachine& machine, const MachineState& state,
                                      uint32_t states_max);

}  // namespace latchscope::lab
