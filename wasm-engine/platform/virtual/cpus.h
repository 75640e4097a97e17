// The CPUs of the modelled server: which fiber runs on which, and which fibers wait for one. A core
// is one CPU or two siblings, which slow each other down while both work.
//
// Invariants
//   1. Two fibers never run on one CPU at the same virtual time.
//   2. The run queue is empty while a CPU is idle.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/server_profile.h"
#include "platform/virtual/fiber.h"

namespace latchscope::platform {

class Cpus {
 public:
  // Starts with all CPUs idle.
  void boot(const ServerProfile& profile);
  // Switches the costs to those of `profile`, which has the same cores.
  void take_costs(const ServerProfile& profile) { profile_ = profile; }

  bool has_idle() const { return idle_ > 0; }
  // Gives the fiber an idle CPU from `starts` on, chosen as Linux balances load.
  //
  // REQUIRES: has_idle().
  void give_idle(Fiber& fiber, Ps starts);
  // Adds the fiber to the end of the run queue.
  //
  // REQUIRES: !has_idle().
  void line_up(Fiber& fiber);
  bool somebody_waits() const { return ready_first_ != nullptr; }
  // Takes the fiber's CPU once its stores have taken effect. The first fiber of the run queue gets
  // the CPU, from its `on_cpu_since` on. Returns that fiber, or null if the run queue is empty.
  Fiber* release(Fiber& fiber, Ps now);

  bool has_working_sibling(const Fiber& fiber) const {
    const Fiber* sibling = fiber.cpu == kNoCpu ? nullptr : sibling_of(fiber.cpu);
    // A spinning sibling leaves the core's execution units to the other: PAUSE does this.
    return sibling != nullptr && (sibling->event == 0 || !is_spinning(sibling->next));
  }

  // Returns the time in which a CPU ran a fiber or switched to one, summed over CPUs.
  Ps busy(Ps now) const;
  uint64_t context_switches() const { return context_switches_; }

 private:
  uint32_t pick_idle(const Fiber& fiber) const;
  // Returns the fiber on the CPU's sibling; null if it is idle or there is none.
  const Fiber* sibling_of(uint32_t cpu) const {
    return profile_.threads_per_core == 1 ? nullptr : on_cpu_[cpu ^ 1];
  }
  void note_idle(uint32_t cpu, bool is_idle);
  void give(Fiber& fiber, uint32_t cpu, Ps starts);
  Fiber* take_first_in_line();

  ServerProfile profile_;
  std::vector<Fiber*> on_cpu_;  // null: idle
  std::vector<uint32_t> idle_of_socket_;
  std::vector<uint32_t> idle_of_complex_;
  uint32_t idle_ = 0;
  Fiber* ready_first_ = nullptr;
  Fiber* ready_last_ = nullptr;
  Ps busy_before_ = 0;  // of fibers that have left their CPU
  uint64_t context_switches_ = 0;
};

}  // namespace latchscope::platform
