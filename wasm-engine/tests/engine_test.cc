#include "run/engine.h"

#include <gtest/gtest.h>

#include "run/json.h"
#include "telemetry/telemetry.h"
#include "tests/lab_mutexes.h"
#include "tests/scenario_run.h"

namespace latchscope::run {
namespace {

using telemetry::Counter;
using telemetry::RunState;
using tests::expect_invariants_hold;
using tests::run_transactions;
using tests::run_until;

RunSpec spec(const std::string& fields = "") {
  auto parsed = parse_run_spec(
      R"({"version":1,"scenario":"fil-mutex-69276","threads":4,"parameters":{"tables":3,"rows_per_table":3000,)"
      R"("buffer_pool_mib":2,"buffer_pool_instances":2})" +
      fields + "}");
  EXPECT_TRUE(parsed.spec) << to_json(parsed.errors);
  return *parsed.spec;
}

TEST(Engine, ARunGoesThroughItsStates) {
  Engine engine;
  engine.create(spec());
  EXPECT_EQ(engine.state(), RunState::ready);
  EXPECT_EQ(telemetry::counter_total(Counter::transactions), 0u);
  engine.start();
  EXPECT_EQ(engine.state(), RunState::running);
  run_transactions(engine, 500);
  engine.pause();
  EXPECT_EQ(engine.state(), RunState::paused);
  const uint64_t at_pause = telemetry::counter_total(Counter::transactions);
  engine.tick();
  EXPECT_EQ(telemetry::counter_total(Counter::transactions), at_pause) << "nothing runs while paused";
  engine.resume();
  run_transactions(engine, 500);
  engine.stop();
  EXPECT_EQ(engine.state(), RunState::finished);
  expect_invariants_hold(engine);
}

TEST(Engine, ARunWithADurationEndsByItself) {
  Engine engine;
  engine.create(spec(R"(,"duration_s":0.2)"));
  engine.start();
  run_until(engine, [&] { return engine.state() == RunState::finished; });
  EXPECT_GE(engine.figures().seconds, 0.2);
  expect_invariants_hold(engine);
}

TEST(Engine, ARunThatIsInterruptedEndsEarlyAndSaysWhy) {
  Engine engine;
  const char* reason = nullptr;
  engine.interruption = [&] { return reason; };
  engine.create(spec(R"(,"duration_s":3600)"));
  engine.start();
  run_transactions(engine, 500);
  EXPECT_EQ(engine.state(), RunState::running);
  reason = "SIGTERM";
  run_until(engine, [&] { return engine.state() == RunState::finished; });
  EXPECT_EQ(Json::parse(engine.result())["stopped_early"], "SIGTERM");
  expect_invariants_hold(engine);
}

TEST(Engine, ARunThatNeverStartedCanBeStopped) {
  Engine engine;
  engine.create(spec());
  engine.stop();
  EXPECT_EQ(engine.state(), RunState::finished);
  EXPECT_EQ(Json::parse(engine.result())["totals"]["transactions"], 0);
}

TEST(Engine, RunsFollowEachOtherFromZero) {
  Engine engine;
  for (int i = 0; i < 3; ++i) {
    engine.create(spec());
    EXPECT_EQ(telemetry::counter_total(Counter::transactions), 0u);
    engine.start();
    run_transactions(engine, 200);
    engine.stop();
    expect_invariants_hold(engine);
  }
}

// Switches from every variant to every other, twice, with clients running: no row is lost or wrong,
// and each lock path is exact.
TEST(Engine, FlippingTheDesignUnderLoadLosesNothing) {
  Engine engine;
  engine.create(tests::with_latch(spec(), tests::futex_mutex()));
  engine.start();
  const auto variants = static_cast<uint32_t>(engine.spec().config.manifest->knobs[0].variants.size());
  uint32_t flips = 0;
  for (int round = 0; round < 2; ++round) {
    for (uint32_t from = 0; from < variants; ++from) {
      for (uint32_t to = 0; to < variants; ++to) {
        if (from == to) continue;
        for (uint32_t variant : {from, to}) {
          const uint32_t marks = telemetry::block().header.marks_count[0].read();
          engine.set_knob(0, variant);
          flips += telemetry::block().header.marks_count[0].read() - marks;
          run_transactions(engine, 20);
        }
      }
    }
  }
  EXPECT_GE(flips, 2 * variants * (variants - 1));
  engine.stop();
  expect_invariants_hold(engine);
  EXPECT_EQ(telemetry::counter_total(Counter::rows_verified),
            telemetry::counter_total(Counter::transactions));
}

TEST(Engine, EveryActionUnderEveryVariant) {
  Engine engine;
  engine.create(tests::with_latch(spec(), tests::futex_mutex()));
  engine.start();
  const auto& manifest = *engine.spec().config.manifest;
  for (uint32_t variant = 0; variant < manifest.knobs[0].variants.size(); ++variant) {
    engine.set_knob(0, variant);
    for (const char* name :
         {"one_table", "many_tables", "grow_buffer_pool", "shrink_buffer_pool", "drop_table"}) {
      EXPECT_EQ(engine.fire(static_cast<uint32_t>(index_of(manifest.actions, name))), "") << name;
      run_transactions(engine, 100);
    }
    const uint64_t missing = telemetry::counter_total(Counter::tablespace_missing);
    run_until(engine, [&] { return telemetry::counter_total(Counter::tablespace_missing) > missing; });
    EXPECT_EQ(engine.fire(static_cast<uint32_t>(index_of(manifest.actions, "create_table"))), "");
    run_transactions(engine, 100);
  }
  engine.stop();
  expect_invariants_hold(engine);
}

TEST(Engine, AnActionThatMakesNoSenseNowSaysSo) {
  Engine engine;
  engine.create(spec());
  engine.start();
  const auto& manifest = *engine.spec().config.manifest;
  const auto fire = [&](const char* name) {
    return engine.fire(static_cast<uint32_t>(index_of(manifest.actions, name)));
  };
  EXPECT_NE(fire("create_table"), "");
  EXPECT_EQ(fire("drop_table"), "");
  EXPECT_NE(fire("drop_table"), "");
  std::string refusal;
  for (int i = 0; i < 10 && refusal.empty(); ++i)
    refusal = fire("grow_buffer_pool");
  EXPECT_NE(refusal.find("at most 64"), std::string::npos) << refusal;
  refusal.clear();
  for (int i = 0; i < 10 && refusal.empty(); ++i)
    refusal = fire("shrink_buffer_pool");
  EXPECT_NE(refusal.find("at least 9 with 4 clients"), std::string::npos) << refusal;
  engine.stop();
  expect_invariants_hold(engine);
}

TEST(Engine, TimedStepsHappenAndAreMarked) {
  Engine engine;
  engine.create(spec(R"(,"duration_s":0.3,"actions":[{"at_s":0.1,"action":"one_table"},
                        {"at_s":0.2,"knob":"tablespace_lookup","variant":"atomic_word"}])"));
  engine.start();
  run_until(engine, [&] { return engine.state() == RunState::finished; });
  ASSERT_EQ(telemetry::block().header.marks_count[0].read(), 2u);
  const telemetry::Mark& flip = telemetry::block().marks[1];
  EXPECT_EQ(flip.kind[0].read(), static_cast<uint32_t>(telemetry::MarkKind::knob));
  EXPECT_EQ(flip.value[0].read(), 4u);
  EXPECT_GE(flip.run_ns[0].read(), 200'000'000u);
  expect_invariants_hold(engine);
}

TEST(Engine, TheRunResultHasEveryPartAndAddsUp) {
  Engine engine;
  engine.create(spec(R"(,"duration_s":0.3,"seed":5)"));
  engine.start();
  run_until(engine, [&] { return engine.state() == RunState::finished; });
  const Json result = Json::parse(engine.result());
  EXPECT_EQ(result["version"], 1);
  EXPECT_EQ(result["spec"]["seed"], 5);
  EXPECT_EQ(result["spec"]["design"]["tablespace_lookup"], "global_mutex");
  EXPECT_EQ(result["engine"]["platform"], platform::kPlatformName);
  EXPECT_EQ(
      result["totals"]["transactions"].get<uint64_t>() + result["drain"]["transactions"].get<uint64_t>(),
      result["counters"]["transactions"]);
  EXPECT_GT(result["totals"]["tps"].get<double>(), 0);
  EXPECT_GT(result["totals"]["latency_ms"]["p99"].get<double>(), 0);
  EXPECT_FALSE(result["intervals"].empty());
  double cpu = 0;
  for (const auto& [state, share] : result["cpu"].items())
    cpu += share.get<double>();
  EXPECT_NEAR(cpu, 1, 1e-9);
  uint64_t acquisitions = 0;
  for (const Json& row : result["latches"]) {
    if (row["latch"] == "fil_system->mutex") acquisitions += row["acquisitions"].get<uint64_t>();
  }
  const auto counted = [&](const char* counter) { return result["counters"][counter].get<uint64_t>(); };
  EXPECT_EQ(acquisitions, 6 * counted("block_reads") - 2 * counted("block_reads_no_ibuf") +
                              2 * counted("read_ahead_linear_checks") + counted("block_reads_lost_race"));
}

}  // namespace
}  // namespace latchscope::run
