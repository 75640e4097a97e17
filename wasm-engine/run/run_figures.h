// The figures of a run: rates and latencies of each interval and of the whole run, and the spread
// of the work over its clients. Each figure is computed only here. The run result (run_result.cc)
// and sysbench's lines (sysbench_report.h) show them, and the page takes them from there.
#pragma once

#include <cstdint>

#include "telemetry/latency.h"

namespace latchscope::run {

// Milliseconds; 0 where nothing was timed.
struct LatencyFigures {
  double min, mean, p50, p95, p99, max;

  static LatencyFigures of(const telemetry::LatencyHistogram& histogram);
  // Returns the percentile that the scenario's report uses, 95 or 99.
  double at_percentile(uint32_t percentile) const { return percentile == 99 ? p99 : p95; }
};

// Counts of statements since the start of the run.
struct StatementTotals {
  uint64_t transactions = 0, reads = 0, writes = 0, others = 0, errors = 0;

  static StatementTotals now();
  uint64_t queries() const { return reads + writes + others; }
};

// Per second of run time.
struct StatementRates {
  double transactions, reads, writes, others, errors;

  double queries() const { return reads + writes + others; }
};

// The state of a run at one moment.
struct RunReading {
  uint64_t run_ns = 0;
  StatementTotals totals;
  telemetry::LatencyHistogram latency;

  static RunReading at(uint64_t run_ns);
};

// One interval of RunSpec::interval_s, as sysbench reports it.
struct Interval {
  double t_s;  // end of the interval, in run time
  double seconds;
  StatementRates per_s;
  LatencyFigures latency_ms;
};

Interval interval_between(const RunReading& before, const RunReading& after);

// Mean and deviation over the clients: sysbench's avg and stddev.
struct Spread {
  double avg, stddev;
};

struct RunFigures {
  double seconds;
  StatementTotals totals;
  StatementRates per_s;  // 0 in a run that took no time
  LatencyFigures latency_ms;
  double latency_sum_ms;
  Spread events;
  Spread execution_s;  // estimated, like every latency here, from a sample of timed events
};

// The work of the clients after the end of the run, for their last transactions. Counters and
// latches include it; the figures of the run do not.
struct DrainFigures {
  double seconds;
  uint64_t transactions;
};

// Returns the figures of a run that ends now.
RunFigures figures_of_run(double seconds, uint32_t clients);

}  // namespace latchscope::run
