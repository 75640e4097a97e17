// The progress published during a long wait. On real threads the wait may be over before a test
// reads it.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/aio_wakeup_95491_run.h"
#include "tests/binlog_purge_104615_run.h"

namespace latchscope::tests {
namespace {

using run::Engine;
using telemetry::Counter;
using telemetry::LongWait;

TEST(AioWakeup, AColdPoolSaysHowWarmItIs) {
  Engine engine;
  engine.create(aio_spec());
  engine.start();
  uint64_t pages = 0;
  const auto wait_until_warm = [&](uint64_t warm_ups) {
    run_until(engine, [&] {
      const workload::LongWait wait = long_wait();
      if (wait.what == LongWait::buffer_pool_warm_up) pages = std::max(pages, wait.done);
      return total(Counter::warm_ups) >= warm_ups;
    });
    engine.tick();
    EXPECT_EQ(long_wait().what, LongWait::none);
    EXPECT_GT(pages, 0u);
    pages = 0;
  };
  wait_until_warm(1);
  fire(engine, "cold_buffer_pool");
  engine.tick();
  EXPECT_EQ(long_wait().what, LongWait::buffer_pool_warm_up);
  EXPECT_EQ(long_wait().total, 4u * 64 * 7 / 8) << "of the frames of 4 MiB";
  wait_until_warm(2);
  engine.stop();
  expect_invariants_hold(engine);
}

TEST(BinlogPurge104615, UntilTheRotationAfterTheExpiryItSaysHowFullTheFileIs) {
  ScenarioRun run(kBinlogPurge, purge_fields());
  run.run_transactions(10);
  EXPECT_EQ(long_wait().what, LongWait::none) << "no rotation is pending";
  EXPECT_EQ(run.fire("expire_logs_1s"), "");
  const uint64_t rotations = total(Counter::binlog_files_rotated);
  uint64_t fullest = 0;
  run.run_until([&] {
    const workload::LongWait wait = long_wait();
    if (wait.what == LongWait::binlog_rotation) {
      EXPECT_EQ(wait.total, 64u * 1024);
      EXPECT_GE(wait.done, fullest);
      fullest = wait.done;
    }
    return total(Counter::binlog_files_rotated) > rotations + 1;
  });
  EXPECT_GT(fullest, 0u);
  EXPECT_EQ(long_wait().what, LongWait::none) << "the purge has come with it";
  run.stop_and_check();
}

}  // namespace
}  // namespace latchscope::tests
