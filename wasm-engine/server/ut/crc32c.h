// CRC-32C (Castagnoli polynomial 0x1EDC6F41, reflected; RFC 3720 B.4), InnoDB's page checksum since
// 5.7. The code is portable: the same natively and in WebAssembly, which has no CRC instruction. A
// page is first folded to 1/80 of its length by XORs of 16-byte blocks; tables (slicing by 8)
// process the rest.
#pragma once

#include <cstddef>
#include <cstdint>

namespace latchscope::server::ut {

uint32_t crc32c(const uint8_t* bytes, size_t count);

}  // namespace latchscope::server::ut
