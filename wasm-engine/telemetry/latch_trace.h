// Records every event at the watched latches: a thread requests, acquires, releases or sleeps for a
// latch. For each access to a latch's cache line it records what the access found, changed and
// cost. From these events the page draws the holder, the depth of the queue and the location of the
// line. Virtual server only. Watching a latch does not change the run.
//
// The trace is not part of the telemetry block, for the reasons given in lanes.h.
#pragma once

#include <cstdint>
#include <span>

#include "telemetry/layout.h"
#include "telemetry/plain_record.h"

namespace latchscope::telemetry {

inline constexpr uint32_t kLatchEventsMax = platform::kIsModelled ? 1u << 16 : 1;
inline constexpr uint32_t kWatchedLatchesMax = 8;

#define LATCHSCOPE_LATCH_EVENT_KINDS(S)                                                   \
  S(wants, "the thread's first try failed")                                               \
  S(sleeps, "it goes to sleep until it is woken")                                         \
  S(wakes, "it wakes and tries again")                                                    \
  S(gets, "it acquires the latch")                                                        \
  S(gives_back, "it releases the latch")                                                  \
  S(load, "it reads a word of the latch")                                                 \
  S(poll, "it reads a word while it spins")                                               \
  S(store, "its store to a word takes effect")                                            \
  S(read_modify_write, "it changes a word in one step, as exchange and fetch-and-add do") \
  S(failed_compare_exchange, "its compare-and-exchange takes the line and finds another value")

// clang-format off
#define LATCHSCOPE_LATCH_EVENT(F)                                                                            \
  F(uint64_t, at_ps, "when it took effect: picoseconds of the engine's clock")                               \
  F(uint32_t, took_ps, "an access: time from issue to effect; 0xffffffff: at least this long")             \
  F(uint32_t, latch, "number of the latch")                                                                  \
  F(uint32_t, value, "an access: the low 32 bits of the word, after it")                                     \
  F(uint16_t, slot, "the thread: index into `threads`")                                                      \
  F(uint16_t, core, "an access: the core that makes it")                                                     \
  F(uint16_t, from_core, "an access: the core that owned the line modified before; 0xffff: none")        \
  F(uint8_t, kind, "LatchEventKind")                                                                         \
  F(uint8_t, site, "wants and gets: the latch site")                                                         \
  F(uint8_t, word, "an access: index of the word on the line, in the order of latch_words")         \
  F(uint8_t, latch_class, "an access: index into latch_classes")                                             \
  F(uint16_t, line, "an access: index of the latch's line; 0 except for a LabLatch (lab_line_element_bits)")
// clang-format on

#define LATCHSCOPE_DECLARE_ENUMERATOR(name, meaning) name,
enum class LatchEventKind : uint8_t { LATCHSCOPE_LATCH_EVENT_KINDS(LATCHSCOPE_DECLARE_ENUMERATOR) };
#undef LATCHSCOPE_DECLARE_ENUMERATOR

struct LatchEvent {
  LATCHSCOPE_LATCH_EVENT(LATCHSCOPE_DECLARE_PLAIN_FIELD)
};
static_assert(sizeof(LatchEvent) == 32);
static_assert(kLatchSitesMax < 1u << 8);

// clang-format off
#define LATCHSCOPE_WATCHED_LATCH(F)                                                              \
  F(uint64_t, since_event, "number of the first event written after the latch became watched")   \
  F(uint32_t, latch, "number of the latch; 0: none")                                             \
  F(uint32_t, reserved, "0")
// clang-format on

struct WatchedLatch {
  LATCHSCOPE_WATCHED_LATCH(LATCHSCOPE_DECLARE_PLAIN_FIELD)
};
static_assert(sizeof(WatchedLatch) == 16);

// Watches exactly these latches from now on. A latch that was watched before keeps its since_event.
// REQUIRES: at most kWatchedLatchesMax numbers, none of them 0 or listed twice.
void watch_latches(std::span<const uint32_t> latches);
// Returns the watched latches in the order given; kWatchedLatchesMax records.
const WatchedLatch* watched_latches();
bool is_watched(uint32_t latch);

namespace detail {
// Bit n is set if a latch whose number is n modulo 64 is watched. This filters out most unwatched
// latches cheaply.
extern uint64_t watched_bits;
void trace_watched_latch(LatchEventKind kind, uint32_t slot, uint32_t latch, uint32_t site);
}  // namespace detail

// Returns a ring in recording order: event number n is at n % kLatchEventsMax. The time of a store
// is when it takes effect, which may be later than the times of the events after it.
const LatchEvent* latch_events();
uint64_t latch_events_written();

// Records an event of the calling thread if the latch is watched.
inline void trace_latch(LatchEventKind kind, uint32_t slot, uint32_t latch, uint32_t site) {
  if ((detail::watched_bits >> (latch % 64) & 1) != 0) [[unlikely]]
    detail::trace_watched_latch(kind, slot, latch, site);
}
// Restarts event numbers for a new run. The watched latches stay watched.
void reset_latch_trace();
// Stops recording until the next run begins.
void end_latch_trace();

}  // namespace latchscope::telemetry
