// What group commit knows about the session (THD) whose transaction it commits, and the calls it makes to the
// storage engine.
#pragma once

#include <cstdint>

#include "server/binlog/binlog_event.h"

namespace latchscope::server::binlog {

enum class CommitKind : uint8_t {
  commit,      // ordinary COMMIT
  xa_prepare,  // XA PREPARE: logged in order, prepared in the engine afterwards by its own session
  xa_commit,   // XA COMMIT of a prepared transaction
};

struct BinlogSession {
  uint32_t id = 0;
  CommitKind kind = CommitKind::commit;
  Bytes cache;                  // events of the transaction, unstamped, without the GTID event
  void* transaction = nullptr;  // the engine's
  uint64_t commit_began_ns = 0;

  // Written by the leaders of the stages; read by the session itself once it is done.
  uint64_t gno = 0;
  uint32_t commit_group_size = 0;

  uint32_t thread = 0;                     // its number, for telemetry
  BinlogSession* next_in_stage = nullptr;  // guarded by the stage the session is in
  bool pending = false;                    // m_flags.pending: guarded by LOCK_done
};

// The storage engine under the binary log: the handlerton calls that commit and rotation make.
class StorageEngine {
 public:
  virtual ~StorageEngine() = default;

  // ha_flush_logs(true): redo of a whole commit group, before its events are written. Under LOCK_log.
  virtual void flush_redo_for_group() = 0;
  // ha_flush_logs(false): at rotation and before a purge; waits for the GTID persister, about a second at
  // most.
  virtual void flush_logs() = 0;
  // After SYNC, before LOCK_commit is requested. LOCK_sync is held.
  virtual void before_commit_stage(BinlogSession* group) = 0;
  // ha_commit_low, in binlog order. Under LOCK_commit.
  virtual void commit(BinlogSession& session) = 0;
};

}  // namespace latchscope::server::binlog
