// Random flips, actions and pauses for $LATCHSCOPE_SOAK_SECONDS seconds (default 5), with a seeded generator.
#include <gtest/gtest.h>

#include <cstdlib>

#include "api/engine.h"
#include "telemetry/telemetry.h"

namespace latchscope::api {
namespace {

using telemetry::Counter;

uint64_t soak_ns() {
  const char* seconds = getenv("LATCHSCOPE_SOAK_SECONDS");
  return (seconds == nullptr ? 5 : strtoull(seconds, nullptr, 10)) * 1'000'000'000;
}

void do_something(Engine& engine, platform::Random& random) {
  const auto& manifest = *engine.spec().config.manifest;
  switch (random.below(8)) {
    case 0:
    case 1:
    case 2: {
      const uint32_t knob = random.below(static_cast<uint32_t>(manifest.knobs.size()));
      engine.set_knob(knob, random.below(static_cast<uint32_t>(manifest.knobs[knob].variants.size())));
      break;
    }
    case 3:
      engine.pause();
      if (random.below(2) == 0) engine.fire(random.below(static_cast<uint32_t>(manifest.actions.size())));
      engine.resume();
      break;
    default:
      engine.fire(random.below(static_cast<uint32_t>(manifest.actions.size())));
  }
}

void soak(const std::string& parameters, uint64_t duration_ns) {
  const auto parsed = parse_run_spec(
      R"({"version":1,"scenario":"undo-read-117533","threads":6,"parameters":{)" + parameters + "}}");
  ASSERT_TRUE(parsed.spec) << to_json(parsed.errors);
  Engine engine;
  engine.create(*parsed.spec);
  engine.start();
  platform::Random random(/*seed=*/117533);
  const uint64_t end_ns = platform::now_ns() + duration_ns;
  while (platform::now_ns() < end_ns) {
    do_something(engine, random);
    const uint64_t wanted = telemetry::counter_total(Counter::transactions) + random.below(20);
    while (telemetry::counter_total(Counter::transactions) < wanted) {
      telemetry::sleep_ns(500'000);
      engine.tick();
    }
  }
  engine.stop();
  for (const auto& invariant : engine.invariants())
    EXPECT_TRUE(invariant.ok) << invariant.name << ": " << invariant.detail;
  EXPECT_EQ(telemetry::counter_total(Counter::rows_wrong), 0u);
  EXPECT_EQ(telemetry::counter_total(Counter::scans_verified),
            telemetry::counter_total(Counter::transactions));
}

TEST(UndoRead117533Soak, EverythingInMemory) {
  soak(R"("rows":800,"purge_batch_size":2,"rollback_segments":2)", soak_ns() / 2);
}

// Dirty pages are written, undo tablespaces fill up and are truncated.
TEST(UndoRead117533Soak, TooSmallForEverything) {
  soak(R"("rows":9000,"buffer_pool_mib":2,"buffer_pool_instances":1,"undo_tablespace_mib":2)", soak_ns() / 2);
}

}  // namespace
}  // namespace latchscope::api
