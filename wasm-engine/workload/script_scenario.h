// The manifest of a workload file, derived from its compiled program. The page derives the same one
// (web/contract/workload-manifest.ts).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workload/scenario_manifest.h"
#include "workload/script_program.h"

namespace latchscope::workload {

// The scenario of run specs that carry a program.
inline constexpr std::string_view kScriptScenario = "workload";

// A program and its manifest, which refers to the program's texts.
class ScriptScenario {
 public:
  // REQUIRES: find_fault() finds nothing in the program.
  explicit ScriptScenario(ScriptProgram program);
  ScriptScenario(const ScriptScenario&) = delete;
  ScriptScenario& operator=(const ScriptScenario&) = delete;

  const ScriptProgram& program() const { return program_; }
  const ScenarioManifest& manifest() const { return manifest_; }
  // Returns the names of the parts that take the latch.
  std::vector<std::string_view> sites_of(std::string_view latch) const;
  // Returns the number, over all threads, of the thread that runs an action.
  uint32_t thread_of_action(uint32_t action, uint32_t clients) const;

 private:
  void declare_knobs();
  void declare_designs();
  void declare_parameters();
  void declare_actions();

  const ScriptProgram program_;
  const std::string operation_, transaction_;
  std::vector<std::vector<VariantManifest>> variants_;  // by knob
  std::vector<KnobManifest> knobs_;
  std::vector<DesignManifest> designs_;
  std::vector<ParameterManifest> parameters_;
  std::vector<ActionManifest> actions_;
  std::vector<std::string_view> latches_;
  ScenarioManifest manifest_;
};

}  // namespace latchscope::workload
