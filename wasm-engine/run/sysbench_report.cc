#include "run/sysbench_report.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>

namespace latchscope::run {

namespace {

__attribute__((format(printf, 1, 2))) std::string formatted(const char* format, ...) {
  char line[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  return line;
}

void add_statistics(Lines& lines, const RunFigures& figures) {
  const StatementTotals& totals = figures.totals;
  const StatementRates& per_s = figures.per_s;
  lines.emplace_back("SQL statistics:");
  lines.emplace_back("    queries performed:");
  lines.push_back(formatted("        read:                            %" PRIu64, totals.reads));
  lines.push_back(formatted("        write:                           %" PRIu64, totals.writes));
  lines.push_back(formatted("        other:                           %" PRIu64, totals.others));
  lines.push_back(formatted("        total:                           %" PRIu64, totals.queries()));
  lines.push_back(formatted("    transactions:                        %-6" PRIu64 " (%.2f per sec.)",
                            totals.transactions, per_s.transactions));
  lines.push_back(formatted("    queries:                             %-6" PRIu64 " (%.2f per sec.)",
                            totals.queries(), per_s.queries()));
  lines.push_back(formatted("    ignored errors:                      %-6" PRIu64 " (%.2f per sec.)",
                            totals.errors, per_s.errors));
  lines.push_back(formatted("    reconnects:                          %-6d (%.2f per sec.)", 0, 0.0));
  lines.emplace_back();
}

void add_throughput(Lines& lines, const RunFigures& figures) {
  lines.emplace_back("Throughput:");
  lines.push_back(formatted("    events/s (eps):                      %.4f", figures.per_s.transactions));
  lines.push_back(formatted("    time elapsed:                        %.4fs", figures.seconds));
  lines.push_back(
      formatted("    total number of events:              %" PRIu64, figures.totals.transactions));
  lines.emplace_back();
}

void add_latency(Lines& lines, const RunFigures& figures, uint32_t percentile) {
  const LatencyFigures& latency_ms = figures.latency_ms;
  lines.emplace_back("Latency (ms):");
  lines.push_back(formatted("         min:                            %10.2f", latency_ms.min));
  lines.push_back(formatted("         avg:                            %10.2f", latency_ms.mean));
  lines.push_back(formatted("         max:                            %10.2f", latency_ms.max));
  lines.push_back(formatted("        %3uth percentile:                %10.2f", percentile,
                            latency_ms.at_percentile(percentile)));
  lines.push_back(formatted("         sum:                            %10.2f", figures.latency_sum_ms));
  lines.emplace_back();
}

void add_fairness(Lines& lines, const RunFigures& figures) {
  lines.emplace_back("Threads fairness:");
  lines.push_back(
      formatted("    events (avg/stddev):           %.4f/%.2f", figures.events.avg, figures.events.stddev));
  lines.push_back(formatted("    execution time (avg/stddev):   %.4f/%.2f", figures.execution_s.avg,
                            figures.execution_s.stddev));
}

}  // namespace

Lines sysbench_header(const RunSpec& spec) {
  return {"Running the test with following options:",
          formatted("Number of threads: %u", spec.config.clients),
          formatted("Report intermediate results every %g second(s)", spec.interval_s),
          formatted("Initializing random number generator from seed (%" PRIu64 ").", spec.config.seed),
          "",
          "",
          "Initializing worker threads...",
          "",
          "Threads started!",
          ""};
}

std::optional<std::string> sysbench_interval_line(const Interval& interval, const RunSpec& spec) {
  if (interval.seconds < spec.interval_s / 2) return std::nullopt;
  const StatementRates& per_s = interval.per_s;
  const uint32_t percentile = spec.config.manifest->sysbench_percentile;
  const int decimals = interval.seconds < 0.95 ? 3 : 0;
  return formatted(
      "[ %.*fs ] thds: %u tps: %.2f qps: %.2f (r/w/o: %.2f/%.2f/%.2f) lat (ms,%u%%): %.2f err/s: %.2f "
      "reconn/s: "
      "0.00",
      decimals, interval.t_s, spec.config.clients, per_s.transactions, per_s.queries(), per_s.reads,
      per_s.writes, per_s.others, percentile, interval.latency_ms.at_percentile(percentile), per_s.errors);
}

Lines sysbench_final_report(const RunFigures& figures, const RunSpec& spec) {
  Lines lines;
  add_statistics(lines, figures);
  add_throughput(lines, figures);
  add_latency(lines, figures, spec.config.manifest->sysbench_percentile);
  add_fairness(lines, figures);
  return lines;
}

}  // namespace latchscope::run
