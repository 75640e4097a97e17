// A schedule chooses who goes on, at each shared access, system call and wake-up. Time only moves on; accesses cost next to
// nothing.
//
// Invariants
//   1. All threads count as running on core 0, so that no access is a transfer, and none has a CPU of its own.
//   2. Each thread's own event is its candidate.
//   3. Stores take effect at once: the server has no store buffers.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/virtual/schedule.h"
#include "platform/virtual/scheduler.h"

namespace latchscope::platform {

class Machine;

class ExploringScheduler final : public Scheduler {
 public:
  // From now on until it goes away the machine is explored. Created by the main fiber, which spawns the threads.
  explicit ExploringScheduler(Machine& machine);
  ~ExploringScheduler() override;

  // The machine starts afresh, and from now on `schedule` chooses. Threads of an earlier schedule that are still there are
  // gone: their stacks are freed as they are, without running any destructor. `timeouts_end`: whether the timeout of a
  // futex wait may end it; if not, a wait that needs its timeout never ends.
  void begin(Schedule& schedule, bool timeouts_end);
  enum class Outcome : uint8_t { all_ended, some_are_stuck, too_many_steps, abandoned };
  // Lets the threads go on, for at most so many steps.
  Outcome run(uint64_t steps_max);
  // Called by an explored thread: run() returns, and no thread goes on any more.
  [[noreturn]] void abandon();
  // Whether an explored thread is running.
  bool is_in_thread() const;

  void boot() override {}
  Ps horizon() const override;
  Fiber& reach(Ps time) override;
  Fiber& run_until_a_fiber_goes_on() override;
  void plan(Fiber& fiber, Ps time) override;
  void plan_store(uint32_t place, Ps commit) override;
  void make_ready(Fiber& fiber, Ps latency) override;
  void block(Fiber& /*fiber*/) override {}
  Fiber& yielded() override;
  Fiber& paused() override { return yielded(); }
  SpinStep begin_spin(Fiber& fiber) override;

 private:
  bool is_candidate(const Fiber& fiber) const;
  void find_candidates();

  Machine& machine_;
  Schedule* schedule_ = nullptr;
  bool timeouts_end_ = true;
  bool is_abandoned_ = false;
  uint64_t steps_left_ = 0;
  std::vector<Candidate> candidates_;
};

}  // namespace latchscope::platform
