// CRC-32C (Castagnoli polynomial 0x1EDC6F41, reflected; RFC 3720 B.4), InnoDB's page checksum since 5.7.
// Portable code, the same natively and in WebAssembly, where no CRC instruction exists: a page is first folded
// by exclusive-ors of 16-byte blocks to 1/80 of its length, what is left goes through tables (slicing by 8).
#pragma once

#include <cstddef>
#include <cstdint>

namespace latchscope::server::ut {

uint32_t crc32c(const uint8_t* bytes, size_t count);

}  // namespace latchscope::server::ut
