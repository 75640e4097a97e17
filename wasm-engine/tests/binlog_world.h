// A binary log for tests: RAM devices without costs, files that store every byte, and an engine
// that only counts.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "server/binlog/mysql_bin_log.h"

namespace latchscope::tests {

class CountingEngine final : public server::binlog::StorageEngine {
 public:
  void flush_redo_for_group() override { ++redo_flushes; }
  void flush_logs() override { ++log_flushes; }
  void before_commit_stage(server::binlog::BinlogSession* /*group*/) override {}
  void commit(server::binlog::BinlogSession& session) override { committed.push_back(session.gno); }

  uint64_t redo_flushes = 0;
  std::atomic<uint64_t> log_flushes{0};  // two leaders that have rotated may both purge
  std::vector<uint64_t> committed;       // in engine order; leaders push under LOCK_commit
};

struct BinlogWorld {
  explicit BinlogWorld(server::binlog::BinlogSettings settings = {})
      : files(device, {}, kKeepAll), log(latches, files, engine, settings) {}
  BinlogWorld(const server::binlog::FileSystem::DiskImage& image, server::binlog::BinlogSettings settings)
      : files(device, {}, image, kKeepAll), log(latches, files, engine, settings) {}

  void commit_one() {
    server::binlog::BinlogSession session;
    server::binlog::append_query(session.cache, "BEGIN");
    server::binlog::append_xid(session.cache, 7);
    log.commit(session);
    last_gno = session.gno;
  }

  static constexpr server::binlog::BytesKept kKeepAll{1 << 20, 1 << 20};
  latch::LatchEnvironment latches{64};
  platform::Device device{platform::kRamDevice};
  CountingEngine engine;
  server::binlog::FileSystem files;
  server::binlog::MysqlBinLog log;
  uint64_t last_gno = 0;
};

}  // namespace latchscope::tests
