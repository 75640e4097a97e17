#include "server/gtid/trx_undo_gtid.h"

#include <algorithm>

#include "server/page.h"

namespace latchscope::server::gtid {

namespace {

constexpr uint32_t kSlotGno = 0;
constexpr uint32_t kSlotChecksum = 60;

}  // namespace

void GtidSlot::write(uint64_t gno) {
  bytes.fill(0);
  write_at<uint64_t>(bytes.data(), kSlotGno, gno);
  write_at<uint32_t>(bytes.data(), kSlotChecksum, ut::crc32c(bytes.data(), kSlotChecksum));
}

uint64_t GtidSlot::read() const {
  LATCHSCOPE_ASSERT(read_at<uint32_t>(bytes.data(), kSlotChecksum) == ut::crc32c(bytes.data(), kSlotChecksum),
                    "a GTID slot marked valid is intact");
  return read_at<uint64_t>(bytes.data(), kSlotGno);
}

UndoHeader& TrxSys::allocate_undo() {
  if (free_undo.empty()) {
    undo_headers.push_back(std::make_unique<UndoHeader>());
    free_undo.push_back(undo_headers.back().get());
  }
  UndoHeader& undo = *free_undo.back();
  free_undo.pop_back();
  undo = {};
  undo.state = UndoState::active;
  return undo;
}

void TrxSys::purge_undo_below(uint64_t trx_no) {
  const auto kept = std::find_if(history_list.begin(), history_list.end(),
                                 [&](const UndoHeader* undo) { return undo->trx_no >= trx_no; });
  for (auto undo = history_list.begin(); undo != kept; ++undo) {
    **undo = {};
    free_undo.push_back(*undo);
  }
  history_list.erase(history_list.begin(), kept);
}

}  // namespace latchscope::server::gtid
