// Limits of a run spec, besides those in a scenario's manifest and scenarios/servers.json. The page
// has no numbers of its own: run/limits_gen.cc writes these into web/contract/engine-limits.ts.
#pragma once

#include <cstdint>

namespace latchscope::run {

inline constexpr double kDurationMinS = 1e-6;
inline constexpr double kDurationMaxS = 3600;
inline constexpr double kIntervalMinS = 0.001;
inline constexpr double kIntervalMaxS = 60;
// Of a run: as many as the page can show. A run without a duration ends by itself at this number.
inline constexpr uint32_t kRunIntervalsMax = 36'000;
// The largest integer that a double represents exactly. JavaScript and JSON have no other numbers.
inline constexpr int64_t kSeedMax = (int64_t{1} << 53) - 1;
inline constexpr uint64_t kEventsMaxMost = 1'000'000'000'000;
inline constexpr uint32_t kStackSamplesMax = 1'000;
inline constexpr uint32_t kTimedStepsMax = 256;
inline constexpr uint32_t kWhatIfPercentMax = 200;
inline constexpr uint32_t kWhatIfLatchesMax = 32;
// Of a curve or a causal profile: runs per point, and latches of a profile.
inline constexpr uint32_t kSeedsMax = 30;
inline constexpr uint32_t kWhatIfTopMax = 64;
// On a modelled server. With real threads the limit is lower, because a page starts its threads
// when it loads.
inline constexpr uint32_t kClientsMost = 1024;
// Threads of the engine besides clients: the coordinator and the servers' own.
inline constexpr uint32_t kEngineThreads = 8;

}  // namespace latchscope::run
