// Natively a guard page lies below each stack. The WebAssembly equivalent is tested in the page:
// e2e/failure.spec.ts.
#include "platform/virtual/fiber_context.h"

#include <gtest/gtest.h>

#include "platform/platform.h"

namespace latchscope::platform {
namespace {

[[gnu::noinline]] uint32_t call_down(uint32_t calls) {
  volatile uint8_t frame[1024];
  frame[calls % 1024] = static_cast<uint8_t>(calls);
  return calls == 0 ? frame[0] : call_down(calls - 1) + frame[calls % 1024];
}

uint32_t run_with_frames_of(size_t bytes) {
  uint32_t sum = 0;
  Thread thread([&] { sum = call_down(static_cast<uint32_t>(bytes / 1024)); });
  thread.join();
  return sum;
}

TEST(FiberContextDeathTest, WhoOverrunsAStackGoesNoFurther) {
  begin_run({});
  EXPECT_GT(run_with_frames_of(FiberContext::stack_bytes() / 4), 0u);
  EXPECT_DEATH(run_with_frames_of(FiberContext::stack_bytes() * 2), "");
}

}  // namespace
}  // namespace latchscope::platform
