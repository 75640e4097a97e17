// Threads that compete for a latch of the lab on the modelled server: each enters, holds the latch for a while, exits and does work
// of its own. What came out is noted by a referee who costs nothing there. On real threads nobody could look on for nothing:
// there is no contest.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lab/lab_latch.h"
#include "lab/program.h"
#include "platform/server_profile.h"

namespace latchscope::lab {

struct ContestSpec {
  platform::ServerProfile server;
  uint32_t threads = 2;
  uint64_t hold_ns = 60;
  uint64_t think_ns = 200;      // on average: uniform from 0 to twice of it
  uint32_t shared_percent = 0;  // of the entries, at random; 0 for a mutex
  uint64_t duration_ns =
      2'000'000;  // of virtual time, beginning once each thread has held the latch, or has had the time to
  uint64_t events_max = 50'000'000;  // of the modelled server, after which it ends early
  uint64_t seed = 1;
};

// Two threads were inside at one time, and not both shared.
struct BrokenExclusion {
  uint32_t thread = 0, other = 0;
  uint64_t at_ns = 0;
};

struct ContestResult {
  uint32_t threads = 0;
  uint64_t duration_ps = 0;
  uint64_t acquisitions = 0;
  uint64_t shared_acquisitions = 0;  // of them
  std::vector<uint64_t> of_thread;   // acquisitions of each

  // From the call of enter to its return, over all acquisitions of the duration, in picoseconds. The longest, and how often somebody
  // was overtaken, also of those who still waited at the end.
  uint64_t wait_median_ps = 0, wait_p99_ps = 0, wait_max_ps = 0;
  // From the call of exit to the moment the next one is in, where one waited then.
  uint64_t hand_overs = 0;
  uint64_t hand_over_ps = 0;   // sum
  uint64_t in_order = 0;       // of the acquisitions: nobody who still waits had come before
  uint64_t overtaken_max = 0;  // how many others got in during one wait, at most
  uint64_t line_transfers = 0;
  uint64_t futex_waits = 0, context_switches = 0, events = 0;
  std::vector<InstructionCost> costs;  // by instruction

  std::optional<BrokenExclusion> broken;
  LabLatch::Problem problem;  // an instruction that could not be carried out
  bool hangs = false;         // threads wait, and nobody gets in any more
  bool ended_early = false;   // events_max

  bool is_sound() const { return !broken && problem.wrong == Wrong::nothing && !hangs; }
  double acquisitions_per_s() const {
    return duration_ps == 0 ? 0 : static_cast<double>(acquisitions) * 1e12 / static_cast<double>(duration_ps);
  }
  // Jain's index: 1 if all threads got in equally often, 1 / threads if a single one did (Jain, Chiu, Hawe 1984).
  double fairness() const;
};

// Called by a thread beside the modelled server, which has none running. Means nothing on real threads: api/ refuses it there.
ContestResult hold_contest(const Program& program, const ContestSpec& spec);

}  // namespace latchscope::lab
