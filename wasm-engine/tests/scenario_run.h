// Helpers for scenario runs in tests: operations on an engine, and a whole run from its creation.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "run/engine.h"
#include "run/limits.h"
#include "telemetry/telemetry.h"
#include "tests/lab_program_json.h"

namespace latchscope::tests {

inline uint64_t total(telemetry::Counter counter) {
  return telemetry::counter_total(counter);
}

inline void run_until(run::Engine& engine, const std::function<bool()>& reached) {
  while (!reached()) {
    telemetry::sleep_ns(1'000'000);
    engine.tick();
  }
}

// Runs until the clients have done `more` additional transactions.
inline void run_transactions(run::Engine& engine, uint64_t more) {
  const uint64_t wanted = total(telemetry::Counter::transactions) + more;
  run_until(engine, [&] { return total(telemetry::Counter::transactions) >= wanted; });
}

// Returns why the action was refused, or "".
inline std::string fire(run::Engine& engine, const char* action) {
  const auto& actions = engine.spec().config.manifest->actions;
  return engine.fire(static_cast<uint32_t>(index_of(actions, action)));
}

// Returns the long wait published in the telemetry block.
inline workload::LongWait long_wait() {
  const telemetry::BlockHeader& header = telemetry::block().header;
  return {static_cast<telemetry::LongWait>(header.long_wait[0].read_acquire()),
          header.long_wait_done[0].read(), header.long_wait_total[0].read()};
}

inline void expect_invariants_hold(const run::Engine& engine) {
  EXPECT_FALSE(engine.invariants().empty());
  for (const auto& invariant : engine.invariants())
    EXPECT_TRUE(invariant.ok) << invariant.name << ": " << invariant.detail;
}

// Returns the invariants that do not hold.
inline std::string broken(const run::Engine& engine) {
  std::string text;
  for (const auto& invariant : engine.invariants()) {
    if (!invariant.ok) text += invariant.name + ": " + invariant.detail;
  }
  return text;
}

inline uint64_t acquisitions_of(std::string_view latch) {
  uint64_t sum = 0;
  for (uint32_t site = 0; site < telemetry::latch_sites_count(); ++site) {
    if (telemetry::latch_name_of_site(site) == latch) sum += telemetry::latch_site_total(site).acquisitions;
  }
  return sum;
}

// Long enough that no thread loses patience with a correct latch, even on the slowest machine.
inline constexpr uint64_t kNoEndOfPatienceNs = 100'000'000'000;

// Sets the latch used by the variants called "yours".
inline run::RunSpec with_latch(run::RunSpec spec, lab::Program program,
                               uint64_t patience_ns = kNoEndOfPatienceNs) {
  spec.latch = {{"program", lab_program_json(program)}};
  spec.config.your_latch = {std::make_shared<const lab::Program>(std::move(program)),
                            spec.config.clients + run::kEngineThreads, patience_ns};
  return spec;
}

inline run::RunSpec parsed_spec(const std::string& scenario, const std::string& fields) {
  auto parsed = run::parse_run_spec(R"({"version":1,"scenario":")" + scenario + "\"," + fields + "}");
  EXPECT_TRUE(parsed.spec) << run::to_json(parsed.errors);
  return *parsed.spec;
}

class ScenarioRun {
 public:
  ScenarioRun(const std::string& scenario, const std::string& fields)
      : ScenarioRun(parsed_spec(scenario, fields)) {}
  explicit ScenarioRun(run::RunSpec spec) {
    engine.create(std::move(spec));
    engine.start();
  }

  const workload::ScenarioManifest& manifest() const { return *engine.spec().config.manifest; }

  std::string fire(const char* action) { return tests::fire(engine, action); }
  void set_knob(const char* knob, const char* variant) {
    const auto index = static_cast<size_t>(index_of(manifest().knobs, knob));
    engine.set_knob(static_cast<uint32_t>(index),
                    static_cast<uint32_t>(index_of(manifest().knobs[index].variants, variant)));
  }

  void run_until(const std::function<bool()>& reached) { tests::run_until(engine, reached); }
  void run_until_counter(telemetry::Counter counter, uint64_t more) {
    const uint64_t wanted = total(counter) + more;
    run_until([&] { return total(counter) >= wanted; });
  }
  void run_transactions(uint64_t more) { tests::run_transactions(engine, more); }

  void stop_and_check() {
    engine.stop();
    expect_invariants_hold(engine);
  }

  run::Engine engine;
};

// Switches each knob from each variant to each other, twice. The run has a latch for the variants
// that need one.
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
