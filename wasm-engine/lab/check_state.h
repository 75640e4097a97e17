// The checker's state of a running program. It has the program's words and, for each thread, its
// place, its registers and its pending stores. The checker uses no platform thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/interpreter.h"
#include "lab/program.h"
#include "lab/rising_numbers.h"

namespace latchscope::lab {

inline constexpr uint32_t kCheckedThreadsMax = 6;
inline constexpr uint32_t kCheckedElementsMax = 256;  // of all words together
inline constexpr uint32_t kRoundsMax = 100;
inline constexpr uint32_t kForEver = 0;  // rounds: enters and exits without end
inline constexpr uint32_t kBufferedStoresMax = 4;

enum class MemoryModel : uint8_t {
  sequential,    // each store takes effect at once
  store_buffers  // total store order, as on x86: a thread's stores take effect later, in order
};
enum class Role : uint8_t { exclusive, shared };

// The threads of a check. If the program has client(), each thread runs it once, and roles and
// rounds do not count, unless the rounds are endless.
struct Configuration {
  MemoryModel memory = MemoryModel::sequential;
  uint32_t threads = 2;
  std::array<Role, kCheckedThreadsMax> roles{};
  uint32_t rounds = 1;

  bool runs_client(const Program& program) const {
    return rounds != kForEver && program.function(FunctionName::client).is_there();
  }
  // Returns the roles as text. In "XS" the first thread is exclusive, the second shared.
  std::string roles_text() const;
  bool operator==(const Configuration&) const = default;
};

enum class Phase : uint8_t {
  outside,
  entering,  // from the call of enter
  // From the return of enter until exit's first access, so that other threads see at least one
  // state with this holder.
  holding,
  exiting,  // until exit has returned
};
enum class Status : uint8_t { running, asleep, ended };

struct BufferedStore {
  uint32_t element, value;
  uint32_t place;  // of the instruction; 0 in an unpacked state
};

struct ThreadState {
  uint32_t pc = 0;  // the next instruction; after futex_wait while the thread sleeps
  uint32_t return_to = 0;
  uint32_t rounds_left = 0;
  Phase phase = Phase::outside;
  bool is_shared = false;  // the mode that it holds, enters or exits
  // It has called exit but made no access since, so it still holds the latch.
  bool calls_exit = false;
  Status status = Status::running;
  uint32_t sleeps_on = 0;    // an element
  uint32_t sleep_order = 0;  // among the sleepers on that element; 0 has slept longest
  uint32_t stores = 0;       // in its buffer
  std::array<BufferedStore, kBufferedStoresMax> buffer{};  // oldest first
  Registers registers;

  bool is_in_enter() const { return phase == Phase::entering; }
  bool is_in_exit() const { return phase == Phase::exiting || calls_exit; }
};

enum class Stage : uint8_t { clients, at_end, done };

struct MachineState {
  Stage stage = Stage::clients;
  std::array<ThreadState, kCheckedThreadsMax> threads;
  std::array<uint32_t, kCheckedElementsMax> elements;
};

// A program, with facts that are computed once, such as the live registers at each instruction.
class CheckedProgram {
 public:
  explicit CheckedProgram(Program program);

  const Program& program() const { return program_; }
  // Returns a bit for each register.
  uint64_t live_at(uint32_t place) const { return live_[place]; }
  // Returns the rising numbers of enter and exit.
  const std::vector<RisingNumbers>& rising_numbers() const { return rising_; }
  FunctionName function_of(uint32_t place) const { return program_.function_of(place); }
  uint32_t line_of(uint32_t place) const { return program_.source_lines[place]; }
  // Returns the number of elements of all words for `threads` threads.
  uint64_t elements_for(uint32_t threads) const;
  // Returns the largest number of threads that can be checked.
  uint32_t threads_max() const;

 private:
  Program program_;
  std::vector<uint64_t> live_;
  std::vector<RisingNumbers> rising_;
};

// The position of each word's elements.
class ElementLayout {
 public:
  ElementLayout(const Program& program, uint32_t threads);

  uint32_t elements() const { return elements_; }
  uint32_t first_of(uint32_t word) const { return first_[word]; }
  uint32_t count_of(uint32_t word) const { return first_[word + 1] - first_[word]; }
  uint32_t word_of(uint32_t element) const;

 private:
  uint32_t elements_ = 0;
  std::array<uint32_t, kWordsMax + 1> first_{};
};

// A 128-bit hash. Two different states among millions do not have the same one.
struct Fingerprint {
  uint64_t high = 0, low = 0;
  bool operator==(const Fingerprint&) const = default;
};

// Packs a state into as few numbers as it needs. Dead registers are left out, so states that differ
// only there are equal. With Shifts::leaves_out, states that differ only in how far numbers have
// risen are equal too (rising_numbers.h); unpack() then returns one of them.
enum class Shifts : uint8_t { keeps, leaves_out };

class StatePacking {
 public:
  StatePacking(const CheckedProgram& program, uint32_t threads, Shifts shifts);

  // Appends the packed state to `packed`.
  void pack(const MachineState& state, std::vector<uint32_t>& packed) const;
  // Returns how many numbers it has read.
  size_t unpack(const uint32_t* packed, MachineState& state) const;
  static Fingerprint fingerprint(const uint32_t* packed, size_t size);

 private:
  uint64_t live_registers(const MachineState& state, uint32_t thread) const;
  void leave_out_shift(const RisingNumbers& set, MachineState& state) const;
  void pack_as_it_is(const MachineState& state, std::vector<uint32_t>& packed) const;

  const CheckedProgram& program_;
  const uint32_t threads_;
  const uint32_t elements_;
  const ElementLayout layout_;
  const bool leaves_out_shifts_;
};

}  // namespace latchscope::lab
