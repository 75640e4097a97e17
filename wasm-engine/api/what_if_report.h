// What a what-if has come to: means over seeds with their 95 % intervals, and ratios to the run as it is, seed by seed. Each figure is
// computed only here: the command line prints them, the page shows them (c_abi.cc).
//
// A study is what was run and what came out of each run. Its report is the same JSON (docs/guide/what-if.md), with figures in place of
// what was kept of the runs:
//
//   curve    {version, spec, seeds, from_s, points: [point ...]}                   the first is the run as it is
//   profile  {version, spec, seeds, from_s, section_percent, base: point, latches: [{latch, section: point, hand_over: point} ...]}
//   point    {name, what_if?, step?, runs: [RunOutcome or null ...]}               one for each seed; null: there is none
#pragma once

#include <string>
#include <vector>

#include "api/json.h"

namespace latchscope::api {

// Whether it is a study of this form; nothing else may be reported.
bool is_study(const Json& study);
bool is_profile(const Json& study);

Json what_if_report(const Json& study);

// Latches by what they cost, of the clients' time, in the runs of a study's base; the costliest first.
struct HotLatch {
  std::string latch;
  double cost_share;
};
std::vector<HotLatch> hot_latches(const Json& spec, const Json& base);
Json to_json(const std::vector<HotLatch>& latches);

// The figures of a report, as the command line prints them.
std::string estimate_in_words(const Json& estimate, const char* format);

}  // namespace latchscope::api
