// Ways to make an engine fail, for hosts to test that they survive it: see latchscope_fail_for_test.
#pragma once

#include <string>
#include <string_view>

namespace latchscope::api {

struct TestFailure {
  std::string_view cause;
  void (*provoke)();  // called inside a telemetry::ThreadScope
};

// Null if this platform cannot fail like that.
const TestFailure* find_test_failure(std::string_view cause);
// All causes of this platform, for an error message.
std::string test_failure_causes();

}  // namespace latchscope::api
