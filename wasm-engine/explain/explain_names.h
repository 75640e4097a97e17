// Names of the elements of explanations, for their JSON and text forms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "explain/transaction_chain.h"
#include "telemetry/telemetry.h"

namespace latchscope::explain {

inline constexpr const char* kNamesOfStates[] = {
#define LATCHSCOPE_QUOTE_NAME(name, meaning) #name,
    LATCHSCOPE_THREAD_STATES(LATCHSCOPE_QUOTE_NAME)
#undef LATCHSCOPE_QUOTE_NAME
};
inline constexpr const char* kNamesBehind[] = {"nothing", "holder", "leader",  "waker",
                                               "nobody",  "timer",  "unknown", "earlier"};
inline constexpr const char* kNamesOfCuts[] = {"", "depth", "cycle", "size"};

inline const char* name_of(telemetry::ThreadState state) {
  return kNamesOfStates[static_cast<size_t>(state)];
}
inline const char* name_of(Behind behind) {
  return kNamesBehind[static_cast<size_t>(behind)];
}

// In these three functions `number` is the number + 1; 0: none.
inline std::string latch_of_site(uint32_t number) {
  return number == 0 ? "" : telemetry::latch_name_of_site(number - 1);
}
inline std::string function_of_site(uint32_t number) {
  return number == 0 ? "" : telemetry::function_name_of_site(number - 1);
}
inline std::string name_of_function(uint32_t number) {
  return number == 0 ? "" : telemetry::function_name(number - 1);
}

// Equal times are in the order of their keys.
template <class Key>
std::vector<std::pair<Key, uint64_t>> longest_first(const std::map<Key, uint64_t>& times) {
  std::vector<std::pair<Key, uint64_t>> sorted(times.begin(), times.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return std::tie(b.second, a.first) < std::tie(a.second, b.first);
  });
  return sorted;
}

}  // namespace latchscope::explain
