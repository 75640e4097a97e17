#include "api/sysbench_report.h"

#include <gtest/gtest.h>

#include "telemetry/telemetry.h"

namespace latchscope::api {
namespace {

TEST(SysbenchReport, TheIntervalLineHasTheFormThatParsersRead) {
  const Interval interval{2.0, 1.0, 123.451, 1728.3, 493.8, 246.9, 0, 2.0, 1.0, 70.553, 80.0, 90.0};
  EXPECT_EQ(sysbench_interval_line(interval, 8, 95),
            "[ 2s ] thds: 8 tps: 123.45 qps: 2469.00 (r/w/o: 1728.30/493.80/246.90) lat (ms,95%): 70.55 "
            "err/s: 0.00 "
            "reconn/s: 0.00");
  EXPECT_NE(sysbench_interval_line(interval, 8, 99).find("lat (ms,99%): 80.00"), std::string::npos);
}

TEST(SysbenchReport, TheFinalReportHasItsBlocksInOrder) {
  Engine engine;
  auto parsed = parse_run_spec(
      R"({"version":1,"scenario":"fil-mutex-69276","threads":2,"parameters":{"tables":1,"rows_per_table":1000}})");
  engine.create(*parsed.spec);
  engine.start();
  while (telemetry::counter_total(telemetry::Counter::transactions) < 1000)
    platform::yield();
  engine.stop();
  const std::string report = sysbench_final_report(engine);
  size_t position = 0;
  for (const char* heading :
       {"SQL statistics:", "queries performed:", "transactions:", "queries:", "ignored errors:",
        "reconnects:", "Throughput:", "events/s (eps):", "time elapsed:", "total number of events:",
        "Latency (ms):", "min:", "avg:", "max:", "95th percentile:", "sum:", "Threads fairness:",
        "events (avg/stddev):", "execution time (avg/stddev):"}) {
    const size_t found = report.find(heading, position);
    ASSERT_NE(found, std::string::npos) << heading << " in\n" << report;
    position = found;
  }
}

TEST(SysbenchReport, ARunThatTookNoTimeHasNumbersEverywhere) {
  Engine engine;
  auto parsed = parse_run_spec(
      R"({"version":1,"scenario":"fil-mutex-69276","threads":2,"parameters":{"tables":1,"rows_per_table":1000}})");
  engine.create(*parsed.spec);
  engine.stop();
  ASSERT_EQ(engine.run_seconds(), 0);
  const std::string report = sysbench_final_report(engine);
  EXPECT_EQ(report.find("nan"), std::string::npos) << report;
  EXPECT_EQ(report.find("inf"), std::string::npos) << report;
}

}  // namespace
}  // namespace latchscope::api
