// Which registers may still be read.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/program.h"

namespace latchscope::lab {

// across_calls: as a thread goes, from function to function. each_function: of the function alone, as if a call wrote and read nothing.
enum class Liveness : uint8_t { across_calls, each_function };

// A bit for each register that may be read before it is written, from each instruction on; and one entry more. The jumps of the
// program are good.
std::vector<uint64_t> live_registers(const Program& program, Liveness liveness);

}  // namespace latchscope::lab
