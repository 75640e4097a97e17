// Liveness of registers: which may still be read.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/program.h"

namespace latchscope::lab {

// across_calls: follows a thread from function to function. each_function: looks at one function
// alone, as if a call wrote and read nothing.
enum class Liveness : uint8_t { across_calls, each_function };

// Returns, for each instruction and one place more, a bit for each register that may be read before
// it is written.
//
// REQUIRES: the program's jumps are valid.
std::vector<uint64_t> live_registers(const Program& program, Liveness liveness);

}  // namespace latchscope::lab
