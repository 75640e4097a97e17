// sysbench 1.0's output: the interval lines and the final report, which existing parsers read (source:
// sysbench db_driver.c, sysbench.c).
#pragma once

#include <string>

#include "api/engine.h"

namespace latchscope::api {

std::string sysbench_header(const RunSpec& spec);
// With the latency at `percentile`, 95 or 99.
// "[ 2s ] thds: 8 tps: 123.45 qps: 2469.00 (r/w/o: 1728.30/493.80/246.90) lat (ms,95%): 70.55 err/s: 0.00
// reconn/s: 0.00"
std::string sysbench_interval_line(const Interval& interval, uint32_t threads, uint32_t percentile);
std::string sysbench_final_report(const Engine& engine);

}  // namespace latchscope::api
