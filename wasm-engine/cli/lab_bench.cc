#include "cli/commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "cli/spec_file.h"
#include "run/engine.h"
#include "run/lab_contest.h"
#include "telemetry/telemetry.h"
#include "workload/servers.h"

namespace latchscope::cli {

namespace {

// Returns the request in the form that read_contest_spec reads, the same for the command line and
// the page.
Json contest_spec_of(const CliLabBench& arguments, uint32_t threads) {
  Json spec = {{"threads", threads}};
  if (!arguments.server.empty()) spec["server"] = arguments.server;
  const auto set = [&](const char* name, const std::optional<uint64_t>& value) {
    if (value) spec[name] = *value;
  };
  set("hold_ns", arguments.hold_ns);
  set("think_ns", arguments.think_ns);
  set("shared_percent", arguments.shared_percent);
  set("duration_us", arguments.duration_us);
  set("seed", arguments.seed);
  return spec;
}

std::string number(const Json& value, const char* format) {
  if (value.is_null()) return "-";
  char text[32];
  snprintf(text, sizeof text, format, value.get<double>());
  return text;
}

const platform::NamedServer& server_of(const CliLabBench& arguments) {
  const auto servers = workload::named_servers();
  const auto named = std::ranges::find(servers, arguments.server, &platform::NamedServer::id);
  return named == servers.end() ? servers.front() : *named;
}

void print_header(const platform::NamedServer& server, const lab::ContestSpec& spec) {
  printf(
      "On %s (%u CPUs): each thread does %llu ns of work while it holds the latch, then %llu ns on "
      "average.\n",
      std::string(server.title).c_str(), server.profile.cpus(), static_cast<unsigned long long>(spec.hold_ns),
      static_cast<unsigned long long>(spec.think_ns));
  const platform::ServerProfile& profile = server.profile;
  printf("Times are for a 2025 core. On this server, work takes %.2f times as long",
         static_cast<double>(profile.work_percent) / 100);
  if (profile.threads_per_core > 1)
    printf(", and %.2f times while the sibling CPU also works",
           static_cast<double>(profile.work_percent * profile.sibling_work_percent) / 10'000);
  printf(".\n\n");
  printf("%8s%16s%14s%10s%10s%12s%12s%12s%11s%10s\n", "threads", "acquisitions/s", "hand-off ns", "wait p50",
         "p99", "max ns", "transfers", "overtaken", "in order", "fairness");
}

void print_row(const Json& row) {
  printf("%8u%16s%14s%10s%10s%12s%12s%12s%9s %%%10s\n", row["threads"].get<uint32_t>(),
         number(row["acquisitions_per_s"], "%.0f").c_str(), number(row["hand_over_ns"], "%.0f").c_str(),
         number(row["wait_ns"]["median"], "%.0f").c_str(), number(row["wait_ns"]["p99"], "%.0f").c_str(),
         number(row["wait_ns"]["max"], "%.0f").c_str(),
         number(row["line_transfers_per_acquisition"], "%.2f").c_str(),
         number(row["overtaken_max"], "%.0f").c_str(), number(row["in_order_percent"], "%.0f").c_str(),
         number(row["fairness"], "%.3f").c_str());
  if (row["verdict"] != "sound") printf("%8s  %s\n", "", row["sentence"].get<std::string>().c_str());
  if (row["ended_early"] == true) printf("%8s  Ended early: too many events.\n", "");
}

void print_lines(const Json& row) {
  printf("\nCost of each source line per acquisition, with %u threads:\n\n", row["threads"].get<uint32_t>());
  printf("%8s%12s%10s%12s\n", "line", "accesses", "ns", "transfers");
  for (const Json& line : row["lines"]) {
    printf("%8u%12s%10s%12s\n", line["line"].get<uint32_t>(), number(line["accesses"], "%.2f").c_str(),
           number(line["ns"], "%.0f").c_str(), number(line["transfers"], "%.2f").c_str());
  }
}

}  // namespace

void add_lab_bench_options(CLI::App& command, CliLabBench& arguments) {
  command
      .add_option("latch", arguments.program, "The compiled latch (JSON): a file, or - for standard input")
      ->required();
  command.add_option("--threads", arguments.threads, "Thread counts, such as 1,2,4,8,16 (default)")
      ->delimiter(',');
  command.add_option("--server", arguments.server, "Modeled server from scenarios/servers.json");
  command.add_option("--hold", arguments.hold_ns, "Work while holding the latch, in ns on a 2025 core (60)");
  command.add_option("--think", arguments.think_ns,
                     "Mean work between two entries, in ns on a 2025 core (200)");
  command.add_option("--shared", arguments.shared_percent, "Shared entries of an rw-latch, in percent (0)");
  command.add_option("--duration", arguments.duration_us, "Virtual time to measure, in microseconds (2000)");
  command.add_option("--seed", arguments.seed, "Seed of all random generators (1)");
  command.add_option("--json", arguments.json_path,
                     "Write the results as JSON to this file, or - for standard output");
}

int lab_bench(const CliLabBench& arguments, Printed& printed) {
  if (!platform::kIsModelled) return report({FieldError::of("--platform", "threads", "virtual")});
  const run::LabProgramOrErrors read = read_lab_program_file(arguments.program);
  if (!read.program) return report(read.errors);
  ResultFile result_file(arguments.json_path);
  if (const auto error = result_file.check()) return cannot_write(*error);
  const bool quiet = arguments.json_path == "-";

  std::vector<uint32_t> threads = arguments.threads;
  if (threads.empty()) threads = {1, 2, 4, 8, 16};
  std::vector<lab::ContestSpec> specs;
  for (const uint32_t count : threads) {
    const run::ContestSpecOrErrors spec =
        run::read_contest_spec(contest_spec_of(arguments, count), *read.program);
    if (!spec.spec) return report(spec.errors);
    specs.push_back(*spec.spec);
  }

  const telemetry::ThreadScope scope({run::kCoordinatorSlot, run::kCoordinatorKind, 0, 0});
  Json rows = Json::array();
  bool is_sound = true;
  if (!quiet) print_header(server_of(arguments), specs.front());
  for (const lab::ContestSpec& spec : specs) {
    const lab::ContestResult result = lab::hold_contest(*read.program, spec);
    is_sound = is_sound && result.is_sound();
    rows.push_back(run::contest_json(result, *read.program));
    if (!quiet) print_row(rows.back());
    if (!printed.flush() && !result_file.is_file()) return cannot_print(printed);
  }
  if (!quiet) print_lines(rows.back());
  const Json report = {{"version", 1}, {"server", server_of(arguments).id}, {"contests", rows}};
  const int code = deliver(result_file, printed, report.dump());
  return code == kOk && !is_sound ? kInvariantBroken : code;
}

}  // namespace latchscope::cli
