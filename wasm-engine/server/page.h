// Page identity and the parts of the page format common to all pages. A 38-byte FIL header and an
// 8-byte trailer enclose the body of a 16 KiB page. Source: InnoDB's fil0types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "server/ut/crc32c.h"

namespace latchscope::server {

inline constexpr uint32_t kPageBytes = 16384;  // innodb_page_size

struct PageId {
  uint32_t space = 0;
  uint32_t page_no = 0;
  friend bool operator==(const PageId&, const PageId&) = default;
};

// Read and write little-endian integers at a byte offset of a page.
template <class T>
T read_at(const uint8_t* page, uint32_t offset) {
  T value;
  memcpy(&value, page + offset, sizeof value);
  return value;
}
template <class T>
void write_at(uint8_t* page, uint32_t offset, T value) {
  memcpy(page + offset, &value, sizeof value);
}

// Offsets in the FIL header.
inline constexpr uint32_t kFilChecksum = 0;  // u32: CRC-32C of bytes 4 to the end
inline constexpr uint32_t kFilPageNo = 4;    // u32
inline constexpr uint32_t kFilPrev = 8;      // u32: previous page on the same level
inline constexpr uint32_t kFilNext = 12;     // u32
inline constexpr uint32_t kFilType = 24;     // u16
inline constexpr uint32_t kFilSpace = 34;    // u32
inline constexpr uint32_t kFilHeaderBytes = 38;
inline constexpr uint32_t kFilTrailerBytes = 8;
inline constexpr uint32_t kFilNull = 0xffffffff;

inline constexpr uint16_t kFilPageTypeIbufBitmap = 5;  // FIL_PAGE_IBUF_BITMAP: page 1
inline constexpr uint16_t kFilPageTypeFspHdr = 8;      // FIL_PAGE_TYPE_FSP_HDR: page 0
inline constexpr uint16_t kFilPageTypeIndex = 17855;   // FIL_PAGE_INDEX

// One page in kPageBytes is a bitmap page of the change buffer. It has bits for each of these pages
// except itself and the page before it.
inline constexpr uint32_t kIbufBitmapOffset = 1;  // FSP_IBUF_BITMAP_OFFSET
inline bool is_ibuf_bitmap_page(uint32_t page_no) {
  return page_no % kPageBytes == kIbufBitmapOffset;
}
inline bool has_ibuf_bits(uint32_t page_no) {
  return page_no % kPageBytes > kIbufBitmapOffset;
}
inline PageId ibuf_bitmap_page_of(PageId id) {
  return {id.space, id.page_no / kPageBytes * kPageBytes + kIbufBitmapOffset};
}

// Offsets in the header of an index page, after the FIL header.
inline constexpr uint32_t kPageRecords = 38;  // u16: user records
inline constexpr uint32_t kPageLevel = 40;    // u16: 0 = leaf
inline constexpr uint32_t kPageBody = 56;

inline bool page_is_leaf(const uint8_t* page) {
  return read_at<uint16_t>(page, kFilType) == kFilPageTypeIndex && read_at<uint16_t>(page, kPageLevel) == 0;
}

inline uint32_t page_checksum(const uint8_t* page) {
  return ut::crc32c(page + 4, kPageBytes - 4);
}
inline void seal_page(uint8_t* page) {
  write_at<uint32_t>(page, kFilChecksum, page_checksum(page));
}
inline bool page_is_sound(const uint8_t* page, PageId id) {
  return read_at<uint32_t>(page, kFilPageNo) == id.page_no &&
         read_at<uint32_t>(page, kFilSpace) == id.space &&
         read_at<uint32_t>(page, kFilChecksum) == page_checksum(page);
}

}  // namespace latchscope::server
