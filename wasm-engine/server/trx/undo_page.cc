#include "server/trx/undo_page.h"

#include "platform/platform.h"

namespace latchscope::server::trx {

namespace {

constexpr uint8_t kUpdExistRec = 12;  // TRX_UNDO_UPD_EXIST_REC

constexpr uint32_t kNext = 0;
constexpr uint32_t kType = 2;
constexpr uint32_t kUndoNo = 3;
constexpr uint32_t kTableNo = 7;
constexpr uint32_t kTrxId = 11;
constexpr uint32_t kRollPtr = 17;
constexpr uint32_t kId = 24;
constexpr uint32_t kK = 28;
constexpr uint32_t kRecordStart = 32;

}  // namespace

uint16_t append_undo_record(uint8_t* page, const UndoRecord& record) {
  const uint16_t offset = read_at<uint16_t>(page, kUndoPageFree);
  const uint32_t end = offset + kUndoRecordBytes;
  if (end > kPageBytes - kFilTrailerBytes) return 0;
  write_at<uint16_t>(page, offset + kNext, static_cast<uint16_t>(end));
  write_at<uint8_t>(page, offset + kType, kUpdExistRec);
  write_at<uint32_t>(page, offset + kUndoNo, record.undo_no);
  write_at<uint32_t>(page, offset + kTableNo, record.table_no);
  write_trx_id(page + offset + kTrxId, record.trx_id);
  write_roll_ptr(page + offset + kRollPtr, record.roll_ptr);
  write_at<uint32_t>(page, offset + kId, record.id);
  write_at<uint32_t>(page, offset + kK, record.k);
  write_at<uint16_t>(page, offset + kRecordStart, offset);
  write_at<uint16_t>(page, kUndoPageFree, static_cast<uint16_t>(end));
  return offset;
}

UndoRecord read_undo_record(const uint8_t* page, uint16_t offset) {
  LATCHSCOPE_ASSERT(offset >= kUndoPageBody && offset + kUndoRecordBytes <= kPageBytes - kFilTrailerBytes &&
                        read_at<uint8_t>(page, offset + kType) == kUpdExistRec &&
                        read_at<uint16_t>(page, offset + kRecordStart) == offset,
                    "a roll pointer refers to an undo record");
  return {.undo_no = read_at<uint32_t>(page, offset + kUndoNo),
          .table_no = read_at<uint32_t>(page, offset + kTableNo),
          .trx_id = read_trx_id(page + offset + kTrxId),
          .roll_ptr = read_roll_ptr(page + offset + kRollPtr),
          .id = read_at<uint32_t>(page, offset + kId),
          .k = read_at<uint32_t>(page, offset + kK)};
}

}  // namespace latchscope::server::trx
