// One run of a scenario for tests.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "api/engine.h"
#include "telemetry/telemetry.h"

namespace latchscope::tests {

class ScenarioRun {
 public:
  ScenarioRun(const std::string& scenario, const std::string& fields) {
    auto parsed = api::parse_run_spec(R"({"version":1,"scenario":")" + scenario + "\"," + fields + "}");
    EXPECT_TRUE(parsed.spec) << api::to_json(parsed.errors);
    engine.create(*parsed.spec);
    engine.start();
  }

  const workload::ScenarioManifest& manifest() const { return *engine.spec().config.manifest; }

  std::string fire(const char* action) {
    return engine.fire(static_cast<uint32_t>(index_of(manifest().actions, action)));
  }
  void set_knob(const char* knob, const char* variant) {
    const auto index = static_cast<size_t>(index_of(manifest().knobs, knob));
    engine.set_knob(static_cast<uint32_t>(index),
                    static_cast<uint32_t>(index_of(manifest().knobs[index].variants, variant)));
  }

  void run_until(const std::function<bool()>& reached) {
    while (!reached()) {
      telemetry::sleep_ns(1'000'000);
      engine.tick();
    }
  }
  void run_until_counter(telemetry::Counter counter, uint64_t more) {
    const uint64_t wanted = telemetry::counter_total(counter) + more;
    run_until([&] { return telemetry::counter_total(counter) >= wanted; });
  }
  void run_transactions(uint64_t more) { run_until_counter(telemetry::Counter::transactions, more); }

  void stop_and_check() {
    engine.stop();
    EXPECT_FALSE(engine.invariants().empty());
    for (const auto& invariant : engine.invariants())
      EXPECT_TRUE(invariant.ok) << invariant.name << ": " << invariant.detail;
  }

  api::Engine engine;
};

// Each variant of each knob to each other, twice.
inline void flip_every_pair(ScenarioRun& run, uint64_t transactions_between) {
  for (int round = 0; round < 2; ++round) {
    for (uint32_t knob = 0; knob < run.manifest().knobs.size(); ++knob) {
      const auto variants = static_cast<uint32_t>(run.manifest().knobs[knob].variants.size());
      for (uint32_t from = 0; from < variants; ++from) {
        for (uint32_t to = 0; to < variants; ++to) {
          if (from == to) continue;
          for (uint32_t variant : {from, to}) {
            run.engine.set_knob(knob, variant);
            run.run_transactions(transactions_between);
          }
        }
      }
    }
  }
}

}  // namespace latchscope::tests
