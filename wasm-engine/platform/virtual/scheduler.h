// The interface through which the next fiber is chosen. The machine performs the operations of
// threads and says when each can continue; its scheduler chooses which one does. A scheduler never
// switches fibers: it returns the next one, and the machine switches.
//
//   ClockScheduler      in the order of virtual time, on the CPUs of the modelled server; every run
//                       uses it
//   ExploringScheduler  as a schedule chooses, whatever the clock says; tests use it to find faults
//                       of latches and protocols
#pragma once

#include <cstdint>

#include "platform/server_profile.h"
#include "platform/virtual/fiber.h"

namespace latchscope::platform {

class Scheduler {
 public:
  Scheduler() = default;
  virtual ~Scheduler() = default;
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // Resets the scheduler with the machine: no event is pending.
  virtual void boot() = 0;

  // Returns the time up to which the running fiber may continue without asking.
  virtual Ps horizon() const = 0;
  // The running fiber wants to continue at `time`. Handles all earlier events; returns the fiber
  // that continues first.
  virtual Fiber& reach(Ps time) = 0;
  // Blocks the running fiber. Handles pending events; returns the fiber that continues.
  virtual Fiber& run_until_a_fiber_goes_on() = 0;

  // Plans the fiber's `next` for `time`. The fiber has a CPU or needs none.
  virtual void plan(Fiber& fiber, Ps time) = 0;
  // Plans the effect of the store at `place` for `commit`. Only for servers whose cores have store
  // buffers.
  virtual void plan_store(uint32_t place, Ps commit) = 0;

  // Makes the fiber ready: it wants a CPU, `latency` from now on, to do its `next`.
  virtual void make_ready(Fiber& fiber, Ps latency) = 0;
  // Takes the CPU of the running fiber, until it is made ready.
  virtual void block(Fiber& fiber) = 0;
  // Lets other fibers run before the running one; returns the fiber that continues.
  virtual Fiber& yielded() = 0;
  // The running fiber waits for others, on its CPU. By the clock a pause is work, so the machine
  // does not ask.
  virtual Fiber& paused() = 0;
  // The fiber begins to poll a word. Returns its first step.
  virtual SpinStep begin_spin(Fiber& fiber) = 0;
};

}  // namespace latchscope::platform
