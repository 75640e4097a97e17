#include "workload/script_scenario.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace latchscope::workload {

namespace {

constexpr uint32_t kClientsOnRealThreadsMax = 64;
constexpr std::string_view kServer = "server-2025";
constexpr uint32_t kPercentile = 95;

// Returns the name of one of them: `statements` becomes `statement`.
std::string singular(const std::string& unit) {
  if (unit.ends_with("ies")) return unit.substr(0, unit.size() - 3) + "y";
  for (const char* stem : {"ss", "x", "ch", "sh"}) {
    if (unit.ends_with(std::string(stem) + "es")) return unit.substr(0, unit.size() - 2);
  }
  const bool has_ending = unit.size() > 1 && unit.ends_with("s") && !unit.ends_with("ss");
  return has_ending ? unit.substr(0, unit.size() - 1) : unit;
}

}  // namespace

ScriptScenario::ScriptScenario(ScriptProgram program)
    : program_(std::move(program)), operation_(singular(program_.unit)), transaction_("one " + operation_) {
  declare_knobs();
  declare_designs();
  declare_parameters();
  declare_actions();
  latches_.assign(program_.latches.size(), {});
  std::ranges::transform(program_.latches, latches_.begin(), &ScriptLatch::name);
  const uint32_t clients = clients_of(program_).threads;
  manifest_ = {.id = kScriptScenario,
               .bug = 0,
               .title = program_.title,
               .report_url = "",
               .what_is_wrong = "",
               .server_version = "",
               .transaction = transaction_,
               .operation = operation_,
               .operation_counter = "transactions",
               .threads_min = 1,
               .threads_max = kClientsOnRealThreadsMax,
               .threads_default = std::min(clients, kClientsOnRealThreadsMax),
               .threads_virtual_default = clients,
               .virtual_server = kServer,
               .sysbench_percentile = kPercentile,
               .knobs = knobs_,
               .designs = designs_,
               .parameters = parameters_,
               .actions = actions_,
               .latches = latches_,
               .json = ""};
}

void ScriptScenario::declare_knobs() {
  for (const ScriptKnob& knob : program_.knobs) {
    std::vector<VariantManifest>& variants = variants_.emplace_back();
    for (const ScriptVariant& variant : knob.variants)
      variants.push_back({variant.id, variant.id, variant.origin, "", LatchNeeded::none});
  }
  for (size_t i = 0; i < program_.knobs.size(); ++i) {
    const ScriptKnob& knob = program_.knobs[i];
    knobs_.push_back({knob.id, knob.id, knob.question, variants_[i]});
  }
}

void ScriptScenario::declare_designs() {
  for (const ScriptDesign& design : program_.designs)
    designs_.push_back({design.id, design.variants});
}

void ScriptScenario::declare_parameters() {
  for (const ScriptParameter& parameter : program_.parameters) {
    const auto usual = static_cast<int64_t>(parameter.default_value);
    parameters_.push_back({.id = parameter.id,
                           .title = parameter.title,
                           .unit = parameter.unit,
                           .explanation = parameter.title,
                           .min = static_cast<int64_t>(parameter.min),
                           .max = static_cast<int64_t>(parameter.max),
                           .default_value = usual,
                           .virtual_default = usual});
  }
}

void ScriptScenario::declare_actions() {
  for (const ScriptGroup& group : program_.groups) {
    if (group.runs == ScriptRuns::on_action) actions_.push_back({group.name, group.title, group.title});
  }
}

uint32_t ScriptScenario::thread_of_action(uint32_t action, uint32_t clients) const {
  uint32_t thread = clients;
  for (const ScriptGroup& group : program_.groups) {
    thread += group.server_threads();
    if (group.runs == ScriptRuns::on_action && action-- == 0) return thread;
  }
  return thread;
}

std::vector<std::string_view> ScriptScenario::sites_of(std::string_view latch) const {
  std::vector<std::string_view> names;
  for (const ScriptHold& hold : program_.holds) {
    if (program_.latches[hold.latch].name == latch) names.emplace_back(program_.names[hold.site]);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace latchscope::workload
