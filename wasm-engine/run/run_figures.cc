#include "run/run_figures.h"

#include <cmath>

#include "telemetry/telemetry.h"

namespace latchscope::run {

namespace {

using telemetry::Counter;
using telemetry::LatencyHistogram;

// A run that was ended before it began took no time.
double per_second(uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

StatementRates rates_between(const StatementTotals& before, const StatementTotals& after, double seconds) {
  const auto rate = [&](uint64_t StatementTotals::* member) {
    return per_second(after.*member - before.*member, seconds);
  };
  return {rate(&StatementTotals::transactions), rate(&StatementTotals::reads), rate(&StatementTotals::writes),
          rate(&StatementTotals::others), rate(&StatementTotals::errors)};
}

template <class Figure>
Spread over_clients(uint32_t clients, Figure figure_of) {
  double sum = 0;
  for (uint32_t client = 0; client < clients; ++client)
    sum += figure_of(client);
  const double avg = sum / clients;
  double squares = 0;
  for (uint32_t client = 0; client < clients; ++client) {
    const double distance = figure_of(client) - avg;
    squares += distance * distance;
  }
  return {avg, std::sqrt(squares / clients)};
}

double events_of(uint32_t client) {
  const auto counter = static_cast<uint32_t>(Counter::transactions);
  return static_cast<double>(telemetry::block().threads[client].counters[counter].read());
}

double execution_seconds_of(uint32_t client) {
  return events_of(client) * LatencyHistogram::of_thread(client).mean_ms() / 1000;
}

}  // namespace

LatencyFigures LatencyFigures::of(const LatencyHistogram& histogram) {
  return {histogram.min_ms(),          histogram.mean_ms(),         histogram.percentile_ms(50),
          histogram.percentile_ms(95), histogram.percentile_ms(99), histogram.max_ms()};
}

StatementTotals StatementTotals::now() {
  return {telemetry::counter_total(Counter::transactions), telemetry::counter_total(Counter::queries_read),
          telemetry::counter_total(Counter::queries_write), telemetry::counter_total(Counter::queries_other),
          telemetry::counter_total(Counter::errors)};
}

RunReading RunReading::at(uint64_t run_ns) {
  return {run_ns, StatementTotals::now(), LatencyHistogram::of_all_threads()};
}

Interval interval_between(const RunReading& before, const RunReading& after) {
  const double seconds = static_cast<double>(after.run_ns - before.run_ns) / 1e9;
  return {static_cast<double>(after.run_ns) / 1e9, seconds,
          rates_between(before.totals, after.totals, seconds),
          LatencyFigures::of(after.latency.since(before.latency))};
}

RunFigures figures_of_run(double seconds, uint32_t clients) {
  const StatementTotals totals = StatementTotals::now();
  const LatencyFigures latency_ms = LatencyFigures::of(LatencyHistogram::of_all_threads());
  return {seconds,
          totals,
          rates_between({}, totals, seconds),
          latency_ms,
          latency_ms.mean * static_cast<double>(totals.transactions),
          over_clients(clients, events_of),
          over_clients(clients, execution_seconds_of)};
}

}  // namespace latchscope::run
