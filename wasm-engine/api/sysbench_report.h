// sysbench 1.0's output, line by line: options, a line for each interval, the final report, which existing parsers read (source:
// sysbench db_driver.c, sysbench.c). The command line prints these lines; the page gets them with the run result and
// with each interval, so both say the same to the byte.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/run_figures.h"
#include "api/run_spec.h"

namespace latchscope::api {

using Lines = std::vector<std::string>;

Lines sysbench_header(const RunSpec& spec);
// "[ 2s ] thds: 8 tps: 123.45 qps: 2469.00 (r/w/o: 1728.30/493.80/246.90) lat (ms,95%): 70.55 err/s: 0.00 reconn/s: 0.00"
// Nothing for what is left at the end of a run and is shorter than half an interval: sysbench has no line for it either.
std::optional<std::string> sysbench_interval_line(const Interval& interval, const RunSpec& spec);
Lines sysbench_final_report(const RunFigures& figures, const RunSpec& spec);

}  // namespace latchscope::api
