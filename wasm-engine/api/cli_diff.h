// The subcommand diff: at which event two runs part, what each has there, and what differs from then on.
#pragma once

#include "api/cli_output.h"
#include "api/cli_run_spec.h"

namespace latchscope::api {

// Returns the exit code.
int diff(const CliDiff& arguments, Printed& printed);

}  // namespace latchscope::api
