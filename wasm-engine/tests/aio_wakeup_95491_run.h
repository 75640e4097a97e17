// Runs of scenario aio-wakeup-95491 for tests.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "api/engine.h"
#include "telemetry/telemetry.h"

namespace latchscope::tests {

// Small enough to be quick under a sanitizer, tight enough that the array fills: 4 MiB of frames, 2 segments.
inline api::RunSpec aio_spec(const std::string& parameters = "", const std::string& fields = "") {
  auto parsed = api::parse_run_spec(
      R"({"version":1,"scenario":"aio-wakeup-95491","threads":8,"parameters":{"tables":2,"rows_per_table":12000,)"
      R"("buffer_pool_mib":4,"read_io_threads":2,"write_io_threads":1,"slots_per_segment":4,)"
      R"("device_latency_us":0)" +
      parameters + "}" + fields + "}");
  EXPECT_TRUE(parsed.spec) << to_json(parsed.errors);
  return *parsed.spec;
}

inline void run_until(api::Engine& engine, const std::function<bool()>& reached) {
  while (!reached()) {
    telemetry::sleep_ns(1'000'000);
    engine.tick();
  }
}

inline void run_transactions(api::Engine& engine, uint64_t more) {
  const uint64_t wanted = telemetry::counter_total(telemetry::Counter::transactions) + more;
  run_until(engine, [&] { return telemetry::counter_total(telemetry::Counter::transactions) >= wanted; });
}

inline std::string fire(api::Engine& engine, const char* action) {
  const auto& manifest = *engine.spec().config.manifest;
  return engine.fire(static_cast<uint32_t>(index_of(manifest.actions, action)));
}

inline void expect_invariants_hold(const api::Engine& engine) {
  EXPECT_GE(engine.invariants().size(), 10u);
  for (const auto& invariant : engine.invariants())
    EXPECT_TRUE(invariant.ok) << invariant.name << ": " << invariant.detail;
}

}  // namespace latchscope::tests
