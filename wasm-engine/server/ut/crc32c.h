// CRC-32C (Castagnoli polynomial 0x1EDC6F41, reflected; RFC 3720 B.4), InnoDB's page checksum since 5.7.
// Portable code, the same natively and in WebAssembly: slicing by 8 over three interleaved streams.
#pragma once

#include <cstddef>
#include <cstdint>

namespace latchscope::server::ut {

uint32_t crc32c(const uint8_t* bytes, size_t count);

}  // namespace latchscope::server::ut
