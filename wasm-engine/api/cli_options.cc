#include <CLI/CLI.hpp>

#include "api/cli_run_spec.h"

namespace latchscope::api {

namespace {

std::string refuse_nothing(const std::string& value) {
  return value.empty() ? "got \"\"; allowed: a value" : "";
}

}  // namespace

void add_run_options(CLI::App& command, CliRun& run) {
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
  command.add_option("--at", run.at, "seconds:action or seconds:knob=variant, may be repeated")
      ->allow_extra_args(false);
  command.add_option("--json", run.json_path, "Write the run result to a file, or - for standard output");
  for (CLI::Option* option : command.get_options()) {
    if (option->get_expected_min() > 0) option->check(refuse_nothing);
  }
}

}  // namespace latchscope::api
