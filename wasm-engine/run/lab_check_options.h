// The options of a lab check as JSON, the same for the page and the command line.
//
//   {"threads", "rounds", "schedules", "states", "memory", "starvation"}
//
// All may be absent; the defaults are those of lab::CheckOptions. memory: sc, tso or both.
// starvation: whether to look for it; not allowed for a given schedule.
#pragma once

#include <vector>

#include "lab/checker.h"
#include "run/json.h"
#include "run/run_spec.h"

namespace latchscope::run {

// all: many schedules. one: a given schedule, which has one memory model. Its threads may run
// forever (rounds: 0).
enum class CheckedSchedules : uint8_t { all, one };

struct CheckOptionsOrErrors {
  lab::CheckOptions options;
  std::vector<FieldError> errors;
};
CheckOptionsOrErrors read_check_options(const Json& json, CheckedSchedules schedules);

}  // namespace latchscope::run
