// What a warm-up says of itself while it goes on. On real threads it may be over before anybody looks.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/aio_wakeup_95491_run.h"

namespace latchscope {
namespace {

using api::Engine;
using telemetry::Counter;
using tests::aio_spec;
using tests::expect_invariants_hold;
using tests::fire;
using tests::run_until;
using tests::total;

TEST(AioWakeup, AColdPoolSaysHowWarmItIs) {
  using telemetry::LongWait;
  Engine engine;
  engine.create(aio_spec());
  engine.start();
  uint64_t pages = 0;
  const auto wait_until_warm = [&](uint64_t warm_ups) {
    run_until(engine, [&] {
      const workload::LongWait wait = tests::long_wait();
      if (wait.what == LongWait::buffer_pool_warm_up) pages = std::max(pages, wait.done);
      return total(Counter::warm_ups) >= warm_ups;
    });
    engine.tick();
    EXPECT_EQ(tests::long_wait().what, LongWait::none);
    EXPECT_GT(pages, 0u);
    pages = 0;
  };
  wait_until_warm(1);
  fire(engine, "cold_buffer_pool");
  engine.tick();
  EXPECT_EQ(tests::long_wait().what, LongWait::buffer_pool_warm_up);
  EXPECT_EQ(tests::long_wait().total, 4u * 64 * 7 / 8) << "of the frames of 4 MiB";
  wait_until_warm(2);
  engine.stop();
  expect_invariants_hold(engine);
}

}  // namespace
}  // namespace latchscope
