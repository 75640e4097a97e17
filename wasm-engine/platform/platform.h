// The seam between the engine and the machine it runs on.
//
// Everything that blocks, waits, costs time, reads a clock, draws a random number or shares a word between
// threads goes through this header. Nothing above platform/ includes <thread>, <mutex>, <atomic>, <chrono>,
// <random> or anything of Emscripten: `npm test` checks that.
//
// A platform is one implementation of the declarations listed here, chosen when the engine is compiled:
//
//   threads   real threads and the real clock: POSIX threads natively, Web Workers over shared memory in a
//             browser
//   virtual   a discrete-event model of a multicore server, on which every thread is a fiber
//
// What each platform provides, in namespace latchscope::platform (shapes and units as given here):
//
//   struct CacheLine            Base of a struct of Atomics that share one 64-byte cache line. Line membership is
//                               declared, never read off addresses, because a 32-bit WebAssembly struct is
//                               laid out unlike the server's. belongs_to(latch) makes it the line of a latch: stalls on it are
//                               counted, and each access is reported while the latch is watched.
//   struct DataLine             A cache line of plain data that a latch guards. Whoever reads or changes the data says so
//                               with read() or write(), which cost on a modelled server what the line costs, and
//                               nothing on real threads. Only where the line moves between cores with its latch.
//                               read_all(lines) reads one after the other.
//   class Atomic<T>             T is uint32_t, int32_t or uint64_t. Constructed with its line and its first value.
//                               Operations name their memory order; WebAssembly makes each of them
//                               sequentially consistent.
//   class Published<T>          A cell with a single writer and any number of sampling readers; never a
//                               synchronisation between engine threads. Costs a plain store. Where words belong
//                               together, set_release and read_acquire: whoever reads the value also sees what its
//                               writer did before. compare_exchange where, for once, there are two writers.
//   futex_wait, futex_wake      As in Linux: sleep while the word still has the expected value; wake at most n.
//   fence()                     The thread goes on once its stores have taken effect (mfence).
//   spin_until                  Poll a word until a predicate on its value holds, with a delay after each poll that
//                               fails (SpinPolicy in spin.h).
//   pause(n)                    n PAUSE instructions, or what takes about as long.
//   take_line_stall_ns()        How long the calling thread has stalled on counted lines since its last call: beyond what
//                               each access costs a core that has the line. 0 on real threads.
//   watch_lines(bits, told)     Reports each access to the line of a latch whose number modulo 64 is a set bit. On the
//                               modelled server only; costs nothing there and changes nothing (line_access.h).
//   scale_work(millionths)      What if: work that the calling thread charges from now on costs so much of what it costs otherwise.
//   keep_line_still(latch)      What if: each access to the lines of the latch of this number costs a core what it costs when it
//                               has the line to itself, and the line moves no more. Until the next run, as the next one.
//   let_spinners_see(latch)     What if: when a read-modify-write lets in threads that spin on such a line, the one that has spun
//                               longest polls at once.
//   wake_freely(is_free)        What if: waking the calling thread takes neither the waker's time nor its own: no system call, no
//                               bucket lock, no latency. It still needs an idle core, or waits for one.
//                               None of the four means anything on real threads.
//   thread_cpu_ns()             CPU time of the calling thread: what it had a core for, spinning included. 0 in a browser,
//                               which does not tell.
//   watch_cores(onlooker)       Reports to the onlooker what threads do on cores (core_onlooker.h). On the modelled server
//                               only; changes nothing there.
//   current_core()              On which core of the modelled server the calling thread runs; kNoCore on real threads.
//   now_ns, sleep_ns, yield     Monotonic clock, timer sleep, sched_yield. now_ps() is the same clock, as fine as it gets.
//   charge(cpu_ns)              Spends CPU time for work that is not carried out: on the modelled server by the model, on real
//                               threads with a calculation that takes about so long on the machine's core.
//   kWorkCostsPercent           The share of declared work costs that is charged by default: none on real threads, which do the
//                               work.
//   class Device, io(...)       A storage device: stated latency, bandwidth and number of channels.
//   occupy(device, ns)          Keeps all channels of a device busy for so long, after the requests in progress; blocks until then.
//   class Random                Seeded generator, one per thread.
//   class Thread                Spawn on construction, join. Fails the engine if the system cannot start another thread.
//                               Thread::beside_the_server spawns one that is no part of the modelled server: whoever creates
//                               and watches the engine. There, a thread can be frozen and thawed, as by a debugger.
//   take_costs(profile)         What if: from now on all costs are those of this profile, which differs from the server's in nothing
//                               else. What is under way ends as it was planned.
//   begin_run(profile)          A run is about to be built. The virtual platform starts a server of this profile at
//                               time 0; no thread may be left on it.
//   model_totals()              What the modelled server has done since then.
//   line_transfers_of_caller()  Transfers of cache lines that the calling thread's accesses have made, but for polls of a spin. 0 on
//                               real threads.
//   event_trail()               The hash of all events after each event_trail_step() of them: where the trails of two runs differ,
//                               the runs have parted. Of real threads nothing.
//   note_events(after, n, told) Of the next run so many events are told to the watcher, from the one after number `after` on
//                               (noted_event.h). On the modelled server only; changes nothing there.
//   wait_for_host               Sleeps while the host has not changed a word. The virtual server stands still
//                               meanwhile.
//   run_slice(events, until_ns) For a host that must not block: runs the virtual server for so many
//                               events, or to this time; false once a thread waits for the host. Real threads run
//                               by themselves.
//   let_host_look()             Ends the slice under way: the host sees what is now, at the same moment of each run.
//   bring_timeout_forward       For a host, between two slices: a sleeper's timeout ends that much sooner, as if it had said so.
//                               Nothing on real threads.
//   call_apart(body)            Calls body(), in which the thread will often wait, while what is around it would only stand: that makes
//                               waiting cheaper where a fiber's calls have to be taken apart for it (fiber_context.h). Four within each
//                               other at most; a sleep on a futex is one.
//   kRunThreadsMax              How many threads a run may have that is to run everywhere.
//   kThreadsMax, threads_max()  How many threads there may be, and how many can stand ready at once.
//   thread_local_slot()         One pointer per thread for the room above (telemetry).
//   fail(text)                  Ends the engine: reports text to the failure handler and never returns (failure.h).
#pragma once

#include <cstdint>

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
