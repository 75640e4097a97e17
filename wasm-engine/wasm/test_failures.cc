#include "wasm/test_failures.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <vector>

#include "platform/platform.h"

namespace latchscope::wasm {

namespace {

constexpr size_t kMoreThanAnyMachineHas = ~size_t{0} / 2;
constexpr uint64_t kForeverNs = 1'000'000'000'000'000;

void fail_an_assertion() {
  LATCHSCOPE_ASSERT(false, "this assertion fails to test its host");
}

void use_up_memory() {
  ::operator delete(::operator new(kMoreThanAnyMachineHas));
}

void use_up_threads() {
  std::vector<platform::Thread> threads;
  for (;;)
    threads.emplace_back([] { platform::sleep_ns(kForeverNs); });
}

// The engine checks a stack when its thread switches to another.
[[gnu::noinline]] uint32_t call_down(uint32_t calls, platform::Thread& other) {
  if (calls == 0) {
    other.join();
    return 0;
  }
  return call_down(calls - 1, other) * 2 + calls;
}

[[gnu::noinline]] uint32_t call_down_with_frames(uint32_t calls, platform::Thread& other) {
  volatile uint8_t frame[1024];
  frame[calls] = static_cast<uint8_t>(calls);
  return calls == 0 ? call_down(0, other) : call_down_with_frames(calls - 1, other) + frame[calls];
}

// Overruns the stack only slightly, because the memory below belongs to others.
void overrun_stack() {
  constexpr uint32_t kKibOfAFiber = 64;
  platform::Thread other([] {});
  call_down_with_frames(kKibOfAFiber, other);
}

void nest_too_many_calls() {
  constexpr uint32_t kCalls = 2'000;
  platform::Thread other([] {});
  call_down(kCalls, other);
}

constexpr TestFailure kFailures[] = {
    {"assertion", fail_an_assertion}, {"memory", use_up_memory},      {"threads", use_up_threads},
    {"stack", overrun_stack},         {"calls", nest_too_many_calls},
};
// Stacks are checked only where the engine allocates them itself. Native builds have a guard page
// instead.
constexpr size_t kFailuresCount = platform::kIsModelled ? std::size(kFailures) : 3;

}  // namespace

const TestFailure* find_test_failure(std::string_view cause) {
  const TestFailure* end = kFailures + kFailuresCount;
  const TestFailure* found =
      std::find_if(kFailures, end, [&](const TestFailure& failure) { return failure.cause == cause; });
  return found == end ? nullptr : found;
}

std::string test_failure_causes() {
  std::string causes;
  for (size_t i = 0; i < kFailuresCount; ++i)
    causes += (i == 0 ? "" : ", ") + std::string(kFailures[i].cause);
  return causes;
}

}  // namespace latchscope::wasm
