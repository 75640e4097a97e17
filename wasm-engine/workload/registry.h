// Which class runs which scenario. The build writes the table (workload/gen): scenario fil-mutex-69276 is run
// by the factory kFilMutex69276 of workload/fil_mutex_69276.cc.
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

// The usual `make`.
template <class SomeWorkload>
std::unique_ptr<Workload> make(const WorkloadConfig& config) {
  return std::make_unique<SomeWorkload>(config);
}

// In the order of scenario_manifests().
std::span<const WorkloadFactory* const> workload_factories();

}  // namespace latchscope::workload
