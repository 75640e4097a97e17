#include "telemetry/run_log.h"

#include <gtest/gtest.h>

#include "telemetry/telemetry.h"
#include "tests/test_threads.h"

namespace latchscope::telemetry {
namespace {

std::string ring_line(uint32_t number) {
  const LogLine& line = block().log_lines[(number - 1) % kLogLinesMax];
  EXPECT_EQ(line.sequence[0].read(), number);
  std::string text;
  for (size_t i = 0; line.text[i].read() != 0; ++i)
    text += static_cast<char>(line.text[i].read());
  return text;
}

TEST(RunLog, LinesOfAnEntryStayTogetherInRingAndList) {
  reset();
  tests::run_threads(4, [](uint32_t ordinal) {
    const std::string name = std::to_string(ordinal);
    for (int i = 0; i < 20; ++i)
      log_entry("first " + name + "\nsecond " + name);
  });
  EXPECT_EQ(block().header.log_lines_count[0].read(), 160u);
  const std::vector<std::string> lines = take_log_lines();
  ASSERT_EQ(lines.size(), 160u);
  for (uint32_t i = 0; i < 160; i += 2) {
    EXPECT_EQ(lines[i].substr(6), lines[i + 1].substr(7));
    EXPECT_EQ(ring_line(i + 1), lines[i]);
  }
  EXPECT_TRUE(take_log_lines().empty());
}

TEST(RunLog, WhatIsTooLongOrTooMuchIsCutAndCounted) {
  reset();
  log_entry(std::string(1'000, 'x'));
  EXPECT_EQ(ring_line(1).size(), kLogLineBytes - 1);
  EXPECT_EQ(take_log_lines()[0].size(), 1'000u);
  for (size_t i = 0; i < kPendingLogLinesMax + 5; ++i)
    log_entry("line");
  EXPECT_EQ(log_lines_dropped(), 5u);
  EXPECT_EQ(take_log_lines().size(), kPendingLogLinesMax);
  reset();
  EXPECT_EQ(block().header.log_lines_count[0].read(), 0u);
}

}  // namespace
}  // namespace latchscope::telemetry
