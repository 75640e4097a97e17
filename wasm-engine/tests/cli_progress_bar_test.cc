#include "cli/output.h"

#include <gtest/gtest.h>

namespace latchscope::cli {
namespace {

TEST(ProgressBar, IsAsLongAsThePartThatIsDone) {
  EXPECT_EQ(ProgressBar::text(0, 3), "[..............................] 0 %");
  EXPECT_EQ(ProgressBar::text(1, 3), "[##########....................] 33 %");
  EXPECT_EQ(ProgressBar::text(3, 3), "[##############################] 100 %");
  EXPECT_EQ(ProgressBar::text(0, 0), "[##############################] 100 %");
}

TEST(ProgressBar, DrawsNothingInAPipe) {
  testing::internal::CaptureStderr();
  {
    ProgressBar bar(2);
    bar.advance();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace latchscope::cli
