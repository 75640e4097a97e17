// Reads the specs of lab contests, and writes their results as JSON.
//
//   {"server":"epyc-cloud-2025", "threads":8, "hold_ns":60, "think_ns":200, "shared_percent":0,
//    "duration_us":2000, "seed":1}
//
// Defaults: the first server of scenarios/servers.json, 2 threads, and otherwise the values above.
// The default duration_us is longer where threads share cores, so that each gets its time slices.
#pragma once

#include <optional>
#include <vector>

#include "lab/contest.h"
#include "run/json.h"
#include "run/run_spec.h"

namespace latchscope::run {

inline constexpr uint32_t kContestThreadsMax = 512;

struct ContestSpecOrErrors {
  std::optional<lab::ContestSpec> spec;
  std::vector<FieldError> errors;
};

// Also returns an error for shared entries of a mutex, and for more threads than the program is
// made for.
ContestSpecOrErrors read_contest_spec(const Json& json, const lab::Program& program);

// Returns a JSON object. Its `lines` are source lines, per acquisition; unobserved values are null.
// Its `verdict` is sound, broken, wrong or hangs.
//
//     {threads, duration_us, acquisitions, acquisitions_per_s, shared_acquisitions, fairness,
//      wait_ns: {median, p99, max}, hand_over_ns, hand_overs, in_order_percent, overtaken_max,
//      line_transfers_per_acquisition, futex_waits, context_switches, events, ended_early,
//      lines: [{line, accesses, ns, transfers}], verdict, sentence}
Json contest_json(const lab::ContestResult& result, const lab::Program& program);

}  // namespace latchscope::run
