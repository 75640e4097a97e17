// Measures the speed of the modelled server on this host, with one latch that all threads want, in
// a loop. Prints a JSON line per number of threads: events, host seconds, the size of a thread's
// stack, and the memory of the process.
//
//   machine_bench [events] [threads ...]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "latch/ttas_event_mutex.h"
#include "platform/platform.h"
#include "platform/virtual/fiber_context.h"
#include "telemetry/telemetry.h"

namespace {

using namespace latchscope;

constexpr uint64_t kEventsDefault = 20'000'000;
constexpr uint64_t kThinkNs = 200;
constexpr uint64_t kHoldNs = 60;

const telemetry::LatchSite kSite("bench_mutex", "machine_bench");

struct Contest {
  Contest() : latches(platform::kThreadsMax), mutex(latches) {}
  latch::LatchEnvironment latches;
  latch::TTASEventMutex mutex;
  bool is_over = false;
};

void contend(Contest& contest, uint32_t ordinal) {
  telemetry::ThreadScope scope({ordinal, 0, ordinal, 1});
  while (!contest.is_over) {
    contest.mutex.enter(kSite);
    platform::charge(kHoldNs);
    contest.mutex.exit();
    platform::charge(kThinkNs);
  }
}

// Returns the resident memory as Linux counts it, in KiB; 0 where the host does not say.
long memory_kib() {
  constexpr long kPageKib = 4;
  long all = 0;
  long resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  if (fscanf(file, "%ld %ld", &all, &resident) != 2) resident = 0;
  fclose(file);
  return resident * kPageKib;
}

void measure(uint32_t threads, uint64_t events) {
  platform::begin_run({});
  Contest contest;
  std::vector<platform::Thread> running;
  for (uint32_t ordinal = 0; ordinal < threads; ++ordinal)
    running.emplace_back([&contest, ordinal] { contend(contest, ordinal); });
  const auto began = std::chrono::steady_clock::now();
  while (platform::model_totals().events < events)
    platform::sleep_ns(100'000);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  const platform::ModelTotals totals = platform::model_totals();
  const long memory = memory_kib();
  contest.is_over = true;
  for (platform::Thread& thread : running)
    thread.join();
  printf(
      "{\"threads\":%u,\"events\":%llu,\"host_s\":%.6f,\"events_per_s\":%.0f,\"fiber_switches\":%llu,"
      "\"stack_bytes\":%zu,\"memory_kib\":%ld}\n",
      threads, static_cast<unsigned long long>(totals.events), took.count(),
      static_cast<double>(totals.events) / took.count(),
      static_cast<unsigned long long>(totals.fiber_switches), platform::FiberContext::stack_bytes(), memory);
}

}  // namespace

int main(int argc, char** argv) {
  telemetry::ThreadScope scope({telemetry::kThreadSlots - 1, 1, 0, 0});
  const uint64_t events = argc > 1 ? strtoull(argv[1], nullptr, 10) : kEventsDefault;
  std::vector<uint32_t> numbers;
  for (int i = 2; i < argc; ++i)
    numbers.push_back(static_cast<uint32_t>(strtoul(argv[i], nullptr, 10)));
  if (numbers.empty()) numbers = {8, 32, 128, 512, 1024};
  for (uint32_t threads : numbers)
    measure(threads, events);
  return 0;
}
