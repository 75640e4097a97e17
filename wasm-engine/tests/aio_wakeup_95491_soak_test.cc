// Random flips and actions under load, for $LATCHSCOPE_SOAK_SECONDS seconds (default 5).
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/aio_wakeup_95491_run.h"

namespace latchscope::api {
namespace {

using telemetry::Counter;

double soak_seconds() {
  const char* text = std::getenv("LATCHSCOPE_SOAK_SECONDS");
  return text == nullptr ? 5 : std::atof(text);
}

TEST(AioWakeupSoak, RandomFlipsAndActions) {
  constexpr const char* kActions[] = {"read_ahead_on", "read_ahead_off", "cold_buffer_pool"};
  // From one slot in all to more than the clients can fill.
  constexpr const char* kSizes[] = {R"(,"read_io_threads":1,"slots_per_segment":1)",
                                    R"(,"read_io_threads":3,"slots_per_segment":7)",
                                    R"(,"read_io_threads":4,"slots_per_segment":256)"};
  platform::Random random(/*seed=*/95491);
  for (const char* size : kSizes) {
    Engine engine;
    engine.create(tests::aio_spec(size));
    engine.start();
    const auto& knobs = engine.spec().config.manifest->knobs;
    const uint64_t end_ns =
        platform::now_ns() + static_cast<uint64_t>(soak_seconds() / std::size(kSizes) * 1e9);
    while (platform::now_ns() < end_ns) {
      if (random.below(3) == 0) {
        (void)tests::fire(engine, kActions[random.below(std::size(kActions))]);  // may be refused
      } else {
        const uint32_t knob = random.below(static_cast<uint32_t>(knobs.size()));
        engine.set_knob(knob, random.below(static_cast<uint32_t>(knobs[knob].variants.size())));
      }
      tests::run_transactions(engine, random.below(200));
    }
    engine.stop();
    tests::expect_invariants_hold(engine);
    EXPECT_EQ(telemetry::counter_total(Counter::rows_verified),
              telemetry::counter_total(Counter::transactions));
  }
}

}  // namespace
}  // namespace latchscope::api
