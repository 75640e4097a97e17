#include "workload/scenario_manifest.h"

namespace latchscope::workload {

const ScenarioManifest* find_scenario(std::string_view id) {
  for (const ScenarioManifest& manifest : scenario_manifests()) {
    if (manifest.id == id) return &manifest;
  }
  return nullptr;
}

}  // namespace latchscope::workload
