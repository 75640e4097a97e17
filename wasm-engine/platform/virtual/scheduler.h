// The seam behind which it is decided who goes on next. The machine carries out what threads do and says when each of them
// wants to go on; its scheduler says who does.
//
// No scheduler leaves a fiber: it says who goes on, and the machine switches.
//
//   ClockScheduler      in the order of virtual time, on the CPUs of the modelled server: what a run is
//   ExploringScheduler  as a schedule chooses, whatever the clock says: how tests look for faults of latches and protocols
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

  // The machine starts afresh: nothing is to come.
  virtual void boot() = 0;

  // Until then the fiber that runs may go on without asking.
  virtual Ps horizon() const = 0;
  // The fiber that runs wants to go on at `time`. Carries out what comes before; returns who goes on first.
  virtual Fiber& reach(Ps time) = 0;
  // The fiber that runs does not go on for now. Carries out what is to come; returns who goes on.
  virtual Fiber& run_until_a_fiber_goes_on() = 0;

  // At `time` the fiber, which has a CPU or needs none, does what its `next` says.
  virtual void plan(Fiber& fiber, Ps time) = 0;
  // The store in this place takes effect at `commit`. Only on a server whose cores have store buffers.
  virtual void plan_store(uint32_t place, Ps commit) = 0;

  // The fiber wants a CPU, `latency` from now on, to do what its `next` says.
  virtual void make_ready(Fiber& fiber, Ps latency) = 0;
  // The fiber that runs gives up its CPU until somebody makes it ready.
  virtual void block(Fiber& fiber) = 0;
  // The fiber that runs lets others go first; returns who goes on.
  virtual Fiber& yielded() = 0;
  // It waits for others, on its CPU. By the clock that is work, of which the scheduler is not asked.
  virtual Fiber& paused() = 0;
  // It begins to poll a word: what it does first.
  virtual SpinStep begin_spin(Fiber& fiber) = 0;
};

}  // namespace latchscope::platform
