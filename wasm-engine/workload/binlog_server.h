// The server of the binlog scenarios: binary log, storage engine and GTID persister on simulated
// devices, their engine threads, and a session for administrative statements.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "latch/latch_environment.h"
#include "latch/os_event.h"
#include "server/binlog/mysql_bin_log.h"
#include "server/gtid/innodb_engine.h"
#include "telemetry/counters.h"
#include "workload/checks.h"
#include "workload/workload.h"

namespace latchscope::workload {

struct BinlogServerSettings {
  bool log_bin = true;
  server::binlog::BinlogSettings binlog;
  server::gtid::EngineSettings engine;
  uint32_t old_files = 0;  // of 1 GiB each, from an earlier run of the server
  server::binlog::UnlinkCost unlink;
  lab::LatchPlace* your_lock_log = nullptr;  // place of a latch written in the lab, or null
  uint32_t gtid_flush_us = 150;              // time of a commit on mysql.gtid_executed
};

class BinlogServer {
 public:
  static constexpr uint64_t kOldFileBytes = uint64_t{1} << 30;
  static constexpr uint32_t kDumpThread = 1;  // the only reader

  // `commit_statements` are the counters of client statements that go through ordered commit, once
  // each.
  BinlogServer(const BinlogServerSettings& settings, uint32_t clients,
               std::vector<telemetry::Counter> commit_statements);

  void build();
  // Returns binlog_purge, admin_session and gtid_persister.
  std::vector<EngineThread> engine_threads();

  bool log_bin() const { return settings_.log_bin; }
  latch::LatchEnvironment& latches() { return latches_; }
  server::binlog::MysqlBinLog& binlog() { return *binlog_; }
  server::gtid::InnodbEngine& engine() { return engine_; }
  // Returns nanoseconds since the server was started, for the lines of the slow log.
  uint64_t uptime_ns() const { return platform::now_ns() - started_ns_; }

  // Actions. Each returns why it is impossible now, or "".
  std::string expire_logs(uint32_t seconds);
  std::string flush_binary_logs();
  std::string create_old_binlogs(uint32_t files);
  std::string open_dump_thread();
  std::string close_dump_thread();

  // The wait from setting the expiry to the next rotation, which purges. Called by the coordinator.
  LongWait long_wait() const;

  // From now on a purge in progress takes no longer than freeing one extent.
  void cut_short() { files_.unlink_at_once(); }

  // REQUIRES: the clients are stopped.
  void phase_ends();

  // Accessors for its checks (BinlogServerChecks).
  uint32_t clients() const { return clients_; }
  // Returns the client commits that have gone through ordered commit.
  uint64_t statements() const;
  const server::binlog::GtidSet& gtids_at_start() const { return gtids_at_start_; }

 private:
  enum Command : uint32_t { kNone, kFlushBinaryLogs, kCreateOldBinlogs };

  void run_admin_session();
  void carry_out(uint32_t command);
  std::string post(Command command);
  bool stopping() const { return lines_.stop.load() != 0; }

  const BinlogServerSettings settings_;
  const uint32_t clients_;
  const std::vector<telemetry::Counter> commit_statements_;
  latch::LatchEnvironment latches_;
  platform::Device log_device_;
  platform::Device table_device_;
  server::binlog::FileSystem files_;
  server::gtid::InnodbEngine engine_;
  std::unique_ptr<server::binlog::MysqlBinLog> binlog_;
  const uint64_t started_ns_;
  server::binlog::GtidSet gtids_at_start_;

  struct alignas(64) Lines : platform::CacheLine {
    platform::Atomic<uint32_t> stop{*this, 0};
    platform::Atomic<uint32_t> command{*this, kNone};
    platform::Atomic<uint32_t> files_to_create{*this, 0};
    platform::Atomic<uint32_t> expire_seconds{*this, server::binlog::kExpireSecondsDefault};
  };
  Lines lines_;
  latch::OsEvent admin_event_;

  std::optional<uint64_t> file_when_expiry_was_set_;  // owned by the coordinator
  uint64_t bytes_not_kept_counted_ = 0;
};

// Checks of the server of the binlog scenarios: the stages of ordered commit, and that binary log,
// index, GTIDs and undo agree at the end.

struct BinlogPhaseTotals {
  server::binlog::CommitPathTotals commit_path;
  uint64_t client_purges;  // acquisitions of LOCK_index by clients that purge
  uint64_t statements;     // client statements that go through ordered commit
};

class BinlogServerChecks : public Checks<BinlogPhaseTotals> {
 public:
  explicit BinlogServerChecks(BinlogServer& server) : server_(server) {}

 protected:
  BinlogPhaseTotals totals() const override;
  void check_lock_path(const BinlogPhaseTotals& phase) override;
  void check_end() override;

 private:
  void check_files(const server::binlog::GtidSet& executed);
  void check_gtids(const server::binlog::GtidSet& executed, const server::binlog::GtidSet& persisted);
  void check_undo();

  BinlogServer& server_;
};

}  // namespace latchscope::workload
