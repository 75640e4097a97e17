// The workload of a file: each thread interprets the body of its group, with real latches and real
// work under them.
//
// Invariants
//   1. A client stops before its transaction, or asleep on a timer or a word while it holds nothing.
//      Other threads stop before each repetition of their body, or asleep while they hold nothing.
//   2. A body that cannot continue (ScriptWrong), or that is cut, releases what it holds. Its
//      transaction does not count.
//   3. Each repetition draws its random numbers from (seed, group, index, repetition) alone, so it
//      draws the same ones in every design.
//   4. A deadlock fails the engine, because a thread inside a latch cannot be stopped.
#pragma once

#include <memory>

#include "workload/workload.h"

namespace latchscope::workload {

// REQUIRES (both): the config has a script.
std::vector<ConfigError> check_scripted_config(const WorkloadConfig& config);
std::unique_ptr<Workload> make_scripted_workload(const WorkloadConfig& config);

}  // namespace latchscope::workload
