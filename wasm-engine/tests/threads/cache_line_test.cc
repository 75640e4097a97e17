#include <gtest/gtest.h>

#include "platform/platform.h"
#include "tests/two_word_line.h"

namespace latchscope::platform {
namespace {

using tests::TwoWordLine;

TEST(CacheLine, ItsWordsLieOnOneLineOfThisMachine) {
  static_assert(sizeof(TwoWordLine) == kCacheLineBytes);
  TwoWordLine line;
  EXPECT_EQ(reinterpret_cast<uintptr_t>(&line.word) / kCacheLineBytes,
            reinterpret_cast<uintptr_t>(&line.other) / kCacheLineBytes);
}

}  // namespace
}  // namespace latchscope::platform
