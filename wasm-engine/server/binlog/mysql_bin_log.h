// MYSQL_BIN_LOG: the binary log with ordered group commit, rotation and purge. Source: MySQL 8.0
// sql/binlog.cc.
//
// A commit group, and the latches that its leader holds:
//
//   FLUSH         LOCK_log           redo flush of the engine; GTIDs (tsid lock S and sid_locks
//                                    for the group, tsid lock S for each member); the dependency
//                                    tracker for each member; events into the file
//   SYNC          LOCK_sync          if this group will flush: optional wait for more members;
//                                    fsync of the file as sync_binlog says; LOCK_binlog_end_pos
//                                    (before SYNC unless sync_binlog is 1)
//   COMMIT        LOCK_commit        engine commit of each member, in order; executed GTIDs (tsid
//                                    lock, S); pending XIDs - 1
//   AFTER_COMMIT  LOCK_after_commit  hooks (none here)
//
// The leader then signals the followers. If the file has reached max_binlog_size, the leader itself
// rotates under LOCK_log. After releasing LOCK_log it purges (purge_by = commit_leader) or wakes
// the purge thread.
//
// Rotation, under LOCK_log:
//   1. Wait until no XID of the old file is pending (LOCK_xids).
//   2. Acquire LOCK_index.
//   3. Flush the engine and save the GTIDs of the old file (tsid lock, X).
//   4. Write the Rotate event.
//   5. Create the next file: register, header with Previous_gtids, index; then drop the register.
// LOCK_sync is held for the fsync of the old file, and when the next file becomes the one to flush.
//
// The counts of these latches are from MySQL 9.7.4 (performance_schema, which reports latches, not
// sites):
//    per group: sid_locks 2, tsid lock 2, LOCK_binlog_end_pos 1
//    per commit: tsid lock 1, dependency tracker 1
//    per rotation: LOCK_sync 2
// Their positions in the path of a group are an interpretation of this project.
//
// Purge, holding LOCK_index:
//   1. Find the oldest files that are expired, not active and not in use by a reader
//      (LOCK_log_info), in two passes.
//   2. Register them and fsync the register.
//   3. Rewrite the index by copy, unlink and rename.
//   4. Recompute lost_gtids (tsid lock, X).
//   5. Unlink each file: the expensive part.
//   6. Drop the register.
// unlink_under = no_lock does steps 5 and 6 after releasing LOCK_index, under a purge mutex and
// with its own register. It checks the index again (LOCK_index) before each unlink.
//
// Lock order: LOCK_log, LOCK_index, then one of: LOCK_sync (only by a rotation), LOCK_xids,
// LOCK_log_info, tsid lock with sid_locks, dependency tracker, LOCK_binlog_end_pos. LOCK_purge
// precedes LOCK_index. The stages' mutexes follow each other and are never nested.
//
// Invariants (under every design)
//   1. The index never names a deleted file, whenever a crash happens; recovery may be repeated.
//   2. The active file and files in use are never deleted.
//   3. Purged files are a contiguous oldest prefix.
//   4. lost_gtids changes together with the index.
//   5. The server moves to a new file only when every XID in the old one is committed in the
//      engine.
//   6. Previous_gtids of file n + 1 are all GTIDs of files up to n.
//   7. Engine order is binlog order; each follower is signaled once.
//
// Unlike MySQL up to 2025 (bug #118797), XA transactions count among the pending XIDs: otherwise
// invariants 5 and 6 do not hold.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "latch/latch_environment.h"
#include "latch/mysql_mutex.h"
#include "latch/rw_lock.h"
#include "server/binlog/commit_stage_manager.h"
#include "server/binlog/file_system.h"
#include "server/binlog/gtid_set.h"
#include "server/binlog/lock_log.h"

namespace latchscope::server::binlog {

enum class PurgeBy : uint32_t { commit_leader, background_thread };
enum class UnlinkUnder : uint32_t { lock_index, no_lock };
enum class RotateWhenIndexBusy : uint32_t { wait, keep_writing };

struct BinlogDesign {
  PurgeBy purge_by = PurgeBy::commit_leader;
  UnlinkUnder unlink_under = UnlinkUnder::lock_index;
  RotateWhenIndexBusy rotate_when_index_busy = RotateWhenIndexBusy::wait;
};

struct BinlogSettings {
  uint64_t max_binlog_size = uint64_t{1} << 30;  // bytes
  // Bytes that open() finds in the active file, in addition to its header.
  uint64_t active_file_bytes = 0;
  uint32_t sync_binlog = 1;          // groups per fsync; 0 = never
  uint32_t sync_delay_us = 0;        // binlog_group_commit_sync_delay
  uint32_t sync_no_delay_count = 0;  // binlog_group_commit_sync_no_delay_count
};

inline constexpr uint32_t kExpireSecondsDefault = 2'592'000;  // binlog_expire_logs_seconds
inline constexpr const char* kIndexFile = "binlog.index";
inline constexpr const char* kCrashSafeIndexFile = "binlog.index_crash_safe";
inline constexpr const char* kRegisterFile = "binlog.~rec~";
inline constexpr const char* kPurgeRegisterFile =
    "binlog.~purge~";  // used by purges that unlink outside LOCK_index

// The active file, as seen by a thread that acquires no lock.
struct ActiveFile {
  uint64_t number;
  uint64_t bytes;
  uint64_t bytes_max;
};

// Totals of the commit path so far, for exact checks: mutex acquisitions by the stages' leaders,
// entries into each stage, and groups signaled.
struct CommitPathTotals {
  uint64_t lock_log, lock_sync, lock_commit, lock_after_commit, signal_done;
  uint64_t entered[kStages];
};

class MysqlBinLog {
 public:
  // `your_lock_log` is the place of a latch written in the lab, or null.
  MysqlBinLog(latch::LatchEnvironment& latches, FileSystem& files, StorageEngine& engine,
              BinlogSettings settings, lab::LatchPlace* your_lock_log = nullptr);

  // Creates `count` old files of `bytes` each, as an earlier run of the server would have left
  // them. The youngest is an hour old. Called before open().
  void create_old_files(uint32_t count, uint64_t bytes);
  // Starts the server: recovers, then begins a new file.
  void open();
  // Recovers files and index after a crash; may be repeated.
  // REQUIRES: nothing else runs.
  void recover();

  // Commits or XA-prepares one transaction, in order with all others.
  void commit(BinlogSession& session);

  // FLUSH BINARY LOGS.
  void rotate_and_purge();
  // Purges expired files. Calls `stop` between two files; remaining files stay registered.
  void auto_purge(const std::function<bool()>& stop);
  // Body of the purge thread (purge_by = background_thread): purges whenever a rotation requests
  // it, until `stop` returns true after a call of wake_purge_thread().
  void run_purge_thread(const std::function<bool()>& stop);
  void wake_purge_thread() { purge_event_.set(); }

  // Makes the closed files look like old ones of this size, as if they had been written long ago.
  void age_closed_files(uint64_t bytes);

  ActiveFile active_file_seen() const {
    return {file_seen_.read(), position_seen_.read(), settings_.max_binlog_size};
  }

  void set_expire_seconds(uint32_t seconds) { variables_.expire_seconds.store(seconds); }
  void set_design(const BinlogDesign& design);
  BinlogDesign design() const;

  // A reader (dump thread) opens the oldest file and protects it from being purged.
  void reader_opens(uint32_t reader);
  void reader_closes(uint32_t reader);
  bool reader_is_open(uint32_t reader);

  // REQUIRES for the checks below: nothing runs.
  // Returns a description of the first error in files, index or GTIDs, or "".
  std::string check_files();
  std::vector<std::string> index_names();
  GtidSet executed_gtids();
  GtidSet lost_gtids();
  GtidSet logged_gtids() NO_THREAD_SAFETY_ANALYSIS { return logged_gtids_; }
  CommitPathTotals commit_path_totals() const;
  // Returns the latch site at which a purge acquires LOCK_index.
  static uint32_t purge_index_site();
  uint64_t order_violations() const { return order_violations_; }
  uint32_t pending_xids() const { return prep_xids_.count.load(); }

 private:
  void ordered_commit(BinlogSession& session) NO_THREAD_SAFETY_ANALYSIS;
  bool process_flush_stage_queue(BinlogSession* group) REQUIRES(lock_log_);
  void assign_gtids(BinlogSession* group) REQUIRES(lock_log_);
  void write_group(BinlogSession* group) REQUIRES(lock_log_);
  void move_to(uint64_t position) REQUIRES(lock_log_);
  LogicalClock dependency_of_next() REQUIRES(lock_log_);
  void update_binlog_end_pos();
  bool sync_is_due() const REQUIRES(lock_sync_);
  void sync_binlog_file() REQUIRES(lock_sync_);
  void note_sync(uint64_t took_us) REQUIRES(lock_sync_);
  void process_commit_stage_queue(BinlogSession* group) REQUIRES(lock_commit_);
  void update_commit_group(BinlogSession* group);
  void note_commit_gap(uint64_t oldest_commit_began_ns) REQUIRES(lock_commit_);

  void inc_prep_xids() { prep_xids_.count.fetch_add(1); }
  void dec_prep_xids();
  void wait_for_prep_xids();

  bool rotate(bool force) REQUIRES(lock_log_);
  bool lock_index_for_rotation() NO_THREAD_SAFETY_ANALYSIS;
  bool new_file_impl() REQUIRES(lock_log_) NO_THREAD_SAFETY_ANALYSIS;
  void save_gtids_of_last_file() REQUIRES(lock_log_);
  void open_next_file() REQUIRES(lock_log_, lock_index_);
  void purge_or_ask_for_it();

  void purge_logs_before_date(int64_t cutoff_ns, const std::function<bool()>& stop);
  std::string find_last_file_to_purge(int64_t cutoff_ns) REQUIRES(lock_index_);
  std::vector<std::string> files_up_to(const std::string& last) REQUIRES(lock_index_);
  void purge_logs(const std::vector<std::string>& names, const char* register_file) REQUIRES(lock_index_);
  void unlink_registered(const std::vector<std::string>& names, const std::function<bool()>& stop)
      REQUIRES(lock_index_);
  void unlink_outside_lock_index(const std::vector<std::string>& names, const std::function<bool()>& stop)
      REQUIRES(lock_purge_);
  bool log_in_use(const std::string& name);
  void recompute_lost_gtids() REQUIRES(lock_index_);

  void write_register(const char* register_file, const std::vector<std::string>& names) REQUIRES(lock_index_);
  void replay_register(const char* register_file) REQUIRES(lock_index_);
  void write_index() REQUIRES(lock_index_);
  void read_index() REQUIRES(lock_index_);
  bool index_names_file(const std::string& name) REQUIRES(lock_index_);
  Bytes file_header(const GtidSet& previous_gtids) const;

  FileSystem& files_;
  StorageEngine& engine_;
  const BinlogSettings settings_;
  CommitStageManager stages_;

  struct alignas(64) Variables : platform::CacheLine {
    platform::Atomic<uint32_t> expire_seconds{*this, kExpireSecondsDefault};
    platform::Atomic<uint32_t> purge_by{*this, 0};
    platform::Atomic<uint32_t> unlink_under{*this, 0};
    platform::Atomic<uint32_t> rotate_when_index_busy{*this, 0};
  };
  Variables variables_;
  struct alignas(64) PrepXids : platform::CacheLine {
    platform::Atomic<uint32_t> count{*this, 0};
  };
  PrepXids prep_xids_;

  LockLog lock_log_;
  std::string active_file_ GUARDED_BY(lock_log_);
  uint64_t position_ GUARDED_BY(lock_log_) = 0;
  platform::Published<uint64_t> position_seen_;
  platform::Published<uint64_t> file_seen_;
  uint64_t next_gno_ GUARDED_BY(lock_log_) = 1;
  LogicalClock clock_ GUARDED_BY(lock_log_) = {0, 0};
  GtidSet logged_gtids_ GUARDED_BY(lock_log_);  // of all files, to check invariant 6
  Bytes group_events_ GUARDED_BY(lock_log_);

  latch::MysqlMutex lock_sync_;
  uint32_t groups_since_sync_ GUARDED_BY(lock_sync_) = 0;
  uint64_t sync_max_us_ GUARDED_BY(lock_sync_) = 0;
  // Changes while no group waits in SYNC for the old file, because rotation first waits for pending
  // XIDs.
  std::string file_to_sync_ GUARDED_BY(lock_sync_);

  latch::MysqlMutex lock_commit_;
  uint64_t last_commit_ns_ GUARDED_BY(lock_commit_) = 0;
  uint64_t commit_gap_max_ms_ GUARDED_BY(lock_commit_) = 0;
  uint64_t last_committed_gno_ GUARDED_BY(lock_commit_) = 0;
  uint64_t order_violations_ = 0;  // written under LOCK_commit

  latch::MysqlMutex lock_after_commit_;
  latch::MysqlMutex lock_dependency_;
  latch::MysqlMutex lock_binlog_end_pos_;

  latch::MysqlMutex lock_index_;
  std::vector<std::string> index_ GUARDED_BY(lock_index_);  // contents of the index file
  uint32_t last_file_no_ GUARDED_BY(lock_index_) = 0;

  latch::MysqlMutex lock_purge_;
  latch::MysqlMutex lock_xids_;
  latch::MysqlCond prep_xids_cond_;
  latch::MysqlMutex lock_log_info_;
  std::map<uint32_t, std::string> readers_ GUARDED_BY(lock_log_info_);

  latch::RwLock tsid_lock_;
  latch::MysqlMutex sid_locks_;  // a single one, because there is one source id
  GtidSet executed_gtids_ GUARDED_BY(sid_locks_);
  GtidSet lost_gtids_ GUARDED_BY(tsid_lock_);
  GtidSet gtids_saved_in_table_ GUARDED_BY(tsid_lock_);

  latch::OsEvent purge_event_;
};

}  // namespace latchscope::server::binlog
