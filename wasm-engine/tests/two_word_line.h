// A cache line with two words.
#pragma once

#include <cstdint>

#include "platform/platform.h"

namespace latchscope::tests {

struct alignas(64) TwoWordLine : platform::CacheLine {
  platform::Atomic<uint32_t> word{*this, 0};
  platform::Atomic<uint32_t> other{*this, 0};
};

}  // namespace latchscope::tests
