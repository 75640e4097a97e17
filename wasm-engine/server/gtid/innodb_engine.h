// The storage engine below the binary log: transactions with undo headers, XA PREPARE and COMMIT, and the
// GTID persister (sources: MySQL 8.0.21 ha_innodb, trx0trx, trx0undo; 8.0.26 for the reserved slot).
//
// XA COMMIT of a prepared transaction, in the leader of a commit group under LOCK_commit:
//
//   ha_commit_low > innobase_commit > innobase_commit_low > trx_commit_for_mysql
//     > trx_undo_gtid_flush_prepare: the undo header has one GTID slot, which still holds the prepare GTID.
//       It is about to be overwritten, so it must be in the table: wait for the persister. That is the bug:
//       see GtidFlushWait.
//   then the commit GTID goes into the slot, is added to the persister's list, and the transaction leaves the
//   serialisation list. So the next member of the group finds a GTID in memory and asks for yet another
//   flush.
//
// Latching: trx_sys->mutex guards TrxSys and the persister's active list. use() is called while no XA COMMIT
// is under way.
#pragma once

#include <cstdint>
#include <vector>

#include "server/binlog/session.h"
#include "server/gtid/clone_persist_gtid.h"
#include "server/gtid/gtid_executed_table.h"
#include "server/gtid/trx_undo_gtid.h"

namespace latchscope::server::gtid {

enum class GtidFlushWait : uint32_t {
  poll_1ms,            // wait for all that is in memory, polling every millisecond
  spin,                // the same, polling with ut_delay(10)
  condition_variable,  // the same, asleep until m_flush_number moves
  own_list_number,     // wait only for the list that took the prepare GTID
  once_per_group,      // one wait per group, before LOCK_commit
  reserved_undo_slot,  // a slot of its own for the prepare GTID: no wait
};

// What remains of the engine after a crash: undo headers and committed rows of mysql.gtid_executed.
struct EngineCrashImage {
  std::vector<UndoHeader> undo;
  binlog::GtidSet table;
};

struct EngineSettings {
  bool flush_redo_at_commit = true;  // innodb_flush_log_at_trx_commit = 1; false: 2
};

class InnodbEngine final : public binlog::StorageEngine {
 public:
  InnodbEngine(latch::LatchEnvironment& latches, platform::Device& redo_device,
               platform::Device& table_device, EngineSettings settings);

  void use(GtidFlushWait wait) { wait_ = wait; }
  GtidFlushWait wait() const { return wait_; }

  void start(Trx& trx);
  // After XA PREPARE has gone through ordered commit: the GTID goes to undo, then to the persister.
  void xa_prepare(Trx& trx, uint64_t gno);
  // With the binary log off there is no GTID and no group.
  void commit_without_binlog(Trx& trx);

  void flush_redo_for_group() override;
  void flush_logs() override { persister_.wait_flush(/*compress=*/true); }
  void before_commit_stage(binlog::BinlogSession* group) override;
  void commit(binlog::BinlogSession& session) override;

  ClonePersistGtid& persister() { return persister_; }
  const GtidExecutedTable& table() const { return table_; }

  // Everything below: only while nothing runs, or in a crash probe with a single thread.
  EngineCrashImage crash_image() NO_THREAD_SAFETY_ANALYSIS;
  // Restart after a crash. Returns the transactions that are still prepared.
  std::vector<Trx> recover(const EngineCrashImage& image);
  // GTIDs in undo headers that purge has not freed.
  static binlog::GtidSet gtids_in(const std::vector<UndoHeader>& undo);
  // Undo headers in use: 0 once purge has caught up and nothing runs.
  size_t undo_in_use();
  // Purges undo whose GTIDs are in the table.
  void purge_undo();

 private:
  void trx_commit_for_mysql(Trx& trx, uint64_t gno);
  void flush_prepare_gtid(Trx& trx);
  bool has_own_prepare_slot(const Trx& trx) const { return (trx.undo->flags & kUndoFlagXaPrepareGtid) != 0; }

  const EngineSettings settings_;
  platform::Device& redo_device_;
  TrxSys trx_sys_;
  GtidExecutedTable table_;
  ClonePersistGtid persister_;
  GtidFlushWait wait_ = GtidFlushWait::poll_1ms;
};

}  // namespace latchscope::server::gtid
