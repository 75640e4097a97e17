// The seam between the engine and the machine it runs on.
//
// Everything that blocks, waits, costs time, reads a clock, draws a random number or shares a word between
// threads goes through this header. Nothing above platform/ includes <thread>, <mutex>, <atomic>, <chrono>,
// <random> or anything of Emscripten: `npm test` checks that.
//
// A platform is one implementation of the declarations listed here, chosen when the engine is compiled:
//
//   threads   real threads and the real clock: std::thread natively, Web Workers over shared memory in a
//             browser
//   virtual   a discrete-event model of a multicore server, on which every thread is a fiber
//
// What each platform provides, in namespace latchscope::platform (shapes and units as given here):
//
//   struct CacheLine            Base of a struct of Atomics that share one 64-byte cache line. Line membership is
//                               declared, never read off addresses, because a 32-bit WebAssembly struct is
//                               laid out unlike the server's.
//   class Atomic<T>             T is uint32_t, int32_t or uint64_t. Constructed with its line and its first value.
//                               Operations name their memory order; WebAssembly makes each of them
//                               sequentially consistent.
//   class Published<T>          A cell with a single writer and any number of sampling readers; never a
//                               synchronisation between engine threads. Costs a plain store. For the host of
//                               the engine, set_release and read_acquire: whoever reads the value also sees
//                               what its writer did before.
//   futex_wait, futex_wake      As in Linux: sleep while the word still has the expected value; wake at most n.
//   spin_until                  Poll a word until a predicate on its value holds, with a delay between polls.
//   pause(n)                    n PAUSE instructions, or what takes about as long.
//   now_ns, sleep_ns, yield     Monotonic clock, timer sleep, sched_yield.
//   charge(cpu_ns)              What work costs on the modelled server; nothing on real threads, where it is
//                               done.
//   class Device, io(...)       A storage device: stated latency, bandwidth and number of channels.
//   class Random                Seeded generator, one per thread.
//   class Thread                Spawn on construction, join. The name appears in telemetry.
//   threads_max()               How many threads can stand ready at once.
//   thread_local_slot()         One pointer per thread for the room above (telemetry).
//   fail(text)                  Ends the run: reports text to the failure handler and never returns.
#pragma once

#include <cstdint>

#include "platform/device.h"
#include "platform/random.h"

namespace latchscope::platform {

inline constexpr uint64_t kForeverNs = ~uint64_t{0};

// What happened in spin_until.
struct SpinOutcome {
  bool satisfied;   // the predicate held at the last poll
  uint32_t rounds;  // polls made, 1 or more
};

}  // namespace latchscope::platform

#if defined(LATCHSCOPE_PLATFORM_THREADS)
#include "platform/threads/threads_platform.h"
#else
#error "Define LATCHSCOPE_PLATFORM_THREADS: no other platform exists yet."
#endif

// An assertion that stays on in every build. `text` says which promise was broken.
#define LATCHSCOPE_ASSERT(condition, text)                                   \
  do {                                                                       \
    if (!(condition)) [[unlikely]] {                                         \
      ::latchscope::platform::fail_at(__FILE__, __LINE__, #condition, text); \
    }                                                                        \
  } while (false)
