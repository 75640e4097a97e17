// The coordinator's sampler, which reads every thread's state and call stack at intervals. It
// yields the estimates of where thread time goes, and the aggregated stacks.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "telemetry/telemetry.h"

namespace latchscope::telemetry {

inline constexpr size_t kThreadStates = static_cast<size_t>(ThreadState::io) + 1;

struct StackCount {
  std::vector<uint32_t> functions;  // outermost first
  uint64_t samples;
};

class Sampler {
 public:
  // Takes one sample of all threads.
  // REQUIRES: one thread calls it, inside a ThreadScope.
  void sample();
  void clear();

  // Returns the samples of client threads per state.
  const std::array<uint64_t, kThreadStates>& client_states() const { return client_states_; }
  // Returns the samples of background workers per state. The coordinator is not included.
  const std::array<uint64_t, kThreadStates>& engine_states() const { return engine_states_; }
  // Returns the most frequent stacks first.
  std::vector<StackCount> stacks(size_t most) const;

 private:
  void sample_thread(const ThreadSlot& slot);

  std::array<uint64_t, kThreadStates> client_states_{};
  std::array<uint64_t, kThreadStates> engine_states_{};
  std::map<std::vector<uint32_t>, uint64_t> stacks_;
};

}  // namespace latchscope::telemetry
