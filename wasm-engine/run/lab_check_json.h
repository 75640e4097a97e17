// The result of a check of a latch (lab/checker.h) as JSON, the same for the command line and the
// page.
#pragma once

#include <string>

#include "lab/checker.h"
#include "run/json.h"

namespace latchscope::run {

Json lab_check_json(const lab::Program& program, const lab::CheckResult& result);
// Returns a fault with its trace. A replayed schedule may have the kind none.
Json lab_fault_json(const lab::Program& program, const lab::CheckFault& fault);

// Returns a name such as "waiting[2]".
std::string lab_element_name(const lab::Program& program, uint32_t word, uint32_t index, uint32_t threads);
std::string_view lab_phase_name(lab::Phase phase);
std::string_view lab_memory_name(lab::MemoryModel memory);

}  // namespace latchscope::run
