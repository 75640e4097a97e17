// Compares the speed of a workload file on the modelled server with the same workload in C++. Both
// have the same latches, times and draws, so both runs have the same events, in the same order: the
// hashes are equal. Prints a JSON line.
//
//   script_bench <compiled research/bench/lock-grant.workload (JSON)> [events]
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/program_file.h"
#include "latch/mysql_mutex.h"
#include "latch/rw_lock.h"
#include "latch/ttas_event_mutex.h"
#include "platform/platform.h"
#include "run/workload_program.h"
#include "telemetry/telemetry.h"
#include "workload/script_body.h"
#include "workload/script_draws.h"
#include "workload/script_scenario.h"

namespace {

using namespace latchscope;

constexpr int kBadUsage = 2;
constexpr uint64_t kEventsDefault = 10'000'000;
constexpr uint32_t kThreads = 32;
constexpr uint64_t kSeed = 1;
constexpr uint64_t kUs = 1'000'000;  // in picoseconds
constexpr uint32_t kSegments = 128;
constexpr uint64_t kOnePercent = workload::kSharePerUnit / 100;

struct Measured {
  double host_s;
  uint64_t transactions, events, hash;
};

// Runs `transaction(ordinal)` on all threads until the server has had enough events.
Measured measure(uint64_t events, const std::function<std::function<void()>(uint32_t)>& transactions_of) {
  bool is_over = false;
  uint64_t transactions = 0;
  std::vector<platform::Thread> running;
  for (uint32_t ordinal = 0; ordinal < kThreads; ++ordinal) {
    running.emplace_back([&, ordinal] {
      telemetry::ThreadScope scope({ordinal, 0, ordinal, kSeed});
      const std::function<void()> transaction = transactions_of(ordinal);
      while (!is_over) {
        transaction();
        ++transactions;
      }
    });
  }
  const auto began = std::chrono::steady_clock::now();
  while (platform::model_totals().events < events)
    platform::sleep_ns(100'000);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  const platform::ModelTotals totals = platform::model_totals();
  const uint64_t done = transactions;
  is_over = true;
  for (platform::Thread& thread : running)
    thread.join();
  return {took.count(), done, totals.events, totals.hash};
}

Measured measure_file(const workload::ScriptProgram& program, uint64_t events) {
  platform::begin_run({});
  telemetry::forget_names_of_run();
  workload::WorkloadConfig config{};
  config.script = std::make_shared<const workload::ScriptScenario>(program);
  config.manifest = &config.script->manifest();
  config.clients = kThreads;
  config.seed = kSeed;
  workload::ScriptWorld world(config, kThreads);
  world.use({});
  workload::ClientGate gate(kThreads);
  gate.open();
  return measure(events, [&](uint32_t ordinal) {
    auto body = std::make_shared<workload::ScriptBody>(world, 0, ordinal, ordinal + 1);
    return [body, &gate] { body->run_through(workload::ScriptOp::give_back, gate); };
  });
}

struct Names {
  telemetry::LatchSite check_grant{"LOCK_grant", "check_grant"};
  telemetry::LatchSite undo_assign{"rseg", "trx_undo_assign"};
  telemetry::LatchSite open_table{"LOCK_open", "open_table"};
  telemetry::Function execute{"execute"};
};

struct Server {
  Server() : environment(kThreads), grant(environment) {
    for (uint32_t i = 0; i < kSegments; ++i)
      segments.push_back(std::make_unique<latch::TTASEventMutex>(environment));
  }
  Names names;
  latch::LatchEnvironment environment;
  latch::RwLock grant;
  std::vector<std::unique_ptr<latch::TTASEventMutex>> segments;
  latch::MysqlMutex open;
};

void statement(Server& server, platform::Random& random) {
  {
    telemetry::Frame frame(server.names.check_grant);
    latch::SharedGuard guard(server.grant, server.names.check_grant);
    platform::charge_ps(300'000);
  }
  {
    telemetry::Frame frame(server.names.execute);
    platform::charge_ps(workload::draw_exponential(random, 5 * kUs));
  }
  const auto segment = static_cast<uint32_t>(workload::draw_uniform(random, kSegments));
  {
    telemetry::Frame frame(server.names.undo_assign);
    latch::MutexGuard guard(*server.segments[segment], server.names.undo_assign);
    platform::charge_ps(200'000);
  }
  if (workload::draw_chance(random, kOnePercent) != 0) {
    telemetry::Frame frame(server.names.open_table);
    latch::MysqlMutexGuard guard(server.open, server.names.open_table);
    platform::charge_ps(2 * kUs);
  }
}

void think(uint64_t duration_ps) {
  telemetry::StateScope state(telemetry::ThreadState::sleeping);
  platform::await_message_ps(duration_ps);
}

Measured measure_cpp(uint64_t events) {
  platform::begin_run({});
  telemetry::forget_names_of_run();
  Server server;
  return measure(events, [&](uint32_t ordinal) {
    return [&server, ordinal, repetition = uint64_t{0}]() mutable {
      platform::Random random = workload::random_of(kSeed, 0, ordinal, repetition++);
      statement(server, random);
      think(workload::draw_exponential(random, 10 * kUs));
    };
  });
}

}  // namespace

int main(int argc, char** argv) {
  telemetry::ThreadScope scope({telemetry::kThreadSlots - 1, 1, 0, 0});
  if (argc < 2) {
    fprintf(stderr, "script_bench: the compiled workload file is missing\n");
    return kBadUsage;
  }
  const auto read = run::read_workload_program(bench::text_in(argv[1]));
  if (!read.program) {
    fprintf(stderr, "%s: %s\n", argv[1], read.errors.front().sentence().c_str());
    return kBadUsage;
  }
  const uint64_t events = argc > 2 ? strtoull(argv[2], nullptr, 10) : kEventsDefault;
  const Measured cpp = measure_cpp(events);
  const Measured file = measure_file(*read.program, events);
  printf("{\"events\":%" PRIu64 ",\"transactions\":%" PRIu64
         ",\"cpp_s\":%.6f,\"file_s\":%.6f,\"same_events\":%s}\n",
         file.events, file.transactions, cpp.host_s, file.host_s, file.hash == cpp.hash ? "true" : "false");
  return 0;
}
