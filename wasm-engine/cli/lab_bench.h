// latchscope lab bench: the performance of a lab latch as threads are added, on a modelled server.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.h"

namespace latchscope::cli {

struct CliLabBench {
  std::string program;  // a file, or - for standard input
  std::vector<uint32_t> threads;
  std::string server;
  std::optional<uint64_t> hold_ns, think_ns, shared_percent, duration_us, seed;
  std::string json_path;
};

void add_lab_bench_options(CLI::App& command, CliLabBench& arguments);
// Returns the exit code.
int lab_bench(const CliLabBench& arguments, Printed& printed);

}  // namespace latchscope::cli
