// Turns the command line's options into a run spec. The run spec itself checks all values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.h"

namespace CLI {
class App;
}

namespace latchscope::cli {

// Texts are empty if the option was not given.
struct CliRun {
  std::string spec_path;  // a run spec file; the options below override it
  std::string scenario, design, platform, threads, seconds, seed, json_path;
  std::string interval, server, events_max;
  std::vector<std::string> server_set;  // value=number
  std::vector<std::string> set;         // knob=variant
  std::vector<std::string> param;       // name=value
  std::vector<std::string> at;          // seconds:action, seconds:knob=variant, seconds:what_if...
  std::string rewind_to, fork_at;       // fork_at has the form of one `at`
  double default_seconds = 10;
};

struct CliExplain {
  CliRun run;
  std::string transaction = "slowest";
  bool with_blame = false;
};

void add_run_options(CLI::App& command, CliRun& run);
// Adds --rewind-to and --fork-at, which only the subcommand run has.
void add_going_back(CLI::App& command, CliRun& run);
void add_explain_options(CLI::App& command, CliExplain& explain);
// Checks the fields of a file before options override them, so that an error is about the file's
// own text. A value that is not a number stays a string, so that the run spec's check reports it.
RunSpecOrErrors read_run_spec(const CliRun& run);
// Returns seconds:action or seconds:knob=variant as an entry of the spec's "actions". Returns
// seconds:what_if... as {"at_s", "what_if"}. A what-if has the form used in links:
// what_if.costs.pause_ps=50, what_if.latch=fil_system->mutex;section_percent=80.
Json timed_change(const std::string& text);

// Returns an option's seconds as nanoseconds of run time. Returns nothing unless they are at or
// after `from_ns` and before the end of the run.
std::optional<uint64_t> moment_of(const std::string& seconds, const RunSpec& spec, uint64_t from_ns);

// --fork-at for a run of this spec: the change, and the run's spec with it.
struct ForkOrErrors {
  std::optional<RunSpec> spec;
  std::optional<run::TimedStep> step;
  Json what_if;  // the what-if, if there is no step
  uint64_t run_ns = 0;
  std::vector<FieldError> errors;
};
ForkOrErrors read_fork(const RunSpec& spec, const std::string& fork_at);

// Adds the change to the spec: a what-if replaces the spec's own; a step follows those of the same
// time.
void add_change(Json& spec, const Json& change);
// Returns why the spec cannot have the change: a run has one what-if, from one moment on. The error
// names the option.
std::optional<FieldError> why_not_change(const Json& spec, const std::string& option,
                                         const std::string& text);
// Returns an option's integer, or nothing if the text is no integer.
std::optional<int64_t> integer_of(const std::string& text);
// Returns an option's integer from `min` to `max`. Returns `if_absent` for no text, and after an error.
uint32_t number_of_option(const char* option, const std::string& text, uint32_t if_absent, uint32_t min,
                          uint32_t max, std::vector<FieldError>& errors);

// A run and another one, given by its spec or by a change, and with how many seeds each is
// repeated.
struct CliDiff {
  CliRun run;
  std::string other_path, fork_at, seeds;
};

void add_diff_options(CLI::App& command, CliDiff& diff);

// What a latch or a cost is supposed to be (docs/guide/what-if.md), beside the options of a run.
struct CliWhatIf {
  CliRun run;
  std::string latch, site, cost, scale, percent, seeds, top, from;
  std::vector<std::string> fork_at;  // as of a run; each starts another branch
  bool hand_over_free = false, line_still = false, wake_up_free = false, profile = false;
};

void add_what_if_options(CLI::App& command, CliWhatIf& what_if);

}  // namespace latchscope::cli
