#include "workload/registry.h"

#include <span>
#include <string_view>

#include "platform/platform.h"
#include "server/ut/work_costs.h"
#include "workload/scripted_workload.h"

namespace latchscope::workload {

namespace {

constexpr WorkloadFactory kOfScripts = {make_scripted_workload, check_scripted_config};

const WorkloadFactory& factory_of(const WorkloadConfig& config) {
  if (config.script) return kOfScripts;
  const int32_t index = index_of(scenario_manifests(), config.manifest->id);
  LATCHSCOPE_ASSERT(index >= 0, "a config refers to one of the scenario manifests, or has a script");
  return *workload_factories()[static_cast<size_t>(index)];
}

// Returns the platform's default if the scenario has no such parameter.
uint32_t work_costs_percent(const WorkloadConfig& config) {
  constexpr std::string_view kParameter = "work_costs_percent";
  if (index_of(config.manifest->parameters, kParameter) < 0) return platform::kWorkCostsPercent;
  return static_cast<uint32_t>(config.parameter(kParameter));
}

}  // namespace

int64_t WorkloadConfig::parameter(std::string_view id) const {
  const int32_t index = index_of(manifest->parameters, id);
  LATCHSCOPE_ASSERT(index >= 0, "the manifest declares the parameter");
  return parameters[static_cast<size_t>(index)];
}

std::unique_ptr<lab::LatchPlace> WorkloadConfig::latch_place(std::string_view knob) const {
  return your_latch ? std::make_unique<lab::LatchPlace>(*your_latch, std::string(knob)) : nullptr;
}

std::vector<ConfigError> check_config(const WorkloadConfig& config) {
  return factory_of(config).check(config);
}

std::unique_ptr<Workload> make_workload(const WorkloadConfig& config) {
  server::ut::set_work_costs_percent(work_costs_percent(config));
  return factory_of(config).make(config);
}

}  // namespace latchscope::workload
