#include "cli/run_spec.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "cli/spec_file.h"
#include "run/workload_program.h"
#include "workload/script_scenario.h"

namespace latchscope::cli {

namespace {

Json number_or_text(const std::string& text) {
  const std::optional<Json> json = run::read_json(text);
  return json && json->is_number() ? *json : Json(text);
}

std::string text_of(const Json& spec) {
  return spec.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Splits "name=value" into {"name", "value"}; the value is empty if there is no '='.
std::pair<std::string, std::string> split(const std::string& text, char separator) {
  const size_t at = text.find(separator);
  if (at == std::string::npos) return {text, ""};
  return {text.substr(0, at), text.substr(at + 1)};
}

// What a run spec runs; no manifest if the spec's check will refuse it.
struct Runs {
  std::shared_ptr<const workload::ScriptScenario> script;
  const workload::ScenarioManifest* manifest = nullptr;
};

Runs what_runs(const Json& spec) {
  const Json scenario = spec.value("scenario", Json());
  if (!scenario.is_string()) return {};
  if (scenario != workload::kScriptScenario)
    return {nullptr, workload::find_scenario(scenario.get<std::string>())};
  const Json workload = spec.value("workload", Json());
  if (!workload.is_object()) return {};
  auto read = run::workload_program_of(workload.value("program", Json()));
  if (!read.program) return {};
  Runs runs{std::make_shared<const workload::ScriptScenario>(*std::move(read.program))};
  runs.manifest = &runs.script->manifest();
  return runs;
}

// Returns the default server, or an empty name.
Json server_of(const Json& spec) {
  const Runs runs = what_runs(spec);
  return runs.manifest == nullptr ? Json("") : Json(runs.manifest->virtual_server);
}

// Returns the knobs of a preset. An unknown name is passed on unchanged, so that the run spec's
// check reports it.
Json design_of_preset(const Json& spec, const Json& preset) {
  const Runs runs = what_runs(spec);
  const auto* manifest = runs.manifest;
  if (manifest == nullptr) return preset;
  const int32_t index = index_of(manifest->designs, preset.get<std::string>());
  if (index < 0) return preset;
  Json design = Json::object();
  for (size_t i = 0; i < manifest->knobs.size(); ++i) {
    const uint32_t variant = manifest->designs[static_cast<size_t>(index)].variants[i];
    design[std::string(manifest->knobs[i].id)] = manifest->knobs[i].variants[variant].id;
  }
  return design;
}

// Returns an error for the first setting without a name: "=value".
std::optional<FieldError> nameless(const char* option, const std::vector<std::string>& settings,
                                   const char* allowed) {
  for (const std::string& setting : settings) {
    if (split(setting, '=').first.empty()) return FieldError::of(option, setting, allowed);
  }
  return std::nullopt;
}

std::vector<FieldError> check_settings(const CliRun& run) {
  std::vector<FieldError> errors;
  for (auto& error :
       {nameless("--server-set", run.server_set, "value=number"), nameless("--set", run.set, "knob=variant"),
        nameless("--param", run.param, "name=value")}) {
    if (error) errors.push_back(*error);
  }
  return errors;
}

// Returns the run spec of --spec, or an empty one.
Json spec_of_file(const std::string& path, std::vector<FieldError>& errors) {
  Json none = {{"version", run::kRunSpecVersion}};
  if (path.empty()) return none;
  const SpecText file = read_spec_file(path);
  if (file.error) {
    errors.push_back(*file.error);
    return none;
  }
  const std::optional<Json> json = run::read_json(file.text);
  if (json && json->is_object()) return *json;
  errors = run::check_fields(file.text);
  return none;
}

// Overrides the fields that decide which other fields exist.
void override_scenario(const CliRun& run, Json& spec) {
  if (!run.scenario.empty()) spec["scenario"] = run.scenario;
  if (!run.platform.empty()) spec["platform"] = run.platform;
}

void override_numbers(const CliRun& run, Json& spec) {
  if (!run.threads.empty()) spec["threads"] = number_or_text(run.threads);
  if (!run.seed.empty()) spec["seed"] = number_or_text(run.seed);
  if (!run.seconds.empty()) {
    spec["duration_s"] = number_or_text(run.seconds);
  } else if (!spec.contains("duration_s") || spec["duration_s"].is_null()) {
    spec["duration_s"] = run.default_seconds;
  }
  if (!run.interval.empty()) spec["interval_s"] = number_or_text(run.interval);
  if (!run.events_max.empty()) spec["events_max"] = number_or_text(run.events_max);
}

void override_server(const CliRun& run, Json& spec) {
  if (!run.server.empty()) spec["server"] = run.server;
  for (const std::string& setting : run.server_set) {
    const auto [name, value] = split(setting, '=');
    if (!spec.contains("server")) spec["server"] = server_of(spec);
    if (spec["server"].is_string()) spec["server"] = {{"based_on", spec["server"]}};
    spec["server"][name] = number_or_text(value);
  }
}

void override_design(const CliRun& run, Json& spec) {
  if (!run.design.empty()) spec["design"] = run.design;
  if (run.set.empty()) return;
  Json design = spec.value("design", Json("original"));
  if (design.is_string()) design = design_of_preset(spec, design);
  for (const std::string& setting : run.set) {
    const auto [knob, variant] = split(setting, '=');
    if (design.is_object()) design[knob] = variant;
  }
  spec["design"] = design;
}

const std::string kCost = "what_if.costs.", kLatch = "what_if.latch";

// Reads the form used in links: what_if.costs.pause_ps=50, or
// what_if.latch=fil_system->mutex;section_percent=80;line=still
Json what_if_of(const std::string& text) {
  const auto [name, value] = split(text, '=');
  if (name.starts_with(kCost)) return {{"costs", {{name.substr(kCost.size()), number_or_text(value)}}}};
  auto [latch, rest] = split(value, ';');
  Json entry = {{"latch", latch}};
  while (!rest.empty()) {
    const auto [member, others] = split(rest, ';');
    const auto [field, of_field] = split(member, '=');
    entry[field] = number_or_text(of_field);
    rest = others;
  }
  return {{"latches", Json::array({entry})}};
}

bool is_what_if(const std::string& text) {
  return text.starts_with(kCost) || text.starts_with(kLatch + "=");
}

// Inserts the step after those of the same time.
void add_step(Json& spec, const Json& step) {
  std::vector<Json> steps = spec.value("actions", Json::array());
  const auto is_before = [](const Json& a, const Json& b) { return a["at_s"] < b["at_s"]; };
  steps.insert(std::upper_bound(steps.begin(), steps.end(), step, is_before), step);
  spec["actions"] = steps;
}

// Sets the what-if, from the moment of the change on.
void suppose(Json& spec, const Json& change) {
  spec["what_if"] = change["what_if"];
  spec["what_if"]["from_s"] = change["at_s"];
}

// Prefixes errors in the text of --fork-at with the option's name.
void name_fork(FieldError& error) {
  const std::string of_step = "actions[0].", of_latch = "what_if.latches[0].", fork = "--fork-at: ";
  if (error.field.starts_with(of_step)) error.field.replace(0, of_step.size(), fork);
  if (error.field.starts_with(of_latch)) error.field.replace(0, of_latch.size(), fork);
  if (error.field.starts_with("what_if.")) error.field.insert(0, fork);
}

}  // namespace

Json timed_change(const std::string& text) {
  const auto [at_s, what] = split(text, ':');
  Json step = {{"at_s", number_or_text(at_s)}};
  if (is_what_if(what)) {
    step["what_if"] = what_if_of(what);
  } else if (what.find('=') == std::string::npos) {
    step["action"] = what;
  } else {
    const auto [knob, variant] = split(what, '=');
    step["knob"] = knob;
    step["variant"] = variant;
  }
  return step;
}

std::optional<uint64_t> moment_of(const std::string& seconds, const RunSpec& spec, uint64_t from_ns) {
  const std::optional<Json> at_s = run::read_json(seconds);
  if (!at_s || !at_s->is_number()) return std::nullopt;
  const double at_ns = std::round(at_s->get<double>() * 1e9);
  const bool is_in_run = at_ns >= static_cast<double>(from_ns) && at_ns < *spec.duration_s * 1e9;
  return is_in_run ? std::optional(static_cast<uint64_t>(at_ns)) : std::nullopt;
}

// The run spec's own check knows which knobs and actions exist.
ForkOrErrors read_fork(const RunSpec& spec, const std::string& fork_at) {
  ForkOrErrors fork;
  const Json change = timed_change(fork_at);
  const std::string at_s = split(fork_at, ':').first;
  const std::optional<uint64_t> moment = moment_of(at_s, spec, 1);
  if (!moment) {
    fork.errors = {FieldError::of(
        "--fork-at", at_s,
        "a number from 0.000000001, before the end of the run: " + Json(*spec.duration_s).dump())};
    return fork;
  }
  fork.run_ns = *moment;
  Json alone = Json::parse(run::to_json(spec));
  if (auto error = why_not_change(alone, "--fork-at", fork_at)) {
    fork.errors = {std::move(*error)};
    return fork;
  }
  Json with_change = alone;
  alone["actions"] = Json::array();
  add_change(alone, change);
  add_change(with_change, change);
  RunSpecOrErrors read = run::parse_run_spec(text_of(alone));
  if (read.spec) {
    if (!read.spec->steps.empty()) fork.step = read.spec->steps[0];
    fork.what_if = change.value("what_if", Json());
    read = run::parse_run_spec(text_of(with_change));
  }
  fork.spec = std::move(read.spec);
  fork.errors = std::move(read.errors);
  for (FieldError& error : fork.errors)
    name_fork(error);
  return fork;
}

std::optional<FieldError> why_not_change(const Json& spec, const std::string& option,
                                         const std::string& text) {
  if (!timed_change(text).contains("what_if") || !spec.contains("what_if")) return std::nullopt;
  return FieldError::of(option, text, "an action or a knob: the run already has a what-if");
}

void add_change(Json& spec, const Json& change) {
  if (change.contains("what_if")) {
    suppose(spec, change);
  } else {
    add_step(spec, change);
  }
}

std::optional<int64_t> integer_of(const std::string& text) {
  int64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

uint32_t number_of_option(const char* option, const std::string& text, uint32_t if_absent, uint32_t min,
                          uint32_t max, std::vector<FieldError>& errors) {
  if (text.empty()) return if_absent;
  const auto number = integer_of(text);
  if (number && *number >= min && *number <= max) return static_cast<uint32_t>(*number);
  errors.push_back(
      FieldError::of(option, text, "an integer from " + std::to_string(min) + " to " + std::to_string(max)));
  return if_absent;
}

RunSpecOrErrors read_run_spec(const CliRun& run) {
  std::vector<FieldError> errors = check_settings(run);
  if (!errors.empty()) return {std::nullopt, std::move(errors)};
  Json spec = spec_of_file(run.spec_path, errors);
  override_scenario(run, spec);
  if (errors.empty() && !run.spec_path.empty()) errors = run::check_fields(text_of(spec));
  if (!errors.empty()) return {std::nullopt, std::move(errors)};
  override_numbers(run, spec);
  override_server(run, spec);
  override_design(run, spec);
  for (const std::string& setting : run.param) {
    const auto [name, value] = split(setting, '=');
    spec["parameters"][name] = number_or_text(value);
  }
  for (const std::string& text : run.at) {
    const Json change = timed_change(text);
    if (auto error = why_not_change(spec, "--at", text)) return {std::nullopt, {std::move(*error)}};
    if (change.contains("what_if")) {
      suppose(spec, change);
    } else {
      spec["actions"].push_back(change);
    }
  }
  return run::parse_run_spec(text_of(spec));
}

}  // namespace latchscope::cli
