// Measures the lab's checker: random schedules per second of CPU time, and states per second when
// it tries every schedule. Prints a JSON line per latch:
//
//   check_bench <schedules> <name> <program> ...
//
// For each latch: its name, and the file with its program as JSON (run/lab_program.h).
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <optional>
#include <utility>

#include "bench/program_file.h"
#include "lab/check_random.h"
#include "lab/check_search.h"

namespace {

using namespace latchscope;

constexpr uint32_t kSchedulesMax = 100'000'000;
constexpr uint32_t kStatesMax = 300'000;
constexpr uint32_t kSearchedThreads = 3;
constexpr double kSearchSecondsMin = 0.2;

// CPU time, so that other load on the machine does not count.
class Stopwatch {
 public:
  double seconds() const { return static_cast<double>(std::clock() - began_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t began_ = std::clock();
};

struct Schedules {
  uint64_t schedules, steps;
  double seconds;
};

// Runs schedules as lab check does: 3 to 6 threads, three rounds, both memory models.
Schedules run_schedules(const lab::CheckedProgram& program, uint32_t schedules) {
  lab::RandomLimits limits;
  limits.threads_max = program.threads_max();
  limits.threads_min = std::min(limits.threads_min, limits.threads_max);
  lab::RandomSchedules random(program, limits);
  const Stopwatch stopwatch;
  for (uint32_t number = 0; number < schedules && !random.found(); ++number)
    random.run(number);
  return {random.schedules(), random.steps(), stopwatch.seconds()};
}

double states_per_s(const lab::CheckedProgram& program) {
  lab::Configuration configuration;
  configuration.threads = std::min(kSearchedThreads, program.threads_max());
  configuration.rounds = 2;
  const lab::CheckedMachine machine(program, configuration);
  lab::SearchLimits limits;
  limits.states = kStatesMax;
  uint64_t states = 0;
  const Stopwatch stopwatch;
  do {
    lab::Search search(machine, limits, /*keeps_states=*/false);
    search.go_on(kStatesMax);
    states += search.states();
  } while (stopwatch.seconds() < kSearchSecondsMin);
  return static_cast<double>(states) / stopwatch.seconds();
}

void measure(const char* name, lab::Program program, uint32_t schedules) {
  const lab::CheckedProgram checked(std::move(program));
  const Schedules done = run_schedules(checked, schedules);
  const auto number = static_cast<double>(done.schedules);
  printf(
      "{\"latch\":\"%s\",\"schedules_per_s\":%.0f,\"steps_per_schedule\":%.1f,\"ns_per_step\":%.1f,"
      "\"states_per_s\":%.0f}\n",
      name, number / done.seconds, static_cast<double>(done.steps) / number,
      done.seconds * 1e9 / static_cast<double>(done.steps), states_per_s(checked));
  fflush(stdout);
}

std::optional<uint32_t> schedules_of(const char* text) {
  uint32_t number = 0;
  const char* end = text + strlen(text);
  const auto [rest, error] = std::from_chars(text, end, number);
  if (error == std::errc() && rest == end && number >= 1 && number <= kSchedulesMax) return number;
  fprintf(stderr, "schedules: %s; allowed: a whole number from 1 to %u\n", text, kSchedulesMax);
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kWrongArgument = 2;
  if (argc < 4) {
    fprintf(stderr, "check_bench <schedules> <name> <program> ...\n");
    return kWrongArgument;
  }
  const auto schedules = schedules_of(argv[1]);
  if (!schedules) return kWrongArgument;
  for (int i = 2; i + 1 < argc; i += 2) {
    auto program = bench::program_in(argv[i + 1]);
    if (!program) return kWrongArgument;
    measure(argv[i], std::move(*program), *schedules);
  }
  return 0;
}
