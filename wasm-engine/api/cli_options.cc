#include <CLI/CLI.hpp>

#include "api/cli_run_spec.h"

namespace latchscope::api {

namespace {

std::string refuse_nothing(const std::string& value) {
  return value.empty() ? "got \"\"; allowed: a value" : "";
}

void refuse_empty_values(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_expected_min() > 0) option->check(refuse_nothing);
  }
}

void add_spec_options(CLI::App& command, CliRun& run) {
  command.add_option("--spec", run.spec_path,
                     "Run spec file (JSON), - for standard input; options override it");
  command.add_option("--scenario", run.scenario, "Scenario id, see list");
  command.add_option("--design", run.design, "Preset: original, fixed or another one of the scenario");
  command.add_option("--platform", run.platform,
                     "threads (this machine, the default) or virtual (a modelled server)");
  command.add_option("--threads", run.threads, "Clients");
  command.add_option("--seconds", run.seconds, "Duration; default 10");
  command.add_option("--report-interval", run.interval, "Seconds per line; default 1");
  command.add_option("--server", run.server,
                     "virtual: a server of scenarios/servers.json; default the scenario's");
  command.add_option("--server-set", run.server_set, "virtual: value=number of the server, may be repeated")
      ->allow_extra_args(false);
  command.add_option("--events-max", run.events_max,
                     "virtual: stop after so many events; default 5000000000");
  command.add_option("--seed", run.seed, "Seed of every random generator");
  command.add_option("--set", run.set, "knob=variant, may be repeated")->allow_extra_args(false);
  command.add_option("--param", run.param, "name=value, may be repeated")->allow_extra_args(false);
  command
      .add_option("--at", run.at,
                  "seconds:action, seconds:knob=variant or seconds:what_if..., may be repeated")
      ->allow_extra_args(false);
}

}  // namespace

void add_run_options(CLI::App& command, CliRun& run) {
  add_spec_options(command, run);
  command.add_option("--json", run.json_path, "Write the run result to a file, or - for standard output");
  refuse_empty_values(command);
}

void add_going_back(CLI::App& command, CliRun& run) {
  command.add_option(
      "--rewind-to", run.rewind_to,
      "virtual: after its end go back to this second of the run, and on from there; prints both");
  command.add_option(
      "--fork-at", run.fork_at,
      "virtual: the same with a change there: seconds:action, seconds:knob=variant or seconds:what_if...");
  refuse_empty_values(command);
}

void add_diff_options(CLI::App& command, CliDiff& diff) {
  diff.run.default_seconds = 0.1;
  diff.run.platform = "virtual";
  add_run_options(command, diff.run);
  command.get_option("--platform")->description("virtual: the only one whose runs can be compared so");
  command.get_option("--seconds")->description("Duration of each run; default 0.1");
  command.get_option("--json")->description("Write all figures to a file, or - for standard output");
  command.add_option("--fork-at", diff.fork_at,
                     "The other run is this one with a change: seconds:action, seconds:knob=variant or "
                     "seconds:what_if..., such as 0.02:what_if.costs.pause_ps=50");
  command.add_option("--other", diff.other_path, "Run spec file (JSON) of the other run");
  command.add_option("--seeds", diff.seeds, "Repeat both with so many seeds, for intervals; default 1");
  refuse_empty_values(command);
}

void add_what_if_options(CLI::App& command, CliWhatIf& what_if) {
  what_if.run.default_seconds = 0.1;
  what_if.run.platform = "virtual";
  add_run_options(command, what_if.run);
  command.get_option("--platform")->description("virtual: the only one that has what-if");
  command.get_option("--seconds")->description("Duration of each run; default 0.1");
  command.get_option("--json")->description("Write all figures to a file, or - for standard output");
  command.add_option("--latch", what_if.latch, "The latch that is supposed to be different, see latches");
  command.add_option("--site", what_if.site, "Only its sections in the function that takes it here");
  command.add_option("--cost", what_if.cost, "The cost of the server that is supposed to be different");
  command.add_option("--scale", what_if.scale,
                     "Percents of the section or the cost; default 0,25,50,75,100,125,150,200");
  command
      .add_option(
          "--fork-at", what_if.fork_at,
          "Another course from then on: seconds:action, seconds:knob=variant or seconds:what_if...; may be "
          "repeated")
      ->allow_extra_args(false);
  command.add_flag("--hand-over-free", what_if.hand_over_free, "Handing the latch over costs nothing");
  command.add_flag("--line-still", what_if.line_still, "The latch's cache line is where it is needed");
  command.add_flag("--wake-up-free", what_if.wake_up_free, "Waking a sleeper of the latch takes no time");
  command.add_flag("--profile", what_if.profile,
                   "Each hot latch in turn: its section at --percent, and its hand-over free");
  command.add_option("--percent", what_if.percent, "Of the profile; default 80");
  command.add_option("--top", what_if.top, "Of the profile: how many latches; default 8");
  command.add_option("--from", what_if.from,
                     "Count from so many seconds on, such as after an action; default 0");
  command.add_option("--seeds", what_if.seeds,
                     "Repeat each run with so many seeds; default 1, of the profile 5");
  refuse_empty_values(command);
}

void add_explain_options(CLI::App& command, CliExplain& explain) {
  add_spec_options(command, explain.run);
  command.get_option("--platform")->description("virtual: real threads cannot be explained");
  command.add_option(
      "--transaction", explain.transaction,
      "Which one: slowest, p99 (of those that ended in a part of the run: slowest@FROM-TO, in seconds), "
      "nth:N (in order of beginning) or thread:CLIENT@SECONDS");
  command.add_flag("--blame", explain.with_blame,
                   "Add what the slowest 1 % of all transactions spent their time on");
  command.add_option("--json", explain.run.json_path,
                     "Write the explanation to a file, or - for standard output");
  refuse_empty_values(command);
}

}  // namespace latchscope::api
