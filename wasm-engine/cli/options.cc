#include <CLI/CLI.hpp>

#include "cli/run_spec.h"

namespace latchscope::cli {

namespace {

std::string refuse_nothing(const std::string& value) {
  return value.empty() ? "got \"\"; allowed: a value" : "";
}

void refuse_empty_values(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_expected_min() > 0) option->check(refuse_nothing);
  }
}

void add_repeatable(CLI::App& command, const char* name, std::vector<std::string>& values, const char* help) {
  command.add_option(name, values, help)->allow_extra_args(false);
}

void add_spec_options(CLI::App& command, CliRun& run) {
  command.add_option("--spec", run.spec_path,
                     "Run spec file (JSON), - for standard input; options override it");
  command.add_option("--scenario", run.scenario, "Scenario id; see latchscope list");
  command.add_option("--design", run.design, "Preset: original, fixed or another preset of the scenario");
  command.add_option("--platform", run.platform,
                     "threads (real threads of this machine; default) or virtual (a modeled server)");
  command.add_option("--threads", run.threads, "Clients");
  command.add_option("--seconds", run.seconds, "Duration; default 10");
  command.add_option("--report-interval", run.interval, "Seconds per line; default 1");
  command.add_option("--server", run.server,
                     "virtual: server from scenarios/servers.json; default: the scenario's");
  add_repeatable(command, "--server-set", run.server_set,
                 "virtual: changes a value of the server (value=number); repeatable");
  command.add_option("--events-max", run.events_max,
                     "virtual: stop after this many events; default 5000000000");
  command.add_option("--seed", run.seed, "Seed of all random generators");
  add_repeatable(command, "--set", run.set, "knob=variant; repeatable");
  add_repeatable(command, "--param", run.param, "name=value; repeatable");
  add_repeatable(command, "--at", run.at,
                 "seconds:action, seconds:knob=variant or seconds:what_if...; repeatable");
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
      "virtual: after the run, go back to this second and run again from there; prints both results");
  command.add_option(
      "--fork-at", run.fork_at,
      "virtual: like --rewind-to, with a change: seconds:action, seconds:knob=variant or seconds:what_if...");
  refuse_empty_values(command);
}

// For subcommands that run the modelled server several times.
static void add_options_of_each_run(CLI::App& command, CliRun& run, const char* platform) {
  run.default_seconds = 0.1;
  run.platform = "virtual";
  add_run_options(command, run);
  command.get_option("--platform")->description(platform);
  command.get_option("--seconds")->description("Duration of each run; default 0.1");
  command.get_option("--json")->description("Write all figures to a file, or - for standard output");
}

void add_diff_options(CLI::App& command, CliDiff& diff) {
  add_options_of_each_run(command, diff.run, "virtual; runs on real threads cannot be compared");
  command.add_option("--fork-at", diff.fork_at,
                     "Compare with the same run plus a change: seconds:action, seconds:knob=variant or "
                     "seconds:what_if..., such as 0.02:what_if.costs.pause_ps=50");
  command.add_option("--other", diff.other_path, "Run spec file (JSON) of the other run");
  command.add_option("--seeds", diff.seeds, "Number of seeds per run, for confidence intervals; default 1");
  refuse_empty_values(command);
}

void add_what_if_options(CLI::App& command, CliWhatIf& what_if) {
  add_options_of_each_run(command, what_if.run, "virtual; a what-if needs the virtual server");
  command.add_option("--latch", what_if.latch, "The latch to change; see latchscope latches");
  command.add_option("--site", what_if.site, "Change only its critical sections in this function");
  command.add_option("--cost", what_if.cost, "The server cost to change");
  command.add_option("--scale", what_if.scale,
                     "Percentages of the critical section or cost; default 0,25,50,75,100,125,150,200");
  add_repeatable(command, "--fork-at", what_if.fork_at,
                 "Another branch from then on: seconds:action, seconds:knob=variant or seconds:what_if...; "
                 "repeatable");
  command.add_flag("--hand-over-free", what_if.hand_over_free, "Make hand-offs of the latch free");
  command.add_flag("--line-still", what_if.line_still, "Never move the latch's cache line between cores");
  command.add_flag("--wake-up-free", what_if.wake_up_free, "Make wake-ups by the latch free");
  command.add_flag("--profile", what_if.profile,
                   "For each hot latch: run with its critical section at --percent, and with free hand-offs");
  command.add_option("--percent", what_if.percent, "Percentage for --profile; default 80");
  command.add_option("--top", what_if.top, "Number of latches for --profile; default 8");
  command.add_option("--from", what_if.from,
                     "Measure from this second on, for example after an action; default 0");
  command.add_option("--seeds", what_if.seeds, "Number of seeds per run; default 1, or 5 with --profile");
  refuse_empty_values(command);
}

void add_explain_options(CLI::App& command, CliExplain& explain) {
  add_spec_options(command, explain.run);
  command.get_option("--platform")->description("virtual; runs on real threads cannot be explained");
  command.add_option(
      "--transaction", explain.transaction,
      "The transaction: slowest, p99, slowest@FROM-TO or p99@FROM-TO (of those that ended in this part "
      "of the run, in seconds), nth:N (in order of start) or thread:CLIENT@SECONDS");
  command.add_flag("--blame", explain.with_blame,
                   "Also break down the time of the slowest 1 % of transactions");
  command.add_option("--json", explain.run.json_path,
                     "Write the explanation to a file, or - for standard output");
  refuse_empty_values(command);
}

}  // namespace latchscope::cli
