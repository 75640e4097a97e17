// A latch that a user has written, on the words of the platform. It uses real atomics on real
// threads, and accesses with their costs on the modelled server. Between two accesses its code
// costs nothing there, like the code of the engine's own latches.
//
// Invariants
//   1. Each access of the code is one access of the platform, to a word on its declared line.
//   2. The latch runs as written. Whether it excludes threads is what the user wants to find out.
//   3. After give_up() every thread leaves, whatever it waits for: the latch hangs, or is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "lab/interpreter.h"
#include "lab/program.h"
#include "platform/platform.h"
#include "telemetry/telemetry.h"

namespace latchscope::lab {

// Words on cache lines, as a program declares them.
class LatchWords {
 public:
  using Word = platform::Atomic<uint32_t>;

  // REQUIRES: find_fault_of_words() finds nothing, and the declarations outlive the object.
  LatchWords(const std::vector<WordDeclaration>& declared, uint32_t threads, platform::LatchLine latch);
  ~LatchWords();
  LatchWords(const LatchWords&) = delete;
  LatchWords& operator=(const LatchWords&) = delete;

  uint32_t elements_of(uint32_t word) const { return words_[word].elements; }
  Word& at(uint32_t word, uint32_t element) {
    const Place& place = words_[word];
    return *std::launder(reinterpret_cast<Word*>(place.first + size_t{element} * place.stride));
  }
  // Gives each word a value that it never had and wakes all sleepers. So a thread that is about to
  // sleep on a word does not.
  void spoil();

 private:
  struct Place {
    std::byte* first;
    size_t stride;  // bytes from one element to the next
    uint32_t elements;
  };
  struct FreeAligned {
    void operator()(std::byte* bytes) const { operator delete(bytes, std::align_val_t{kLineBytes}); }
  };
  static constexpr size_t kLineBytes = 64;

  struct LinesOf;
  void build_line(std::byte* line, const std::vector<uint32_t>& words_on_it, uint32_t element,
                  platform::LatchLine latch);

  const std::vector<WordDeclaration>& declared_;
  std::vector<Place> words_;
  std::unique_ptr<std::byte, FreeAligned> memory_;
  std::vector<platform::CacheLine*> lines_;
};

// Performs load, exchange, compare_exchange or fetch_... and returns the value found.
inline uint32_t read_or_change(LatchWords::Word& word, Op op, uint32_t a, uint32_t b) {
  switch (op) {
    case Op::exchange:
      return word.exchange(a);
    case Op::compare_exchange: {
      uint32_t found = a;
      word.compare_exchange(found, b);
      return found;
    }
    case Op::fetch_add:
      return word.fetch_add(a);
    case Op::fetch_sub:
      return word.fetch_sub(a);
    case Op::fetch_and:
      return word.fetch_and(a);
    case Op::fetch_or:
      return word.fetch_or(a);
    case Op::fetch_xor:
      return word.fetch_xor(a);
    default:
      return word.load_acquire();
  }
}

// The costs of one instruction's accesses, where reading the clock costs nothing.
struct InstructionCost {
  uint64_t times = 0;
  uint64_t ps = 0;
  uint64_t transfers = 0;
};

class LabLatch {
 public:
  // Builds the latch for threads numbered from 1 to `threads`.
  //
  // REQUIRES: the program has no fault and outlives the latch.
  LabLatch(const Program& program, uint32_t threads);

  // Returns false if the latch was given up or is wrong; then no thread holds it. `thread` is the
  // caller's number.
  bool enter(const telemetry::LatchSite& site, uint32_t thread) {
    return take(FunctionName::enter, site, thread);
  }
  bool enter_shared(const telemetry::LatchSite& site, uint32_t thread) {
    return take(FunctionName::enter_shared, site, thread);
  }
  // Enters without recording an acquisition. The caller records it once it knows that it stays.
  bool enter_uncounted(FunctionName function, const telemetry::LatchSite& site, uint32_t thread);
  bool exit(uint32_t thread) { return release(FunctionName::exit, thread); }
  bool exit_shared(uint32_t thread) { return release(FunctionName::exit_shared, thread); }

  // Makes every thread leave. The caller repeats it until all have left, because a pending store
  // may undo the value that wakes a sleeper.
  void give_up();
  // The error of the first thread that could not continue.
  struct Problem {
    Wrong wrong = Wrong::nothing;
    uint32_t instruction = 0;
    uint32_t thread = 0;
  };
  Problem problem() const;

  // Records costs by instruction, for all threads together; unused on real threads.
  //
  // REQUIRES: no thread uses the latch yet.
  void note_costs(std::span<InstructionCost> costs) { costs_ = costs; }
  uint32_t number() const { return number_; }
  LatchWords& words() { return words_; }

 private:
  class Call;

  bool take(FunctionName function, const telemetry::LatchSite& site, uint32_t thread);
  bool release(FunctionName function, uint32_t thread);
  bool is_given_up() const { return given_up_.read() != 0; }
  void report(Wrong wrong, uint32_t instruction, uint32_t thread);

  const Program& program_;
  const uint32_t threads_;
  const uint32_t number_;
  LatchWords words_;
  std::span<InstructionCost> costs_;
  platform::Published<uint32_t> given_up_;
  platform::Published<uint32_t> problem_;  // 1 + (wrong | instruction << 4 | thread << 14); 0: none
};

}  // namespace latchscope::lab
