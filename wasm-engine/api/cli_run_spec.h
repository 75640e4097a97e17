// Turns the command line's options into a run spec. All values are checked by the run spec itself.
#pragma once

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
  std::vector<std::string> at;          // seconds:action or seconds:knob=variant
  double default_seconds = 10;
};

struct CliExplain {
  CliRun run;
  std::string transaction = "slowest";
  bool with_blame = false;
};

void add_run_options(CLI::App& command, CliRun& run);
void add_explain_options(CLI::App& command, CliExplain& explain);
// The fields of a file are checked before options override them, so that an error is about the file's own
// text. What is not a number stays a string, so that the run spec's own check names it.
RunSpecOrErrors read_run_spec(const CliRun& run);
// seconds:action or seconds:knob=variant as an entry of the spec's "actions".
Json timed_step(const std::string& text);

// What a latch or a cost is supposed to be (docs/what-if.md), beside the options of a run.
struct CliWhatIf {
  CliRun run;
  std::string latch, site, cost, scale, percent, seeds, top, from;
  std::vector<std::string> fork_at;  // seconds:action or seconds:knob=variant
  bool hand_over_free = false, line_still = false, wake_up_free = false, profile = false;
};

void add_what_if_options(CLI::App& command, CliWhatIf& what_if);

}  // namespace latchscope::api
