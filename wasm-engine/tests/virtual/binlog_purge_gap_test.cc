// Bug #104615 on the virtual server: which commits stall while binary logs are deleted, and for how
// long.
#include <gtest/gtest.h>

#include "server/binlog/file_system.h"
#include "tests/scenario_run.h"
#include "tests/test_threads.h"

namespace latchscope::tests {
namespace {

using telemetry::Counter;

constexpr uint64_t kNsPerMs = 1'000'000;
constexpr uint64_t kGib = uint64_t{1} << 30;

uint64_t total(Counter counter) {
  return telemetry::counter_total(counter);
}

// A disk that frees 1 GiB in eight extents of 100 ms each. It is busy for 70 ms of each.
class SharedDisk : public testing::Test {
 protected:
  // Returns the time of an fsync that starts this many milliseconds after the deletion of a large
  // file starts.
  static double fsync_ms(uint64_t after_ms) {
    platform::begin_run({.sockets = 1, .cores_per_socket = 2});
    platform::Device device(platform::kNvmeDevice);
    server::binlog::FileSystem files(device, {.ns_per_gib = 800 * kNsPerMs, .device_percent = 70});
    files.create("old");
    files.make_old("old", kGib, 0);
    files.create("new");
    uint64_t took_ns = 0;
    run_threads(2, [&](uint32_t thread) {
      if (thread == 0) {
        files.unlink("old");
        return;
      }
      platform::charge(after_ms * kNsPerMs);
      const uint64_t began_ns = platform::now_ns();
      files.append("new", std::string("x"));
      files.fsync("new");
      took_ns = platform::now_ns() - began_ns;
    });
    return static_cast<double>(took_ns) / kNsPerMs;
  }
};

TEST_F(SharedDisk, AFlushWaitsForTheExtentThatIsBeingFreed) {
  EXPECT_NEAR(fsync_ms(10), 60 + 0.08, 0.1);
  EXPECT_NEAR(fsync_ms(60), 10 + 0.08, 0.1);
}

TEST_F(SharedDisk, AFlushBetweenTwoExtentsDoesNotWait) {
  EXPECT_NEAR(fsync_ms(80), 0.08, 0.1);
  EXPECT_NEAR(fsync_ms(780), 0.08, 0.1);
}

struct PurgeCase {
  uint32_t files;
  uint32_t ms_per_file;
};

std::string fields(const PurgeCase& purge, const std::string& binlog) {
  return R"("threads":50,"duration_s":3,"parameters":{"rows_per_table":1000,"unlink_device_percent":0,"old_binlogs_gib":)" +
         std::to_string(purge.files) + R"(,"unlink_ms_per_gib":)" + std::to_string(purge.ms_per_file) + "," +
         binlog + R"(},"actions":[{"at_s":0.05,"action":"expire_logs_1s"}])";
}

// As measured in MySQL 9.7.4, MySQL 5.6.24 and MariaDB 10.11: gap = files x time to delete one -
// time to fill the next file.
TEST(BinlogPurgeGap, IsTheDeletionLessTheTimeToFillTheNextFile) {
  for (const PurgeCase& purge : {PurgeCase{4, 200}, PurgeCase{6, 200}, PurgeCase{4, 400}}) {
    ScenarioRun run("binlog-purge-104615", fields(purge, R"("max_binlog_size_kib":2048)"));
    run.run_until([] { return total(Counter::binlog_files_rotated) == 1; });
    const uint64_t first_full_ns = platform::now_ns();
    run.run_until([] { return total(Counter::binlog_rotations_blocked) == 1; });
    const double fill_ms = static_cast<double>(platform::now_ns() - first_full_ns) / kNsPerMs;
    run.run_until([] { return total(Counter::binlog_files_rotated) == 2; });
    run.run_transactions(100);
    const double deletion_ms = purge.files * purge.ms_per_file;
    EXPECT_NEAR(static_cast<double>(total(Counter::commit_gap_ms_max)), deletion_ms - fill_ms,
                0.05 * deletion_ms)
        << purge.files << " files of " << purge.ms_per_file << " ms, filled in " << fill_ms << " ms";
    run.stop_and_check();
  }
}

// With files of 1 GiB the next one is not full before the old ones are deleted.
TEST(BinlogPurgeGap, ThereIsNoneWhereNoRotationMeetsThePurge) {
  ScenarioRun run("binlog-purge-104615",
                  fields({4, 200}, R"("max_binlog_size_kib":1048576,"active_binlog_kib":1046528)"));
  run.run_until([] { return total(Counter::binlog_files_purged) == 4; });
  run.run_transactions(100);
  EXPECT_EQ(total(Counter::slow_commits), 1u);
  EXPECT_EQ(total(Counter::binlog_rotations_blocked), 0u);
  EXPECT_LT(total(Counter::commit_gap_ms_max), 50u);
  run.stop_and_check();
}

}  // namespace
}  // namespace latchscope::tests
