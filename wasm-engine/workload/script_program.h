// A workload that a file describes (web/analysis/workload-language), compiled: what it
// declares, and a compact code that any engine can check and run. The engine trusts nothing in it:
// find_fault() reports errors before anything runs.
//
// An instruction has eight bytes; in JSON it is two numbers of 32 bits.
//
//     op (8 bits) | target (8) << 8 | a (8) << 16 | b (8) << 24 ,  immediate (32)
//
// `target`, `a` and `b` are registers. An instruction that takes a latch has its hold in the
// immediate; the register has the number of the latch among those of its name. kNoIndex means the
// first one.
//
//     hold (16 bits) | register (8 bits) << 16
//
// An instruction that accesses a word has the word in the place of the hold. Words and accesses are
// those of the latch lab (lab/program.h).
//
// Registers hold 64 unsigned bits: a number of 32 bits, a duration in picoseconds, a size in bytes,
// or a share in parts per million. Register 0 is the thread's own number, from 1. Register 1 is the
// number of client threads. Register 2 is the thread's place in its group, from 0. No instruction
// writes to these. All others are written before they are read, in each repetition of a body.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/program.h"

namespace latchscope::workload {

inline constexpr uint32_t kScriptInstructionsMax = 4'096;
inline constexpr uint32_t kScriptConstantsMax = 512;
inline constexpr uint32_t kScriptRegistersMax = 64;
inline constexpr uint32_t kScriptLatchesMax = 32;  // names; each is an array of latches
inline constexpr uint32_t kScriptElementsMax = 16'384;
inline constexpr uint32_t kScriptLatchesBuiltMax = 65'536;  // of all names, each shard counted
inline constexpr uint32_t kScriptHoldsMax = 256;
inline constexpr uint32_t kScriptSitesMax = 64;  // latches and names of parts that take them
inline constexpr uint32_t kScriptNamesMax = 64;
inline constexpr uint32_t kScriptGroupsMax = 8;
inline constexpr uint32_t kScriptKnobsMax = 8;
inline constexpr uint32_t kScriptVariantsMax = 16;
inline constexpr uint32_t kScriptParametersMax = 16;
inline constexpr uint32_t kScriptDesignsMax = 16;
inline constexpr uint32_t kScriptNameLengthMax = 40;
inline constexpr uint32_t kScriptNameBytesMax = 63;
inline constexpr uint32_t kScriptTitleLengthMax = 200;
inline constexpr uint32_t kScriptSourceLinesMax = 2'000;
inline constexpr uint32_t kScriptHeldMax = 8;           // latches that a body may hold at once
inline constexpr uint32_t kScriptThreadsMax = 1'024;    // of the group of clients
inline constexpr uint32_t kScriptServerThreadsMax = 7;  // of all other groups
// Numbers in JSON are exact up to 2^53.
inline constexpr uint64_t kScriptConstantMax = (uint64_t{1} << 53) - 1;

inline constexpr uint8_t kScriptThreadNumber = 0;
inline constexpr uint8_t kScriptThreads = 1;
inline constexpr uint8_t kScriptIndex = 2;
inline constexpr uint8_t kScriptFirstFreeRegister = 3;
inline constexpr uint8_t kScriptNoIndex = 0xff;

// For each operation: its name, how often it has each operand (target, a, b), and the kind of its
// immediate.
#define LATCHSCOPE_SCRIPT_OPERATIONS(O)  \
  O(constant, 1, 0, 0, constant)         \
  O(copy, 1, 1, 0, nothing)              \
  O(add, 1, 1, 1, nothing)               \
  O(subtract, 1, 1, 1, nothing)          \
  O(multiply, 1, 1, 1, nothing)          \
  O(divide, 1, 1, 1, nothing)            \
  O(remainder, 1, 1, 1, nothing)         \
  O(bit_and, 1, 1, 1, nothing)           \
  O(bit_or, 1, 1, 1, nothing)            \
  O(bit_xor, 1, 1, 1, nothing)           \
  O(shift_left, 1, 1, 1, nothing)        \
  O(shift_right, 1, 1, 1, nothing)       \
  O(add_wide, 1, 1, 1, nothing)          \
  O(subtract_wide, 1, 1, 1, nothing)     \
  O(multiply_wide, 1, 1, 1, nothing)     \
  O(divide_wide, 1, 1, 1, nothing)       \
  O(narrow, 1, 1, 0, nothing)            \
  O(equal, 1, 1, 1, nothing)             \
  O(not_equal, 1, 1, 1, nothing)         \
  O(less, 1, 1, 1, nothing)              \
  O(less_or_equal, 1, 1, 1, nothing)     \
  O(jump, 0, 0, 0, place)                \
  O(jump_if_zero, 0, 1, 0, place)        \
  O(jump_if_not_zero, 0, 1, 0, place)    \
  O(check, 0, 1, 0, nothing)             \
  O(parameter, 1, 0, 0, parameter)       \
  O(knob_variant, 1, 0, 0, knob)         \
  O(knob_value, 1, 0, 0, knob)           \
  O(uniform, 1, 1, 0, nothing)           \
  O(chance, 1, 1, 0, nothing)            \
  O(exponential, 1, 1, 0, nothing)       \
  O(work, 0, 1, 0, nothing)              \
  O(think, 0, 1, 0, nothing)             \
  O(sleep, 0, 1, 0, nothing)             \
  O(pause, 0, 1, 0, nothing)             \
  O(yield, 0, 0, 0, nothing)             \
  O(fence, 0, 0, 0, nothing)             \
  O(load, 1, 0, 0, word)                 \
  O(store, 0, 1, 0, word)                \
  O(exchange, 1, 1, 0, word)             \
  O(compare_exchange, 1, 1, 1, word)     \
  O(fetch_add, 1, 1, 0, word)            \
  O(fetch_sub, 1, 1, 0, word)            \
  O(fetch_and, 1, 1, 0, word)            \
  O(fetch_or, 1, 1, 0, word)             \
  O(fetch_xor, 1, 1, 0, word)            \
  O(frame_begin, 0, 0, 0, name)          \
  O(frame_end, 0, 0, 0, nothing)         \
  O(enter, 0, 0, 0, hold)                \
  O(try_enter, 1, 0, 0, hold)            \
  O(leave, 0, 0, 0, nothing)             \
  O(transaction_begin, 0, 0, 0, nothing) \
  O(transaction_end, 0, 0, 0, nothing)   \
  O(give_back, 0, 0, 0, nothing)

// Less obvious operations:
//
//     add ... shift_right   of numbers: 32 bits, wrapping
//     ..._wide              of durations and sizes: the result stops at 0 and at 2^64 - 1
//     narrow                `a`, at most 2^32 - 1
//     knob_variant          the number of the knob's variant in force
//     knob_value            the number that this variant means
//     uniform               any number below `a`; 0 if `a` is 0
//     chance                1 with the probability `a`, else 0
//     exponential           a duration from the exponential distribution with the mean `a`
//     pause ... fetch_xor   as in the latch lab
//     enter                 takes a latch
//     try_enter             takes a latch, or not; the next instruction is jump_if_zero with its
//                           target, which leads past the part that holds the latch
//     leave                 releases the latch that was taken last
#define LATCHSCOPE_DECLARE_SCRIPT_OP(name, ...) name,
enum class ScriptOp : uint8_t { LATCHSCOPE_SCRIPT_OPERATIONS(LATCHSCOPE_DECLARE_SCRIPT_OP) };
#undef LATCHSCOPE_DECLARE_SCRIPT_OP
inline constexpr uint32_t kScriptOps = static_cast<uint32_t>(ScriptOp::give_back) + 1;

std::string_view name_of(ScriptOp op);

// The kinds of latches that a workload can name. `size` is the number of shards, or the semaphore's
// first count.
#define LATCHSCOPE_SCRIPT_LATCH_KINDS(K) \
  K(none, 0, 1)                          \
  K(innodb_mutex, 0, 0)                  \
  K(innodb_rw_lock, 0, 1)                \
  K(sharded_rw_lock, 1, 1)               \
  K(pthread_mutex, 0, 0)                 \
  K(semaphore, 1, 0)
#define LATCHSCOPE_DECLARE_KIND(name, ...) name,
enum class ScriptLatchKind : uint8_t { LATCHSCOPE_SCRIPT_LATCH_KINDS(LATCHSCOPE_DECLARE_KIND) };
#undef LATCHSCOPE_DECLARE_KIND
inline constexpr uint32_t kScriptLatchKinds = static_cast<uint32_t>(ScriptLatchKind::semaphore) + 1;
inline constexpr uint32_t kScriptKindSizeMax = 1'024;

std::string_view name_of(ScriptLatchKind kind);
bool has_size(ScriptLatchKind kind);
bool can_be_shared(ScriptLatchKind kind);

struct ScriptInstruction {
  ScriptOp op;
  uint8_t target, a, b;
  uint32_t immediate;

  uint32_t hold() const { return immediate & 0xffff; }
  uint32_t word() const { return immediate & 0xffff; }
  uint8_t index() const { return static_cast<uint8_t>(immediate >> 16); }
  bool operator==(const ScriptInstruction&) const = default;
};

struct ScriptKind {
  ScriptLatchKind kind = ScriptLatchKind::innodb_mutex;
  uint32_t size = 0;
};

struct ScriptVariant {
  std::string id, origin;
  std::optional<ScriptKind> kind;  // else it means `value`
  uint32_t value = 0;
};

struct ScriptKnob {
  std::string id, question;
  std::vector<ScriptVariant> variants;  // the first one is the original
};

struct ScriptDesign {
  std::string id;
  std::vector<uint32_t> variants;  // for each knob
};

// Values are in `unit`; one unit is `scale` picoseconds, bytes or 1.
struct ScriptParameter {
  std::string id, title, unit;
  uint64_t scale = 1;
  uint64_t min = 0, max = 0, default_value = 0;
};

struct ScriptLatch {
  std::string name;
  uint32_t elements = 1;
  std::optional<uint32_t> knob;  // whose variant is the kind
  ScriptKind kind;
  uint32_t source_line = 0;
};

// A place in the code that takes a latch. Its site is the name of the enclosing part.
struct ScriptHold {
  uint32_t latch = 0;
  bool is_shared = false;
  uint32_t site = 0;  // in `names`
};

// Threads with one body. The group with a transaction has the clients.
struct ScriptGroup {
  std::string name;
  uint32_t threads = 1;  // of clients: how many by default
  bool has_transaction = false;
  uint32_t begin = 0, end = 0;  // instructions
};

struct ScriptProgram {
  std::string title, unit;
  std::vector<ScriptParameter> parameters;
  std::vector<ScriptKnob> knobs;
  std::vector<ScriptDesign> designs;  // the first one is `original`
  std::vector<ScriptLatch> latches;
  std::vector<lab::WordDeclaration> words;
  std::vector<ScriptGroup> groups;
  std::vector<std::string> names;  // of call frames and sites
  std::vector<ScriptHold> holds;
  uint32_t registers = kScriptFirstFreeRegister;
  std::vector<uint64_t> constants;
  std::vector<ScriptInstruction> code;
  std::vector<uint32_t> source_lines;  // of each instruction, from 1
};

// Returns the group whose threads are the clients.
// REQUIRES: find_fault() finds nothing in the program.
const ScriptGroup& clients_of(const ScriptProgram& program);

// The first error of a program. In a program without one:
//   - every body reads only registers that it has written, and jumps only inside itself;
//   - it releases what it takes, the last latch first, and ends its call frames, on every path;
//   - the clients' body has one transaction, and passes through it on every path.
// It can still fail at run time:
//   - an index is beyond the latches or the elements of a name;
//   - it divides by zero, or a check fails;
//   - a thread takes a latch that it holds, or threads wait for each other;
//   - a loop takes no time.
struct ScriptFault {
  std::string field;    // such as code[12].target
  std::string value;    // as given
  std::string allowed;  // such as "a register from 3 to 6"
};
// Returns nothing if the program can run.
std::optional<ScriptFault> find_fault(const ScriptProgram& program);

}  // namespace latchscope::workload
