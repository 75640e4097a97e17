// Runs on the modelled server for the command line, as many at a time as the host has cores. Each run has a process of its own,
// since a process has one engine; what comes out does not depend on how many there are at a time.
#pragma once

#include <vector>

#include "api/run_outcome.h"
#include "api/run_spec.h"

namespace latchscope::api {

struct RunOutcomes {
  std::vector<RunOutcome> of_runs;  // in the order of the specs
  bool failed = false;              // an engine has stopped, and said so
};

// `from_s`: 0, or the end of an interval, from which on each run counts.
RunOutcomes run_all(const std::vector<RunSpec>& specs, double from_s);

}  // namespace latchscope::api
