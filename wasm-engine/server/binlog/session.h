// The state of a session (THD) that group commit uses to commit its transaction, and the calls that
// group commit makes to the storage engine.
#pragma once

#include <cstdint>

#include "server/binlog/binlog_event.h"

namespace latchscope::server::binlog {

enum class CommitKind : uint8_t {
  commit,  // ordinary COMMIT
  // XA PREPARE: logged in order, then prepared in the engine by its own session.
  xa_prepare,
  xa_commit,  // XA COMMIT of a prepared transaction
};

struct BinlogSession {
  uint32_t id = 0;
  CommitKind kind = CommitKind::commit;
  // Events of the transaction, without positions, checksums and the GTID event.
  Bytes cache;
  void* transaction = nullptr;  // owned by the engine
  uint64_t commit_began_ns = 0;

  // Written by the leaders of the stages; the session reads them once it is done.
  uint64_t gno = 0;
  uint32_t commit_group_size = 0;

  uint32_t thread = 0;                     // thread number, for telemetry
  BinlogSession* next_in_stage = nullptr;  // guarded by the session's current stage
  bool pending = false;                    // m_flags.pending; guarded by LOCK_done
};

// The storage engine below the binary log: the handlerton calls that commit and rotation make.
class StorageEngine {
 public:
  virtual ~StorageEngine() = default;

  // ha_flush_logs(true): flushes the redo of a whole commit group, before its events are written.
  // LOCK_log is held.
  virtual void flush_redo_for_group() = 0;
  // ha_flush_logs(false): called at rotation and before a purge. Waits for the GTID persister,
  // about a second at most.
  virtual void flush_logs() = 0;
  // Called after SYNC, before LOCK_commit is requested. LOCK_sync is held.
  virtual void before_commit_stage(BinlogSession* group) = 0;
  // ha_commit_low, in binlog order. LOCK_commit is held.
  virtual void commit(BinlogSession& session) = 0;
};

}  // namespace latchscope::server::binlog
