// `run --rewind-to` and `run --fork-at`: runs to the end, then goes back to a moment of the run.
// From there the run continues once more, with or without a change.
#pragma once

#include "cli/output.h"
#include "cli/run_spec.h"

namespace latchscope::cli {

bool goes_back(const CliRun& arguments);
// Returns the exit code.
int run_and_go_back(const CliRun& arguments, Printed& printed);

}  // namespace latchscope::cli
