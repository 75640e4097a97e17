// The interface between the engine and the machine it runs on.
//
// Everything that blocks, waits, costs time, reads a clock, draws a random number or shares a word
// between threads goes through this header. No layer above platform/ includes <thread>, <mutex>,
// <atomic>, <chrono>, <random> or headers of Emscripten; `npm test` checks this.
//
// Two platforms implement the declarations below; the build chooses one:
//
//   threads   real threads and the real clock: POSIX threads natively, Web Workers over shared
//             memory in a browser (threads/threads_platform.h)
//   virtual   a discrete-event model of a multicore server, on which every thread is a fiber
//             (virtual/virtual_platform.h)
#pragma once

#include <cstdint>
#include <span>

#include "platform/core_onlooker.h"
#include "platform/device.h"
#include "platform/failure.h"
#include "platform/line_access.h"
#include "platform/noted_event.h"
#include "platform/random.h"
#include "platform/server_profile.h"
#include "platform/spin.h"

namespace latchscope::platform {

inline constexpr uint64_t kForeverNs = ~uint64_t{0};

// --- shared words --------------------------------------------------------------------------------

// Base of a struct of Atomics that share one 64-byte cache line. Line membership is declared, not
// derived from addresses, because a 32-bit WebAssembly struct has another layout than the server's.
// belongs_to(latch) makes it the line of a latch: stalls on it are counted, and each access is
// reported while the latch is watched.
struct CacheLine;

// A cache line of plain data that a latch guards, for data whose line moves between cores with its
// latch. Code that reads or changes the data calls read() or write(). On a modelled server these
// cost what the line costs; on real threads they cost nothing. read_all(lines) reads one line after
// the other.
struct DataLine;

// A shared word of type uint32_t, int32_t or uint64_t, constructed with its line and its first
// value. Operations name their memory order; in WebAssembly each is sequentially consistent.
template <class T>
class Atomic;

// A cell with a single writer and any number of sampling readers. It never synchronizes engine
// threads, and costs a plain store. Cells that belong together use set_release and read_acquire: a
// reader of the value also sees the writer's earlier stores. compare_exchange is for the
// exceptional cell with two writers.
template <class T>
class Published;

// Blocks until the calling thread's stores have taken effect (mfence).
void fence();

// Sleeps while `word` == `expected`, as in Linux, for at most `timeout_ns`. Returns false if the
// timeout ended the sleep. May return true without a wake-up, so callers must check the word again.
bool futex_wait(const Atomic<uint32_t>& word, uint32_t expected, uint64_t timeout_ns = kForeverNs);
// Wakes at most `count` sleepers of `word`. Returns how many it woke, where the platform knows.
uint32_t futex_wake(const Atomic<uint32_t>& word, uint32_t count);

// Polls `word` with relaxed loads until `Holds{}(value)` is true, at most policy.rounds_max times,
// with a delay after each poll that fails.
template <class T, class Holds>
SpinOutcome spin_until(const Atomic<T>& word, Holds holds, const SpinPolicy& policy);
// Executes `count` PAUSE instructions, or code that takes about as long.
void pause(uint32_t count);

// --- time and work -------------------------------------------------------------------------------

// Monotonic clock. now_ps() is the same clock at its finest resolution.
uint64_t now_ns();
uint64_t now_ps();
void sleep_ns(uint64_t duration_ns);
void yield();

// Returns the CPU time of the calling thread: the time it had a core, spinning included. 0 in a
// browser, which does not report it.
uint64_t thread_cpu_ns();
// Spends CPU time for work that the engine does not do. The modelled server adds it to its clock;
// real threads run a calculation that takes about as long.
void charge(uint64_t cpu_ns);
void charge_ps(uint64_t cpu_ps);
// Blocks until this time has passed, as for a message that arrives then. It costs no system call and
// has no timer slack.
void await_message_ps(uint64_t duration_ps);

// A storage device. Each channel serves one request at a time; requests take the channels in
// rotation.
class Device;
// Blocks for as long as the storage device takes to transfer `bytes`, by its stated latency,
// bandwidth and number of channels. The caller copies the bytes.
void io(Device& device, uint64_t bytes);
// Keeps all channels busy for `duration_ns` after their present requests, and blocks until then.
void occupy(Device& device, uint64_t duration_ns);

// --- threads -------------------------------------------------------------------------------------

// A thread that starts on construction. Fails the engine if the system cannot start another thread.
// Thread::beside_the_server starts a thread outside the modelled server, such as the creator of the
// engine. On the modelled server a thread can be frozen and thawed, as by a debugger.
//
// REQUIRES: the owner joins the thread before it destroys it.
class Thread;

// Returns how many threads can be ready at once; kThreadsMax is the largest number that can exist.
// kRunThreadsMax is the limit for a run that can run everywhere.
uint32_t threads_max();
// Returns the number of hardware threads, of the modelled server or of the machine.
uint32_t hardware_cores();
// One pointer per thread, for the layer above (telemetry).
void*& thread_local_slot();

// Runs `body()` as a suspend boundary: frames outside it unwind once, not at every wait. This makes
// waits cheaper where a fiber's frames must be unwound for each of them (fiber_context.h). At most
// four boundaries may be nested; a futex sleep is one.
template <class Body>
void call_apart(Body body);

// --- the modelled server: runs and reports -------------------------------------------------------
// With real threads these functions have no effect, and return 0 or an empty value unless noted.

// Prepares the platform for a run that is about to be built. The virtual platform starts a server
// of this profile at time 0.
//
// REQUIRES: no thread is left on the server.
void begin_run(const ServerProfile& profile);
// Returns what the modelled server has done since begin_run().
ModelTotals model_totals();

// Returns the core on which the calling thread runs; kNoCore on real threads.
uint16_t current_core();
// Returns how long the calling thread has stalled on counted lines since its last call. An access
// stalls for its time beyond that on a core that has the line.
uint64_t take_line_stall_ns();
// Returns the transfers of cache lines by the calling thread's accesses, without polls of a spin.
uint64_t line_transfers_of_caller();

// Reports to `onlooker` what threads do on cores. Does not change the run.
void watch_cores(CoreOnlooker& onlooker);
// Reports each access to the line of a latch whose number modulo 64 is a set bit of `bits`. Costs
// nothing on the modelled server, and does not change the run.
void watch_lines(uint64_t bits, LineWatcher watcher);
// Reports `count` events of the next run to `watcher`, from the one after number `after`. Does not
// change the run.
void note_events(uint64_t after, uint64_t count, const EventWatcher& watcher);

// Returns the hash of all events after each event_trail_step() of them. Two runs have diverged
// where their trails differ.
std::span<const uint64_t> event_trail();
uint64_t event_trail_step();  // 1 on real threads

// --- the modelled server: what-if ----------------------------------------------------------------
// With real threads these functions have no effect.

// Scales the work that the calling thread charges from now on to this many millionths of its cost.
void scale_work(uint64_t millionths);
// Stops the lines of this latch from moving: each access costs what it costs a core that has the
// line to itself. Lasts until the next run.
void keep_line_still(uint32_t latch);
// When a read-modify-write admits threads that spin on a line of this latch, the longest spinner
// polls at once. Lasts until the next run.
void let_spinners_see(uint32_t latch);
// Makes waking the calling thread free for the waker and for itself: no system call, no bucket lock
// and no latency. The thread still needs an idle core, or waits for one.
void wake_freely(bool is_free);
// Switches all costs to those of `profile`, which must differ from the server's in nothing else.
// Operations in progress end as planned.
void take_costs(const ServerProfile& profile);

// --- the modelled server: the host ---------------------------------------------------------------

// Sleeps while the host has not changed `word`. The virtual server's time stays fixed meanwhile.
void wait_for_host(const Atomic<uint32_t>& word, uint32_t expected);
// Runs the virtual server for `events` events, or up to `until_ns`, for a host that must not block.
// Returns false once a thread waits for the host. Does nothing with real threads, which run by
// themselves.
bool run_slice(uint64_t events, uint64_t until_ns = kForeverNs);
// Ends the slice in progress, so that the host sees the state at the same moment of each run.
void let_host_look();
// Moves a sleeper's timeout forward by `sooner_ns`, as if it had asked for that timeout. Does
// nothing with real threads.
//
// REQUIRES: the caller is the host, between two slices.
void bring_timeout_forward(const Atomic<uint32_t>& word, uint64_t sooner_ns);
// Returns how far the run has advanced. Private work and stores may have taken a thread beyond
// now_ns(). The host may only move a timeout to a later time than this.
//
// REQUIRES: the caller is the host, between two slices.
uint64_t furthest_ns();

}  // namespace latchscope::platform

#if defined(LATCHSCOPE_PLATFORM_THREADS)
#include "platform/threads/threads_platform.h"
#elif defined(LATCHSCOPE_PLATFORM_VIRTUAL)
#include "platform/virtual/virtual_platform.h"
#else
#error "Define LATCHSCOPE_PLATFORM_THREADS or LATCHSCOPE_PLATFORM_VIRTUAL."
#endif

// An assertion that stays on in every build. `text` says which invariant was broken.
#define LATCHSCOPE_ASSERT(condition, text)                                   \
  do {                                                                       \
    if (!(condition)) [[unlikely]] {                                         \
      ::latchscope::platform::fail_at(__FILE__, __LINE__, #condition, text); \
    }                                                                        \
  } while (false)
