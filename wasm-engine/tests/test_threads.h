// Threads for tests. The test's own thread has a slot; run_threads gives each thread its own.
#pragma once

#include <cstdint>
#include <functional>

#include "run/engine.h"

namespace latchscope::tests {

// Slot of the test's own thread. The last slot is reserved for a coordinator.
inline constexpr uint32_t kTestSlot = run::kCoordinatorSlot - 1;

// Runs `body(ordinal)` on `count` threads at the same time. Blocks until all of them have ended.
void run_threads(uint32_t count, const std::function<void(uint32_t)>& body);

// The active sanitizer. Each is slow and needs much memory.
#if defined(__has_feature)
inline constexpr bool kHasThreadSanitizer = __has_feature(thread_sanitizer);
inline constexpr bool kIsSanitized = kHasThreadSanitizer || __has_feature(address_sanitizer);
#elif defined(__SANITIZE_THREAD__)
inline constexpr bool kHasThreadSanitizer = true, kIsSanitized = true;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr bool kHasThreadSanitizer = false, kIsSanitized = true;
#else
inline constexpr bool kHasThreadSanitizer = false, kIsSanitized = false;
#endif

// Returns the number of rounds for a stress test: fewer under a sanitizer, which is ten times
// slower.
uint32_t stress_rounds(uint32_t rounds);

}  // namespace latchscope::tests
