#include "server/ut/crc32c.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "platform/platform.h"

namespace latchscope::server::ut {
namespace {

uint32_t bit_by_bit(const std::vector<uint8_t>& bytes) {
  uint32_t crc = 0xffffffff;
  for (uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78 : 0);
  }
  return ~crc;
}

TEST(Crc32c, PublishedVectors) {
  const char* digits = "123456789";
  EXPECT_EQ(crc32c(reinterpret_cast<const uint8_t*>(digits), 9), 0xe3069283u);
  const std::vector<uint8_t> zeros(32, 0x00);  // RFC 3720, B.4
  EXPECT_EQ(crc32c(zeros.data(), zeros.size()), 0x8a9136aau);
  const std::vector<uint8_t> ones(32, 0xff);
  EXPECT_EQ(crc32c(ones.data(), ones.size()), 0x62a8ab43u);
}

TEST(Crc32c, EveryLengthAndAlignmentEqualsTheDefinition) {
  platform::Random random(3);
  std::vector<uint8_t> bytes(40'001);
  for (uint8_t& byte : bytes)
    byte = static_cast<uint8_t>(random.next());
  for (size_t length :
       {size_t{0}, size_t{1}, size_t{7}, size_t{8}, size_t{63}, size_t{4079}, size_t{4080}, size_t{4081},
        size_t{4095}, size_t{4096}, size_t{4097}, size_t{4112}, size_t{8161}, size_t{16380}, size_t{16383},
        size_t{16384}, size_t{20479}, size_t{20480}, size_t{40000}}) {
    const std::vector<uint8_t> part(bytes.begin() + 1, bytes.begin() + 1 + static_cast<ptrdiff_t>(length));
    EXPECT_EQ(crc32c(bytes.data() + 1, length), bit_by_bit(part)) << length;
  }
}

}  // namespace
}  // namespace latchscope::server::ut
