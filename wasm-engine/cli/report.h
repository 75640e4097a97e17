// The errors and exit codes that all subcommands share. docs/reference/command-line.md lists the
// exit codes.
#pragma once

#include <vector>

#include "cli/output.h"
#include "run/run_spec.h"

namespace latchscope::cli {

enum ExitCode { kOk = 0, kInvariantBroken = 1, kBadUsage = 2, kEngineFailed = 3, kCannotWrite = 4 };

// Each prints to standard error and returns the exit code.
int report(const std::vector<run::FieldError>& errors);
int cannot_write(const run::FieldError& error);
int cannot_print(const Printed& printed);
// Handles failures (platform/failure.h): ends the process.
void report_failure(const char* text);

}  // namespace latchscope::cli
