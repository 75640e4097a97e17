#include "run/sysbench_report.h"

#include <gtest/gtest.h>

#include "run/engine.h"
#include "run/json.h"
#include "telemetry/telemetry.h"
#include "tests/scenario_run.h"

namespace latchscope::run {
namespace {

constexpr const char* kSpec =
    R"({"version":1,"scenario":"fil-mutex-69276","threads":8,"interval_s":0.01,"parameters":{"tables":1,"rows_per_table":1000}})";

RunSpec small_spec() {
  return *parse_run_spec(kSpec).spec;
}

std::string text_of(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += line + "\n";
  return text;
}

constexpr Interval kInterval{
    .t_s = 2.0,
    .seconds = 1.0,
    .per_s = {.transactions = 123.451, .reads = 1728.3, .writes = 493.8, .others = 246.9, .errors = 0},
    .latency_ms = {.min = 0.5, .mean = 2.0, .p50 = 1.0, .p95 = 70.553, .p99 = 80.0, .max = 90.0}};

TEST(SysbenchReport, TheIntervalLineHasTheFormThatParsersRead) {
  EXPECT_EQ(sysbench_interval_line(kInterval, small_spec()),
            "[ 2s ] thds: 8 tps: 123.45 qps: 2469.00 (r/w/o: 1728.30/493.80/246.90) lat (ms,95%): 70.55 "
            "err/s: 0.00 "
            "reconn/s: 0.00");
}

TEST(SysbenchReport, TheIntervalLineHasThePercentileOfTheReport) {
  const auto parsed = parse_run_spec(R"({"version":1,"scenario":"undo-read-117533","threads":8})");
  ASSERT_EQ(parsed.spec->config.manifest->sysbench_percentile, 99u);
  EXPECT_NE(sysbench_interval_line(kInterval, *parsed.spec)->find("lat (ms,99%): 80.00"), std::string::npos);
}

TEST(SysbenchReport, WhatIsLeftOfARunHasALineFromHalfAnIntervalOn) {
  Interval rest = kInterval;
  rest.seconds = 0.005;
  EXPECT_TRUE(sysbench_interval_line(rest, small_spec()).has_value());
  rest.seconds = 0.0049;
  EXPECT_FALSE(sysbench_interval_line(rest, small_spec()).has_value());
}

TEST(SysbenchReport, TheFinalReportStatesTheFiguresOfTheRun) {
  const RunFigures figures{
      .seconds = 2,
      .totals = {.transactions = 1740, .reads = 17400, .writes = 5220, .others = 6960, .errors = 0},
      .per_s = {.transactions = 870, .reads = 8700, .writes = 2610, .others = 3480, .errors = 0},
      .latency_ms = {.min = 1.5, .mean = 36.666, .p50 = 30, .p95 = 40.37, .p99 = 50, .max = 250},
      .latency_sum_ms = 63798.84,
      .events = {.avg = 217.5, .stddev = 1},
      .execution_s = {.avg = 7.97, .stddev = 0.036}};
  EXPECT_EQ(text_of(sysbench_final_report(figures, small_spec())), R"(SQL statistics:
    queries performed:
        read:                            17400
        write:                           5220
        other:                           6960
        total:                           29580
    transactions:                        1740   (870.00 per sec.)
    queries:                             29580  (14790.00 per sec.)
    ignored errors:                      0      (0.00 per sec.)
    reconnects:                          0      (0.00 per sec.)

Throughput:
    events/s (eps):                      870.0000
    time elapsed:                        2.0000s
    total number of events:              1740

Latency (ms):
         min:                                  1.50
         avg:                                 36.67
         max:                                250.00
         95th percentile:                     40.37
         sum:                              63798.84

Threads fairness:
    events (avg/stddev):           217.5000/1.00
    execution time (avg/stddev):   7.9700/0.04
)");
}

TEST(SysbenchReport, ARunThatTookNoTimeHasNumbersEverywhere) {
  Engine engine;
  engine.create(small_spec());
  engine.stop();
  ASSERT_EQ(engine.figures().seconds, 0);
  const std::string report = text_of(sysbench_final_report(engine.figures(), engine.spec()));
  EXPECT_EQ(report.find("nan"), std::string::npos) << report;
  EXPECT_EQ(report.find("inf"), std::string::npos) << report;
}

TEST(SysbenchReport, AnIntervalAsLongAsItsTextCanGetFitsIntoTheTelemetryBlock) {
  constexpr double kLong = -1.2345678901234567e-300;
  constexpr double kWide = 9.87654321098765e12;
  Interval interval{
      kLong, 1, {kWide, kWide, kWide, kWide, kWide}, {kLong, kLong, kLong, kLong, kLong, kLong}};
  EXPECT_LT(interval_json(interval, small_spec()).size(), telemetry::kIntervalBytes);
}

TEST(SysbenchReport, TheRunResultHasTheLinesThatTheCommandLinePrints) {
  Engine engine;
  Lines printed = sysbench_header(small_spec());
  engine.on_interval = [&](const Interval& interval) {
    if (const auto line = sysbench_interval_line(interval, engine.spec())) printed.push_back(*line);
  };
  engine.create(small_spec());
  engine.start();
  tests::run_until(engine, [&] { return engine.intervals().size() == 2; });
  engine.stop();
  const Lines report = sysbench_final_report(engine.figures(), engine.spec());
  printed.insert(printed.end(), report.begin(), report.end());

  const Json result = *read_json(engine.result());
  Lines told = result["sysbench"]["header"];
  for (const Json& interval : result["intervals"]) {
    if (interval.contains("sysbench_line")) told.push_back(interval["sysbench_line"]);
  }
  for (const Json& line : result["sysbench"]["report"])
    told.push_back(line);
  EXPECT_EQ(told, printed);
}

TEST(RunFigures, TheSpreadIsThatOfTheClients) {
  // Far from 0, where a difference of sums of squares would lose precision.
  constexpr uint64_t kEvents = 3'000'000'000;
  telemetry::reset();
  const auto counter = static_cast<uint32_t>(telemetry::Counter::transactions);
  telemetry::block().threads[0].counters[counter].set(kEvents - 1);
  telemetry::block().threads[1].counters[counter].set(kEvents + 1);
  const RunFigures figures = figures_of_run(1, 2);
  EXPECT_EQ(figures.events.avg, kEvents);
  EXPECT_EQ(figures.events.stddev, 1);
  telemetry::reset();
}

}  // namespace
}  // namespace latchscope::run
