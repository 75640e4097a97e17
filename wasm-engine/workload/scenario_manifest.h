// The scenarios' manifests (scenarios/*/manifest.json), compiled in by the build. See
// scenarios/manifest.schema.json for the meaning of the fields.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace latchscope::workload {

// The latch that the run spec must provide for a variant.
enum class LatchNeeded : uint8_t { none, latch, rw_latch };

struct VariantManifest {
  std::string_view id, title, origin, explanation;
  LatchNeeded needs;
};

struct KnobManifest {
  std::string_view id, title, question;
  std::span<const VariantManifest> variants;  // the first one is the original
};

struct DesignManifest {
  std::string_view id;
  std::span<const uint32_t> variants;  // index of the variant, per knob
};

struct ParameterManifest {
  std::string_view id, title, unit, explanation;
  int64_t min, max, default_value;
  int64_t virtual_default;  // on the virtual platform
};

struct ActionManifest {
  std::string_view id, title, explanation;
};

struct ScenarioManifest {
  std::string_view id;
  uint32_t bug;
  std::string_view title, report_url, what_is_wrong, server_version;
  std::string_view transaction, operation, operation_counter;
  uint32_t threads_min, threads_max, threads_default;
  uint32_t threads_virtual_default;
  std::string_view virtual_server;  // id of a server in servers.h
  uint32_t sysbench_percentile;     // 95 or 99
  std::span<const KnobManifest> knobs;
  std::span<const DesignManifest> designs;
  std::span<const ParameterManifest> parameters;
  std::span<const ActionManifest> actions;
  // Names of the latches in the scenario's server (scenarios/latches.json); empty if they have not
  // been listed yet.
  std::span<const std::string_view> latches;
  std::string_view json;  // the whole manifest

  // REQUIRES: a parameter with this id exists.
  const ParameterManifest& parameter(std::string_view id) const;
};

std::span<const ScenarioManifest> scenario_manifests();
// Returns null if the scenario does not exist.
const ScenarioManifest* find_scenario(std::string_view id);
// Returns the id of a variant of the server's enumeration, which has the manifest's order.
std::string variant_name(const ScenarioManifest& manifest, uint32_t knob, auto variant) {
  return std::string(manifest.knobs[knob].variants[static_cast<size_t>(variant)].id);
}

// Returns the index of the element with this id, or -1.
template <class Element>
int32_t index_of(std::span<const Element> elements, std::string_view id) {
  for (size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].id == id) return static_cast<int32_t>(i);
  }
  return -1;
}

}  // namespace latchscope::workload
