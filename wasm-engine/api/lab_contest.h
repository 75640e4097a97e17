// Contests of the lab from outside, and what came out of them, as JSON.
//
//   {"server":"epyc-cloud-2025", "threads":8, "hold_ns":60, "think_ns":200, "shared_percent":0, "duration_us":2000, "seed":1}
//
// Absent: the first server of scenarios/servers.json, 2 threads, and what is written here; duration_us is longer where threads have to
// share cores, so that each has its time slices.
#pragma once

#include <optional>
#include <vector>

#include "api/json.h"
#include "api/run_spec.h"
#include "lab/contest.h"

namespace latchscope::api {

inline constexpr uint32_t kContestThreadsMax = 512;

struct ContestSpecOrErrors {
  std::optional<lab::ContestSpec> spec;
  std::vector<FieldError> errors;
};

// A mutex has no shared entries, and a program may be made for few threads: that, too, is an error here.
ContestSpecOrErrors read_contest_spec(const Json& json, const lab::Program& program);

// {threads, duration_us, acquisitions, acquisitions_per_s, shared_acquisitions, fairness, wait_ns: {median, p99, max},
//  hand_over_ns, hand_overs, in_order_percent, overtaken_max, line_transfers_per_acquisition, futex_waits, context_switches,
//  events, ended_early, lines: [{line, accesses, ns, transfers}], verdict, sentence}
// `lines` are source lines, per acquisition; what was not observed is null. verdict: sound, broken, wrong, hangs.
Json contest_json(const lab::ContestResult& result, const lab::Program& program);

}  // namespace latchscope::api
