// Runs on the modelled server for the command line, one per host core at a time. Each run has a
// process of its own, because a process has one engine. The results do not depend on the number of
// concurrent runs.
#pragma once

#include <vector>

#include "cli/output.h"
#include "run/run_outcome.h"

namespace latchscope::cli {

struct RunOutcomes {
  std::vector<run::RunOutcome> of_runs;  // in the order of the specs
  bool failed = false;                   // an engine has stopped, and has printed why
};

// `from_s`: where each run starts to count; 0, or the end of an interval.
RunOutcomes run_all(const std::vector<RunSpec>& specs, double from_s);

}  // namespace latchscope::cli
