// The counts up to a moment of a run: statements, latencies, latches.
#pragma once

#include <cstdint>
#include <vector>

#include "run/run_figures.h"
#include "telemetry/telemetry.h"

namespace latchscope::run {

struct CountedReading {
  RunReading run;
  std::vector<telemetry::LatchSiteSum> sites;

  // Reads the latches now and combines them with `run`, which was read at the same moment.
  static CountedReading of(const RunReading& run);
  static CountedReading at(uint64_t run_ns) { return of(RunReading::at(run_ns)); }
  static CountedReading of_beginning();
};

}  // namespace latchscope::run
