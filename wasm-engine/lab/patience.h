// The time without an entry into a wanted latch of the lab after which the latch counts as hanging.
#pragma once

#include <cstdint>

#include "platform/platform.h"

namespace latchscope::lab {

// Time of the modelled server: more than all threads could need, with time slices of some
// milliseconds.
inline uint64_t patience_ns(const platform::ServerProfile& server, uint32_t threads) {
  constexpr uint64_t kSlices = 4;
  return kSlices * (threads / server.cpus() + 1) * server.time_slice_ps / platform::kPsPerNs;
}

}  // namespace latchscope::lab
