#include "workload/scenario_manifest.h"

#include "platform/platform.h"

namespace latchscope::workload {

const ScenarioManifest* find_scenario(std::string_view id) {
  for (const ScenarioManifest& manifest : scenario_manifests()) {
    if (manifest.id == id) return &manifest;
  }
  return nullptr;
}

const ParameterManifest& ScenarioManifest::parameter(std::string_view parameter_id) const {
  const int32_t index = index_of(parameters, parameter_id);
  LATCHSCOPE_ASSERT(index >= 0, "the manifest declares the parameter");
  return parameters[static_cast<size_t>(index)];
}

}  // namespace latchscope::workload
