// The command line, over the same class Engine as the page.
//
// docs/reference/command-line.md lists the exit codes.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/host.h"
#include "explain/explain.h"
#include "run/engine.h"
#include "run/json.h"
#include "run/printable.h"
#include "run/sysbench_report.h"
#include "run/workload_program.h"
#include "telemetry/telemetry.h"

namespace {

using namespace latchscope;

using cli::kBadUsage, cli::kInvariantBroken, cli::kOk;

constexpr size_t kUsageLineMax = 400;

int list_scenarios() {
  for (const auto& manifest : workload::scenario_manifests()) {
    printf("%-24s Bug #%u: %s\n", std::string(manifest.id).c_str(), manifest.bug,
           std::string(manifest.title).c_str());
  }
  return kOk;
}

int list_latches(bool as_json) {
  run::Json json = run::Json::object();
  for (std::string_view latch : telemetry::latch_names()) {
    if (!as_json) printf("%s\n", std::string(latch).c_str());
    for (std::string_view site : telemetry::functions_that_take(latch)) {
      if (!as_json) printf("    %s\n", std::string(site).c_str());
      json[std::string(latch)].push_back(site);
    }
  }
  if (as_json) printf("%s\n", json.dump().c_str());
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

// Prints what a scenario or a workload file is about.
void print_head(const workload::ScenarioManifest& manifest) {
  const std::string title(manifest.title);
  if (manifest.bug == 0) {
    printf("%s\n", title.c_str());
  } else {
    printf("%s\nBug #%u (%s): %s\n%s\n\n", std::string(manifest.id).c_str(), manifest.bug,
           std::string(manifest.server_version).c_str(), title.c_str(),
           std::string(manifest.report_url).c_str());
    print_wrapped("", manifest.what_is_wrong);
  }
  printf("\nOne transaction: %s\nThreads: %u to %u\n", std::string(manifest.transaction).c_str(),
         manifest.threads_min, manifest.threads_max);
}

int describe_manifest(const workload::ScenarioManifest* manifest, bool as_json) {
  if (as_json) {
    const std::string json =
        manifest->json.empty() ? run::manifest_json(*manifest).dump() : std::string(manifest->json);
    printf("%s\n", json.c_str());
    return kOk;
  }
  const auto text = [](std::string_view view) { return std::string(view); };
  print_head(*manifest);
  for (const auto& knob : manifest->knobs) {
    printf("\nKnob %s: %s\n", text(knob.id).c_str(), text(knob.question).c_str());
    for (const auto& variant : knob.variants) {
      printf("  %s%s\n", text(variant.id).c_str(),
             variant.origin.empty() ? "" : (" (" + text(variant.origin) + ")").c_str());
      if (!variant.explanation.empty()) print_wrapped("      ", variant.explanation);
    }
  }
  printf("\nDesigns:");
  for (const auto& design : manifest->designs)
    printf(" %s", text(design.id).c_str());
  if (!manifest->parameters.empty()) printf("\n\nParameters (--param name=value):");
  printf("\n");
  for (const auto& parameter : manifest->parameters) {
    printf("  %s: %lld to %lld %s, default %lld\n", text(parameter.id).c_str(),
           static_cast<long long>(parameter.min), static_cast<long long>(parameter.max),
           text(parameter.unit).c_str(), static_cast<long long>(parameter.default_value));
    print_wrapped("      ", parameter.explanation);
  }
  if (!manifest->actions.empty()) printf("\nActions (--at seconds:action):\n");
  for (const auto& action : manifest->actions) {
    printf("  %s: %s\n", text(action.id).c_str(), text(action.title).c_str());
    print_wrapped("      ", action.explanation);
  }
  return kOk;
}

int describe_scenario(const std::string& id, bool as_json) {
  const workload::ScenarioManifest* manifest = workload::find_scenario(id);
  if (manifest != nullptr) return describe_manifest(manifest, as_json);
  std::string known;
  for (const auto& each : workload::scenario_manifests())
    known += (known.empty() ? "" : ", ") + std::string(each.id);
  return cli::report({run::FieldError::of("scenario", id, known)});
}

int describe_spec(const std::string& path, bool as_json) {
  cli::CliRun run;
  run.spec_path = path;
  const auto parsed = cli::read_run_spec(run);
  if (!parsed.spec) return cli::report(parsed.errors);
  return describe_manifest(parsed.spec->config.manifest, as_json);
}

class DescribeCommand {
 public:
  explicit DescribeCommand(CLI::App& app) {
    CLI::App* describe = app.add_subcommand("describe", "Describes a scenario and its settings.");
    describe->add_option("scenario", scenario_, "Scenario id; see latchscope list");
    describe->add_option("--spec", spec_, "Describe the scenario of a run spec; - reads it from stdin");
    describe->add_flag("--json", as_json_, "Print the manifest");
  }

  int carry_out() const {
    return spec_.empty() ? describe_scenario(scenario_, as_json_) : describe_spec(spec_, as_json_);
  }

 private:
  std::string scenario_, spec_;
  bool as_json_ = false;
};

void print_invariants(const run::Engine& engine) {
  printf("\nInvariants:\n");
  for (const auto& invariant : engine.invariants()) {
    printf("    %-4s %s%s%s\n", invariant.ok ? "ok" : "FAIL", invariant.name.c_str(),
           invariant.detail.empty() ? "" : ": ", invariant.detail.c_str());
  }
}

void print_lines(const run::Lines& lines) {
  for (const std::string& line : lines)
    printf("%s\n", line.c_str());
}

// Prints sysbench's lines during the run.
void follow(run::Engine& engine, cli::Printed& printed) {
  engine.on_interval = [&](const run::Interval& interval) {
    const auto line = run::sysbench_interval_line(interval, engine.spec());
    if (!line) return;
    printf("%s\n", line->c_str());
    printed.flush();
  };
  engine.on_event = [](const std::string& event) { fprintf(stderr, "%s\n", event.c_str()); };
}

// Returns null if the run is to continue.
const char* why_run_is_to_end(const cli::Printed& printed, const cli::ResultFile& result_file) {
  if (!printed.problem().empty() && !result_file.is_file()) return "standard output cannot be written";
  const char* signal = cli::signals::run_is_to_end();
  if (signal != nullptr) {
    fprintf(stderr,
            "latchscope: %s: waiting for the transactions in progress to end; a second signal ends the "
            "run at once\n",
            signal);
  }
  return signal;
}

void run_to_the_end(run::Engine& engine, run::RunSpec spec) {
  engine.create(std::move(spec));
  engine.start();
  cli::signals::run_begins();
  while (engine.state() == telemetry::RunState::running)
    engine.go_on();
}

int report_errors_of_run(const std::vector<run::FieldError>& errors) {
  const int exit_code = cli::report(errors);
  const bool asks_for_threads = std::ranges::any_of(errors, [](const run::FieldError& error) {
    return error.field == "platform" && error.value == "\"threads\"";
  });
  if (asks_for_threads && platform::kIsModelled) {
    fprintf(
        stderr,
        "latchscope: real threads need the native engine. In a checkout of Latchscope: npm run -s latchscope "
        "-- run --platform threads\n");
  }
  return exit_code;
}

int run_one(const cli::CliRun& arguments, cli::Printed& printed) {
  run::RunSpecOrErrors read = cli::read_run_spec(arguments);
  if (!read.spec) return report_errors_of_run(read.errors);
  cli::ResultFile result_file(arguments.json_path);
  if (const auto error = result_file.check()) return cli::cannot_write(*error);
  const bool quiet = arguments.json_path == "-";

  telemetry::ThreadScope scope({run::kCoordinatorSlot, run::kCoordinatorKind, 0, 0});
  run::Engine engine;
  if (!quiet) {
    follow(engine, printed);
    print_lines(run::sysbench_header(*read.spec));
  }
  if (!printed.flush() && !result_file.is_file()) return cli::cannot_print(printed);
  engine.interruption = [&] { return why_run_is_to_end(printed, result_file); };
  run_to_the_end(engine, std::move(*read.spec));
  if (quiet) {
    printf("%s\n", engine.result().c_str());
  } else {
    print_lines(run::sysbench_final_report(engine.figures(), engine.spec()));
    print_invariants(engine);
  }
  if (const auto error = result_file.write(engine.result())) return cli::cannot_write(*error);
  const bool all_held = std::all_of(engine.invariants().begin(), engine.invariants().end(),
                                    [](const workload::Invariant& invariant) { return invariant.ok; });
  return all_held ? kOk : kInvariantBroken;
}

// Performs both runs. A signal ends them at once.
int explain_one(const cli::CliExplain& arguments, cli::Printed& printed) {
  if (const auto error = explain::why_platform_cannot_explain("--platform")) return cli::report({*error});
  const explain::TransactionChoiceOrError which =
      explain::read_transaction_choice("--transaction", arguments.transaction);
  if (which.error) return cli::report({*which.error});
  const run::RunSpecOrErrors read = cli::read_run_spec(arguments.run);
  if (!read.spec) return cli::report(read.errors);
  cli::ResultFile result_file(arguments.run.json_path);
  if (const auto error = result_file.check()) return cli::cannot_write(*error);
  telemetry::ThreadScope scope({run::kCoordinatorSlot, run::kCoordinatorKind, 0, 0});
  run::Engine engine;
  explain::ExplanationProgress progress;
  const explain::ExplanationOrError found =
      explain::explain(engine, *read.spec, *which.choice, arguments.with_blame, progress);
  cli::warn_if_stopped_early("explain", found.stopped_early);
  if (found.error) return cli::report({*found.error});
  if (!result_file.is_standard_output()) print_lines(explain::explanation_text(*found.explanation));
  return cli::deliver(result_file, printed, explain::explanation_json(*found.explanation));
}

// Finds a missing or unknown subcommand. CLI11 would not name it or the known ones.
std::optional<run::FieldError> find_wrong_subcommand(const CLI::App& app) {
  const CLI::App* chosen = &app;
  while (!chosen->get_subcommands().empty())
    chosen = chosen->get_subcommands().front();
  std::string known;
  for (const CLI::App* each : chosen->get_subcommands([](const CLI::App*) { return true; }))
    known += (known.empty() ? "" : ", ") + each->get_name();
  if (known.empty()) return std::nullopt;
  const std::vector<std::string> rest = app.remaining(true);
  return run::FieldError::of("subcommand", rest.empty() ? "" : rest.front(), known);
}

// Prints the output of CLI11: the help, or an error in one line, which may quote any argument.
int tell(CLI::App& app, const CLI::ParseError& parse_error) {
  app.failure_message([](const CLI::App*, const CLI::Error& error) { return std::string(error.what()); });
  std::ostringstream help;
  std::ostringstream error;
  const bool is_help = app.exit(parse_error, help, error) == 0;
  printf("%s", help.str().c_str());
  if (is_help) return kOk;
  if (const auto wrong = find_wrong_subcommand(app)) return cli::report({*wrong});
  const char* hint = error.str().find("; allowed: ") == std::string::npos ? "; see --help" : "";
  fprintf(stderr, "latchscope: %s%s\n", run::printable(error.str(), kUsageLineMax).c_str(), hint);
  return kBadUsage;
}

// Finds "--seconds=", for which CLI11 would take the next argument as the value.
std::optional<run::FieldError> find_option_without_value(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.size() > 3 && argument.starts_with("--") && argument.ends_with("="))
      return run::FieldError::of(argument.substr(0, argument.size() - 1), "", "a value");
  }
  return std::nullopt;
}

struct ListedCommand {
  const char* name;
  const char* purpose;
};

// JavaScript executes these (tools/engine-command.mjs); here they are only listed.
constexpr ListedCommand kCommandsOfJavascript[] = {
    {"check", "virtual: judges runs by the expectations in a file."},
    {"import", "Ranks the latches in what a server prints about its waits."},
};

void add_commands_of_javascript(CLI::App& app) {
  for (const auto& [name, purpose] : kCommandsOfJavascript)
    app.add_subcommand(name, purpose)->allow_extras();
}

// Returns null if none of them was given.
const char* given_command_of_javascript(const CLI::App& app) {
  for (const auto& [name, purpose] : kCommandsOfJavascript)
    if (app.got_subcommand(name)) return name;
  return nullptr;
}

// The subcommands lab check and lab bench.
class LabCommands {
 public:
  explicit LabCommands(CLI::App& app) {
    CLI::App* lab = app.add_subcommand("lab", "virtual: checks and measures latches of your own.");
    lab->require_subcommand(1);
    check_ = lab->add_subcommand("check", "Searches for a schedule under which a latch fails.");
    cli::add_lab_check_options(*check_, check_arguments_);
    CLI::App* bench = lab->add_subcommand("bench", "Measures how a latch scales with threads.");
    cli::add_lab_bench_options(*bench, bench_arguments_);
  }

  int carry_out(cli::Printed& printed) const {
    return check_->parsed() ? cli::lab_check(check_arguments_, printed)
                            : cli::lab_bench(bench_arguments_, printed);
  }

 private:
  CLI::App* check_;
  cli::CliLabCheck check_arguments_;
  cli::CliLabBench bench_arguments_;
};

int command_line(int argc, char** argv, cli::Printed& printed) {
  if (const auto error = find_option_without_value(argc, argv)) return cli::report({*error});
  CLI::App app("Runs MySQL/InnoDB lock-contention bugs on a miniature InnoDB.", "latchscope");
  app.require_subcommand(1);
  app.add_option_function<int>("--parent", cli::signals::end_with_parent,
                               "Parent process; end when it ends")
      ->group("");  // hidden: tools/engine-command.mjs passes it

  app.add_subcommand("list", "Lists the scenarios.");
  DescribeCommand describe(app);

  CLI::App* latches = app.add_subcommand("latches", "Lists the latches and the functions that acquire them.");
  bool latches_as_json = false;
  latches->add_flag("--json", latches_as_json, "Print them as JSON");

  CLI::App* run_command = app.add_subcommand("run", "Runs a scenario and prints sysbench's lines.");
  cli::CliRun arguments;
  cli::add_run_options(*run_command, arguments);
  cli::add_going_back(*run_command, arguments);

  CLI::App* diff_command =
      app.add_subcommand("diff", "virtual: shows where two runs diverge and how they differ.");
  cli::CliDiff diff;
  cli::add_diff_options(*diff_command, diff);

  CLI::App* what_if_command =
      app.add_subcommand("what-if", "virtual: measures runs with a changed latch or cost.");
  cli::CliWhatIf what_if;
  cli::add_what_if_options(*what_if_command, what_if);
  CLI::App* explain_command =
      app.add_subcommand("explain", "virtual: explains where one transaction spent its time.");
  cli::CliExplain explained;
  cli::add_explain_options(*explain_command, explained);

  add_commands_of_javascript(app);
  LabCommands lab(app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return tell(app, error);
  }
  if (app.got_subcommand("list")) return list_scenarios();
  if (app.got_subcommand("describe")) return describe.carry_out();
  if (app.got_subcommand(latches)) return list_latches(latches_as_json);
  if (const char* name = given_command_of_javascript(app))
    return cli::report(
        {run::FieldError::of("subcommand", name, "only with npm run latchscope or npx latchscope")});
  if (app.got_subcommand("lab")) return lab.carry_out(printed);
  if (app.got_subcommand(what_if_command)) return cli::what_if(what_if, printed);
  if (app.got_subcommand(explain_command)) return explain_one(explained, printed);
  if (app.got_subcommand(diff_command)) return cli::diff(diff, printed);
  if (cli::goes_back(arguments)) return cli::run_and_go_back(arguments, printed);
  return run_one(arguments, printed);
}

}  // namespace

int main(int argc, char** argv) {
  cli::signals::take_over();
  cli::host::prepare_streams();
  platform::set_failure_handler(cli::report_failure);
  try {
    cli::Printed printed;
    const int exit_code = command_line(argc, argv, printed);
    if (printed.flush() || exit_code != kOk) return exit_code;
    return cli::cannot_print(printed);
  } catch (const std::exception& error) {
    cli::report_failure(error.what());
  }
}
