#include "telemetry/sampler.h"

#include <algorithm>
#include <cstring>

#include "telemetry/publish.h"

namespace latchscope::telemetry {

namespace {

constexpr size_t kStacksMax = 4096;  // distinct stacks; far more than the engine has

}  // namespace

void Sampler::sample() {
  for (const ThreadSlot& slot : block().threads)
    sample_thread(slot);
  block().header.stack_samples[0].add(1);
}

void Sampler::sample_thread(const ThreadSlot& slot) {
  const auto state = static_cast<ThreadState>(slot.state[0].read());
  if (state == ThreadState::absent || &slot == &recorder().slot()) return;
  const bool is_client = slot.kind[0].read() == static_cast<uint32_t>(ThreadKind::client);
  ++(is_client ? client_states_ : engine_states_)[static_cast<size_t>(state)];
  if (state == ThreadState::parked) return;

  const uint32_t wait_site = slot.wait_site[0].read();
  if (wait_site != 0 && is_after_latch(state)) {
    LatchSiteTotals& own_totals = recorder().slot().latch_sites[wait_site - 1];
    (state == ThreadState::spinning ? own_totals.state_samples_spinning : own_totals.state_samples_waiting)[0]
        .add(1);
  }

  std::vector<uint32_t> functions;
  if (!copy_stack(slot, functions) || functions.empty()) return;
  if (stacks_.size() < kStacksMax || stacks_.contains(functions)) ++stacks_[functions];
}

void Sampler::clear() {
  client_states_ = {};
  engine_states_ = {};
  stacks_.clear();
}

std::vector<StackCount> Sampler::stacks(size_t most) const {
  std::vector<StackCount> list;
  list.reserve(stacks_.size());
  for (const auto& [functions, samples] : stacks_)
    list.push_back({functions, samples});
  std::sort(list.begin(), list.end(), [](const StackCount& a, const StackCount& b) {
    if (a.samples != b.samples) return a.samples > b.samples;
    // Compares names, because ids depend on the order in which the linker placed the engine's
    // files.
    return std::lexicographical_compare(
        a.functions.begin(), a.functions.end(), b.functions.begin(), b.functions.end(),
        [](uint32_t left, uint32_t right) { return strcmp(function_name(left), function_name(right)) < 0; });
  });
  if (list.size() > most) list.resize(most);
  return list;
}

}  // namespace latchscope::telemetry
