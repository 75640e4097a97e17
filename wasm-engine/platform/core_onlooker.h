// What becomes of threads on the CPUs of the modelled server, told as it happens: what no thread can say of itself. Real
// threads have nobody who could tell.
#pragma once

#include <cstdint>

namespace latchscope::platform {

inline constexpr uint16_t kNoCore = 0xffff;

// `thread` is thread_local_slot() of the thread, never null. Times are those of now_ps(), and never go back for a thread;
// they may lie ahead of the clock, but nothing else happens to the thread before. Called between two events; must not touch
// shared words.
class CoreOnlooker {
 public:
  CoreOnlooker() = default;
  virtual ~CoreOnlooker() = default;
  CoreOnlooker(const CoreOnlooker&) = delete;
  CoreOnlooker& operator=(const CoreOnlooker&) = delete;

  // It has a core, which waits for a cache line: for so long an access takes beyond what it costs a core that has the line.
  virtual void stalls(const void* thread, uint64_t from_ps, uint64_t until_ps) = 0;
  // From now on it would go on and has no core: none is free, it was preempted, or it is on its way to one.
  virtual void is_ready(const void* thread, uint64_t from_ps) = 0;
  // From then on it runs.
  virtual void gets_core(const void* thread, uint64_t from_ps, uint16_t core) = 0;
  // It ends the sleep of another one, which is ready a little later.
  virtual void wakes(const void* thread, const void* sleeper) = 0;
  // It gave up its core, and is asleep or ready.
  virtual void leaves_core(const void* thread) = 0;
};

}  // namespace latchscope::platform
