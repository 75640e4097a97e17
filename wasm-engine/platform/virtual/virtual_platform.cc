#include <algorithm>

#include "platform/platform.h"

namespace latchscope::platform {

void io(Device& device, uint64_t bytes) {
  const DeviceProfile& profile = device.profile_;
  machine().work(bytes * profile.copy_ps_per_byte);
  if (profile.latency_ns == 0 && profile.bytes_per_us == 0) return;
  const Ps transfer = profile.bytes_per_us == 0 ? 0 : bytes * kPsPerUs / profile.bytes_per_us;
  Ps& busy_until = device.busy_until_[device.next_channel_++ % profile.channels];
  busy_until = std::max(busy_until, machine().now()) + profile.latency_ns * kPsPerNs + transfer;
  machine().sleep_until(busy_until);
}

void occupy(Device& device, uint64_t duration_ns) {
  Ps done = 0;
  for (Ps& busy_until : device.busy_until_) {
    busy_until = std::max(busy_until, machine().now()) + duration_ns * kPsPerNs;
    done = std::max(done, busy_until);
  }
  machine().sleep_until(done);
}

uint32_t hardware_cores() {
  return machine().profile().cpus();
}

}  // namespace latchscope::platform
