// `run --rewind-to` and `run --fork-at`: runs to the end, then goes back to a moment of the run.
// From there the run continues once more, with or without a change.
#pragma once

#include "api/cli_output.h"
#include "api/cli_run_spec.h"

namespace latchscope::api {

bool goes_back(const CliRun& arguments);
// Returns the exit code.
int run_and_go_back(const CliRun& arguments, Printed& printed);

}  // namespace latchscope::api
