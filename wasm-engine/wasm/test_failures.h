// Ways to make an engine fail, so that hosts can test that they survive it: see
// latchscope_fail_for_test.
#pragma once

#include <string>
#include <string_view>

namespace latchscope::wasm {

struct TestFailure {
  std::string_view cause;
  void (*provoke)();  // called inside a telemetry::ThreadScope
};

// Returns null if this platform cannot fail in that way.
const TestFailure* find_test_failure(std::string_view cause);
// Returns all causes of this platform, for an error message.
std::string test_failure_causes();

}  // namespace latchscope::wasm
