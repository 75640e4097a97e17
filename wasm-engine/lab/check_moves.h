// The possible moves in a state, and the state after a move.
//
// A move is one of three things:
//   - one access of one thread, with the local code behind it up to its next access;
//   - the effect of one buffered store of a thread;
//   - one result of random(n). While a thread is about to draw, no other move is possible, because
//     its result concerns no other thread.
//
// Each thread enters and exits the latch a number of times, in its role; or it runs the program's
// client(). Once all have ended and their stores have taken effect, thread 1 runs at_end().
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "lab/check_state.h"
#include "lab/fault_kinds.h"

namespace latchscope::lab {

struct Move {
  enum class Kind : uint8_t { step, takes_effect, choice };
  uint32_t thread = 0;  // from 0
  Kind kind = Kind::step;
  uint32_t value = 0;  // result of a choice
  bool operator==(const Move&) const = default;
};

inline constexpr uint32_t kNoElement = ~0u;

// The description of a performed move.
struct Happening {
  // leaves: an exit that touches no word.
  enum class What : uint8_t { access, takes_effect, choice, leaves };
  What what = What::access;
  uint32_t thread = 0;
  uint32_t place = 0;  // of the instruction
  uint32_t element = kNoElement;
  // Of the element. For a buffered store, `after` is its future value.
  uint32_t before = 0, after = 0;
  bool has_read = false;     // it read `before`
  bool has_written = false;  // it wrote `after`, even if the element already had this value
  bool is_buffered = false;
  bool has_result = false;
  uint32_t result = 0;  // in a register
  bool fell_asleep = false;
  bool has_waited = false;  // it paused or yielded after the access
  bool got_in = false;      // a thread holds the latch from now on
  bool changed_words = false;
  bool others_go_on = false;  // other threads continue: woken threads, or the runner of at_end()
  Phase phase_before = Phase::outside;
  FaultKind fault = FaultKind::none;
  uint32_t fault_thread = 0;
  uint32_t fault_place = 0;
};

inline constexpr uint32_t kMovesMax = 2 * kCheckedThreadsMax;

struct Moves {
  std::array<Move, kMovesMax> moves;
  uint32_t count = 0;
  bool leaves_out_choices = false;  // random(n) has too many results to try them all

  void add(Move move) { moves[count++] = move; }
  std::span<const Move> all() const { return {moves.data(), count}; }
};

class CheckedMachine {
 public:
  CheckedMachine(const CheckedProgram& program, const Configuration& configuration);

  // REQUIRES: the program's elements for these threads are at most kCheckedElementsMax.
  const CheckedProgram& program() const { return program_; }
  const Configuration& configuration() const { return configuration_; }
  const ElementLayout& layout() const { return layout_; }
  void set_roles(const std::array<Role, kCheckedThreadsMax>& roles) { configuration_.roles = roles; }

  // Brings all threads to their first access. Faults are possible already here.
  Happening begin(MachineState& state) const;
  Moves possible(const MachineState& state) const;
  // is_choice() returns whether the thread is about to draw from random(n). can_step() returns
  // whether it can perform its next access, if no thread is about to draw.
  bool is_choice(const ThreadState& thread) const {
    return thread.status == Status::running && next_of(thread).op == Op::random;
  }
  bool can_step(const ThreadState& thread) const {
    return thread.status == Status::running && !waits_for_its_stores(thread);
  }
  bool is_possible(const MachineState& state, const Move& move) const;
  // Returns the element of the thread's next access; kNoElement if it names no word, or an index
  // that the word does not have.
  uint32_t next_element(const ThreadState& thread) const;
  // Returns whether the move puts a store into the thread's buffer and leaves it holding the latch
  // if it held it.
  //
  // REQUIRES: the move is possible.
  bool is_unseen(const MachineState& state, const Move& move) const {
    const ThreadState& thread = state.threads[move.thread];
    return has_store_buffers() && move.kind == Move::Kind::step && next_of(thread).op == Op::store &&
           !thread.calls_exit;
  }
  // REQUIRES: the move is possible.
  Happening carry_out(MachineState& state, const Move& move) const;
  // Returns none, deadlock or lost_wake_up.
  //
  // REQUIRES: the state has no moves.
  FaultKind fault_at_the_end(const MachineState& state) const;

 private:
  const Instruction& next_of(const ThreadState& thread) const { return program_.program().code[thread.pc]; }
  uint32_t threads() const { return configuration_.threads; }
  bool has_store_buffers() const { return configuration_.memory == MemoryModel::store_buffers; }
  // Returns whether the thread may have been in the latch and left it.
  bool has_been_in(const ThreadState& thread) const;
  // Returns whether the thread would get in alone if it were woken now.
  bool gets_in_once_woken(MachineState state, uint32_t number) const;
  bool waits_for_its_stores(const ThreadState& thread) const {
    if (thread.stores == 0) return false;
    const Op op = next_of(thread).op;
    if (op == Op::store) return thread.stores == kBufferedStoresMax;
    return op != Op::load && op != Op::give_back;
  }
  void add_choices(const ThreadState& thread, uint32_t number, Moves& moves) const;

  void start(MachineState& state, uint32_t number, Happening& happening) const;
  void call_enter(ThreadState& thread, bool shared) const;
  void call_exit(ThreadState& thread) const;
  bool call(MachineState& state, uint32_t number, const Instruction& instruction, Happening& happening) const;
  bool give_back(MachineState& state, uint32_t number, Happening& happening) const;
  bool end(MachineState& state, uint32_t number, Happening& happening) const;
  void begin_at_end(MachineState& state, Happening& happening) const;
  void go_on_locally(MachineState& state, uint32_t number, Happening& happening) const;
  void accuse(FaultKind fault, uint32_t number, uint32_t place, Happening& happening) const;

  void carry_out_access(MachineState& state, uint32_t number, Happening& happening) const;
  uint32_t read(const MachineState& state, const ThreadState& thread, uint32_t element) const;
  void write(MachineState& state, uint32_t value, Happening& happening) const;
  void store(MachineState& state, ThreadState& thread, uint32_t value, Happening& happening) const;
  void read_modify_write(MachineState& state, ThreadState& thread, const Instruction& instruction,
                         Happening& happening) const;
  void fall_asleep(MachineState& state, ThreadState& thread, uint32_t element) const;
  uint32_t wake(MachineState& state, uint32_t element, uint32_t at_most, Happening& happening) const;
  void take_effect(MachineState& state, ThreadState& thread, Happening& happening) const;
  void look_for_two_holders(const MachineState& state, Happening& happening) const;

  const CheckedProgram& program_;
  Configuration configuration_;
  const ElementLayout layout_;
};

}  // namespace latchscope::lab
