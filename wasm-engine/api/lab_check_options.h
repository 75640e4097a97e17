// What is asked of a check of the lab, as JSON: of the page and of the command line alike.
//
//   {"threads", "rounds", "schedules", "states", "memory", "starvation"}
//
// All may be absent; then they are those of lab::CheckOptions. memory: sc, tso or both. starvation: whether to look for it; not of a
// schedule that is written down.
#pragma once

#include <vector>

#include "api/json.h"
#include "api/run_spec.h"
#include "lab/checker.h"

namespace latchscope::api {

// all: many schedules. one: a schedule that is written down, which is of one memory model, and may have threads that go on for ever
// (rounds: 0).
enum class CheckedSchedules : uint8_t { all, one };

struct CheckOptionsOrErrors {
  lab::CheckOptions options;
  std::vector<FieldError> errors;
};
CheckOptionsOrErrors read_check_options(const Json& json, CheckedSchedules schedules);

}  // namespace latchscope::api
