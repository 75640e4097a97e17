// The subcommand diff: the event at which two runs diverge, what each run has there, and how their
// figures differ from then on.
#pragma once

#include "api/cli_output.h"
#include "api/cli_run_spec.h"

namespace latchscope::api {

// Returns the exit code.
int diff(const CliDiff& arguments, Printed& printed);

}  // namespace latchscope::api
