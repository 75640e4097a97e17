// Runs on the modelled server for the command line, as many at a time as the host has cores. Each run has a process of its own,
// since a process has one engine; what comes out does not depend on how many there are at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/run_spec.h"

namespace latchscope::api {

// What is kept of a run, from a moment of it to its end.
struct RunOutcome {
  double tps = 0;
  double p99_ms = 0;
  double seconds = 0;
  std::map<std::string, uint64_t> cost_ns;  // by latch that was taken, of all its sites
  std::vector<std::string> broken_invariants;
  std::string stopped_early;  // why, or ""
};

struct RunOutcomes {
  std::vector<RunOutcome> of_runs;  // in the order of the specs
  bool failed = false;              // an engine has stopped, and said so
};

// `from_s`: 0, or the end of an interval, from which on each run counts.
RunOutcomes run_all(const std::vector<RunSpec>& specs, double from_s);

}  // namespace latchscope::api
