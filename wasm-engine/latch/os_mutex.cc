#include "latch/os_mutex.h"

namespace latchscope::latch {

void OsMutex::lock_slowly() {
  while (line_.word.exchange(kLockedWithSleepers) != kFree) {
    platform::futex_wait(line_.word, kLockedWithSleepers);
  }
}

bool OsCondition::wait(OsMutex& mutex, uint64_t timeout_ns) {
  const uint32_t sequence = line_.sequence.load();
  mutex.unlock();
  const bool in_time = platform::futex_wait(line_.sequence, sequence, timeout_ns);
  mutex.lock();
  return in_time;
}

void OsCondition::signal() {
  line_.sequence.fetch_add(1);
  platform::futex_wake(line_.sequence, 1);
}

void OsCondition::broadcast() {
  line_.sequence.fetch_add(1);
  platform::futex_wake(line_.sequence, platform::kWakeAll);
}

}  // namespace latchscope::latch
