#include "latch/os_event.h"

#include "telemetry/telemetry.h"

namespace latchscope::latch {

namespace {

const telemetry::Function kOsEventWait("os_event_wait_low");

}  // namespace

void OsEvent::set() {
  OsMutexGuard guard(mutex_);
  if (is_set_) return;
  is_set_ = true;
  ++signal_count_;
  condition_.broadcast();
}

uint64_t OsEvent::reset() {
  OsMutexGuard guard(mutex_);
  is_set_ = false;
  return signal_count_;
}

bool OsEvent::is_set() {
  OsMutexGuard guard(mutex_);
  return is_set_;
}

uint64_t OsEvent::signal_count() {
  OsMutexGuard guard(mutex_);
  return signal_count_;
}

bool OsEvent::wait(uint64_t signal_count, uint64_t timeout_ns) {
  telemetry::Frame frame(kOsEventWait);
  OsMutexGuard guard(mutex_);
  const uint64_t began_ns = timeout_ns == platform::kForeverNs ? 0 : platform::now_ns();
  uint64_t remaining_ns = timeout_ns;
  while (!is_set_ && signal_count_ == signal_count) {
    condition_.wait(mutex_, remaining_ns);
    if (timeout_ns == platform::kForeverNs) continue;
    const uint64_t elapsed_ns = platform::now_ns() - began_ns;
    if (elapsed_ns >= timeout_ns) return is_set_ || signal_count_ != signal_count;
    remaining_ns = timeout_ns - elapsed_ns;
  }
  return true;
}

}  // namespace latchscope::latch
