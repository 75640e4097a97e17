// The run log: lines that the miniature server writes, like mysqld's error log and slow query log.
// Any thread may write. Lines are rare, so a small lock (a futex word, as in OsMutex) is acceptable
// here, and only here.
//
// A line goes to two places. The ring `log_lines` of the telemetry block serves live readers. The
// coordinator takes lines from a list from time to time for the run result. The list holds at most
// kPendingLogLinesMax lines between two takes; further lines are dropped and counted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace latchscope::telemetry {

inline constexpr size_t kPendingLogLinesMax = 2'000;

// Writes one entry. '\n' separates its lines, which stay together. Lines too long for the ring are
// cut there.
void log_entry(std::string_view text);

// Returns the lines written since the last call, oldest first. Called by the coordinator.
std::vector<std::string> take_log_lines();
uint64_t log_lines_dropped();

// Called by telemetry::reset().
void clear_run_log();

}  // namespace latchscope::telemetry
