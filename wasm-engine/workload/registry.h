// Maps each scenario to the class that runs it. The build writes the table (workload/gen): the
// factory kFilMutex69276 of workload/fil_mutex_69276.cc runs scenario fil-mutex-69276.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "workload/workload.h"

namespace latchscope::workload {

struct WorkloadFactory {
  std::unique_ptr<Workload> (*make)(const WorkloadConfig&);
  std::vector<ConfigError> (*check)(const WorkloadConfig&);
};

// The usual `make` of a factory.
template <class SomeWorkload>
std::unique_ptr<Workload> make(const WorkloadConfig& config) {
  return std::make_unique<SomeWorkload>(config);
}

// Returns the factories in the order of scenario_manifests().
std::span<const WorkloadFactory* const> workload_factories();

}  // namespace latchscope::workload
