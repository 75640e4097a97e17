// What the checker knows of a program that is under way: its words, and of each thread where it is, what it has in its registers and
// what it has stored that has not taken effect yet. No thread of the platform takes part.
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
  store_buffers  // total store order, as on x86: stores of a thread take effect later, in their order
};
enum class Role : uint8_t { exclusive, shared };

// Who takes part in a check. With client() in the program each thread carries it out once, and roles and rounds do not count, unless
// the rounds are for ever.
struct Configuration {
  MemoryModel memory = MemoryModel::sequential;
  uint32_t threads = 2;
  std::array<Role, kCheckedThreadsMax> roles{};
  uint32_t rounds = 1;

  bool runs_client(const Program& program) const {
    return rounds != kForEver && program.function(FunctionName::client).is_there();
  }
  // Such as XS: the first thread exclusive, the second shared.
  std::string roles_text() const;
  bool operator==(const Configuration&) const = default;
};

enum class Phase : uint8_t {
  outside,
  entering,  // from the call of enter
  holding,  // since enter has returned. Until exit's first access, so that the others have a moment in which they see it
  exiting,  // until exit has returned
};
enum class Status : uint8_t { running, asleep, ended };

struct BufferedStore {
  uint32_t element, value;
  uint32_t place;  // of the instruction; 0 in a state that has been unpacked
};

struct ThreadState {
  uint32_t pc = 0;  // the instruction that it carries out next; behind futex_wait while it sleeps
  uint32_t return_to = 0;
  uint32_t rounds_left = 0;
  Phase phase = Phase::outside;
  bool is_shared = false;   // what it holds, enters or exits
  bool calls_exit = false;  // it has called exit, and no access has been carried out since: still holding
  Status status = Status::running;
  uint32_t sleeps_on = 0;                                  // an element
  uint32_t sleep_order = 0;                                // among those who sleep on it; 0 sleeps longest
  uint32_t stores = 0;                                     // in its buffer
  std::array<BufferedStore, kBufferedStoresMax> buffer{};  // the oldest first
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

// A program, and what is computed of it once: which registers may still be read from each instruction on.
class CheckedProgram {
 public:
  explicit CheckedProgram(Program program);

  const Program& program() const { return program_; }
  // A bit for each register.
  uint64_t live_at(uint32_t place) const { return live_[place]; }
  // Of enter and exit.
  const std::vector<RisingNumbers>& rising_numbers() const { return rising_; }
  FunctionName function_of(uint32_t place) const { return program_.function_of(place); }
  uint32_t line_of(uint32_t place) const { return program_.source_lines[place]; }
  // All words' elements for so many threads.
  uint64_t elements_for(uint32_t threads) const;
  // How many threads can be checked at most.
  uint32_t threads_max() const;

 private:
  Program program_;
  std::vector<uint64_t> live_;
  std::vector<RisingNumbers> rising_;
};

// Where each word's elements are.
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

// 128 bits: two different states among millions do not have the same one.
struct Fingerprint {
  uint64_t high = 0, low = 0;
  bool operator==(const Fingerprint&) const = default;
};

// Writes a state in as few numbers as it needs. Registers that nobody will read are left out, so states that differ only there are
// one. So are, with Shifts::leaves_out, those that differ only by how far numbers have risen (rising_numbers.h): what is unpacked is
// one of them.
enum class Shifts : uint8_t { keeps, leaves_out };

class StatePacking {
 public:
  StatePacking(const CheckedProgram& program, uint32_t threads, Shifts shifts);

  void pack(const MachineState& state, std::vector<uint32_t>& packed) const;  // appends
  // Returns how many numbers it was.
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
