// The run log: lines that the miniature server writes as mysqld writes its error log and slow query log. Any
// thread may write; lines are rare events, so a small lock (a futex word, as in OsMutex) is fine here and
// only here.
//
// A line goes to two places: the ring `log_lines` of the telemetry block, for a reader that watches live, and
// a list that the coordinator takes now and then for the run result. The list holds at most kPendingLinesMax
// lines between two takes; further ones are dropped and counted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace latchscope::telemetry {

inline constexpr size_t kPendingLogLinesMax = 2'000;

// Writes one entry; '\n' separates its lines, which stay together. A line longer than the ring's is cut
// there.
void log_entry(std::string_view text);

// Coordinator: the lines written since the last call, oldest first.
std::vector<std::string> take_log_lines();
uint64_t log_lines_dropped();

// For telemetry::reset().
void clear_run_log();

}  // namespace latchscope::telemetry
