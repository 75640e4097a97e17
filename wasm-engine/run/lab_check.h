// The options and the result of a check of a latch (lab/checker.h) as JSON, the same for the command
// line and the page. The options:
//
//   {"threads", "rounds", "schedules", "states", "memory", "starvation"}
//
// All may be absent; the defaults are those of lab::CheckOptions. memory: sc, tso or both.
// starvation: whether to look for it; not allowed for a given schedule.
#pragma once

#include <string>
#include <string_view>
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

Json lab_check_json(const lab::Program& program, const lab::CheckResult& result);
// Returns a fault with its trace. A replayed schedule may have the kind none.
Json lab_fault_json(const lab::Program& program, const lab::CheckFault& fault);

// Returns a name such as "waiting[2]".
std::string lab_element_name(const lab::Program& program, uint32_t word, uint32_t index, uint32_t threads);
std::string_view lab_phase_name(lab::Phase phase);
std::string_view lab_memory_name(lab::MemoryModel memory);

}  // namespace latchscope::run
