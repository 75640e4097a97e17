// The coordinator's sampler: now and then it looks at every thread's state and call stack. Estimates of where
// thread time goes and the aggregated stacks come from here.
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
  // Looks once at all threads. Called by one thread, inside a ThreadScope.
  void sample();
  void clear();

  // Samples of client threads per state.
  const std::array<uint64_t, kThreadStates>& client_states() const { return client_states_; }
  // Samples of the server's own threads per state; the coordinator is none of them.
  const std::array<uint64_t, kThreadStates>& engine_states() const { return engine_states_; }
  // The most frequent stacks first.
  std::vector<StackCount> stacks(size_t most) const;

 private:
  void sample_thread(const ThreadSlot& slot);

  std::array<uint64_t, kThreadStates> client_states_{};
  std::array<uint64_t, kThreadStates> engine_states_{};
  std::map<std::vector<uint32_t>, uint64_t> stacks_;
};

}  // namespace latchscope::telemetry
