// Transactions as the GTID persister sees them: undo headers with their GTID slots, transaction
// numbers, the serialisation list and the history list. Sources: MySQL 8.0.21 trx0undo, trx0sys;
// 8.0.26 for the second slot.
//
// The relevant part of an undo header:
//
//    TRX_UNDO_STATE      active, prepared, to be purged
//    TRX_UNDO_FLAGS      0x01 XID
//                        0x02 GTID: the commit slot is valid
//                        0x04 XA prepare GTID: its own slot is valid
//    gtid slot           64 bytes: the GTID of XA PREPARE, later overwritten by that of the commit
//    prepare gtid slot   64 bytes, from 8.0.23: the GTID of XA PREPARE
//
// trx_sys->mutex guards everything here, with one exception: while a transaction is in neither the
// serialisation nor the history list, it owns its header. Writes to a header are durable at once:
// the redo log that makes them durable is written before the step ends.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "latch/latch_environment.h"
#include "latch/ttas_event_mutex.h"

namespace latchscope::server::gtid {

enum class UndoState : uint8_t { free, active, prepared, to_purge };

inline constexpr uint8_t kUndoFlagXid = 0x01;
inline constexpr uint8_t kUndoFlagGtid = 0x02;
inline constexpr uint8_t kUndoFlagXaPrepareGtid = 0x04;

// "uuid:gno" in MySQL; here the GNO and its checksum.
struct GtidSlot {
  std::array<uint8_t, 64> bytes{};
  void write(uint64_t gno);
  uint64_t read() const;  // asserts the checksum
};

struct UndoHeader {
  UndoState state = UndoState::free;
  uint8_t flags = 0;
  GtidSlot gtid;
  GtidSlot xa_prepare_gtid;
  uint64_t trx_no = 0;  // once committed
};

struct Trx {
  uint64_t id = 0;
  uint64_t no = 0;  // serialisation number, given at commit
  UndoHeader* undo = nullptr;
  bool is_prepared_xa = false;
  uint64_t prepare_list_number = 0;  // the persister's list that took the prepare GTID
};

struct TrxSys {
  explicit TrxSys(latch::LatchEnvironment& latches) : mutex(latches) {}

  latch::TTASEventMutex mutex;
  uint64_t next_id GUARDED_BY(mutex) = 1;
  std::set<uint64_t> serialisation_list GUARDED_BY(mutex);  // numbers of committing transactions
  std::vector<UndoHeader*> history_list GUARDED_BY(mutex);  // committed, not purged, by number
  std::vector<UndoHeader*> free_undo GUARDED_BY(mutex);
  std::vector<std::unique_ptr<UndoHeader>> undo_headers GUARDED_BY(mutex);

  UndoHeader& allocate_undo() REQUIRES(mutex);
  // Frees undo of transactions with a smaller number; their GTIDs are in the table.
  void purge_undo_below(uint64_t trx_no) REQUIRES(mutex);
};

}  // namespace latchscope::server::gtid
