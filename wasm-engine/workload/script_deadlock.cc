#include <algorithm>
#include <map>
#include <set>

#include "workload/script_body.h"

namespace latchscope::workload {

namespace {

// What telemetry says about a thread. Threads and latches have their numbers, from 1.
struct Standing {
  uint32_t waits_for = 0;  // latch; 0: none
  uint32_t wait_site = 0;
  std::vector<uint32_t> holds;
};

std::map<uint32_t, Standing> standings(uint32_t threads) {
  std::map<uint32_t, Standing> all;
  for (uint32_t thread = 1; thread <= threads; ++thread) {
    const telemetry::ThreadSlot& slot = telemetry::block().threads[thread - 1];
    const auto state = static_cast<telemetry::ThreadState>(slot.state[0].read_acquire());
    if (state == telemetry::ThreadState::absent) continue;
    Standing& standing = all[thread];
    const uint32_t site = slot.wait_site[0].read();
    if (telemetry::is_after_latch(state) && site != 0) {
      standing.waits_for = slot.wait_latch[0].read();
      standing.wait_site = site - 1;
    }
    const uint32_t held = std::min(slot.held_count[0].read(), telemetry::kHeldLatchesMax);
    for (uint32_t i = 0; i < held; ++i)
      standing.holds.push_back(slot.held_latches[i].read());
  }
  return all;
}

class Search {
 public:
  explicit Search(const ScriptWorld& world) : world_(world), standings_(standings(world.threads())) {
    for (const auto& [thread, standing] : standings_) {
      for (const uint32_t latch : standing.holds)
        holders_[latch].insert(thread);
      stuck_.insert(thread);
    }
  }

  // A thread may get on if it waits for nothing, or for threads that may get on.
  ScriptDeadlock result() {
    while (std::erase_if(stuck_, [&](uint32_t thread) { return may_get_on(thread); }) > 0) {
    }
    ScriptDeadlock deadlock;
    for (const uint32_t thread : stuck_) {
      deadlock.threads.push_back(thread);
      deadlock.threads.push_back(standings_[thread].waits_for);
    }
    if (!stuck_.empty()) deadlock.text = circle_from(*stuck_.begin());
    return deadlock;
  }

 private:
  static constexpr size_t kTold = 6;

  bool may_get_on(uint32_t thread) {
    const Standing& standing = standings_[thread];
    if (standing.waits_for == 0) return true;
    const std::set<uint32_t>& holders = holders_[standing.waits_for];
    const auto is_stuck = [&](uint32_t holder) { return stuck_.contains(holder); };
    if (needs_any(standing.wait_site)) return !std::ranges::all_of(holders, is_stuck) || holders.empty();
    return std::ranges::none_of(holders, is_stuck);
  }

  // One unit of a semaphore is enough.
  bool needs_any(uint32_t site) const {
    const int32_t hold = world_.hold_of_site(site);
    return hold >= 0 && world_.kind_of(world_.program().holds[static_cast<size_t>(hold)].latch).kind ==
                            ScriptLatchKind::semaphore;
  }

  uint32_t stuck_holder(uint32_t thread) {
    for (const uint32_t holder : holders_[standings_[thread].waits_for]) {
      if (stuck_.contains(holder)) return holder;
    }
    return thread;
  }

  std::string circle_from(uint32_t thread) {
    std::set<uint32_t> seen;
    for (; seen.insert(thread).second; thread = stuck_holder(thread)) {
    }
    std::string text = "deadlock: ";
    const uint32_t first = thread;
    size_t told = 0;
    do {
      const uint32_t holder = stuck_holder(thread);
      text += (told == 0 ? "" : "; ") + world_.name_of(thread) + " waits in line " +
              std::to_string(world_.line_of(thread)) + " for " +
              telemetry::latch_name_of_site(standings_[thread].wait_site) + ", which " +
              (holder == thread ? "it holds itself" : world_.name_of(holder) + " holds");
      thread = holder;
    } while (thread != first && ++told < kTold);
    return text + (thread == first ? "" : "; and so on");
  }

  const ScriptWorld& world_;
  std::map<uint32_t, Standing> standings_;
  std::map<uint32_t, std::set<uint32_t>> holders_;
  std::set<uint32_t> stuck_;
};

}  // namespace

ScriptDeadlock find_deadlock(const ScriptWorld& world) {
  return Search(world).result();
}

}  // namespace latchscope::workload
