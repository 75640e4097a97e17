// The subcommands that have files of their own. Each returns the exit code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/run_spec.h"

namespace latchscope::cli {

// The event at which two runs diverge, what each run has there, and how their figures differ from
// then on.
int diff(const CliDiff& arguments, Printed& printed);

// Curves of throughput and latency as a function of the supposed change, and the causal profile of a
// run.
int what_if(const CliWhatIf& arguments, Printed& printed);

// `run --rewind-to` and `run --fork-at`: runs to the end, then goes back to a moment of the run. From
// there the run continues once more, with or without a change.
bool goes_back(const CliRun& arguments);
int run_and_go_back(const CliRun& arguments, Printed& printed);

// lab check: looks for a schedule under which a lab latch goes wrong.
struct CliLabCheck {
  std::string program = "-";
  std::string threads, rounds, schedules, states, roles;
  std::string memory;
  bool without_starvation = false;
  bool requires_fair = false;
  std::string replay;
  bool has_replay = false;
  std::string json_path;
};

void add_lab_check_options(CLI::App& command, CliLabCheck& check);
int lab_check(const CliLabCheck& arguments, Printed& printed);

// lab bench: the performance of a lab latch as threads are added, on a modelled server.
struct CliLabBench {
  std::string program;  // a file, or - for standard input
  std::vector<uint32_t> threads;
  std::string server;
  std::optional<uint64_t> hold_ns, think_ns, shared_percent, duration_us, seed;
  std::string json_path;
};

void add_lab_bench_options(CLI::App& command, CliLabBench& arguments);
int lab_bench(const CliLabBench& arguments, Printed& printed);

}  // namespace latchscope::cli
