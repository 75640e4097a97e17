// Checks that the advice in an error can be followed and leads to a valid run spec.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "platform/platform.h"
#include "run/run_spec.h"
#include "workload/workload.h"

namespace latchscope::workload {
namespace {

constexpr int kRoundsMax = 4;
constexpr std::string_view kParameterPrefix = "parameters.";

std::string describe(const WorkloadConfig& config) {
  std::string text = std::string(config.manifest->id) + " threads " + std::to_string(config.clients);
  for (size_t i = 0; i < config.parameters.size(); ++i) {
    text +=
        ", " + std::string(config.manifest->parameters[i].id) + " " + std::to_string(config.parameters[i]);
  }
  return text;
}

// Returns the first number in a text such as "at least 9 with 64 threads".
int64_t advised_number(const std::string& allowed) {
  const auto digit =
      std::find_if(allowed.begin(), allowed.end(), [](char c) { return c >= '0' && c <= '9'; });
  int64_t number = std::numeric_limits<int64_t>::min();
  std::from_chars(&*digit, allowed.data() + allowed.size(), number);
  return number;
}

// Returns a description of the error in the advice, or "".
std::string follow(const ConfigError& error, WorkloadConfig& config) {
  const int64_t number = advised_number(error.allowed);
  if (error.field == "threads") {
    if (number < config.manifest->threads_min || number > run::clients_max()) return "no number of threads";
    config.clients = static_cast<uint32_t>(number);
    return "";
  }
  if (!error.field.starts_with(kParameterPrefix)) return "no field that can be set";
  const std::string id = error.field.substr(kParameterPrefix.size());
  const int32_t index = index_of(config.manifest->parameters, id);
  if (index < 0) return "no parameter of this scenario";
  const ParameterManifest& parameter = config.manifest->parameters[static_cast<size_t>(index)];
  if (number < parameter.min || number > parameter.max) return "beyond what the parameter can be";
  config.parameters[static_cast<size_t>(index)] = number;
  return "";
}

void expect_advice_helps(WorkloadConfig config) {
  for (int round = 0; round <= kRoundsMax; ++round) {
    const std::vector<ConfigError> errors = check_config(config);
    if (errors.empty()) return;
    const std::string before = describe(config);
    for (const ConfigError& error : errors) {
      const std::string problem = follow(error, config);
      ASSERT_EQ(problem, "") << before << "; " << error.field << ": got " << error.value
                             << "; allowed: " << error.allowed;
    }
  }
  ADD_FAILURE() << "advice does not end: " << describe(config);
}

// Limits that involve several parameters concern memory and threads, never times, shares or
// switches.
bool may_concern_others(const ParameterManifest& parameter) {
  constexpr std::array<std::string_view, 5> kUnitsOfNoRoom{"us", "ms", "ms per GiB", "percent", "0 or 1"};
  return std::ranges::find(kUnitsOfNoRoom, parameter.unit) == kUnitsOfNoRoom.end();
}

// Calls `use` with every combination of the smallest, largest and default values of the parameters
// that may affect others.
template <class Use>
void for_each_corner(WorkloadConfig config, size_t parameter, const Use& use) {
  if (parameter == config.parameters.size()) {
    use(config);
    return;
  }
  const ParameterManifest& manifest = config.manifest->parameters[parameter];
  std::vector<int64_t> values{manifest.default_value};
  if (may_concern_others(manifest)) values.insert(values.end(), {manifest.min, manifest.max});
  for (int64_t value : values) {
    config.parameters[parameter] = value;
    for_each_corner(config, parameter + 1, use);
  }
}

TEST(ConfigAdvice, CanBeFollowedWhateverTheParametersAre) {
  for (const ScenarioManifest& manifest : scenario_manifests()) {
    const uint32_t threads_max =
        platform::kIsModelled ? run::clients_max() : std::min(manifest.threads_max, run::clients_max());
    for (uint32_t clients : {manifest.threads_min, manifest.threads_default, threads_max - 1, threads_max}) {
      const WorkloadConfig config{&manifest, clients, 1, std::vector<uint32_t>(manifest.knobs.size(), 0),
                                  std::vector<int64_t>(manifest.parameters.size(), 0)};
      for_each_corner(config, 0, expect_advice_helps);
    }
  }
}

}  // namespace
}  // namespace latchscope::workload
