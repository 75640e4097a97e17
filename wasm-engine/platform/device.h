// Stated figures of the storage devices that the engine's files live on. A browser has none of them, so the
// device is a model; the bytes themselves are real and lie in memory.
#pragma once

#include <cstdint>

namespace latchscope::platform {

struct DeviceProfile {
  const char* name;
  uint32_t latency_ns;    // of one request on an idle device
  uint32_t bytes_per_us;  // per channel; 0 = the copy itself is the cost
  uint32_t channels;      // requests served at the same time
  // CPU time of the copy, where it is the cost, on a core of 2025 of a modelled server; real threads copy.
  uint32_t copy_ps_per_byte = 0;
};

// "Simulated by using RAM via OS filesystem cache" (bug #69276): the copy is the cost. 0.6 us for 16 KiB on a
// machine of 2025 (measured: pread from the page cache).
inline constexpr DeviceProfile kRamDevice{"RAM", 0, 0, 1, 37};
// Latencies: data-centre NVMe 80 us random read; SATA SSD 150 us; 7,200 rpm disk 8 ms (vendors' data sheets).
inline constexpr DeviceProfile kNvmeDevice{"NVMe", 80'000, 3'000, 32};
inline constexpr DeviceProfile kSataSsdDevice{"SATA SSD", 150'000, 500, 8};
inline constexpr DeviceProfile kHddDevice{"HDD", 8'000'000, 150, 1};

}  // namespace latchscope::platform
