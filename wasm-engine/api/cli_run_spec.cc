#include "api/cli_run_spec.h"

#include <fstream>
#include <iostream>
#include <iterator>

#include "api/json.h"
#include "api/run_spec.h"

namespace latchscope::api {

namespace {

constexpr double kDefaultSeconds = 10;

Json number_or_text(const std::string& text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return json.is_number() ? json : Json(text);
}

// {"name", "value"} of "name=value"; the value is empty if there is no '='.
std::pair<std::string, std::string> split(const std::string& text, char separator) {
  const size_t at = text.find(separator);
  if (at == std::string::npos) return {text, ""};
  return {text.substr(0, at), text.substr(at + 1)};
}

Json timed_step(const std::string& text) {
  const auto [at_s, what] = split(text, ':');
  Json step = {{"at_s", number_or_text(at_s)}};
  if (what.find('=') == std::string::npos) {
    step["action"] = what;
  } else {
    const auto [knob, variant] = split(what, '=');
    step["knob"] = knob;
    step["variant"] = variant;
  }
  return step;
}

// The knobs of a preset, or the preset's name as it is if there is none: the run spec's check then names it.
Json design_of_preset(const Json& scenario, const Json& preset) {
  const auto* manifest =
      scenario.is_string() ? workload::find_scenario(scenario.get<std::string>()) : nullptr;
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

std::string read_all(const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::string run_spec_json(const CliRun& run) {
  Json spec = {{"version", kRunSpecVersion}};
  if (!run.spec_path.empty()) {
    const std::string text = read_all(run.spec_path);
    spec = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!spec.is_object()) return text.empty() ? "(empty file " + run.spec_path + ")" : text;
  }
  if (!run.scenario.empty()) spec["scenario"] = run.scenario;
  if (!run.platform.empty()) spec["platform"] = run.platform;
  if (!run.threads.empty()) spec["threads"] = number_or_text(run.threads);
  if (!run.seed.empty()) spec["seed"] = number_or_text(run.seed);
  if (!run.seconds.empty()) {
    spec["duration_s"] = number_or_text(run.seconds);
  } else if (!spec.contains("duration_s") || spec["duration_s"].is_null()) {
    spec["duration_s"] = kDefaultSeconds;
  }
  if (!run.interval.empty()) spec["interval_s"] = number_or_text(run.interval);
  if (!run.events_max.empty()) spec["events_max"] = number_or_text(run.events_max);
  if (!run.server.empty()) spec["server"] = run.server;
  for (const std::string& setting : run.server_set) {
    const auto [name, value] = split(setting, '=');
    if (spec.contains("server") && spec["server"].is_string())
      spec["server"] = {{"based_on", spec["server"]}};
    spec["server"][name] = number_or_text(value);
  }
  if (!run.design.empty()) spec["design"] = run.design;
  if (!run.set.empty()) {
    Json design = spec.value("design", Json("original"));
    if (design.is_string()) design = design_of_preset(spec.value("scenario", Json()), design);
    for (const std::string& setting : run.set) {
      const auto [knob, variant] = split(setting, '=');
      if (design.is_object()) design[knob] = variant;
    }
    spec["design"] = design;
  }
  for (const std::string& setting : run.param) {
    const auto [name, value] = split(setting, '=');
    spec["parameters"][name] = number_or_text(value);
  }
  for (const std::string& step : run.at)
    spec["actions"].push_back(timed_step(step));
  return spec.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace latchscope::api
