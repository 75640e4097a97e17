// Runs fibers in the order of virtual time; at equal times, in the order of planning. Each fiber on
// a CPU has a time slice. Once it has passed, the fiber is preempted if another waits in the run
// queue.
//
// Invariant: each fiber has at most one pending event. An event whose number is not its fiber's is
// void.
#pragma once

#include <cstdint>

#include "platform/virtual/event_queue.h"
#include "platform/virtual/scheduler.h"

namespace latchscope::platform {

class Machine;

class ClockScheduler final : public Scheduler {
 public:
  explicit ClockScheduler(Machine& machine) : machine_(machine) {}

  void boot() override;
  Ps horizon() const override;
  Fiber& reach(Ps time) override;
  Fiber& run_until_a_fiber_goes_on() override;
  void plan(Fiber& fiber, Ps time) override;
  void plan_store(uint32_t place, Ps commit) override;
  // Moves the fiber's pending timer forward by `sooner`.
  void bring_forward(Fiber& fiber, Ps sooner);
  void make_ready(Fiber& fiber, Ps latency) override;
  void block(Fiber& fiber) override;
  Fiber& yielded() override;
  Fiber& paused() override;
  SpinStep begin_spin(Fiber& fiber) override;

 private:
  // Event ids from this number on belong to a pending store, not to a fiber.
  static constexpr uint32_t kFirstStore = 1u << (Event::kFiberBits - 1);
  static bool is_of_store(const Event& event) { return event.fiber() >= kFirstStore; }

  Event next_event();
  void commit_next_store();
  void wake(Fiber& fiber);
  void hold(Fiber& fiber);
  bool is_overdue(const Fiber& fiber) const;
  void preempt(Fiber& fiber);
  void release_cpu(Fiber& fiber);

  Machine& machine_;
  EventQueue queue_;
  uint64_t next_sequence_ = 1;
};

}  // namespace latchscope::platform
