// The subcommand what-if: curves of throughput and latency as a function of the supposed change,
// and the causal profile of a run.
#pragma once

#include "cli/output.h"
#include "cli/run_spec.h"

namespace latchscope::cli {

// Returns the exit code.
int what_if(const CliWhatIf& arguments, Printed& printed);

}  // namespace latchscope::cli
