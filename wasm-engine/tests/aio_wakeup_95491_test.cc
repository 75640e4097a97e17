#include <gtest/gtest.h>

#include "run/json.h"
#include "tests/aio_wakeup_95491_run.h"
#include "tests/test_threads.h"

namespace latchscope::run {
namespace {

using telemetry::Counter;
using tests::aio_spec;
using tests::expect_invariants_hold;
using tests::fire;
using tests::run_transactions;
using tests::run_until;
using tests::total;

constexpr uint32_t kHandlerWakeup = 0;
constexpr uint32_t kSlotWait = 1;
constexpr uint32_t kWakeupVariants = 3;
constexpr uint32_t kSlotWaitVariants = 2;

void use_design(Engine& engine, uint32_t design) {
  engine.set_knob(kHandlerWakeup, design / kSlotWaitVariants);
  engine.set_knob(kSlotWait, design % kSlotWaitVariants);
}

// Runs until this many reads are complete. Read-ahead has much to do only while the pool warms up,
// so the pool is emptied whenever it is warm.
void read_ahead(Engine& engine, uint64_t reads) {
  uint64_t warm_ups = 0;
  while (total(Counter::aio_reads_completed) < reads) {
    run_until(engine, [&] {
      return total(Counter::warm_ups) > warm_ups || total(Counter::aio_reads_completed) >= reads;
    });
    warm_ups = total(Counter::warm_ups);
    fire(engine, "cold_buffer_pool");
  }
}

class AioWakeupDesign : public testing::TestWithParam<uint32_t> {};

TEST_P(AioWakeupDesign, ReadsAheadFillsTheArrayAndLosesNothing) {
  Engine engine;
  engine.create(aio_spec());
  use_design(engine, GetParam());
  engine.start();
  read_ahead(engine, tests::stress_rounds(2'000));
  engine.stop();
  expect_invariants_hold(engine);
  EXPECT_GT(total(Counter::read_aheads), 0u);
  EXPECT_EQ(total(Counter::aio_reads_posted), total(Counter::aio_reads_completed));
  EXPECT_EQ(total(Counter::rows_verified), total(Counter::transactions));
  EXPECT_LE(total(Counter::handler_events_set), total(Counter::handler_wake_calls));
  EXPECT_LE(total(Counter::slot_waits_in_vain), total(Counter::slot_waits));
}

TEST_P(AioWakeupDesign, OneSlotAndOneHandlerThreadAreEnough) {
  Engine engine;
  engine.create(aio_spec(R"(,"read_io_threads":1,"slots_per_segment":1)"));
  use_design(engine, GetParam());
  engine.start();
  read_ahead(engine, tests::stress_rounds(1'000));
  engine.stop();
  expect_invariants_hold(engine);
  EXPECT_GT(total(Counter::slot_waits), 0u);
}

INSTANTIATE_TEST_SUITE_P(All, AioWakeupDesign, testing::Range(0u, kWakeupVariants* kSlotWaitVariants));

// Switches from every design to every other, twice, with clients running: no request is lost, and
// each lock path is exact.
TEST(AioWakeup, FlippingTheDesignUnderLoadLosesNothing) {
  Engine engine;
  engine.create(aio_spec());
  engine.start();
  constexpr uint32_t kDesigns = kWakeupVariants * kSlotWaitVariants;
  for (int round = 0; round < 2; ++round) {
    for (uint32_t from = 0; from < kDesigns; ++from) {
      for (uint32_t to = 0; to < kDesigns; ++to) {
        if (from == to) continue;
        for (uint32_t design : {from, to}) {
          use_design(engine, design);
          run_transactions(engine, 20);
        }
      }
    }
  }
  engine.stop();
  expect_invariants_hold(engine);
  EXPECT_EQ(total(Counter::rows_verified), total(Counter::transactions));
}

TEST(AioWakeup, EveryActionUnderEveryDesign) {
  Engine engine;
  engine.create(aio_spec());
  engine.start();
  for (uint32_t design = 0; design < kWakeupVariants * kSlotWaitVariants; ++design) {
    use_design(engine, design);
    EXPECT_EQ(fire(engine, "read_ahead_off"), "");
    // Pending transactions may still read ahead: each posts at most one batch.
    run_transactions(engine, 50);
    const uint64_t checks = total(Counter::read_ahead_checks);
    run_transactions(engine, 200);
    EXPECT_EQ(total(Counter::read_ahead_checks), checks);
    const uint64_t warm_ups = total(Counter::warm_ups);
    run_until(engine, [&] { return total(Counter::warm_ups) >= std::max<uint64_t>(1, warm_ups); });
    EXPECT_EQ(fire(engine, "cold_buffer_pool"), "");
    EXPECT_EQ(fire(engine, "read_ahead_on"), "");
    const uint64_t posted = total(Counter::aio_reads_posted);
    run_until(engine, [&] { return total(Counter::aio_reads_posted) > posted; });
  }
  engine.stop();
  expect_invariants_hold(engine);
}

TEST(AioWakeup, AnActionThatMakesNoSenseNowSaysSo) {
  Engine engine;
  engine.create(aio_spec());
  engine.start();
  EXPECT_EQ(fire(engine, "read_ahead_on"), "innodb_random_read_ahead is ON");
  EXPECT_EQ(fire(engine, "read_ahead_off"), "");
  EXPECT_EQ(fire(engine, "read_ahead_off"), "innodb_random_read_ahead is OFF");
  engine.stop();
}

TEST(AioWakeup, EachColdPoolIsWarmedOnceAndTimed) {
  Engine engine;
  engine.create(aio_spec());
  engine.start();
  for (uint64_t warm_ups = 1; warm_ups <= 3; ++warm_ups) {
    run_until(engine, [&] { return total(Counter::warm_ups) == warm_ups; });
    run_transactions(engine, 200);
    EXPECT_EQ(total(Counter::warm_ups), warm_ups);
    EXPECT_EQ(fire(engine, "cold_buffer_pool"), "");
  }
  engine.stop();
  expect_invariants_hold(engine);
  EXPECT_GT(total(Counter::warm_up_us), 0u);
}

TEST(AioWakeup, WithoutReadAheadTheHandlersSleep) {
  Engine engine;
  engine.create(aio_spec(R"(,"random_read_ahead":0)"));
  engine.start();
  run_transactions(engine, 500);
  engine.stop();
  expect_invariants_hold(engine);
  EXPECT_EQ(total(Counter::aio_reads_posted), 0u);
  EXPECT_EQ(total(Counter::handler_wake_calls), 0u);
}

TEST(AioWakeup, AnEngineThatIsDestroyedWhileItRunsEnds) {
  Engine engine;
  engine.create(aio_spec());
  engine.start();
  run_transactions(engine, 200);
  engine.pause();
  engine.resume();
  engine.stop();
  Engine other;
  other.create(aio_spec());
  other.start();
  run_transactions(other, 200);
  telemetry::block().header.run_state[0].set(static_cast<uint32_t>(telemetry::RunState::finished));
}

TEST(AioWakeup, TheServersOwnThreadsHaveTheirStates) {
  Engine engine;
  engine.create(aio_spec("", R"(,"duration_s":0.2)"));
  engine.start();
  run_until(engine, [&] { return engine.state() == telemetry::RunState::finished; });
  const Json result = Json::parse(engine.result());
  double shares = 0;
  for (const auto& [state, share] : result["engine_cpu"].items())
    shares += share.get<double>();
  EXPECT_NEAR(shares, 1, 1e-9);
}

struct BadParameter {
  const char* parameters;
  const char* fields;
  const char* field;
  const char* allowed;  // substring of the message
};

TEST(AioWakeup, BadParametersAreRefusedWithFieldAndWhatIsAllowed) {
  const BadParameter cases[] = {
      {R"("tables":17)", "", "parameters.tables", "1 to 16"},
      {R"("rows_per_table":999)", "", "parameters.rows_per_table", "1000 to 600000"},
      {R"("tables":16,"rows_per_table":40000)", "", "parameters.rows_per_table", "at most 37500"},
      {R"("buffer_pool_mib":129)", "", "parameters.buffer_pool_mib", "2 to 128"},
      {R"("buffer_pool_mib":2,"buffer_pool_instances":8)", R"(,"threads":60)", "parameters.buffer_pool_mib",
       "at least 16"},
      {R"("buffer_pool_instances":9)", "", "parameters.buffer_pool_instances", "1 to 8"},
      {R"("read_io_threads":0)", "", "parameters.read_io_threads", "1 to 16"},
      {R"("write_io_threads":17)", "", "parameters.write_io_threads", "1 to 16"},
      {R"("slots_per_segment":257)", "", "parameters.slots_per_segment", "1 to 256"},
      {R"("device_latency_us":-1)", "", "parameters.device_latency_us", "0 to 10000"},
      {R"("groups_in_one_call":2)", "", "parameters.groups_in_one_call", "0 to 1"},
      {R"("random_read_ahead":2)", "", "parameters.random_read_ahead", "0 to 1"},
  };
  for (const BadParameter& bad : cases) {
    const std::string json = R"({"version":1,"scenario":"aio-wakeup-95491","parameters":{)" +
                             std::string(bad.parameters) + "}" + bad.fields + "}";
    const RunSpecOrErrors parsed = parse_run_spec(json);
    EXPECT_FALSE(parsed.spec) << json;
    ASSERT_EQ(parsed.errors.size(), 1u) << json << to_json(parsed.errors);
    EXPECT_EQ(parsed.errors[0].field, bad.field);
    EXPECT_NE(parsed.errors[0].allowed.find(bad.allowed), std::string::npos) << parsed.errors[0].allowed;
  }
}

}  // namespace
}  // namespace latchscope::run
