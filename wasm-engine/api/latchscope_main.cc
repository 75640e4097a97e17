// The native command line, over the same class Engine as the page.
//
// Exit codes: 0 the run ended and every invariant held; 1 an invariant did not hold; 2 bad usage or a bad run
// spec; 3 an engine assertion failed; 4 an output file could not be written.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include "api/cli_run_spec.h"
#include "api/engine.h"
#include "api/sysbench_report.h"
#include "telemetry/telemetry.h"

namespace {

using namespace latchscope;

enum ExitCode { kOk = 0, kInvariantBroken = 1, kBadUsage = 2, kEngineFailed = 3, kCannotWrite = 4 };

// Ctrl-C ends the run early; the report and the invariants are of what was run.
volatile std::sig_atomic_t was_interrupted = 0;
void note_interrupt(int /*signal*/) {
  was_interrupted = 1;
}

void report_failure(const char* text) {
  fprintf(stderr, "latchscope: engine assertion failed: %s\n", text);
  fflush(nullptr);
  std::_Exit(kEngineFailed);
}

int report(const std::vector<api::FieldError>& errors) {
  for (const api::FieldError& error : errors)
    fprintf(stderr, "latchscope: %s\n", error.sentence().c_str());
  return kBadUsage;
}

int list_scenarios() {
  for (const auto& manifest : workload::scenario_manifests()) {
    printf("%-24s Bug #%u: %s\n", std::string(manifest.id).c_str(), manifest.bug,
           std::string(manifest.title).c_str());
  }
  return kOk;
}

void print_wrapped(std::string_view indent, std::string_view text) {
  constexpr size_t kWidth = 100;
  std::istringstream words{std::string(text)};
  std::string line(indent);
  for (std::string word; words >> word;) {
    if (line.size() + word.size() > kWidth && line.size() > indent.size()) {
      printf("%s\n", line.c_str());
      line = indent;
    }
    line += (line.size() == indent.size() ? "" : " ") + word;
  }
  printf("%s\n", line.c_str());
}

int describe_scenario(const std::string& id, bool as_json) {
  const workload::ScenarioManifest* manifest = workload::find_scenario(id);
  if (manifest == nullptr) {
    std::string known;
    for (const auto& each : workload::scenario_manifests())
      known += (known.empty() ? "" : ", ") + std::string(each.id);
    return report({{"scenario", id, known}});
  }
  if (as_json) {
    printf("%s\n", std::string(manifest->json).c_str());
    return kOk;
  }
  const auto text = [](std::string_view view) { return std::string(view); };
  printf("%s\nBug #%u (%s): %s\n%s\n\n", text(manifest->id).c_str(), manifest->bug,
         text(manifest->server_version).c_str(), text(manifest->title).c_str(),
         text(manifest->report_url).c_str());
  print_wrapped("", manifest->what_is_wrong);
  printf("\nOne transaction: %s\nThreads: %u to %u\n", text(manifest->transaction).c_str(),
         manifest->threads_min, manifest->threads_max);
  for (const auto& knob : manifest->knobs) {
    printf("\nKnob %s: %s\n", text(knob.id).c_str(), text(knob.question).c_str());
    for (const auto& variant : knob.variants) {
      printf("  %s (%s)\n", text(variant.id).c_str(), text(variant.origin).c_str());
      print_wrapped("      ", variant.explanation);
    }
  }
  printf("\nDesigns:");
  for (const auto& design : manifest->designs)
    printf(" %s", text(design.id).c_str());
  printf("\n\nParameters (--param name=value):\n");
  for (const auto& parameter : manifest->parameters) {
    printf("  %s: %lld to %lld %s, default %lld\n", text(parameter.id).c_str(),
           static_cast<long long>(parameter.min), static_cast<long long>(parameter.max),
           text(parameter.unit).c_str(), static_cast<long long>(parameter.default_value));
    print_wrapped("      ", parameter.explanation);
  }
  printf("\nActions (--at seconds:action):\n");
  for (const auto& action : manifest->actions) {
    printf("  %s: %s\n", text(action.id).c_str(), text(action.title).c_str());
    print_wrapped("      ", action.explanation);
  }
  return kOk;
}

// Where the run result goes. Opened before the run, so that a run is not lost to a wrong path.
class ResultFile {
 public:
  explicit ResultFile(const std::string& path) : path_(path) {
    if (is_file()) file_.open(path_);
  }

  bool is_good() const { return !is_file() || file_.good(); }

  bool write(const std::string& result) {
    if (path_ == "-") printf("%s\n", result.c_str());
    if (!is_file()) return true;
    file_ << result << '\n';
    file_.close();
    return is_good();
  }

  int report_error() const {
    report({{"--json", path_, "a file that can be written, or - for standard output"}});
    return kCannotWrite;
  }

 private:
  bool is_file() const { return !path_.empty() && path_ != "-"; }

  const std::string path_;
  std::ofstream file_;
};

void print_invariants(const api::Engine& engine) {
  printf("\nInvariants:\n");
  for (const auto& invariant : engine.invariants()) {
    printf("    %-4s %s%s%s\n", invariant.ok ? "ok" : "FAIL", invariant.name.c_str(),
           invariant.detail.empty() ? "" : ": ", invariant.detail.c_str());
  }
}

int run(const api::CliRun& arguments) {
  api::RunSpecOrErrors parsed = api::parse_run_spec(api::run_spec_json(arguments));
  if (!parsed.spec) return report(parsed.errors);
  ResultFile result_file(arguments.json_path);
  if (!result_file.is_good()) return result_file.report_error();
  const bool quiet = arguments.json_path == "-";
  const uint32_t threads = parsed.spec->config.clients;
  const uint32_t percentile = parsed.spec->config.manifest->sysbench_percentile;
  const double interval_s = parsed.spec->interval_s;

  telemetry::ThreadScope scope({api::kCoordinatorSlot, api::kCoordinatorKind, 0, 0});
  api::Engine engine;
  if (!quiet) {
    engine.on_interval = [&](const api::Interval& interval) {
      if (interval.seconds < interval_s / 2) return;  // sysbench has no line for the remainder
      printf("%s\n", api::sysbench_interval_line(interval, threads, percentile).c_str());
      fflush(stdout);
    };
    engine.on_event = [](const std::string& event) { fprintf(stderr, "%s\n", event.c_str()); };
    printf("%s", api::sysbench_header(*parsed.spec).c_str());
  }
  engine.create(std::move(*parsed.spec));
  engine.start();
  std::signal(SIGINT, note_interrupt);
  while (engine.state() == telemetry::RunState::running) {
    telemetry::sleep_ns(engine.next_tick_ns());
    if (was_interrupted != 0) engine.stop();
    engine.tick();
  }
  if (!quiet) {
    printf("%s", api::sysbench_final_report(engine).c_str());
    print_invariants(engine);
  }
  if (!result_file.write(engine.result())) return result_file.report_error();
  const bool all_held = std::all_of(engine.invariants().begin(), engine.invariants().end(),
                                    [](const workload::Invariant& invariant) { return invariant.ok; });
  return all_held ? kOk : kInvariantBroken;
}

int command_line(int argc, char** argv) {
  platform::set_failure_handler(report_failure);
  CLI::App app("Runs MySQL/InnoDB lock-contention bugs on a miniature InnoDB.", "latchscope");
  app.require_subcommand(1);

  app.add_subcommand("list", "Lists the scenarios.");
  CLI::App* describe = app.add_subcommand("describe", "Says what a scenario is and what can be set.");
  std::string described;
  bool describe_as_json = false;
  describe->add_option("scenario", described, "Scenario id, see list")->required();
  describe->add_flag("--json", describe_as_json, "Print the manifest");

  CLI::App* run_command = app.add_subcommand("run", "Runs a scenario and prints sysbench's lines.");
  api::CliRun arguments;
  api::add_run_options(*run_command, arguments);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kOk : kBadUsage;
  }
  if (app.got_subcommand("list")) return list_scenarios();
  if (app.got_subcommand(describe)) return describe_scenario(described, describe_as_json);
  return run(arguments);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return command_line(argc, argv);
  } catch (const std::exception& error) {
    report_failure(error.what());
  }
}
