// A latch written in the lab's language (docs/reference/latch-language.md), compiled: words, and a
// compact code that any engine can check and run. The engine trusts nothing in it: find_fault()
// reports errors before anything runs.
//
// An instruction has eight bytes; in JSON it is two numbers of 32 bits.
//
//     op (8 bits) | target (8) << 8 | a (8) << 16 | b (8) << 24 ,  immediate (32)
//
// `target`, `a` and `b` are registers. An instruction that names a word has it in the immediate.
// The register has the element's index; kNoIndex means the first element.
//
//     word (16 bits) | register (8 bits) << 16
//
// Registers hold 32 unsigned bits. Register 0 is the thread's own number, from 1; 0 means no
// thread. Register 1 is the number of threads. No instruction writes to these two. All others are
// written before they are read, in each call.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace latchscope::lab {

inline constexpr uint32_t kInstructionsMax = 1'024;
inline constexpr uint32_t kWordsMax = 32;
inline constexpr uint32_t kElementsMax = 256;  // of one word, not counting those per thread
inline constexpr uint32_t kRegistersMax = 64;
inline constexpr uint32_t kWordsOnLineMax = 16;  // 64 bytes
inline constexpr uint32_t kNameLengthMax = 40;
inline constexpr uint32_t kSourceLinesMax = 2'000;
inline constexpr uint32_t kThreadsMaxDeclared = 1'024;

// The number of a latch's line in access traces: declared line << kLineElementBits | element.
inline constexpr uint32_t kLineElementBits = 11;

inline constexpr uint8_t kThreadNumber = 0;
inline constexpr uint8_t kThreads = 1;
inline constexpr uint8_t kFirstFreeRegister = 2;
inline constexpr uint8_t kNoIndex = 0xff;

// For each operation: its name, how often it has each operand (target, a, b), and the kind of its
// immediate. Operations with a word are accesses: each is one event, in an order that all threads
// agree on.
#define LATCHSCOPE_LAB_OPERATIONS(O)  \
  O(constant, 1, 0, 0, number)        \
  O(copy, 1, 1, 0, nothing)           \
  O(add, 1, 1, 1, nothing)            \
  O(subtract, 1, 1, 1, nothing)       \
  O(multiply, 1, 1, 1, nothing)       \
  O(divide, 1, 1, 1, nothing)         \
  O(remainder, 1, 1, 1, nothing)      \
  O(bit_and, 1, 1, 1, nothing)        \
  O(bit_or, 1, 1, 1, nothing)         \
  O(bit_xor, 1, 1, 1, nothing)        \
  O(shift_left, 1, 1, 1, nothing)     \
  O(shift_right, 1, 1, 1, nothing)    \
  O(equal, 1, 1, 1, nothing)          \
  O(not_equal, 1, 1, 1, nothing)      \
  O(less, 1, 1, 1, nothing)           \
  O(less_or_equal, 1, 1, 1, nothing)  \
  O(jump, 0, 0, 0, place)             \
  O(jump_if_zero, 0, 1, 0, place)     \
  O(jump_if_not_zero, 0, 1, 0, place) \
  O(random, 1, 1, 0, nothing)         \
  O(check, 0, 1, 0, nothing)          \
  O(call, 0, 0, 0, function)          \
  O(give_back, 0, 0, 0, nothing)      \
  O(pause, 0, 1, 0, nothing)          \
  O(yield, 0, 0, 0, nothing)          \
  O(fence, 0, 0, 0, nothing)          \
  O(load, 1, 0, 0, word)              \
  O(store, 0, 1, 0, word)             \
  O(exchange, 1, 1, 0, word)          \
  O(compare_exchange, 1, 1, 1, word)  \
  O(fetch_add, 1, 1, 0, word)         \
  O(fetch_sub, 1, 1, 0, word)         \
  O(fetch_and, 1, 1, 0, word)         \
  O(fetch_or, 1, 1, 0, word)          \
  O(fetch_xor, 1, 1, 0, word)         \
  O(futex_wait, 0, 1, 0, word)        \
  O(futex_wake, 1, 1, 0, word)

// Less obvious operations:
//
//     random            target: any number below `a`; 0 if `a` is 0
//     check             ends the run as wrong if `a` is 0
//     call              runs a function, then continues after the call; only `client` and `at_end`
//                       may call
//     give_back         ends the function ("return")
//     pause             `a` PAUSE instructions
//     store             release; may wait in the store buffer while its thread continues, as on x86
//     fence             the thread continues once its stores have taken effect
//     compare_exchange  if the word is `a`, it becomes `b`. Target: the value found, either way
//     fetch_...         target: the word's value before
//     futex_wait        sleeps until woken if the word is `a`; otherwise continues
//     futex_wake        wakes at most `a` sleepers on the word, longest asleep first. Target: how
//                       many
#define LATCHSCOPE_DECLARE_ENUMERATOR(name, ...) name,
enum class Op : uint8_t { LATCHSCOPE_LAB_OPERATIONS(LATCHSCOPE_DECLARE_ENUMERATOR) };
#undef LATCHSCOPE_DECLARE_ENUMERATOR
inline constexpr uint32_t kOps = static_cast<uint32_t>(Op::futex_wake) + 1;

std::string_view name_of(Op op);

// The operands that an operation has.
struct Operands {
  bool target, a, b;
};
Operands operands_of(Op op);
constexpr bool has_word(Op op) {
  return op >= Op::load;
}
// Returns whether the operation is a read-modify-write. It takes the line after the thread's stores
// have taken effect.
constexpr bool is_read_modify_write(Op op) {
  return op >= Op::exchange && op <= Op::fetch_xor;
}

struct Instruction {
  Op op;
  uint8_t target, a, b;
  uint32_t immediate;

  uint32_t word() const { return immediate & 0xffff; }
  uint8_t index() const { return static_cast<uint8_t>(immediate >> 16); }
  bool operator==(const Instruction&) const = default;
};

// The number of elements of a word is `elements`, plus one for each thread if `per_thread`. Element
// i of all words with one `line` share a cache line; if `is_packed`, all elements do.
struct WordDeclaration {
  std::string name;
  uint32_t line = 0;
  uint32_t elements = 1;
  bool per_thread = false;
  bool is_packed = false;
  uint32_t initial = 0;
  bool initial_is_index = false;  // each element starts with its own index
  uint32_t source_line = 0;

  uint32_t elements_for(uint32_t threads) const { return elements + (per_thread ? threads : 0); }
};

// The functions of a latch, in this order. Each checked thread runs `client`; without one, it
// enters and exits a number of times. One thread runs `at_end` once all have ended.
enum class FunctionName : uint8_t { enter, exit, enter_shared, exit_shared, client, at_end };
inline constexpr uint32_t kFunctions = 6;
std::string_view name_of(FunctionName function);

struct FunctionRange {
  uint32_t begin = 0, end = 0;  // instructions; begin == end: the function is absent
  bool is_there() const { return end > begin; }
};

struct Program {
  uint32_t threads_max = 0;  // that the latch is made for, such as 2 of Peterson's; 0: any number
  std::vector<WordDeclaration> words;
  uint32_t registers = kFirstFreeRegister;
  std::array<FunctionRange, kFunctions> functions;
  std::vector<Instruction> code;
  std::vector<uint32_t> source_lines;  // of each instruction, from 1

  const FunctionRange& function(FunctionName name) const { return functions[static_cast<uint32_t>(name)]; }
  // REQUIRES: the instruction belongs to a function.
  FunctionName function_of(uint32_t place) const;
  bool is_rw_latch() const { return function(FunctionName::enter_shared).is_there(); }
};

// The first error of a program. A program without one reads and writes only registers that it has
// and words that exist. It jumps only inside its functions and leaves each by give_back. It can
// still fail at run time:
//   - an index is beyond a word's elements;
//   - it divides by zero;
//   - a check fails;
//   - a loop never touches a word.
struct ProgramFault {
  std::string field;    // such as code[12].target
  std::string value;    // as given
  std::string allowed;  // such as "a register from 2 to 6"
};
// Returns nothing if the program can run.
std::optional<ProgramFault> find_fault(const Program& program);
// Checks declarations of words alone; their list is the field `words`.
std::optional<ProgramFault> find_fault_of_words(const std::vector<WordDeclaration>& words);

// How to find the registers that may still be read. across_calls: follows a thread from function to
// function. each_function: looks at one function alone, as if a call wrote and read nothing.
enum class Liveness : uint8_t { across_calls, each_function };

// Returns, for each instruction and one place more, a bit for each register that may be read before
// it is written.
//
// REQUIRES: the program's jumps are valid.
std::vector<uint64_t> live_registers(const Program& program, Liveness liveness);

}  // namespace latchscope::lab
