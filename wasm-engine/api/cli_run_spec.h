// Turns the command line's options into a run spec. All values are checked by the run spec itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/json.h"
#include "api/run_spec.h"

namespace CLI {
class App;
}

namespace latchscope::api {

// Texts are empty if the option was not given.
struct CliRun {
  std::string spec_path;  // a run spec file; the options below override it
  std::string scenario, design, platform, threads, seconds, seed, json_path;
  std::string interval, server, events_max;
  std::vector<std::string> server_set;  // value=number
  std::vector<std::string> set;         // knob=variant
  std::vector<std::string> param;       // name=value
  std::vector<std::string> at;          // seconds:action, seconds:knob=variant or seconds:what_if...
  std::string rewind_to, fork_at;       // of fork_at as of at
  double default_seconds = 10;
};

struct CliExplain {
  CliRun run;
  std::string transaction = "slowest";
  bool with_blame = false;
};

void add_run_options(CLI::App& command, CliRun& run);
// Of the subcommand run alone.
void add_going_back(CLI::App& command, CliRun& run);
void add_explain_options(CLI::App& command, CliExplain& explain);
// The fields of a file are checked before options override them, so that an error is about the file's own
// text. What is not a number stays a string, so that the run spec's own check names it.
RunSpecOrErrors read_run_spec(const CliRun& run);
// seconds:action or seconds:knob=variant as an entry of the spec's "actions"; seconds:what_if... as {"at_s", "what_if"}. A what-if
// is written as in links: what_if.costs.pause_ps=50, what_if.latch=fil_system->mutex;section_percent=80.
Json timed_change(const std::string& text);

// seconds of an option, in nanoseconds of run time; nothing unless it is `from_ns` or later, and before the end of the run.
std::optional<uint64_t> moment_of(const std::string& seconds, const RunSpec& spec, uint64_t from_ns);

// --fork-at, for a run of this spec: what is done, and the run's spec with it.
struct ForkOrErrors {
  std::optional<RunSpec> spec;
  std::optional<TimedStep> step;
  Json what_if;  // what is supposed, if nothing is done
  uint64_t run_ns = 0;
  std::vector<FieldError> errors;
};
ForkOrErrors read_fork(const RunSpec& spec, const std::string& fork_at);

// A what-if instead of the spec's own; a step after those of the same time.
void add_change(Json& spec, const Json& change);
// A run supposes something from one moment on. The option is named by the error.
std::optional<FieldError> why_not_change(const Json& spec, const std::string& option,
                                         const std::string& text);
// An option's integer; none if it is not one.
std::optional<int64_t> integer_of(const std::string& text);

// A run and another one: its spec, or what is done differently. How many seeds each is repeated with.
struct CliDiff {
  CliRun run;
  std::string other_path, fork_at, seeds;
};

void add_diff_options(CLI::App& command, CliDiff& diff);

// What a latch or a cost is supposed to be (docs/guide/what-if.md), beside the options of a run.
struct CliWhatIf {
  CliRun run;
  std::string latch, site, cost, scale, percent, seeds, top, from;
  std::vector<std::string> fork_at;  // as of a run, each another course
  bool hand_over_free = false, line_still = false, wake_up_free = false, profile = false;
};

void add_what_if_options(CLI::App& command, CliWhatIf& what_if);

}  // namespace latchscope::api
