// A contest for a latch of the lab on the modelled server. Each thread enters, holds the latch for
// a while, exits and does work of its own. A referee records the results at no cost to the modelled
// server. With real threads, recording would cost time, so there is no contest.
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
  uint64_t think_ns = 200;      // on average: uniform from 0 to twice this
  uint32_t shared_percent = 0;  // of the entries, at random; 0 for a mutex
  // Of virtual time. Starts once each thread has held the latch, or has had the time to.
  uint64_t duration_ns = 2'000'000;
  // Of the modelled server; the contest ends early after this many.
  uint64_t events_max = 50'000'000;
  uint64_t seed = 1;
};

// Two threads were inside at once, not both shared.
struct BrokenExclusion {
  uint32_t thread = 0, other = 0;
  uint64_t at_ns = 0;
};

struct ContestResult {
  uint32_t threads = 0;
  uint64_t duration_ps = 0;
  uint64_t acquisitions = 0;
  uint64_t shared_acquisitions = 0;  // part of `acquisitions`
  std::vector<uint64_t> of_thread;   // acquisitions of each thread

  // Time from the call of enter to its return, in picoseconds, over all acquisitions of the
  // duration. wait_max_ps and overtaken_max also count the threads that still waited at the end.
  uint64_t wait_median_ps = 0, wait_p99_ps = 0, wait_max_ps = 0;
  // Hand-off time: from the call of exit to the moment the next thread is in, if one was waiting.
  uint64_t hand_overs = 0;
  uint64_t hand_over_ps = 0;   // sum over all hand-offs
  uint64_t in_order = 0;       // acquisitions by the thread that had waited longest
  uint64_t overtaken_max = 0;  // most threads that got in during one wait
  uint64_t line_transfers = 0;
  uint64_t futex_waits = 0, context_switches = 0, events = 0;
  std::vector<InstructionCost> costs;  // by instruction

  std::optional<BrokenExclusion> broken;
  LabLatch::Problem problem;  // an instruction that could not run
  bool hangs = false;         // threads wait, and none gets in any more
  bool ended_early = false;   // events_max was reached

  bool is_sound() const { return !broken && problem.wrong == Wrong::nothing && !hangs; }
  double acquisitions_per_s() const {
    return duration_ps == 0 ? 0 : static_cast<double>(acquisitions) * 1e12 / static_cast<double>(duration_ps);
  }
  // Returns Jain's index: 1 if all threads got in equally often, 1 / threads if only one did (Jain,
  // Chiu, Hawe 1984).
  double fairness() const;
};

// Runs a contest. The platform must be the modelled server; run/ rejects contests on real threads.
//
// REQUIRES: the caller is a thread beside the modelled server, and that server runs no thread.
ContestResult hold_contest(const Program& program, const ContestSpec& spec);

}  // namespace latchscope::lab
