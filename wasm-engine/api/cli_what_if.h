// The subcommand what-if: curves of throughput and latency as a function of the supposed change,
// and the causal profile of a run.
#pragma once

#include "api/cli_output.h"
#include "api/cli_run_spec.h"

namespace latchscope::api {

// Returns the exit code.
int what_if(const CliWhatIf& arguments, Printed& printed);

}  // namespace latchscope::api
