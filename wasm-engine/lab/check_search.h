// A search of all reachable states, each once, in the order of their number of moves; so the path
// to each is a shortest one. For each state the search stores its fingerprint, the move that found
// it, and the targets of its moves. The state itself is stored until its moves have been tried, or
// for the whole search if `keeps_states`.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lab/check_moves.h"

namespace latchscope::lab {

// The set of fingerprints found so far, numbered in the order of their addition.
class FingerprintSet {
 public:
  FingerprintSet();
  // Returns the fingerprint's number, from 0, and whether it is new.
  std::pair<uint32_t, bool> add(const Fingerprint& fingerprint);
  uint32_t size() const { return static_cast<uint32_t>(fingerprints_.size()); }

 private:
  void grow();

  std::vector<Fingerprint> fingerprints_;
  std::vector<uint64_t> slots_;  // number + 1, and the upper half of Fingerprint::low
};

enum class Limit : uint8_t { none, states, memory };

struct SearchLimits {
  uint32_t states = 2'000'000;
  uint64_t bytes = 1'500'000'000;
};

// unseen_first: no other thread sees a store that goes into its thread's buffer, so it commutes
// with all other moves. Where such a store is possible, the search tries no other move. It still
// finds whether anything goes wrong, but the path to the fault may not be a shortest one. Three
// conditions make this sound:
//   - The store leaves the thread holding the latch if it held it. If the thread stopped holding
//     it, the search could miss that two threads hold it.
//   - A thread that gets the latch by the store holds it earlier than it might. This hides nothing.
//   - A buffer is full after kBufferedStoresMax stores, so no thread is left out forever.
enum class Reduction : uint8_t { none, unseen_first };

class Search {
 public:
  struct Edge {
    uint32_t to : 26;
    uint32_t thread : 3;
    uint32_t way : 3;  // 0: a step; 1: a store takes effect; from 2 on: index of the choice
  };
  static constexpr uint32_t kStatesMax = (1u << 26) - 1;

  struct Found {
    FaultKind kind;
    std::vector<Move> way;
  };

  Search(const CheckedMachine& machine, SearchLimits limits, bool keeps_states,
         Reduction reduction = Reduction::none);

  // Starts the search at `state` instead of the initial state.
  //
  // REQUIRES: go_on() has not run yet.
  void begin_at(const MachineState& state);
  // Tries the moves of `states_more` more states. Returns false once the search has ended.
  bool go_on(uint32_t states_more);

  bool is_complete() const { return expanded_ == set_.size() && over_limit_ == Limit::none; }
  Limit over_limit() const { return over_limit_; }
  bool has_left_out_choices() const { return has_left_out_choices_; }
  uint32_t states() const { return set_.size(); }
  uint64_t moves() const { return edges_.size(); }
  uint32_t ends() const { return ends_; }
  // Returns the first fault. A state without moves counts, unless all threads have ended.
  const std::optional<Found>& found() const { return found_; }

  // Returns the shortest path to a state that cannot reach an end, whatever happens. If not all
  // moves of a state have been tried, that state counts as able to reach one.
  //
  // REQUIRES: the search has ended.
  std::optional<std::vector<Move>> find_trap() const;

  // expanded(), state_of() and edges_of() are for searches that keep their states.
  uint32_t expanded() const { return expanded_; }
  void state_of(uint32_t number, MachineState& state) const {
    packing_.unpack(queue_.data() + offsets_[number], state);
  }
  std::span<const Edge> edges_of(uint32_t number) const {
    return {edges_.data() + edge_begin_[number], edges_.data() + edge_begin_[number + 1]};
  }
  // Returns the path from the initial state.
  std::vector<Move> way_to(uint32_t number) const;
  static Move move_of(const CheckedMachine& machine, const MachineState& state, const Edge& edge);

 private:
  void start();
  Moves moves_tried() const;
  void expand();
  void try_move(const Move& move, uint32_t way);
  void add_state(const MachineState& state, uint32_t from, Edge edge);
  std::vector<bool> which_may_end() const;
  void drop_what_is_done();

  const CheckedMachine& machine_;
  const StatePacking packing_;
  const SearchLimits limits_;
  const bool keeps_states_;
  const Reduction reduction_;
  FingerprintSet set_;
  std::vector<uint32_t> queue_;  // packed states
  size_t head_ = 0;              // index of the next state to expand
  std::vector<size_t> offsets_;
  struct Parent {
    uint32_t state;
    Edge edge;
  };
  std::vector<Parent> parents_;
  std::vector<Edge> edges_;
  std::vector<uint32_t> edge_begin_;
  std::vector<bool> is_end_;
  MachineState beginning_, current_, next_;
  std::vector<uint32_t> packed_;
  uint32_t expanded_ = 0;
  uint32_t ends_ = 0;
  bool has_begun_ = false;
  bool begins_elsewhere_ = false;
  Limit over_limit_ = Limit::none;
  bool has_left_out_choices_ = false;
  std::optional<Found> found_;
};

// Whether a state can reach an end. Undecided if there are too many states, or another fault on the
// way.
enum class CanEnd : uint8_t { yes, no, undecided };
CanEnd can_end(const CheckedMachine& machine, const MachineState& state, uint32_t states_max);

}  // namespace latchscope::lab
