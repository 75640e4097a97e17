// The counts up to a moment of a run. The figures that a what-if stores of a run on the modelled
// server, from a moment of the run to its end.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "run/json.h"
#include "run/run_figures.h"
#include "telemetry/telemetry.h"

namespace latchscope::run {

// Statements, latencies and latches.
struct CountedReading {
  RunReading run;
  std::vector<telemetry::LatchSiteSum> sites;

  // Reads the latches now and combines them with `run`, which was read at the same moment.
  static CountedReading of(const RunReading& run);
  static CountedReading at(uint64_t run_ns) { return of(RunReading::at(run_ns)); }
  static CountedReading of_beginning();
};

struct RunOutcome {
  double tps = 0;
  double p99_ms = 0;
  double seconds = 0;
  std::map<std::string, uint64_t> cost_ns;  // by taken latch, summed over its sites
  std::vector<std::string> broken_invariants;
  std::string stopped_early;  // why, or ""

  Json json() const;
  static bool is_one(const Json& json);
  static RunOutcome of_json(const Json& json);
};

RunOutcome outcome_between(const CountedReading& from, const CountedReading& to);

}  // namespace latchscope::run
