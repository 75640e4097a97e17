#include <gtest/gtest.h>

#include "platform/platform.h"

namespace latchscope::platform {
namespace {

struct alignas(64) Line : CacheLine {
  Atomic<uint32_t> word{*this, 0};
  Atomic<uint32_t> other{*this, 0};
};

TEST(CacheLine, ItsWordsLieOnOneLineOfThisMachine) {
  static_assert(sizeof(Line) == kCacheLineBytes);
  Line line;
  EXPECT_EQ(reinterpret_cast<uintptr_t>(&line.word) / kCacheLineBytes,
            reinterpret_cast<uintptr_t>(&line.other) / kCacheLineBytes);
}

}  // namespace
}  // namespace latchscope::platform
