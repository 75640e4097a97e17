// sysbench 1.0's output, line by line: options, a line for each interval, the final report.
// Existing parsers can read it. The command line prints these lines. The page gets them with the
// run result and with each interval, so both are byte for byte the same.
//
// Source: sysbench db_driver.c, sysbench.c.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/run_figures.h"
#include "run/run_spec.h"

namespace latchscope::run {

using Lines = std::vector<std::string>;

Lines sysbench_header(const RunSpec& spec);
// Returns a line such as
//   [ 2s ] thds: 8 tps: 123.45 qps: 2469.00 (r/w/o: 1728.30/493.80/246.90)
//   lat (ms,95%): 70.55 err/s: 0.00 reconn/s: 0.00
// without the line break. Returns no line for a last part of a run shorter than half an interval,
// because sysbench prints none for it either.
std::optional<std::string> sysbench_interval_line(const Interval& interval, const RunSpec& spec);
Lines sysbench_final_report(const RunFigures& figures, const RunSpec& spec);

}  // namespace latchscope::run
