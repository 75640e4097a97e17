// Published figures of the storage devices that hold the engine's files. A browser has none of
// these devices, so the device is a model; the bytes are real and are in memory.
#pragma once

#include <cstdint>

namespace latchscope::platform {

struct DeviceProfile {
  const char* name;
  uint32_t latency_ns;    // per request on an idle device
  uint32_t bytes_per_us;  // per channel; 0 = the copy itself is the cost
  uint32_t channels;      // number of requests served at once
  // CPU time of the copy on a 2025 core of a modelled server, where the copy is the cost. Real
  // threads do the copy instead.
  uint32_t copy_ps_per_byte = 0;
};

// "Simulated by using RAM via OS filesystem cache" (bug #69276): the copy is the cost. Source: 0.6
// us for 16 KiB on a 2025 machine, measured with pread from the page cache.
inline constexpr DeviceProfile kRamDevice{"RAM", 0, 0, 1, 37};
// Latencies: data-center NVMe 80 us random read; SATA SSD 150 us; 7,200 rpm disk 8 ms. Source:
// vendors' data sheets.
inline constexpr DeviceProfile kNvmeDevice{"NVMe", 80'000, 3'000, 32};
inline constexpr DeviceProfile kSataSsdDevice{"SATA SSD", 150'000, 500, 8};
inline constexpr DeviceProfile kHddDevice{"HDD", 8'000'000, 150, 1};

}  // namespace latchscope::platform
