// All states that can be reached, each once, in the order of how many moves they take: so the way to each is a shortest one.
// Of a state its fingerprint is kept, by which move it was found, and where its moves lead; the state itself only until its moves
// have been tried, or as long as the search if `keeps_states`.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lab/check_moves.h"

namespace latchscope::lab {

// Which numbers are in use already.
class FingerprintSet {
 public:
  FingerprintSet();
  // Its number, counted from 0, and whether it is new.
  std::pair<uint32_t, bool> add(const Fingerprint& fingerprint);
  uint32_t size() const { return static_cast<uint32_t>(fingerprints_.size()); }

 private:
  void grow();

  std::vector<Fingerprint> fingerprints_;
  std::vector<uint64_t> slots_;  // number + 1, and the upper half of the fingerprint's low part
};

enum class Limit : uint8_t { none, states, memory };

struct SearchLimits {
  uint32_t states = 2'000'000;
  uint64_t bytes = 1'500'000'000;
};

// unseen_first: a store that goes into its thread's buffer is seen by nobody, and commutes with whatever else can happen. So where one
// can be carried out, nothing else is tried. It is found out as well whether anything goes wrong, but the way there may not be a shortest
// one. Three conditions make that sound:
//   the store leaves the thread holding the latch if it held it: that it holds it no more could hide that two do;
//   a thread that holds it by then holds it earlier than it might: that hides nothing;
//   a buffer is full after kBufferedStoresMax of them, so nobody is left out for ever.
enum class Reduction : uint8_t { none, unseen_first };

class Search {
 public:
  struct Edge {
    uint32_t to : 26;
    uint32_t thread : 3;
    uint32_t way : 3;  // 0: a step, 1: a store takes effect, from 2 on: which choice
  };
  static constexpr uint32_t kStatesMax = (1u << 26) - 1;

  struct Found {
    FaultKind kind;
    std::vector<Move> way;
  };

  Search(const CheckedMachine& machine, SearchLimits limits, bool keeps_states,
         Reduction reduction = Reduction::none);

  // Instead of the beginning. Called before go_on().
  void begin_at(const MachineState& state);
  // Tries the moves of so many more states. False: it is at its end.
  bool go_on(uint32_t states_more);

  bool is_complete() const { return expanded_ == set_.size() && over_limit_ == Limit::none; }
  Limit over_limit() const { return over_limit_; }
  bool has_left_out_choices() const { return has_left_out_choices_; }
  uint32_t states() const { return set_.size(); }
  uint64_t moves() const { return edges_.size(); }
  uint32_t ends() const { return ends_; }
  // The first fault; while there is none, and nobody is left who can move: none.
  const std::optional<Found>& found() const { return found_; }

  // After the end: a state from which no end can be reached, whatever happens, with the shortest way there. A state whose moves have not
  // all been tried counts as one from which it can.
  std::optional<std::vector<Move>> find_trap() const;

  // Of a search that keeps its states.
  uint32_t expanded() const { return expanded_; }
  void state_of(uint32_t number, MachineState& state) const {
    packing_.unpack(queue_.data() + offsets_[number], state);
  }
  std::span<const Edge> edges_of(uint32_t number) const {
    return {edges_.data() + edge_begin_[number], edges_.data() + edge_begin_[number + 1]};
  }
  // From the beginning.
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
  size_t head_ = 0;              // the next one that is expanded
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

// Whether an end can be reached from a state. Undecided if there are too many states, or another fault on the way.
enum class CanEnd : uint8_t { yes, no, undecided };
CanEnd can_end(const CheckedMachine& machine, const MachineState& state, uint32_t states_max);

}  // namespace latchscope::lab
