#include "tests/scenario_run.h"

#include <cstdlib>

namespace latchscope::tests {

void soak(ScenarioRun& run, uint64_t seed) {
  const char* wanted = getenv("LATCHSCOPE_SOAK_SECONDS");
  const uint64_t seconds = wanted == nullptr ? 5 : strtoull(wanted, nullptr, 10);
  const uint64_t end_ns = platform::now_ns() + seconds * 1'000'000'000;
  platform::Random random(seed);
  const auto& manifest = run.manifest();
  while (platform::now_ns() < end_ns) {
    if (random.below(3) == 0) {
      run.engine.fire(random.below(static_cast<uint32_t>(manifest.actions.size())));
    } else {
      const uint32_t knob = random.below(static_cast<uint32_t>(manifest.knobs.size()));
      run.engine.set_knob(knob, random.below(static_cast<uint32_t>(manifest.knobs[knob].variants.size())));
    }
    run.run_transactions(random.between(1, 100));
  }
}

}  // namespace latchscope::tests
