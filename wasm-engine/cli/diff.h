// The subcommand diff: the event at which two runs diverge, what each run has there, and how their
// figures differ from then on.
#pragma once

#include "cli/output.h"
#include "cli/run_spec.h"

namespace latchscope::cli {

// Returns the exit code.
int diff(const CliDiff& arguments, Printed& printed);

}  // namespace latchscope::cli
