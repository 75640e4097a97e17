// Tests the whole scenario through class Engine.
#include <gtest/gtest.h>

#include <functional>

#include "run/engine.h"
#include "telemetry/telemetry.h"
#include "tests/lab_mutexes.h"
#include "tests/scenario_run.h"

namespace latchscope::run {
namespace {

using telemetry::Counter;
using telemetry::RunState;
using tests::total;

constexpr uint32_t kRows = 1'000;
constexpr uint32_t kVariants[] = {4, 5};  // number of variants of each knob

RunSpec undo_spec(const std::string& fields = "", const std::string& parameters = "") {
  auto parsed = parse_run_spec(
      R"({"version":1,"scenario":"undo-read-117533","threads":4,"parameters":{"rows":1000,"buffer_pool_mib":8)" +
      parameters + "}" + fields + "}");
  EXPECT_TRUE(parsed.spec) << to_json(parsed.errors);
  return *parsed.spec;
}

class UndoRead117533 : public testing::Test {
 protected:
  void run_until(const std::function<bool()>& reached) { tests::run_until(engine_, reached); }
  void run_transactions(uint64_t more) { tests::run_transactions(engine_, more); }

  // Starts the run and waits until every client has its read view.
  void start(RunSpec spec) {
    const uint32_t clients = spec.config.clients;
    engine_.create(std::move(spec));
    engine_.start();
    run_until([&] { return total(Counter::read_views_opened) == clients; });
    run_transactions(20);
  }

  std::string fire(const char* action) { return tests::fire(engine_, action); }

  void update() {
    const uint64_t updates = total(Counter::queries_write);
    ASSERT_EQ(fire("update_k"), "");
    run_until([&] { return total(Counter::queries_write) > updates; });
  }

  void release_and_purge() {
    ASSERT_EQ(fire("release_views"), "");
    run_until([&] { return total(Counter::undo_records_purged) == total(Counter::undo_records_written); });
  }

  void stop() {
    engine_.stop();
    tests::expect_invariants_hold(engine_);
  }

  Engine engine_;
};

TEST_F(UndoRead117533, TheReportsStepsUnderEveryDesign) {
  for (uint32_t lookup = 0; lookup < kVariants[0]; ++lookup) {
    for (uint32_t latch = 0; latch < kVariants[1]; ++latch) {
      RunSpec spec = tests::with_latch(undo_spec(), tests::rw_spin_latch());
      spec.config.design = {lookup, latch};
      start(std::move(spec));
      EXPECT_EQ(total(Counter::undo_reads), 0u) << "no old version is needed before the UPDATE";
      update();
      const uint64_t reads = total(Counter::undo_reads);
      run_transactions(20);
      EXPECT_GE(total(Counter::undo_reads), reads + 16 * kRows) << "one undo record per row now";
      EXPECT_EQ(total(Counter::undo_records_purged), 0u) << "every client still has its view";
      release_and_purge();
      run_transactions(8);  // scans that were already running
      const uint64_t reads_after = total(Counter::undo_reads);
      run_transactions(20);
      EXPECT_EQ(total(Counter::undo_reads), reads_after) << "the new views see the UPDATE";
      stop();
      EXPECT_EQ(total(Counter::scans_verified), total(Counter::transactions));
      EXPECT_EQ(total(Counter::queries_read), total(Counter::transactions));
      EXPECT_EQ(total(Counter::queries_other), 2 * total(Counter::transactions) + 4)
          << "and a COMMIT per client";
      EXPECT_EQ(total(Counter::read_views_opened), 8u);
    }
  }
}

TEST_F(UndoRead117533, TheUpdatesOwnTimeIsCounted) {
  start(undo_spec());
  EXPECT_EQ(total(Counter::update_us), 0u);
  const uint64_t before_ns = platform::now_ns();
  update();
  const uint64_t waited_us = (platform::now_ns() - before_ns) / 1000;
  EXPECT_GT(total(Counter::update_us), 0u);
  EXPECT_LE(total(Counter::update_us), waited_us);
  stop();
}

TEST_F(UndoRead117533, ASecondUpdateMakesChainsLonger) {
  start(undo_spec());
  for (int i = 0; i < 3; ++i)
    update();
  run_transactions(8);
  const uint64_t reads = total(Counter::undo_reads);
  const uint64_t rows = total(Counter::rows_scanned);
  run_transactions(40);
  EXPECT_GE(total(Counter::undo_reads) - reads, 2 * (total(Counter::rows_scanned) - rows));
  stop();
}

// Switches each knob from each variant to each other, twice, with clients running, occasional
// UPDATEs and purge active.
TEST_F(UndoRead117533, FlippingTheDesignUnderLoadLosesNothing) {
  start(tests::with_latch(undo_spec("", R"(,"purge_batch_size":1,"max_undo_log_mib":1)"),
                          tests::rw_spin_latch()));
  uint32_t flips = 0;
  for (int round = 0; round < 2; ++round) {
    for (uint32_t knob = 0; knob < 2; ++knob) {
      for (uint32_t from = 0; from < kVariants[knob]; ++from) {
        for (uint32_t to = 0; to < kVariants[knob]; ++to) {
          if (from == to) continue;
          fire("update_k");  // may be refused while the previous UPDATE is running
          for (uint32_t variant : {from, to}) {
            const uint32_t marks = telemetry::block().header.marks_count[0].read();
            engine_.set_knob(knob, variant);
            flips += telemetry::block().header.marks_count[0].read() - marks;
            run_transactions(6);
          }
          fire("release_views");
        }
      }
    }
  }
  EXPECT_GE(flips, 24u);
  stop();
  EXPECT_EQ(total(Counter::scans_verified), total(Counter::transactions));
}

TEST_F(UndoRead117533, AnActionThatMakesNoSenseNowSaysSo) {
  // an UPDATE needs 42 of 63 pages
  engine_.create(undo_spec("", R"(,"rows":20000,"undo_tablespace_mib":1)"));
  engine_.start();
  engine_.pause();
  if (total(Counter::read_views_opened) == 0) {
    EXPECT_EQ(fire("release_views"), "no client has a read view open");
  }
  engine_.resume();
  run_transactions(20);
  update();
  update();
  const std::string refusal = fire("update_k");
  EXPECT_NE(refusal.find("no undo tablespace has 42 free pages"), std::string::npos) << refusal;
  ASSERT_EQ(fire("release_views"), "");
  run_until([&] { return fire("update_k").empty(); });  // purge frees the pages of the first two
  stop();
}

TEST_F(UndoRead117533, AnUpdateInFlightIsNotJoinedByAnother) {
  start(undo_spec("", R"(,"rows":50000)"));
  ASSERT_EQ(fire("update_k"), "");
  const std::string second = fire("update_k");
  EXPECT_TRUE(second == "the UPDATE before is still running" || total(Counter::rows_updated) >= 50'000)
      << second;
  stop();
  EXPECT_EQ(total(Counter::rows_updated) % 50'000, 0u) << "an UPDATE that began runs to its end";
}

TEST_F(UndoRead117533, UndoTablespacesAreTruncatedWhileClientsScan) {
  // An UPDATE needs 25 pages; tablespaces are truncated beyond 64.
  start(undo_spec("", R"(,"rows":12000,"buffer_pool_mib":16)"));
  for (int i = 0; i < 6; ++i)
    update();
  release_and_purge();
  run_until([&] { return total(Counter::undo_truncations) > 0; });
  update();
  run_transactions(20);
  stop();
}

TEST_F(UndoRead117533, ABufferPoolThatIsTooSmallWritesAndReadsUndoPages) {
  start(undo_spec(R"(,"seed":3)", R"(,"rows":20000,"buffer_pool_mib":2,"buffer_pool_instances":1)"));
  update();
  run_transactions(8);
  EXPECT_GT(total(Counter::pages_flushed), 0u);
  release_and_purge();
  stop();
}

TEST_F(UndoRead117533, OnePurgeThreadIsEnough) {
  start(undo_spec("", R"(,"purge_threads":1,"rollback_segments":1,"undo_tablespaces":4)"));
  update();
  update();
  release_and_purge();
  stop();
}

TEST_F(UndoRead117533, PausingAndResumingWithAnUpdateInFlight) {
  start(undo_spec());
  ASSERT_EQ(fire("update_k"), "");
  engine_.pause();
  engine_.set_knob(1, 2);
  engine_.set_knob(0, 2);
  engine_.resume();
  run_transactions(20);
  stop();
}

TEST_F(UndoRead117533, ARunThatNeverStartedCanBeStopped) {
  engine_.create(undo_spec());
  stop();
}

// {parameters, the wrong field}
TEST(UndoRead117533Spec, BadValuesAreNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("rows":99)", "parameters.rows"},
      {R"("rows":100001)", "parameters.rows"},
      {R"("undo_tablespaces":1)", "parameters.undo_tablespaces"},
      {R"("undo_tablespaces":5)", "parameters.undo_tablespaces"},
      {R"("rollback_segments":0)", "parameters.rollback_segments"},
      {R"("rollback_segments":129)", "parameters.rollback_segments"},
      {R"("undo_tablespace_mib":0)", "parameters.undo_tablespace_mib"},
      {R"("undo_tablespace_mib":33)", "parameters.undo_tablespace_mib"},
      {R"("rows":100000,"undo_tablespace_mib":3)", "parameters.undo_tablespace_mib"},
      {R"("max_undo_log_mib":0)", "parameters.max_undo_log_mib"},
      {R"("purge_threads":0)", "parameters.purge_threads"},
      {R"("purge_threads":5)", "parameters.purge_threads"},
      {R"("purge_batch_size":0)", "parameters.purge_batch_size"},
      {R"("purge_batch_size":5001)", "parameters.purge_batch_size"},
      {R"("buffer_pool_mib":2,"buffer_pool_instances":8)", "parameters.buffer_pool_mib"},
      {R"("buffer_pool_instances":0)", "parameters.buffer_pool_instances"},
      {R"("rows":"many")", "parameters.rows"},
      {R"("row":5)", "parameters.row"},
  };
  for (const auto& [parameters, field] : cases) {
    const auto parsed =
        parse_run_spec(R"({"version":1,"scenario":"undo-read-117533","threads":8,"parameters":{)" +
                       std::string(parameters) + "}}");
    ASSERT_FALSE(parsed.spec) << parameters;
    EXPECT_EQ(parsed.errors[0].field, field) << to_json(parsed.errors);
  }
}

TEST(UndoRead117533Spec, TheExtremesAreAllowed) {
  for (
      const char* fields :
      {R"("threads":64)", R"("threads":1,"parameters":{"rows":100})",
       R"("threads":64,"parameters":{"rows":100000,"undo_tablespaces":4,"undo_tablespace_mib":32,"buffer_pool_mib":128})"}) {
    const auto parsed =
        parse_run_spec(R"({"version":1,"scenario":"undo-read-117533",)" + std::string(fields) + "}");
    EXPECT_TRUE(parsed.spec) << to_json(parsed.errors);
  }
}

}  // namespace
}  // namespace latchscope::run
