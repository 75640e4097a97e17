#include "api/sysbench_report.h"

#include <cinttypes>
#include <cmath>
#include <cstdarg>
#include <cstdio>

#include "telemetry/telemetry.h"

namespace latchscope::api {

namespace {

__attribute__((format(printf, 2, 3))) void append(std::string& text, const char* format, ...) {
  char line[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  text += line;
}

struct Fairness {
  double mean;
  double standard_deviation;
};

template <class Figure>
Fairness over_clients(uint32_t clients, Figure figure_of) {
  double sum = 0;
  double sum_of_squares = 0;
  for (uint32_t client = 0; client < clients; ++client) {
    const double figure = figure_of(client);
    sum += figure;
    sum_of_squares += figure * figure;
  }
  const double mean = sum / clients;
  return {mean, std::sqrt(std::max(0.0, sum_of_squares / clients - mean * mean))};
}

double events_of(uint32_t client) {
  const auto counter = static_cast<uint32_t>(telemetry::Counter::transactions);
  return static_cast<double>(telemetry::block().threads[client].counters[counter].read());
}

// Estimated, as every latency here: a sample of the events is timed.
double execution_seconds_of(uint32_t client) {
  return events_of(client) * telemetry::LatencyHistogram::of_thread(client).mean_ms() / 1000;
}

void append_fairness(std::string& text, uint32_t clients) {
  const Fairness events = over_clients(clients, events_of);
  const Fairness execution = over_clients(clients, execution_seconds_of);
  append(text, "Threads fairness:\n");
  append(text, "    events (avg/stddev):           %.4f/%.2f\n", events.mean, events.standard_deviation);
  append(text, "    execution time (avg/stddev):   %.4f/%.2f\n", execution.mean,
         execution.standard_deviation);
}

// A run that was ended before its first moment took no time.
double per_second(uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

void append_statistics(std::string& text, const StatementTotals& totals, double seconds) {
  const uint64_t queries = totals.reads + totals.writes + totals.others;
  const auto per_s = [&](uint64_t count) { return per_second(count, seconds); };
  append(text, "SQL statistics:\n    queries performed:\n");
  append(text, "        read:                            %" PRIu64 "\n", totals.reads);
  append(text, "        write:                           %" PRIu64 "\n", totals.writes);
  append(text, "        other:                           %" PRIu64 "\n", totals.others);
  append(text, "        total:                           %" PRIu64 "\n", queries);
  append(text, "    transactions:                        %-6" PRIu64 " (%.2f per sec.)\n",
         totals.transactions, per_s(totals.transactions));
  append(text, "    queries:                             %-6" PRIu64 " (%.2f per sec.)\n", queries,
         per_s(queries));
  append(text, "    ignored errors:                      %-6" PRIu64 " (%.2f per sec.)\n", totals.errors,
         per_s(totals.errors));
  append(text, "    reconnects:                          %-6d (%.2f per sec.)\n\n", 0, 0.0);
}

void append_latency(std::string& text, const telemetry::LatencyHistogram& latency, uint64_t transactions,
                    uint32_t percentile) {
  append(text, "Latency (ms):\n");
  append(text, "         min:                            %10.2f\n", latency.min_ms());
  append(text, "         avg:                            %10.2f\n", latency.mean_ms());
  append(text, "         max:                            %10.2f\n", latency.max_ms());
  append(text, "        %3uth percentile:                %10.2f\n", percentile,
         latency.percentile_ms(percentile));
  append(text, "         sum:                            %10.2f\n\n",
         latency.mean_ms() * static_cast<double>(transactions));
}

}  // namespace

std::string sysbench_header(const RunSpec& spec) {
  std::string text = "Running the test with following options:\n";
  append(text, "Number of threads: %u\nReport intermediate results every %g second(s)\n", spec.config.clients,
         spec.interval_s);
  append(text, "Initializing random number generator from seed (%" PRIu64 ").\n\n\n", spec.config.seed);
  append(text, "Initializing worker threads...\n\nThreads started!\n\n");
  return text;
}

std::string sysbench_interval_line(const Interval& interval, uint32_t threads, uint32_t percentile) {
  std::string text;
  const int decimals = interval.seconds < 0.95 ? 3 : 0;
  append(text, "[ %.*fs ] thds: %u tps: %.2f qps: %.2f (r/w/o: %.2f/%.2f/%.2f) ", decimals, interval.t_s,
         threads, interval.tps, interval.reads_per_s + interval.writes_per_s + interval.others_per_s,
         interval.reads_per_s, interval.writes_per_s, interval.others_per_s);
  append(text, "lat (ms,%u%%): %.2f err/s: %.2f reconn/s: 0.00", percentile,
         percentile == 99 ? interval.p99_ms : interval.p95_ms, interval.errors_per_s);
  return text;
}

std::string sysbench_final_report(const Engine& engine) {
  const StatementTotals totals = StatementTotals::now();
  const auto latency = telemetry::LatencyHistogram::of_all_threads();
  const double seconds = engine.run_seconds();
  std::string text;
  append_statistics(text, totals, seconds);
  append(text, "Throughput:\n");
  append(text, "    events/s (eps):                      %.4f\n", per_second(totals.transactions, seconds));
  append(text, "    time elapsed:                        %.4fs\n", seconds);
  append(text, "    total number of events:              %" PRIu64 "\n\n", totals.transactions);
  const workload::WorkloadConfig& config = engine.spec().config;
  append_latency(text, latency, totals.transactions, config.manifest->sysbench_percentile);
  append_fairness(text, config.clients);
  return text;
}

}  // namespace latchscope::api
