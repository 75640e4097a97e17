// The kinds of latches, and the words that each has on its cache line, in declaration order. The
// page needs this to read a latch's words. A test checks each class against it.
#pragma once

#include <cstdint>

namespace latchscope::latch {

#define LATCHSCOPE_LATCH_CLASSES(S)                                                  \
  S(TTASEventMutex, "lock_word", "waiters")                                          \
  S(RwLock, "lock_word", "waiters", "writer_thread", "reader_thread", "last_s_site") \
  S(OsMutex, "word")                                                                 \
  S(LabLatch)

#define LATCHSCOPE_DECLARE_ENUMERATOR(name, ...) name,
enum class LatchClass : uint8_t { LATCHSCOPE_LATCH_CLASSES(LATCHSCOPE_DECLARE_ENUMERATOR) };
#undef LATCHSCOPE_DECLARE_ENUMERATOR

// The amount that an X lock subtracts from the lock word of a free RwLock.
inline constexpr int32_t kRwLockXLockDecr = 0x20000000;

constexpr uint8_t latch_class(LatchClass known) {
  return static_cast<uint8_t>(known);
}

}  // namespace latchscope::latch
