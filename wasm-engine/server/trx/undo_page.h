// Undo pages and their undo records. Source: MySQL 8.4 trx0undo, trx0rec. A record has the fields
// of TRX_UNDO_UPD_EXIST_REC, at fixed widths.
//
// Page, after the FIL header:             Record, 34 bytes:
//    38  u16  type (2 = update undo)         0   u16  offset of the next record
//    40  u16  offset of the first record     2   u8   type: 12, update of an existing row
//    42  u16  end of the last record         3   u32  number of the record in its transaction
//    56       records                        7   u32  table
//                                            11  6    DB_TRX_ID before the update
//                                            17  7    DB_ROLL_PTR before the update
//                                            24  u32  id, the primary key
//                                            28  u32  k before the update
//                                            32  u16  offset of this record
//
// Invariant: records are only appended; none is overwritten before its page is freed. A thread that
// has a roll pointer and keeps the page from being freed may read the record without a latch.
#pragma once

#include <cstdint>

#include "server/page.h"
#include "server/trx/trx_types.h"

namespace latchscope::server::trx {

inline constexpr uint16_t kFilPageTypeUndoLog = 2;  // FIL_PAGE_UNDO_LOG
inline constexpr uint32_t kUndoPageType = 38;
inline constexpr uint32_t kUndoPageStart = 40;
inline constexpr uint32_t kUndoPageFree = 42;
inline constexpr uint32_t kUndoPageBody = 56;
inline constexpr uint32_t kUndoRecordBytes = 34;
inline constexpr uint32_t kUndoRecordsPerPage =
    (kPageBytes - kUndoPageBody - kFilTrailerBytes) / kUndoRecordBytes;

struct UndoRecord {
  uint32_t undo_no = 0;
  uint32_t table_no = 0;
  TrxId trx_id = 0;  // of the previous version
  RollPtr roll_ptr;  // of the previous version
  uint32_t id = 0;
  uint32_t k = 0;
};

inline void init_undo_page(uint8_t* page, PageId id) {
  write_at<uint32_t>(page, kFilPageNo, id.page_no);
  write_at<uint32_t>(page, kFilSpace, id.space);
  write_at<uint32_t>(page, kFilPrev, kFilNull);
  write_at<uint32_t>(page, kFilNext, kFilNull);
  write_at<uint16_t>(page, kFilType, kFilPageTypeUndoLog);
  write_at<uint16_t>(page, kUndoPageType, 2);
  write_at<uint16_t>(page, kUndoPageStart, kUndoPageBody);
  write_at<uint16_t>(page, kUndoPageFree, kUndoPageBody);
}

// Appends a record. Returns its offset, or 0 if the page is full.
uint16_t append_undo_record(uint8_t* page, const UndoRecord& record);

// Returns the record that starts at `offset`. Its last field, its own offset, is checked.
UndoRecord read_undo_record(const uint8_t* page, uint16_t offset);

}  // namespace latchscope::server::trx
