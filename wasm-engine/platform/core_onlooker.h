// Reports what threads do on the cores of the modelled server, as it happens. A thread cannot
// observe this itself. With real threads nothing is reported.
#pragma once

#include <cstdint>

namespace latchscope::platform {

inline constexpr uint16_t kNoCore = 0xffff;

// An observer of threads on cores. `thread` is the thread's thread_local_slot(), never null. Times
// are those of now_ps() and never decrease for one thread. They may be ahead of the clock, but
// nothing else happens to that thread before them. The machine calls these functions between two
// events; they must not touch shared words.
class CoreOnlooker {
 public:
  CoreOnlooker() = default;
  virtual ~CoreOnlooker() = default;
  CoreOnlooker(const CoreOnlooker&) = delete;
  CoreOnlooker& operator=(const CoreOnlooker&) = delete;

  // The thread has a core and stalls on a cache line. The interval is what the access takes beyond
  // its cost on a core that has the line.
  virtual void stalls(const void* thread, uint64_t from_ps, uint64_t until_ps) = 0;
  // The thread is runnable without a core: none is idle, it was preempted, or its core is still
  // switching to it.
  virtual void is_ready(const void* thread, uint64_t from_ps) = 0;
  // The thread runs on `core` from `from_ps` on.
  virtual void gets_core(const void* thread, uint64_t from_ps, uint16_t core) = 0;
  // `thread` wakes `sleeper`, which is reported ready a little later.
  virtual void wakes(const void* thread, const void* sleeper) = 0;
  // The thread has given up its core, and is asleep or ready.
  virtual void leaves_core(const void* thread) = 0;
};

}  // namespace latchscope::platform
