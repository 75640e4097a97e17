// Measures how fast the modelled server runs the scenarios on this host, without loading. Prints a
// JSON line per run spec: the events of the run, their host seconds, and the hash of all events,
// which identifies the run.
//
//   scenario_bench <run spec (JSON)> ...
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "run/engine.h"
#include "run/run_spec.h"
#include "telemetry/telemetry.h"

namespace {

using namespace latchscope;

constexpr int kBadUsage = 2;

void measure(run::RunSpec spec) {
  run::Engine engine;
  engine.create(std::move(spec));
  const platform::ModelTotals loaded = platform::model_totals();
  const auto began = std::chrono::steady_clock::now();
  engine.start();
  while (engine.state() == telemetry::RunState::running)
    engine.go_on();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  const platform::ModelTotals totals = platform::model_totals();
  printf("{\"events\":%" PRIu64 ",\"host_s\":%.6f,\"fiber_switches\":%" PRIu64 ",\"hash\":\"%016" PRIx64
         "\"}\n",
         totals.events - loaded.events, took.count(), totals.fiber_switches - loaded.fiber_switches,
         totals.hash);
}

}  // namespace

int main(int argc, char** argv) {
  telemetry::ThreadScope scope({run::kCoordinatorSlot, run::kCoordinatorKind, 0, 0});
  for (int i = 1; i < argc; ++i) {
    run::RunSpecOrErrors read = run::parse_run_spec(argv[i]);
    if (!read.spec) {
      fprintf(stderr, "scenario_bench: argument %d is not a run spec: %s\n", i,
              run::to_json(read.errors).c_str());
      return kBadUsage;
    }
    measure(std::move(*read.spec));
  }
  return 0;
}
