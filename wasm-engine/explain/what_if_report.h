// The report of a what-if: means over seeds with their 95 % intervals, and ratios to the baseline
// run, seed by seed. Each figure is computed only here: the command line prints them, the page
// shows them (c_abi.cc).
//
// A study lists the runs and the outcome of each. Its report is the same JSON
// (docs/guide/what-if.md), with figures in place of the outcomes:
//
//   curve    {version, spec, seeds, from_s, points: [point ...]}
//              the first point is the baseline run
//   profile  {version, spec, seeds, from_s, section_percent, base: point,
//             latches: [{latch, section: point, hand_over: point} ...]}
//   point    {name, what_if?, step?, runs: [RunOutcome or null ...]}
//              one run for each seed; null: there is none
#pragma once

#include <string>
#include <vector>

#include "run/json.h"

namespace latchscope::explain {

// Returns whether this is a study of this form; only such a study may be reported.
bool is_study(const run::Json& study);
bool is_profile(const run::Json& study);

run::Json what_if_report(const run::Json& study);

// Latches by their share of the clients' time in the runs of a study's base, costliest first.
struct HotLatch {
  std::string latch;
  double cost_share;
};
std::vector<HotLatch> hot_latches(const run::Json& spec, const run::Json& base);
run::Json to_json(const std::vector<HotLatch>& latches);

// Returns a figure of a report in the form that the command line prints.
std::string estimate_in_words(const run::Json& estimate, const char* format);

}  // namespace latchscope::explain
