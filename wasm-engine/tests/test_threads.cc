#include "tests/test_threads.h"

#include <gtest/gtest.h>

#include <vector>

#include "platform/platform.h"
#include "run/engine.h"
#include "telemetry/telemetry.h"

namespace latchscope::tests {

void run_threads(uint32_t count, const std::function<void(uint32_t)>& body) {
  std::vector<platform::Thread> threads;
  for (uint32_t ordinal = 0; ordinal < count; ++ordinal) {
    threads.emplace_back([&body, ordinal] {
      telemetry::ThreadScope scope({ordinal, 0, ordinal, /*seed=*/1});
      body(ordinal);
    });
  }
  for (platform::Thread& thread : threads)
    thread.join();
}

uint32_t stress_rounds(uint32_t rounds) {
  return kIsSanitized ? rounds / 10 + 1 : rounds;
}

}  // namespace latchscope::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  latchscope::telemetry::ThreadScope scope(
      {latchscope::tests::kTestSlot, latchscope::run::kCoordinatorKind, 0, /*seed=*/1});
  return RUN_ALL_TESTS();
}
