// The shared-memory layout of the telemetry block, declared once.
//
// Each record is a list of fields, F(type, name, count, meaning). Three things are generated from
// these lists and therefore always agree: the C++ structs below, the TypeScript module and the
// layout hash. Tools write the TypeScript module, web/contract/gen/telemetry-layout.ts, by running
// `layout_gen`. The reader refuses a block whose hash differs from its own.
//
// Format: each field is `count` little-endian words of its type (u32 or u64), naturally aligned.
// The block contains no pointers.
//
// Writers: each thread writes only its own ThreadSlot, with plain stores, and never waits. The
// coordinator writes BlockHeader, Mark and the name tables. LogLine and its count are guarded by
// the run log's lock.
//
// Readers sample the block. A u64 may be read in two halves, so read it twice. Words that announce
// other words (states, counts, numbers, texts) are written by a release and read by an acquire; see
// publish.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/platform.h"

namespace latchscope::telemetry {

inline constexpr uint32_t kLayoutMagic = 0x4c534350;  // "LSCP"
// same as BlockHeader::thread_slots
inline constexpr uint32_t kThreadSlots = platform::kThreadsMax;
inline constexpr uint32_t kFramesMax = 24;
inline constexpr uint32_t kHeldLatchesMax = 8;
inline constexpr uint32_t kCountersMax = 96;
inline constexpr uint32_t kLatchSitesMax = 224;
inline constexpr uint32_t kFunctionsMax = 320;
inline constexpr uint32_t kLatchesMax = 96;
inline constexpr uint32_t kMarksMax = 256;
inline constexpr uint32_t kNameBytes = 64;
inline constexpr uint32_t kErrorBytes = 512;
inline constexpr uint32_t kLogLinesMax = 256;
inline constexpr uint32_t kLogLineBytes = 188;
inline constexpr uint32_t kIntervalsMax = 32;
inline constexpr uint32_t kIntervalBytes = 764;

// ThreadSlot::stack_word: the low bits are the depth; the high bits count changes (pushes and
// pops).
inline constexpr uint32_t kStackDepthBits = 8;
// ThreadSlot::frames, from the low bits up: function, number of the change that pushed the frame,
// number of the change that pushed its caller.
inline constexpr uint32_t kFrameFunctionBits = 10;
inline constexpr uint32_t kFrameStampBits = 11;
static_assert(kFunctionsMax <= 1u << kFrameFunctionBits);
static_assert(kFrameFunctionBits + 2 * kFrameStampBits == 32);

// Log-linear latency histograms. Values are nanoseconds. Values below 2^SubBits have a bucket each;
// above, each power of two is split into 2^SubBits equal buckets.
template <uint32_t SubBits>
struct LogLinearBuckets {
  static constexpr uint32_t kMaxBits = 38;
  static constexpr uint32_t kSubBits = SubBits;
  static constexpr uint32_t kCount = (kMaxBits - SubBits + 1) << SubBits;

  static constexpr uint32_t of(uint64_t ns) {
    if (ns < (uint64_t{1} << SubBits)) return static_cast<uint32_t>(ns);
    if (ns >= (uint64_t{1} << kMaxBits)) return kCount - 1;
    const uint32_t octave = 63 - static_cast<uint32_t>(__builtin_clzll(ns)) - SubBits;
    return (octave << SubBits) + static_cast<uint32_t>(ns >> octave);
  }

  // Returns the smallest latency that falls into a bucket.
  static constexpr uint64_t floor_ns(uint32_t bucket) {
    if (bucket < (1u << SubBits)) return bucket;
    const uint32_t octave = (bucket >> SubBits) - 1;
    return uint64_t{bucket - (octave << SubBits)} << octave;
  }

  // Returns the value that represents a bucket: the only one of a bucket 1 ns wide, otherwise the
  // middle. The last bucket has no upper bound, so its floor is used.
  static constexpr double middle_ns(uint32_t bucket) {
    const uint64_t end_ns = floor_ns(bucket + 1 < kCount ? bucket + 1 : bucket);
    if (end_ns - floor_ns(bucket) <= 1) return static_cast<double>(floor_ns(bucket));
    return (static_cast<double>(floor_ns(bucket)) + static_cast<double>(end_ns)) / 2;
  }
};

// Buckets of each thread's histogram, at most 1/32 of the value wide.
using ThreadBuckets = LogLinearBuckets<5>;
// Buckets of the histogram in the block, at most 1/512 of the value wide, so that latencies have
// three correct digits. Used on the virtual server, where one host thread writes for all threads.
// Real threads count latencies in their own slots; each then counts as the middle of its wider
// bucket.
using LatencyBuckets = LogLinearBuckets<9>;

#define LATCHSCOPE_RUN_STATES(S)                                      \
  S(idle, "no run has been created")                                  \
  S(building, "the coordinator builds the server and loads its data") \
  S(ready, "built; all client threads are parked at the gate")        \
  S(running, "clients run")                                           \
  S(paused, "clients are parked at a transaction boundary")           \
  S(stopping, "clients finish their last transaction")                \
  S(finished, "the run result can be read")                           \
  S(failed, "the engine cannot continue; see failure_text")

// A thread reports its own state, except for `stalled` and `ready`. Only the virtual server knows
// these two (lanes.h). On real threads their time is part of the other states.
#define LATCHSCOPE_THREAD_STATES(S)                                           \
  S(absent, "the slot is free")                                               \
  S(parked, "parked at the gate, at a transaction boundary")                  \
  S(running, "executing")                                                     \
  S(stalled, "on a core that waits for a cache line")                         \
  S(spinning, "polling a latch word")                                         \
  S(waiting, "asleep on a latch; wait_latch is its number")                   \
  S(following, "asleep in a commit group, whose leader works for the thread") \
  S(ready, "runnable, but has no core or is moving to one")                   \
  S(sleeping, "asleep on a timer or an idle event")                           \
  S(io, "in a device I/O")

#define LATCHSCOPE_MARK_KINDS(S)                                       \
  S(knob, "subject = knob index, value = variant index")               \
  S(action, "subject = action index, value = 0 if done, 1 if refused") \
  S(pause, "clients stopped")                                          \
  S(resume, "clients resumed")                                         \
  S(what_if, "the run spec's what-if applies from here on")            \
  S(latch_stopped,                                                     \
    "subject = knob index: the lab latch let two threads in, or none; the engine's own latch replaces it")

// Long waits that a reader of the page may be waiting for. The unit of long_wait_done and
// long_wait_total is named in the meaning.
#define LATCHSCOPE_LONG_WAITS(S)                                                             \
  S(none, "nothing")                                                                         \
  S(binlog_rotation, "the next rotation will purge expired files: bytes of the active file") \
  S(buffer_pool_warm_up,                                                                     \
    "the buffer pool is cold: pages read, until 7/8 of its frames, or of the data, are read")

#define LATCHSCOPE_THREAD_KINDS(S)                                        \
  S(client, "drives the workload")                                        \
  S(coordinator, "executes commands and samples; not part of the server") \
  S(server, "a background worker of the server; numbers from here on")

#define LATCHSCOPE_DECLARE_ENUMERATOR(name, meaning) name,
enum class RunState : uint32_t { LATCHSCOPE_RUN_STATES(LATCHSCOPE_DECLARE_ENUMERATOR) };
enum class ThreadState : uint32_t { LATCHSCOPE_THREAD_STATES(LATCHSCOPE_DECLARE_ENUMERATOR) };
// True if the thread is waiting for the latch of wait_site.
constexpr bool is_after_latch(ThreadState state) {
  return state == ThreadState::spinning || state == ThreadState::waiting || state == ThreadState::following;
}
enum class MarkKind : uint32_t { LATCHSCOPE_MARK_KINDS(LATCHSCOPE_DECLARE_ENUMERATOR) };
enum class LongWait : uint32_t { LATCHSCOPE_LONG_WAITS(LATCHSCOPE_DECLARE_ENUMERATOR) };
enum class ThreadKind : uint32_t { LATCHSCOPE_THREAD_KINDS(LATCHSCOPE_DECLARE_ENUMERATOR) };
#undef LATCHSCOPE_DECLARE_ENUMERATOR

// clang-format off
#define LATCHSCOPE_BLOCK_HEADER(F)                                                                                \
  F(u32, magic, 1, "kLayoutMagic")                                                                                \
  F(u32, layout_hash, 1, "FNV-1a of this layout; the reader compares it with its own")                            \
  F(u32, run_generation, 1, "counts runs; a change means that every total restarted from zero")                   \
  F(u32, run_state, 1, "RunState")                                                                                \
  F(u32, commands_posted, 1, "commands accepted by the C ABI so far")                                             \
  F(u32, commands_done, 1, "commands executed so far, in order")                                               \
  F(u32, command_outcome, 1, "Outcome of the last of them (wasm/latchscope.h)")                                    \
  F(u32, marks_count, 1, "marks written since the run began; the last kMarksMax - 1 are stored")                    \
  F(u32, functions_count, 1, "names in `functions`")                                                              \
  F(u32, latches_count, 1, "names in `latches`")                                                                  \
  F(u32, latch_sites_count, 1, "entries in `latch_sites`")                                                        \
  F(u32, stack_samples, 1, "how often the coordinator has sampled all threads")                                   \
  F(u32, log_lines_count, 1, "lines written to `log_lines` so far; the last kLogLinesMax are stored")              \
  F(u32, intervals_count, 1, "intervals of this run that have ended; the last kIntervalsMax are stored")            \
  F(u32, thread_slots, 1, "slots in `threads`: the platforms differ")                                            \
  F(u32, client_threads, 1, "clients of this run")                                                                \
  F(u32, long_wait, 1, "LongWait in progress")                                                               \
  F(u32, reserved, 1, "pads to a multiple of 8 bytes")                                                                 \
  F(u64, long_wait_done, 1, "progress of the long wait")                                                                      \
  F(u64, long_wait_total, 1, "end of the long wait")                                                                     \
  F(u64, run_ns, 1, "nanoseconds since the clients started, without pauses")                                 \
  F(u64, clock_ns, 1, "the engine's clock when run_ns was written")                                               \
  F(u8, error_text, 512, "UTF-8, zero-terminated: why the last command failed, or empty")                 \
  F(u8, failure_text, 512, "the same: why run_state is failed; written once")

#define LATCHSCOPE_MARK(F)                                    \
  F(u64, run_ns, 1, "time of the mark, in run_ns")                        \
  F(u32, kind, 1, "MarkKind")                                 \
  F(u32, subject, 1, "see MarkKind")                          \
  F(u32, value, 1, "see MarkKind")                            \
  F(u32, stopped_us, 1, "how long the clients were stopped for it, microseconds") \
  F(u64, step_ns, 1, "run time of the timed action; a run with this action is identical") \
  F(u32, is_by_hand, 1, "1 if the change was interactive, not in the run spec") \
  F(u32, reserved, 1, "pads to a multiple of 8 bytes")

#define LATCHSCOPE_LOG_LINE(F)                                          \
  F(u32, sequence, 1, "number of the line, from 1; 0 while it is being written") \
  F(u8, text, 188, "UTF-8, zero-terminated: a line of the server's error log or slow query log")

#define LATCHSCOPE_INTERVAL(F)                                              \
  F(u32, sequence, 1, "number of the interval, from 1; 0 while it is being written") \
  F(u8, text, 764, "UTF-8, zero-terminated: JSON, as in the run result")

#define LATCHSCOPE_LATENCIES(F)                                                                     \
  F(u32, counts, 15360, "transaction latency on the virtual server: counts per bucket, modulo 2^32")

#define LATCHSCOPE_NAME(F) F(u8, text, 64, "UTF-8, zero-terminated")

#define LATCHSCOPE_LATCH_SITE_NAME(F)                                      \
  F(u32, latch, 1, "index into `latches`: the latch, under InnoDB's name") \
  F(u32, function, 1, "index into `functions`: the acquiring function")

#define LATCHSCOPE_LATCH_SITE_TOTALS(F)                                                          \
  F(u64, acquisitions, 1, "acquisitions")                                                         \
  F(u64, contended, 1, "times not free at the first try")                                        \
  F(u64, spin_rounds, 1, "polls of the latch word while it was not free")                        \
  F(u64, waits, 1, "times the thread went to sleep")                                             \
  F(u64, wait_ns, 1, "time asleep, nanoseconds; estimated from a sample of the waits")           \
  F(u64, hold_ns, 1, "time held, nanoseconds; estimated from a sample of the acquisitions")      \
  F(u64, line_stall_ns, 1, "time stalled on its cache line; 0 on real threads, where it is unknown")  \
  F(u64, queue_ns, 1, "time from the first failed try until it was acquired or abandoned; 0 on real threads")  \
  F(u64, cost_ns, 1, "queue_ns without followers of a commit group, plus stalls outside the queue; 0 on real threads")  \
  F(u64, state_samples_waiting, 1, "coordinator samples that found the thread asleep here")      \
  F(u64, state_samples_spinning, 1, "coordinator samples that found the thread spinning here")

#define LATCHSCOPE_THREAD_SLOT(F)                                                                              \
  F(u32, state, 1, "ThreadState")                                                                              \
  F(u32, kind, 1, "ThreadKind; background workers are numbered from `server`")                                \
  F(u32, ordinal, 1, "number within its kind")                                                                      \
  F(u32, wait_site, 1, "latch site + 1 while spinning or waiting, else 0")                                     \
  F(u32, stack_word, 1, "low 8 bits: depth; upper 24: changes so far. See publish.h for a clean copy")         \
  F(u32, wait_latch, 1, "number of the latch while spinning or waiting, else 0")                               \
  F(u32, held_count, 1, "latches held now; those beyond 8 are counted but not listed")                         \
  F(u32, held, 8, "latch sites + 1 of the latches held now, oldest first")                                     \
  F(u32, held_latches, 8, "numbers of the latches held now, beside `held`")                                    \
  F(u32, frames, 24, "outermost first; low 10 bits: function index; then the stamps of publish.h")             \
  F(u32, reserved, 17, "keeps the hot words above on cache lines of their own")                                \
  F(u64, counters, 96, "Counter totals")                                                                       \
  F(u32, histogram, 1088, "transaction latency: weighted counts per bucket, modulo 2^32")
// clang-format on

namespace layout_types {
using u8 = platform::Published<uint8_t>;
using u32 = platform::Published<uint32_t>;
using u64 = platform::Published<uint64_t>;
}  // namespace layout_types

#define LATCHSCOPE_DECLARE_FIELD(type, name, count, meaning) layout_types::type name[count];
#define LATCHSCOPE_DECLARE_RECORD(Name, FIELDS) \
  struct Name {                                 \
    FIELDS(LATCHSCOPE_DECLARE_FIELD)            \
  };
LATCHSCOPE_DECLARE_RECORD(BlockHeader, LATCHSCOPE_BLOCK_HEADER)
LATCHSCOPE_DECLARE_RECORD(Mark, LATCHSCOPE_MARK)
LATCHSCOPE_DECLARE_RECORD(LogLine, LATCHSCOPE_LOG_LINE)
LATCHSCOPE_DECLARE_RECORD(IntervalText, LATCHSCOPE_INTERVAL)
LATCHSCOPE_DECLARE_RECORD(Latencies, LATCHSCOPE_LATENCIES)
LATCHSCOPE_DECLARE_RECORD(Name, LATCHSCOPE_NAME)
LATCHSCOPE_DECLARE_RECORD(LatchSiteName, LATCHSCOPE_LATCH_SITE_NAME)
LATCHSCOPE_DECLARE_RECORD(LatchSiteTotals, LATCHSCOPE_LATCH_SITE_TOTALS)
struct alignas(64) ThreadSlot {
  LATCHSCOPE_THREAD_SLOT(LATCHSCOPE_DECLARE_FIELD)
  LatchSiteTotals latch_sites[kLatchSitesMax];
};
#undef LATCHSCOPE_DECLARE_RECORD
#undef LATCHSCOPE_DECLARE_FIELD

// The whole block. There is one per process or page, at a fixed address from the first instruction
// on.
struct alignas(64) TelemetryBlock {
  BlockHeader header;
  Mark marks[kMarksMax];
  Name functions[kFunctionsMax];
  Name latches[kLatchesMax];
  LatchSiteName latch_sites[kLatchSitesMax];
  LogLine log_lines[kLogLinesMax];
  IntervalText intervals[kIntervalsMax];
  Latencies latencies;
  ThreadSlot threads[kThreadSlots];
};

static_assert(sizeof(BlockHeader::error_text) == kErrorBytes);
static_assert(sizeof(Name::text) == kNameBytes);
static_assert(sizeof(LogLine::text) == kLogLineBytes);
static_assert(sizeof(IntervalText::text) == kIntervalBytes);
static_assert(sizeof(ThreadSlot::frames) == kFramesMax * 4);
static_assert(sizeof(ThreadSlot::held) == kHeldLatchesMax * 4);
static_assert(offsetof(ThreadSlot, counters) % 64 == 0);
static_assert(sizeof(ThreadSlot::counters) == kCountersMax * 8);
static_assert(sizeof(ThreadSlot::histogram) == ThreadBuckets::kCount * 4);
static_assert(sizeof(Latencies::counts) == LatencyBuckets::kCount * 4);
static_assert(sizeof(Latencies) % 64 == 0);
static_assert(sizeof(ThreadSlot) % 64 == 0);

// Returns the FNV-1a hash of the field lists of all records and of the limits above.
uint32_t layout_hash();

}  // namespace latchscope::telemetry
