// The command line's options, made into a run spec. Everything is checked where the run spec is.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace latchscope::api {

struct CliRun {
  std::string spec_path;  // a run spec file; the options below override it
  std::string scenario, design, platform, threads, seconds, seed, json_path;
  std::string interval, server, events_max;
  std::vector<std::string> server_set;  // value=number
  std::vector<std::string> set;         // knob=variant
  std::vector<std::string> param;       // name=value
  std::vector<std::string> at;          // seconds:action or seconds:knob=variant
};

void add_run_options(CLI::App& command, CliRun& run);
// JSON text of the run spec. Numbers that are not numbers stay strings, so that the run spec's own check
// names them.
std::string run_spec_json(const CliRun& run);

}  // namespace latchscope::api
