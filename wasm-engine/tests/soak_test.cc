// Random knob changes, actions and pauses with clients running, in every scenario. Each scenario
// gets $LATCHSCOPE_SOAK_SECONDS seconds (default 2), shared by its cases.
#include <gtest/gtest.h>

#include <cstdlib>
#include <ostream>
#include <string>

#include "tests/lab_mutexes.h"
#include "tests/scenario_run.h"

namespace latchscope::tests {
namespace {

struct SoakCase {
  const char* name;
  const char* scenario;
  std::string fields;
  uint32_t cases_of_scenario;
  uint32_t transactions_max;  // between two steps
};

void PrintTo(const SoakCase& soak_case, std::ostream* out) {
  *out << soak_case.name;
}

std::string small_aio(const std::string& slots) {
  return R"("threads":8,"parameters":{"tables":2,"rows_per_table":12000,"buffer_pool_mib":4,)"
         R"("write_io_threads":1,"device_latency_us":0,)" +
         slots + "}";
}

const SoakCase kCases[] = {
    {"FilMutex69276", "fil-mutex-69276",
     R"("threads":6,"parameters":{"tables":3,"rows_per_table":3000,"buffer_pool_mib":2,"buffer_pool_instances":4})",
     1, 200},
    {"UndoRead117533InMemory", "undo-read-117533",
     R"("threads":6,"parameters":{"rows":800,"purge_batch_size":2,"rollback_segments":2})", 2, 20},
    // Dirty pages are written; undo tablespaces fill up and are truncated.
    {"UndoRead117533TooSmallForEverything", "undo-read-117533",
     R"("threads":6,"parameters":{"rows":9000,"buffer_pool_mib":2,"buffer_pool_instances":1,)"
     R"("undo_tablespace_mib":2})",
     2, 20},
    // From a single slot to more than the clients can fill.
    {"AioWakeup95491OneSlot", "aio-wakeup-95491", small_aio(R"("read_io_threads":1,"slots_per_segment":1)"),
     3, 200},
    {"AioWakeup95491FewSlots", "aio-wakeup-95491", small_aio(R"("read_io_threads":3,"slots_per_segment":7)"),
     3, 200},
    {"AioWakeup95491ManySlots", "aio-wakeup-95491",
     small_aio(R"("read_io_threads":4,"slots_per_segment":256)"), 3, 200},
    {"BinlogPurge104615", "binlog-purge-104615",
     R"("threads":6,"parameters":{"rows_per_table":1000,"max_binlog_size_kib":64,"old_binlogs_gib":3,)"
     R"("unlink_ms_per_gib":5})",
     1, 100},
    {"XaGtid99638", "xa-gtid-99638", R"("threads":8,"parameters":{"rows_per_table":1000,"gtid_flush_us":50})",
     1, 100},
};

uint64_t soak_ns(const SoakCase& soak_case) {
  const char* seconds = getenv("LATCHSCOPE_SOAK_SECONDS");
  return (seconds == nullptr ? 2 : strtoull(seconds, nullptr, 10)) * 1'000'000'000 /
         soak_case.cases_of_scenario;
}

void flip_something(ScenarioRun& run, platform::Random& random) {
  const auto& knobs = run.manifest().knobs;
  const uint32_t knob = random.below(static_cast<uint32_t>(knobs.size()));
  run.engine.set_knob(knob, random.below(static_cast<uint32_t>(knobs[knob].variants.size())));
}

// The engine may refuse the action: not every action is possible at every time.
void fire_something(ScenarioRun& run, platform::Random& random) {
  (void)run.engine.fire(random.below(static_cast<uint32_t>(run.manifest().actions.size())));
}

void do_something(ScenarioRun& run, platform::Random& random) {
  switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return flip_something(run, random);
    case 4:
      run.engine.pause();
      if (random.below(2) == 0) fire_something(run, random);
      return run.engine.resume();
    default:
      return fire_something(run, random);
  }
}

class Soak : public testing::TestWithParam<SoakCase> {};

TEST_P(Soak, RandomFlipsAndActions) {
  const SoakCase& soak_case = GetParam();
  ScenarioRun run(with_latch(parsed_spec(soak_case.scenario, soak_case.fields), rw_spin_latch()));
  platform::Random random(run.manifest().bug);
  const uint64_t end_ns = platform::now_ns() + soak_ns(soak_case);
  while (platform::now_ns() < end_ns) {
    do_something(run, random);
    run.run_transactions(random.between(1, soak_case.transactions_max));
  }
  run.stop_and_check();
  EXPECT_EQ(telemetry::counter_total(telemetry::Counter::rows_wrong), 0u);
}

INSTANTIATE_TEST_SUITE_P(EveryScenario, Soak, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace latchscope::tests
