// Lets a schedule choose the next fiber at each shared access, system call and wake-up. Virtual
// time only increases, and accesses cost next to nothing.
//
// Invariants
//   1. All threads count as running on core 0, so that no access is a transfer. None has a CPU of
//      its own.
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
  // Explores the machine until this object is destroyed.
  //
  // REQUIRES: the caller is the main fiber, which spawns the threads.
  explicit ExploringScheduler(Machine& machine);
  ~ExploringScheduler() override;

  // Restarts the machine; `schedule` chooses from now on. Deletes the remaining threads of an
  // earlier schedule: their stacks are freed without running destructors. `timeouts_end`: whether a
  // timeout may end a futex wait. If not, a wait that needs its timeout never ends.
  void begin(Schedule& schedule, bool timeouts_end);
  enum class Outcome : uint8_t { all_ended, some_are_stuck, too_many_steps, abandoned };
  // Runs the threads for at most `steps_max` steps.
  Outcome run(uint64_t steps_max);
  // Makes run() return; no thread continues after that.
  //
  // REQUIRES: the caller is an explored thread.
  [[noreturn]] void abandon();
  // Returns whether the caller is an explored thread.
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
