// A latch that somebody has written in the lab's language (docs/reference/latch-language.md), compiled: words, and a compact code that any
// engine can check and carry out. Nothing in it is trusted: find_fault() says what is wrong before anything runs.
//
// Shape of an instruction: eight bytes, in JSON two numbers of 32 bits.
//
//     op (8 bits) | target (8) << 8 | a (8) << 16 | b (8) << 24 ,  immediate (32)
//
// `target`, `a` and `b` are registers. An instruction that names a word has it in the immediate: word (16 bits) | register with the
// element's index (8 bits) << 16, kNoIndex for the first element.
//
// Registers hold 32 bits without a sign. Register 0 is the thread's own number (from 1; 0 means nobody), register 1 how many
// threads there are; no instruction writes to them. All others are written before they are read, in each call.
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
inline constexpr uint32_t kElementsMax = 256;  // of one word, beside those of threads
inline constexpr uint32_t kRegistersMax = 64;
inline constexpr uint32_t kWordsOnLineMax = 16;  // 64 bytes
inline constexpr uint32_t kNameLengthMax = 40;
inline constexpr uint32_t kSourceLinesMax = 2'000;
inline constexpr uint32_t kThreadsMaxDeclared = 1'024;

// How a line of a latch is numbered where its accesses are traced: declared line << kLineElementBits | element.
inline constexpr uint32_t kLineElementBits = 11;

inline constexpr uint8_t kThreadNumber = 0;
inline constexpr uint8_t kThreads = 1;
inline constexpr uint8_t kFirstFreeRegister = 2;
inline constexpr uint8_t kNoIndex = 0xff;

// Name, how often it has each operand (target, a, b), and whether the immediate is nothing, a number, a place in the code, a word or
// a function. Those with a word are accesses: each is one event, in an order that all threads agree on.
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

// What the less obvious ones do:
//
//   random            target: any number below that in `a`; 0 if that is 0
//   check             ends everything as wrong if `a` is 0
//   call              carries out a function, then goes on behind; only `client` and `at_end` may call
//   give_back         ends the function ("return")
//   pause             `a` PAUSE instructions
//   store             release; may wait in the store buffer while its thread goes on, as on x86
//   fence             the thread goes on once its stores have taken effect
//   compare_exchange  if the word is `a`, it becomes `b`. Target: what was found, either way
//   fetch_...         target: what the word was before
//   futex_wait        sleeps if the word is `a`, until it is woken; else goes on
//   futex_wake        wakes at most `a` sleepers on the word, the longest asleep first. Target: how many
#define LATCHSCOPE_DECLARE_ENUMERATOR(name, ...) name,
enum class Op : uint8_t { LATCHSCOPE_LAB_OPERATIONS(LATCHSCOPE_DECLARE_ENUMERATOR) };
#undef LATCHSCOPE_DECLARE_ENUMERATOR
inline constexpr uint32_t kOps = static_cast<uint32_t>(Op::futex_wake) + 1;

std::string_view name_of(Op op);

// Which registers an operation names.
struct Operands {
  bool target, a, b;
};
Operands operands_of(Op op);
// Reads and writes registers, and goes on to the next instruction.
constexpr bool is_calculation(Op op) {
  return op <= Op::less_or_equal;
}
constexpr bool has_word(Op op) {
  return op >= Op::load;
}
// A read-modify-write: takes the line, and the thread's stores have taken effect before.
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

// How many elements a word has depends on how many threads there are: `elements`, and one more for each thread if `per_thread`.
// Element i of all words with one `line` share a cache line; or all elements of them, if `is_packed`.
struct WordDeclaration {
  std::string name;
  uint32_t line = 0;
  uint32_t elements = 1;
  bool per_thread = false;
  bool is_packed = false;
  uint32_t initial = 0;
  bool initial_is_index = false;  // each element is its own index at first
  uint32_t source_line = 0;

  uint32_t elements_for(uint32_t threads) const { return elements + (per_thread ? threads : 0); }
};

// The functions of a latch, in this order. `client` is what a thread does when the latch is checked; without one, it enters and
// exits a number of times. `at_end` is carried out by one thread once all have ended.
enum class FunctionName : uint8_t { enter, exit, enter_shared, exit_shared, client, at_end };
inline constexpr uint32_t kFunctions = 6;
std::string_view name_of(FunctionName function);

struct FunctionRange {
  uint32_t begin = 0, end = 0;  // instructions; none if it is not there
  bool is_there() const { return end > begin; }
};

struct Program {
  uint32_t threads_max = 0;  // that it is made for, such as 2 of Peterson's; 0: any number
  std::vector<WordDeclaration> words;
  uint32_t registers = kFirstFreeRegister;
  std::array<FunctionRange, kFunctions> functions;
  std::vector<Instruction> code;
  std::vector<uint32_t> source_lines;  // of each instruction, from 1

  const FunctionRange& function(FunctionName name) const { return functions[static_cast<uint32_t>(name)]; }
  // The instruction is of one.
  FunctionName function_of(uint32_t place) const;
  bool is_rw_latch() const { return function(FunctionName::enter_shared).is_there(); }
};

// What is wrong with it, as a sentence that names the place, the value and what is allowed; nothing if it can be run.
// A program without fault reads and writes only registers that it has and words that exist, jumps only inside its functions, and leaves
// each by give_back. What can still go wrong when it runs: an index beyond a word's elements, a division by zero, a loop that
// never touches a word, a check.
struct ProgramFault {
  std::string field;    // such as code[12].target
  std::string value;    // as given
  std::string allowed;  // such as "a register from 2 to 6"
};
std::optional<ProgramFault> find_fault(const Program& program);

}  // namespace latchscope::lab
