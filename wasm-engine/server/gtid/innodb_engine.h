// The storage engine below the binary log: transactions with undo headers, XA PREPARE and COMMIT,
// and the GTID persister. Sources: MySQL 8.0.21 ha_innodb, trx0trx, trx0undo; 8.0.26 for the
// reserved slot.
//
// XA COMMIT of a prepared transaction is executed by the leader of a commit group under
// LOCK_commit:
//
//   ha_commit_low > innobase_commit > innobase_commit_low > trx_commit_for_mysql
//     > trx_undo_gtid_flush_prepare
//
// The undo header has one GTID slot, which still contains the prepare GTID. The commit GTID is
// about to overwrite it, so trx_undo_gtid_flush_prepare waits until the persister has written the
// prepare GTID to the table. This wait is the bug; see GtidFlushWait. The commit GTID is then
// written to the slot and added to the persister's list, and the transaction leaves the
// serialisation list. The next member of the group therefore finds a GTID in memory and requests
// another flush.
//
// Latching: trx_sys->mutex guards TrxSys and the persister's active list. use() is called while no
// XA COMMIT is running.
#pragma once

#include <cstdint>
#include <vector>

#include "server/binlog/session.h"
#include "server/gtid/clone_persist_gtid.h"
#include "server/gtid/gtid_executed_table.h"
#include "server/gtid/trx_undo_gtid.h"

namespace latchscope::server::gtid {

enum class GtidFlushWait : uint32_t {
  // Wait for all GTIDs in memory, polling every millisecond.
  poll_1ms,
  // The same, polling with ut_delay(10).
  spin,
  // The same, asleep until m_flush_number changes.
  condition_variable,
  // Wait only for the list with the prepare GTID.
  own_list_number,
  // One wait per group, before LOCK_commit.
  once_per_group,
  // Separate slot for the prepare GTID: no wait.
  reserved_undo_slot,
};

// The state of the engine that survives a crash: undo headers and committed rows of
// mysql.gtid_executed.
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
  // Called after XA PREPARE has passed ordered commit. Writes the GTID to undo, then adds it to the
  // persister's list.
  void xa_prepare(Trx& trx, uint64_t gno);
  // Commits without a GTID and without a group, for a server whose binary log is off.
  void commit_without_binlog(Trx& trx);

  void flush_redo_for_group() override;
  void flush_logs() override { persister_.wait_flush(/*compress=*/true); }
  void before_commit_stage(binlog::BinlogSession* group) override;
  void commit(binlog::BinlogSession& session) override;

  ClonePersistGtid& persister() { return persister_; }
  const GtidExecutedTable& table() const { return table_; }

  // REQUIRES for the functions below: nothing runs, or a single thread calls them in a crash probe.
  EngineCrashImage crash_image() NO_THREAD_SAFETY_ANALYSIS;
  // Restarts after a crash. Returns the transactions that are still prepared.
  std::vector<Trx> recover(const EngineCrashImage& image);
  // Returns the GTIDs in undo headers that purge has not freed.
  static binlog::GtidSet gtids_in(const std::vector<UndoHeader>& undo);
  // Returns the number of undo headers in use: 0 once purge has caught up and nothing runs.
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
