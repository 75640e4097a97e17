// Reads a compiled workload file as JSON, as the compiler of the workload language gives it
// (web/contract/workload-program.ts).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "run/json.h"
#include "run/run_spec.h"
#include "workload/script_program.h"

namespace latchscope::run {

inline constexpr size_t kWorkloadProgramBytesMax = 1024 * 1024;

struct WorkloadProgramOrErrors {
  std::optional<workload::ScriptProgram> program;
  std::vector<FieldError> errors;
};

// Returns a program without fault (workload::find_fault), or its errors.
WorkloadProgramOrErrors read_workload_program(std::string_view text);
WorkloadProgramOrErrors workload_program_of(const Json& json);

// Returns the manifest that the engine derives from a program, in the form of scenarios/*/manifest.json,
// as far as the engine knows it.
Json manifest_json(const workload::ScenarioManifest& manifest);

}  // namespace latchscope::run
