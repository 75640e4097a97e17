// Bug #69276: the mutexes of the buffer pool and the generator of spin delays are two knobs.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "run/engine.h"
#include "run/json.h"
#include "tests/scenario_run.h"

namespace latchscope::run {
namespace {

Json result_of(const std::string& fields) {
  tests::ScenarioRun run("fil-mutex-69276",
                         R"("platform":"virtual","threads":54,"interval_s":0.01,)" + fields);
  while (run.engine.state() == telemetry::RunState::running)
    run.engine.go_on();
  tests::expect_invariants_hold(run.engine);
  return Json::parse(run.engine.result());
}

std::string design(const std::string& buffer_pool_mutex, const std::string& generator) {
  return R"("design":{"tablespace_lookup":"global_mutex","buffer_pool_mutex":")" + buffer_pool_mutex +
         R"(","spin_delay_generator":")" + generator + "\"}";
}

double block_reads(const std::string& buffer_pool_mutex, const std::string& generator) {
  return result_of(R"("duration_s":0.03,)" + design(buffer_pool_mutex, generator))["counters"]["block_reads"];
}

// The generator's shared cache line slows spinners down, and 54 clients then read more blocks.
TEST(FilMutex69276Knobs, TheGeneratorIsChosenByItsOwnKnob) {
  for (const char* buffer_pool_mutex : {"one_mutex", "split_mutexes"}) {
    SCOPED_TRACE(buffer_pool_mutex);
    EXPECT_GT(block_reads(buffer_pool_mutex, "global"), 1.3 * block_reads(buffer_pool_mutex, "per_thread"));
  }
}

TEST(FilMutex69276Knobs, TheMutexesOfTheBufferPoolLeaveTheGeneratorAsItIs) {
  for (const char* generator : {"global", "per_thread"}) {
    SCOPED_TRACE(generator);
    const double one = block_reads("one_mutex", generator);
    EXPECT_NEAR(block_reads("split_mutexes", generator), one, 0.15 * one);
  }
}

TEST(FilMutex69276Knobs, TheGeneratorIsExchangedDuringARun) {
  const std::string fields = R"("duration_s":0.05,)" + design("split_mutexes", "global");
  const auto late_tps = [](const Json& result) { return result["intervals"].back()["tps"].get<double>(); };
  const double kept = late_tps(result_of(fields));
  const double exchanged = late_tps(result_of(
      fields + R"(,"actions":[{"at_s":0.02,"knob":"spin_delay_generator","variant":"per_thread"}])"));
  EXPECT_LT(exchanged, kept / 1.2);
}

}  // namespace
}  // namespace latchscope::run
