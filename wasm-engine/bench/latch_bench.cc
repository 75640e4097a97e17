// The cost of each latch, uncontended and contended, on the platform it is compiled for. Prints a
// JSON line per latch and number of threads:
//
//     ns               from one acquisition to the next, by any thread
//     cpu_ns           CPU time of all threads per acquisition, spinning included
//     events           of the modelled server, per acquisition
//     events_per_cpu_s events that the host handles in a second of its CPU time
//
// A single thread takes and releases the latch and does no other work. Several threads compete for
// it: each holds it for 60 ns and then does 200 ns of work of its own.
//
//   latch_bench <milliseconds> <threads> ... [-- <name> <program> ...]
//
// Latches of the lab follow --: for each, its name and the file with its program as JSON
// (run/lab_program.h).
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "bench/program_file.h"
#include "lab/lab_latch.h"
#include "latch/counting_semaphore.h"
#include "latch/mysql_mutex.h"
#include "latch/os_event.h"
#include "latch/os_mutex.h"
#include "latch/rw_lock.h"
#include "latch/sharded_rw_lock.h"
#include "latch/sync_array.h"
#include "latch/sys_mutex.h"
#include "latch/ttas_event_mutex.h"
#include "platform/platform.h"
#include "telemetry/telemetry.h"

namespace {

using namespace latchscope;

constexpr uint64_t kHoldNs = 60;
constexpr uint64_t kThinkNs = 200;
constexpr uint32_t kShards = 64;
constexpr uint32_t kReadsPerWrite = 16;
constexpr uint64_t kLookNs = 100'000;
constexpr uint32_t kLooksMax = 50;
constexpr uint32_t kMillisecondsMax = 60'000;
// The last slot belongs to the observing thread.
constexpr uint32_t kThreadsMax = telemetry::kThreadSlots - 1;

const telemetry::LatchSite kSite("bench_latch", "latch_bench");

// One of the threads that compete for the latch.
struct Contender {
  uint32_t thread;
  bool is_alone;
  uint64_t acquisitions = 0;

  void hold() const {
    if (!is_alone) platform::charge(kHoldNs);
  }
  void think() const {
    if (!is_alone) platform::charge(kThinkNs);
  }
};

// --- latches -------------------------------------------------------------------------------------

// Builds a latch: in shards, with its environment, with one unit, or without arguments.
template <class Latch>
Latch build(latch::LatchEnvironment& latches) {
  if constexpr (std::is_constructible_v<Latch, latch::LatchEnvironment&, uint32_t>) {
    return Latch(latches, kShards);
  } else if constexpr (std::is_constructible_v<Latch, latch::LatchEnvironment&>) {
    return Latch(latches);
  } else if constexpr (std::is_constructible_v<Latch, uint32_t>) {
    return Latch(1);
  } else {
    return Latch();
  }
}

// A latch, and a way to acquire, hold and release it.
template <class Latch, auto kAcquire>
struct Bench {
  explicit Bench(latch::LatchEnvironment& latches) : latch(build<Latch>(latches)) {}
  void acquire(const Contender& contender) { kAcquire(latch, contender); }
  Latch latch;
};

template <class Guard>
constexpr auto kGuarded = [](auto& latch, const Contender& contender) {
  Guard guard(latch, kSite);
  contender.hold();
};

using OsMutexBench = Bench<latch::OsMutex, [](latch::OsMutex& mutex, const Contender& contender) {
  latch::OsMutexGuard guard(mutex);
  contender.hold();
}>;
using ShardedMutexBench =
    Bench<latch::ShardedMutex, [](latch::ShardedMutex& mutexes, const Contender& contender) {
      kGuarded<latch::MutexGuard>(mutexes.shard(contender.thread % kShards), contender);
    }>;
using RwLockSxBench = Bench<latch::RwLock, [](latch::RwLock& lock, const Contender& contender) {
  lock.sx_lock(kSite);
  contender.hold();
  lock.sx_unlock();
}>;
using RwLockMixedBench = Bench<latch::RwLock, [](latch::RwLock& lock, const Contender& contender) {
  if (contender.acquisitions % kReadsPerWrite == 0) {
    kGuarded<latch::ExclusiveGuard>(lock, contender);
  } else {
    kGuarded<latch::SharedGuard>(lock, contender);
  }
}>;

template <auto kLock>
constexpr auto kSharedShard = [](latch::ShardedRwLock& lock, const Contender& contender) {
  const uint32_t shard = (lock.*kLock)(kSite);
  contender.hold();
  lock.s_unlock(shard);
};
using ShardedRwLockXBench =
    Bench<latch::ShardedRwLock, [](latch::ShardedRwLock& lock, const Contender& contender) {
      lock.x_lock(kSite);
      contender.hold();
      lock.x_unlock();
    }>;
using CountingSemaphoreBench =
    Bench<latch::CountingSemaphore, [](latch::CountingSemaphore& semaphore, const Contender& contender) {
      semaphore.acquire(kSite, [](uint32_t /*attempt*/) {});
      contender.hold();
      semaphore.release();
    }>;
// No thread sleeps on this event: the bench measures the cost of setting it repeatedly.
using OsEventBench = Bench<latch::OsEvent, [](latch::OsEvent& event, const Contender& contender) {
  event.set();
  contender.hold();
  event.reset();
}>;

// The steps of a thread that decides to sleep, without the sleep.
struct SyncArrayBench {
  explicit SyncArrayBench(latch::LatchEnvironment& latches) : array(latches.sync_array) {}
  void acquire(const Contender& contender) {
    const latch::SyncArray::Cell cell = array.reserve(event);
    contender.hold();
    array.free(cell);
  }
  latch::SyncArray& array;
  latch::OsEvent event;
};

// A latch of the lab, as compiled instructions.
struct LabLatchBench {
  explicit LabLatchBench(latch::LatchEnvironment& /*latches*/) : latch(*program, kThreadsMax) {}
  void acquire(const Contender& contender) {
    latch.enter(kSite, contender.thread + 1);
    contender.hold();
    latch.exit(contender.thread + 1);
  }
  static inline const lab::Program* program = nullptr;
  lab::LabLatch latch;
};

// --- measuring -----------------------------------------------------------------------------------

struct Result {
  uint64_t began_ns = ~uint64_t{0};
  uint64_t ended_ns = 0;
  uint64_t acquisitions = 0;
  uint64_t cpu_ns = 0;

  void add(const Result& other) {
    began_ns = std::min(began_ns, other.began_ns);
    ended_ns = std::max(ended_ns, other.ended_ns);
    acquisitions += other.acquisitions;
    cpu_ns += other.cpu_ns;
  }
  double ns() const { return static_cast<double>(ended_ns - began_ns) / static_cast<double>(acquisitions); }
};

enum Phase : uint32_t { beginning, measuring, over };

// Counting begins once all threads are running.
struct Contest {
  explicit Contest(uint32_t threads) : has_begun(threads) {}

  bool have_all_begun() const {
    return std::all_of(has_begun.begin(), has_begun.end(), [](const auto& one) { return one.read() != 0; });
  }

  platform::Published<uint32_t> phase;
  std::vector<platform::Published<uint32_t>> has_begun;  // by thread
};

template <class Bench>
Result contend(Bench& bench, Contender contender, Contest& contest) {
  telemetry::ThreadScope scope({contender.thread, 0, contender.thread, /*seed=*/1});
  const auto acquire_while = [&](Phase phase) {
    do {
      bench.acquire(contender);
      ++contender.acquisitions;
      contender.think();
      contest.has_begun[contender.thread].set(1);
    } while (contest.phase.read() == phase);
  };
  acquire_while(beginning);
  contender.acquisitions = 0;
  const uint64_t began_ns = platform::now_ns();
  const uint64_t cpu_began_ns = platform::thread_cpu_ns();
  acquire_while(measuring);
  return {began_ns, platform::now_ns(), contender.acquisitions, platform::thread_cpu_ns() - cpu_began_ns};
}

// Events of the modelled server and CPU time of the process, since construction.
struct HostWork {
  uint64_t events_before = platform::model_totals().events;
  std::clock_t clock_before = std::clock();

  double events() const { return static_cast<double>(platform::model_totals().events - events_before); }
  double cpu_s() const { return static_cast<double>(std::clock() - clock_before) / CLOCKS_PER_SEC; }
};

void print(const char* latch, uint32_t threads, const Result& all, const HostWork& work) {
  const auto acquisitions = static_cast<double>(all.acquisitions);
  printf("{\"latch\":\"%s\",\"threads\":%u,\"ns\":%.3f,\"cpu_ns\":%.3f", latch, threads, all.ns(),
         static_cast<double>(all.cpu_ns) / acquisitions);
  if (platform::kIsModelled) {
    printf(",\"events\":%.3f,\"events_per_cpu_s\":%.0f", work.events() / acquisitions,
           work.events() / work.cpu_s());
  }
  printf("}\n");
  fflush(stdout);
}

template <class Bench>
void measure(const char* latch, uint32_t threads, uint32_t milliseconds) {
  platform::begin_run({});
  latch::LatchEnvironment latches(platform::kThreadsMax);
  Bench bench(latches);
  Contest contest(threads);
  std::vector<Result> results(threads);
  std::vector<platform::Thread> running;
  running.reserve(threads);
  for (uint32_t thread = 0; thread < threads; ++thread) {
    running.emplace_back([&, thread] { results[thread] = contend(bench, {thread, threads == 1}, contest); });
  }
  // An unfair latch may never let all threads in, so the wait for them is limited.
  for (uint32_t looks = 0; looks < kLooksMax && !contest.have_all_begun(); ++looks)
    platform::sleep_ns(kLookNs);
  const HostWork work;
  contest.phase.set(measuring);
  platform::sleep_ns(uint64_t{milliseconds} * 1'000'000);
  contest.phase.set(over);
  for (platform::Thread& thread : running)
    thread.join();
  Result all;
  for (const Result& result : results)
    all.add(result);
  print(latch, threads, all, work);
}

struct LatchToMeasure {
  const char* name;
  void (*measure)(const char* latch, uint32_t threads, uint32_t milliseconds);
};

constexpr LatchToMeasure kLatches[] = {
    {"OsMutex", measure<OsMutexBench>},
    {"SysMutex", measure<Bench<latch::SysMutex, kGuarded<latch::SysMutexGuard>>>},
    {"MysqlMutex", measure<Bench<latch::MysqlMutex, kGuarded<latch::MysqlMutexGuard>>>},
    {"TTASEventMutex", measure<Bench<latch::TTASEventMutex, kGuarded<latch::MutexGuard>>>},
    {"ShardedMutex, own shard", measure<ShardedMutexBench>},
    {"RwLock S", measure<Bench<latch::RwLock, kGuarded<latch::SharedGuard>>>},
    {"RwLock SX", measure<RwLockSxBench>},
    {"RwLock X", measure<Bench<latch::RwLock, kGuarded<latch::ExclusiveGuard>>>},
    {"RwLock, 1 X in 16", measure<RwLockMixedBench>},
    {"ShardedRwLock S", measure<Bench<latch::ShardedRwLock, kSharedShard<&latch::ShardedRwLock::s_lock>>>},
    {"ShardedRwLock S, own shard",
     measure<Bench<latch::ShardedRwLock, kSharedShard<&latch::ShardedRwLock::s_lock_own>>>},
    {"ShardedRwLock X", measure<ShardedRwLockXBench>},
    {"CountingSemaphore of 1", measure<CountingSemaphoreBench>},
    {"SyncArray, reserve and free", measure<SyncArrayBench>},
    {"OsEvent, set and reset", measure<OsEventBench>},
};

std::optional<uint32_t> number_of(const char* name, const char* text, uint32_t max) {
  uint32_t number = 0;
  const char* end = text + strlen(text);
  const auto [rest, error] = std::from_chars(text, end, number);
  if (error == std::errc() && rest == end && number >= 1 && number <= max) return number;
  fprintf(stderr, "%s: %s; allowed: a whole number from 1 to %u\n", name, text, max);
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kWrongArgument = 2;
  if (argc < 3) {
    fprintf(stderr, "latch_bench <milliseconds> <threads> ... [-- <name> <program> ...]\n");
    return kWrongArgument;
  }
  const auto milliseconds = number_of("milliseconds", argv[1], kMillisecondsMax);
  if (!milliseconds) return kWrongArgument;
  std::vector<uint32_t> numbers;
  int i = 2;
  for (; i < argc && strcmp(argv[i], "--") != 0; ++i) {
    const auto threads = number_of("threads", argv[i], kThreadsMax);
    if (!threads) return kWrongArgument;
    numbers.push_back(*threads);
  }
  telemetry::ThreadScope scope({kThreadsMax, 1, 0, 0});
  for (const LatchToMeasure& latch : kLatches) {
    for (const uint32_t threads : numbers)
      latch.measure(latch.name, threads, *milliseconds);
  }
  for (i += 1; i + 1 < argc; i += 2) {
    const auto program = bench::program_in(argv[i + 1]);
    if (!program) return kWrongArgument;
    LabLatchBench::program = &*program;
    for (const uint32_t threads : numbers)
      measure<LabLatchBench>(argv[i], threads, *milliseconds);
  }
  return 0;
}
