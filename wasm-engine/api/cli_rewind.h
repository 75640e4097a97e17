// `run --rewind-to` and `run --fork-at`: the run to its end, then back to a moment of it, and on from there once more, as it
// was or with a change.
#pragma once

#include "api/cli_output.h"
#include "api/cli_run_spec.h"

namespace latchscope::api {

bool goes_back(const CliRun& arguments);
// Returns the exit code.
int run_and_go_back(const CliRun& arguments, Printed& printed);

}  // namespace latchscope::api
