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
// those of the latch lab (lab/program.h). So are the latches that a file defines itself.
//
// Registers hold 64 unsigned bits: a number of 32 bits, a duration in picoseconds, a size in bytes,
// or a share in parts per million. Register 0 is the thread's own number, from 1. Register 1 is the
// number of client threads. Register 2 is the thread's place in its group, from 0. No instruction
// writes to these. All others are written before they are read, in each repetition of a body.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lab/program.h"
#include "telemetry/counters.h"

namespace latchscope::workload {

inline constexpr uint32_t kScriptInstructionsMax = 4'096;
inline constexpr uint32_t kScriptConstantsMax = 512;
inline constexpr uint32_t kScriptRegistersMax = 64;
inline constexpr uint32_t kScriptLatchesMax = 32;  // names; each is an array of latches
inline constexpr uint32_t kScriptElementsMax = 16'384;
inline constexpr uint32_t kScriptLatchesBuiltMax = 65'536;  // of all names, each shard counted
inline constexpr uint32_t kScriptKindsMax = 8;              // latches that are written in the lab's language
inline constexpr uint32_t kScriptLinesMax = 1'000'000;      // cache lines of all these latches
inline constexpr uint32_t kScriptCountersMax = telemetry::kCountersOfScript;
inline constexpr uint32_t kScriptDevicesMax = 8;
inline constexpr uint32_t kScriptHoldsMax = 256;
// Latches with the names of parts that take them, and words with those of parts that sleep on them.
inline constexpr uint32_t kScriptSitesMax = 64;
inline constexpr uint32_t kScriptWaitedForMax = 48;  // names of latches, and words on which threads sleep
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
inline constexpr uint64_t kScriptPeriodMinPs = 1'000'000;
inline constexpr uint64_t kScriptPeriodMaxPs = 3'600'000'000'000'000;     // an hour
inline constexpr uint64_t kScriptDeviceLatencyMaxPs = 4'000'000'000'000;  // 4 s
inline constexpr uint32_t kScriptZipfMax = 65'536;                        // numbers to draw from
inline constexpr uint32_t kScriptZipfExponentMin = 10'000;                // parts per million
inline constexpr uint32_t kScriptZipfExponentMax = 10'000'000;
inline constexpr uint32_t kScriptZipfExponentsMax = 4;  // of one program
// Numbers in JSON are exact up to 2^53.
inline constexpr uint64_t kScriptConstantMax = (uint64_t{1} << 53) - 1;

inline constexpr uint8_t kScriptThreadNumber = 0;
inline constexpr uint8_t kScriptThreads = 1;
inline constexpr uint8_t kScriptIndex = 2;
inline constexpr uint8_t kScriptFirstFreeRegister = 3;
inline constexpr uint8_t kScriptNoIndex = 0xff;

// For each operation: its name, how often it has each operand (target, a, b), and the kind of its
// immediate.
#define LATCHSCOPE_SCRIPT_OPERATIONS(O)   \
  O(constant, 1, 0, 0, constant)          \
  O(copy, 1, 1, 0, nothing)               \
  O(add, 1, 1, 1, nothing)                \
  O(subtract, 1, 1, 1, nothing)           \
  O(multiply, 1, 1, 1, nothing)           \
  O(divide, 1, 1, 1, nothing)             \
  O(remainder, 1, 1, 1, nothing)          \
  O(bit_and, 1, 1, 1, nothing)            \
  O(bit_or, 1, 1, 1, nothing)             \
  O(bit_xor, 1, 1, 1, nothing)            \
  O(shift_left, 1, 1, 1, nothing)         \
  O(shift_right, 1, 1, 1, nothing)        \
  O(add_wide, 1, 1, 1, nothing)           \
  O(subtract_wide, 1, 1, 1, nothing)      \
  O(multiply_wide, 1, 1, 1, nothing)      \
  O(divide_wide, 1, 1, 1, nothing)        \
  O(narrow, 1, 1, 0, nothing)             \
  O(equal, 1, 1, 1, nothing)              \
  O(not_equal, 1, 1, 1, nothing)          \
  O(less, 1, 1, 1, nothing)               \
  O(less_or_equal, 1, 1, 1, nothing)      \
  O(jump, 0, 0, 0, place)                 \
  O(jump_if_zero, 0, 1, 0, place)         \
  O(jump_if_not_zero, 0, 1, 0, place)     \
  O(check, 0, 1, 0, nothing)              \
  O(parameter, 1, 0, 0, parameter)        \
  O(knob_variant, 1, 0, 0, knob)          \
  O(knob_value, 1, 0, 0, knob)            \
  O(uniform, 1, 1, 0, nothing)            \
  O(chance, 1, 1, 0, nothing)             \
  O(exponential, 1, 1, 0, nothing)        \
  O(lognormal, 1, 1, 1, nothing)          \
  O(zipf, 1, 1, 0, constant)              \
  O(work, 0, 1, 0, nothing)               \
  O(think, 0, 1, 0, nothing)              \
  O(sleep, 0, 1, 0, nothing)              \
  O(arrive, 0, 1, 0, nothing)             \
  O(arrive_exponential, 0, 1, 0, nothing) \
  O(pause, 0, 1, 0, nothing)              \
  O(yield, 0, 0, 0, nothing)              \
  O(fence, 0, 0, 0, nothing)              \
  O(load, 1, 0, 0, word)                  \
  O(store, 0, 1, 0, word)                 \
  O(exchange, 1, 1, 0, word)              \
  O(compare_exchange, 1, 1, 1, word)      \
  O(fetch_add, 1, 1, 0, word)             \
  O(fetch_sub, 1, 1, 0, word)             \
  O(fetch_and, 1, 1, 0, word)             \
  O(fetch_or, 1, 1, 0, word)              \
  O(fetch_xor, 1, 1, 0, word)             \
  O(futex_wait, 0, 1, 0, word)            \
  O(futex_wake, 1, 1, 0, word)            \
  O(wait, 0, 0, 0, word)                  \
  O(io, 0, 1, 0, device)                  \
  O(count, 0, 1, 0, counter)              \
  O(counted, 1, 0, 0, counter)            \
  O(led_by, 0, 1, 0, nothing)             \
  O(frame_begin, 0, 0, 0, name)           \
  O(frame_end, 0, 0, 0, nothing)          \
  O(enter, 0, 0, 0, hold)                 \
  O(try_enter, 1, 0, 0, hold)             \
  O(leave, 0, 0, 0, nothing)              \
  O(transaction_begin, 0, 0, 0, nothing)  \
  O(transaction_end, 0, 0, 0, nothing)    \
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
//     lognormal             a duration from the lognormal distribution with the mean `a` and the
//                           coefficient of variation `b`, in parts per million
//     zipf                  a number below `a`. The immediate is the exponent s, in parts per
//                           million: number k has a probability proportional to 1 / (k + 1)^s
//     arrive                waits for the next request. They arrive at intervals `a`, whether
//                           clients are free or not. The latency of the next transaction counts from
//                           the arrival
//     arrive_exponential    the same, with exponentially distributed intervals of the mean `a`
//     pause ... futex_wake  as in the latch lab; futex_wait may also return for no reason
//     wait                  releases the latch that was taken last, sleeps until the word changes,
//                           and takes the latch again. It may also return for no reason
//     led_by                from now to the end of the transaction, or until led_by 0, thread `a`
//                           works for this thread while it sleeps. For explanations only
//     io                    reads or writes `a` bytes on a device, and waits for it
//     count                 adds `a` to a counter. Counter 0 are the transactions, which count
//                           themselves; counter n is the n-th of the program
//     counted               the counter's total
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
// first count. A lab_latch is one of the program's own kinds; whether it can be shared is up to its
// code.
#define LATCHSCOPE_SCRIPT_LATCH_KINDS(K) \
  K(none, 0, 1)                          \
  K(innodb_mutex, 0, 0)                  \
  K(innodb_rw_lock, 0, 1)                \
  K(sharded_rw_lock, 1, 1)               \
  K(pthread_mutex, 0, 0)                 \
  K(semaphore, 1, 0)                     \
  K(lab_latch, 0, 1)
#define LATCHSCOPE_DECLARE_KIND(name, ...) name,
enum class ScriptLatchKind : uint8_t { LATCHSCOPE_SCRIPT_LATCH_KINDS(LATCHSCOPE_DECLARE_KIND) };
#undef LATCHSCOPE_DECLARE_KIND
inline constexpr uint32_t kScriptLatchKinds = static_cast<uint32_t>(ScriptLatchKind::lab_latch) + 1;
inline constexpr uint32_t kScriptKindSizeMax = 1'024;

std::string_view name_of(ScriptLatchKind kind);
bool has_size(ScriptLatchKind kind);

struct ScriptInstruction {
  ScriptOp op;
  uint8_t target, a, b;
  uint32_t immediate;

  uint32_t hold() const { return immediate & 0xffff; }
  uint32_t word() const { return immediate & 0xffff; }
  uint8_t index() const { return static_cast<uint8_t>(immediate >> 16); }
  // Of futex_wait and wait: the place in `names` of the part that waits.
  uint32_t site() const { return immediate >> 24; }
  bool operator==(const ScriptInstruction&) const = default;
};

struct ScriptKind {
  ScriptLatchKind kind = ScriptLatchKind::innodb_mutex;
  uint32_t size = 0;
  uint32_t program = 0;  // of a lab_latch: its place in `kinds`
};

// A latch written in the lab's language. Many latches run the same program.
struct ScriptKindProgram {
  std::string name;
  std::shared_ptr<const lab::Program> program;
};

// Devices with published figures (platform/device.h), and a network, which serves any number of
// requests at once.
enum class ScriptDeviceKind : uint8_t { nvme, ssd, hdd, network };
inline constexpr uint32_t kScriptDeviceKinds = static_cast<uint32_t>(ScriptDeviceKind::network) + 1;
std::string_view name_of(ScriptDeviceKind kind);

struct ScriptDevice {
  std::string name;
  ScriptDeviceKind kind = ScriptDeviceKind::nvme;
  uint64_t latency_ps = 0;  // of a network
};

// Words that share a cache line while a variant is in force. Otherwise each has its own line.
struct ScriptSharedLine {
  std::vector<uint32_t> words;
  uint32_t knob = 0, variant = 0;
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
  // A kind without readers, in force by a knob, is taken exclusively.
  bool is_shared = false;
  uint32_t site = 0;  // in `names`
};

// When the threads of a group run their body:
//
//     again_and_again   until the run ends
//     every             at a fixed rate. A start that is missed, because the last repetition still
//                       ran, is skipped
//     once              once
//     on_action         when the reader fires the action
//     at_end            after the run, when all threads have ended. Its checks are invariants
enum class ScriptRuns : uint8_t { again_and_again, every, once, on_action, at_end };
inline constexpr uint32_t kScriptRuns = static_cast<uint32_t>(ScriptRuns::at_end) + 1;
std::string_view name_of(ScriptRuns runs);

// Threads with one body. The group with a transaction has the clients.
struct ScriptGroup {
  std::string name;
  uint32_t threads = 1;  // of clients: how many by default
  bool has_transaction = false;
  uint32_t begin = 0, end = 0;  // instructions
  ScriptRuns runs = ScriptRuns::again_and_again;
  uint64_t period_ps = 0;  // of `every`
  std::string title;       // of an action

  // Returns how many threads of the server it has.
  uint32_t server_threads() const { return has_transaction || runs == ScriptRuns::at_end ? 0 : threads; }
};

struct ScriptProgram {
  std::string title, unit;
  std::vector<ScriptParameter> parameters;
  std::vector<ScriptKnob> knobs;
  std::vector<ScriptDesign> designs;  // the first one is `original`
  std::vector<ScriptLatch> latches;
  std::vector<ScriptKindProgram> kinds;
  std::vector<lab::WordDeclaration> words;
  std::vector<ScriptSharedLine> shared_lines;
  std::vector<ScriptDevice> devices;
  std::vector<std::string> counters;
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
// Returns whether latches of this kind have readers.
bool can_be_shared(const ScriptProgram& program, const ScriptKind& kind);
// Returns every kind that the latch may have.
std::vector<ScriptKind> kinds_of(const ScriptProgram& program, const ScriptLatch& latch);
// Returns whether the operation may sleep on a word.
bool sleeps(ScriptOp op);
// Returns the words on which a thread may sleep. The program need not be checked yet.
std::set<uint32_t> words_slept_on(const ScriptProgram& program);
// Returns these words, each with the places in `names` of the parts that sleep on it.
std::set<std::pair<uint32_t, uint32_t>> sites_of_sleep(const ScriptProgram& program);
// Returns the exponents of `zipf`, in parts per million.
// REQUIRES: find_fault() finds nothing in the instructions of the program.
std::set<uint32_t> zipf_exponents(const ScriptProgram& program);
// Returns the declarations of words for these variants in force, by knob.
std::vector<lab::WordDeclaration> words_for(const ScriptProgram& program,
                                            const std::vector<uint32_t>& variants);

// The first error of a program. In a program without one:
//   - every body reads only registers that it has written, and jumps only inside itself;
//   - it releases what it takes, the last latch first, and ends its call frames, on every path;
//   - the clients' body has one transaction, and passes through it on every path;
//   - the body at the end computes, reads and checks, and does nothing else.
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
