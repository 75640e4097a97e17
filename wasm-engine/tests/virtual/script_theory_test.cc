// Workload files against queueing theory, on a machine where only work and waiting take time.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "explain/transaction_chain.h"
#include "telemetry/chronicle.h"
#include "tests/scenario_run.h"
#include "tests/script_assembler.h"
#include "workload/script_scenario.h"

namespace latchscope {

namespace {

using tests::kUs;
using tests::ScenarioRun;
using tests::ScriptAssembler;
using tests::spec_of;
using workload::ScriptKind;
using workload::ScriptLatchKind;
using Op = workload::ScriptOp;

std::string on_ideal_machine(double seconds, uint32_t threads, uint32_t seed = 1) {
  return R"("server":"ideal-machine","duration_s":)" + std::to_string(seconds) + R"(,"threads":)" +
         std::to_string(threads) + R"(,"seed":)" + std::to_string(seed);
}

const run::RunFigures& figures_after(ScenarioRun& run) {
  run.run_until([&] { return run.engine.state() == telemetry::RunState::finished; });
  tests::expect_invariants_hold(run.engine);
  return run.engine.figures();
}

TEST(ScriptTheory, OneThreadTakesTheSumOfItsTimes) {
  ScriptAssembler script;
  const ScriptKind kinds[] = {{ScriptLatchKind::innodb_mutex, 0},    {ScriptLatchKind::innodb_rw_lock, 0},
                              {ScriptLatchKind::sharded_rw_lock, 8}, {ScriptLatchKind::pthread_mutex, 0},
                              {ScriptLatchKind::semaphore, 3},       {ScriptLatchKind::none, 0}};
  std::vector<uint32_t> latches;
  for (const ScriptKind& kind : kinds)
    latches.push_back(script.latch(std::string(name_of(kind.kind)).c_str(), kind));
  script.group("client", 1);
  script.transaction_begin();
  for (const uint32_t latch : latches) {
    script.enter(latch);
    script.spend(Op::work, kUs + 3);
    script.leave();
  }
  script.spend(Op::sleep, kUs);
  script.transaction_end();
  script.spend(Op::think, 3 * kUs - 18);
  ScenarioRun run(spec_of(script.program(), on_ideal_machine(0.1, 1)));
  // 6 x (1 us + 3 ps) + 1 us + 3 us - 18 ps = 10 us.
  EXPECT_EQ(figures_after(run).totals.transactions, 10'000u);
}

TEST(ScriptTheory, AThreadStartsAtItsRateAndSkipsWhatItMisses) {
  ScriptAssembler script;
  const uint32_t starts = script.counter("starts"), late = script.counter("late");
  script.group("client", 1);
  script.transaction_begin();
  script.spend(Op::sleep, 1'000 * kUs);
  script.transaction_end();
  script.thread("often", workload::ScriptRuns::every, 100 * kUs);
  script.count(starts);
  script.spend(Op::work, 30 * kUs);
  script.thread("long", workload::ScriptRuns::every, 100 * kUs);
  script.count(late);
  script.spend(Op::work, 250 * kUs);
  ScenarioRun run(spec_of(script.program(), on_ideal_machine(0.01, 1)));
  figures_after(run);
  // After 100, 200, ... us; the other one after 100, 400, 700, ... us.
  EXPECT_NEAR(static_cast<double>(telemetry::counter_of_script(starts - 1)), 100, 1);
  EXPECT_NEAR(static_cast<double>(telemetry::counter_of_script(late - 1)), 33, 1);
}

// Four clients read 1.5 MB again and again for a second.
uint64_t reads_in_a_second(workload::ScriptDeviceKind kind, uint64_t latency_ps) {
  ScriptAssembler script;
  const uint32_t device = script.device("device", kind, latency_ps);
  script.group("client", 4);
  script.transaction_begin();
  script.add(Op::io, 0, script.constant(1'500'000), 0, device);
  script.transaction_end();
  ScenarioRun run(spec_of(script.program(), on_ideal_machine(1, 4)));
  return figures_after(run).totals.transactions;
}

TEST(ScriptTheory, DevicesTakeTheirTime) {
  // One request after the other, each 8 ms and 1.5 MB at 150 MB/s.
  EXPECT_EQ(reads_in_a_second(workload::ScriptDeviceKind::hdd, 0), 55u);
  // All at once, whatever their size.
  EXPECT_NEAR(static_cast<double>(reads_in_a_second(workload::ScriptDeviceKind::network, 250 * kUs)), 16'000,
              4);
}

// Two words that two threads change: on one line they wait for each other.
TEST(ScriptTheory, WordsOnOneLineCostTransfers) {
  std::vector<uint64_t> done;
  for (const char* design : {"apart", "together"}) {
    ScriptAssembler script;
    const uint32_t a = script.word("a"), b = script.word("b");
    script.shared_line("layout", {a, b});
    script.group("client", 2);
    script.transaction_begin();
    const uint8_t unused = script.take_register(), one = script.constant(1);
    const uint32_t first = script.jump_if_zero(script.compute(Op::equal, workload::kScriptThreadNumber, one));
    script.change(Op::fetch_add, a, unused, one);
    const uint32_t to_end = script.jump();
    script.lands_here(first);
    script.change(Op::fetch_add, b, unused, one);
    script.lands_here(to_end);
    script.transaction_end();
    ScenarioRun run(spec_of(script.program(), R"("duration_s":0.001,"threads":2)"));
    run.set_knob("layout", design);
    done.push_back(figures_after(run).totals.transactions);
  }
  EXPECT_GT(done[0], 2 * done[1]);
}

constexpr uint32_t kClients = 12;

// The closed queue M/M/c//N: N clients think for Z, then need one of c servers for S.
double machine_repair_rate(uint32_t servers, uint32_t clients, double service, double think) {
  double weight = 1, sum = 0, busy = 0;
  for (uint32_t in_service = 0; in_service <= clients; ++in_service) {
    if (in_service > 0)
      weight *= (clients - in_service + 1) * service / think / std::min(in_service, servers);
    sum += weight;
    busy += weight * std::min(in_service, servers);
  }
  return busy / sum / service;
}

workload::ScriptProgram queue(const ScriptKind& kind, uint64_t service_ps, uint64_t think_ps) {
  ScriptAssembler script;
  const uint32_t latch = script.latch("station", kind);
  script.group("client", 8);
  script.transaction_begin();
  script.enter(latch);
  script.spend_exponential(Op::work, service_ps);
  script.leave();
  script.transaction_end();
  script.spend_exponential(Op::think, think_ps);
  return script.program();
}

TEST(ScriptTheory, AClosedQueueHasItsThroughput) {
  struct Case {
    ScriptKind kind;
    uint32_t servers;
  };
  for (const Case& one :
       {Case{{ScriptLatchKind::pthread_mutex, 0}, 1}, Case{{ScriptLatchKind::semaphore, 1}, 1},
        Case{{ScriptLatchKind::semaphore, 3}, 3}}) {
    ScenarioRun run(spec_of(queue(one.kind, 10 * kUs, 50 * kUs), on_ideal_machine(0.5, kClients)));
    const double expected = 0.5 * machine_repair_rate(one.servers, kClients, 10e-6, 50e-6);
    const auto transactions = static_cast<double>(figures_after(run).totals.transactions);
    // The standard deviation of the count is at most that of a Poisson process.
    EXPECT_NEAR(transactions, expected, 4 * std::sqrt(expected)) << one.servers << " servers";
  }
}

constexpr double kService = 10e-6, kThink = 50e-6;  // seconds

workload::ScriptProgram one_station() {
  return queue({ScriptLatchKind::pthread_mutex, 0}, 10 * kUs, 50 * kUs);
}

TEST(ScriptTheory, LittlesLawHolds) {
  ScenarioRun run(spec_of(one_station(), on_ideal_machine(0.5, kClients)));
  const run::RunFigures& figures = figures_after(run);
  const double rate = static_cast<double>(figures.totals.transactions) / 0.5;
  // N = X (R + Z)
  EXPECT_NEAR(
      rate * (figures.latency_sum_ms / 1e3 / static_cast<double>(figures.totals.transactions) + kThink),
      kClients, 0.005 * kClients);
}

telemetry::LatchSiteSum sums_of(std::string_view latch) {
  for (uint32_t site = 0; site < telemetry::latch_sites_count(); ++site) {
    if (telemetry::latch_name_of_site(site) == latch) return telemetry::latch_site_total(site);
  }
  ADD_FAILURE() << "no latch " << latch;
  return {};
}

TEST(ScriptTheory, AnArrivalSeesTheQueueOfTheOthers) {
  ScenarioRun run(spec_of(one_station(), on_ideal_machine(0.5, kClients)));
  figures_after(run);
  const telemetry::LatchSiteSum station = sums_of("station");
  const double others = machine_repair_rate(1, kClients - 1, kService, kThink) * kService;
  EXPECT_NEAR(static_cast<double>(station.contended) / static_cast<double>(station.acquisitions), others,
              0.01);
}

TEST(ScriptTheory, UtilizationIsRateTimesService) {
  ScenarioRun run(spec_of(one_station(), on_ideal_machine(0.5, kClients)));
  const double rate = static_cast<double>(figures_after(run).totals.transactions) / 0.5;
  const double held = static_cast<double>(sums_of("station").hold_ns) / 1e9 / 0.5;
  EXPECT_NEAR(held, rate * kService, 0.01 * held);
}

// Exact mean value analysis of stations with one server each (Reiser and Lavenberg 1980).
double mva_rate(const std::vector<double>& services, double think, uint32_t clients) {
  std::vector<double> queues(services.size(), 0);
  double rate = 0;
  for (uint32_t n = 1; n <= clients; ++n) {
    double cycle = think;
    std::vector<double> times;
    for (size_t i = 0; i < services.size(); ++i)
      cycle += times.emplace_back(services[i] * (1 + queues[i]));
    rate = n / cycle;
    for (size_t i = 0; i < services.size(); ++i)
      queues[i] = rate * times[i];
  }
  return rate;
}

TEST(ScriptTheory, TwoStationsHaveTheThroughputOfMeanValueAnalysis) {
  ScriptAssembler script;
  const uint32_t first = script.latch("first", {ScriptLatchKind::pthread_mutex, 0});
  const uint32_t second = script.latch("second", {ScriptLatchKind::semaphore, 1});
  script.group("client", 8);
  script.transaction_begin();
  for (const auto& [latch, mean_ps] : {std::pair{first, 10 * kUs}, std::pair{second, 15 * kUs}}) {
    script.enter(latch);
    script.spend_exponential(Op::work, mean_ps);
    script.leave();
  }
  script.transaction_end();
  script.spend_exponential(Op::think, 40 * kUs);
  ScenarioRun run(spec_of(script.program(), on_ideal_machine(0.5, 6)));
  const double expected = 0.5 * mva_rate({10e-6, 15e-6}, 40e-6, 6);
  EXPECT_NEAR(static_cast<double>(figures_after(run).totals.transactions), expected, 4 * std::sqrt(expected));
}

// --- requests that arrive by themselves ---------------------------------------------------------

// Clients that do nothing but serve requests. Each takes one server for its service.
workload::ScriptProgram open_queue(const ScriptKind& kind, Op arrival, uint64_t interval_ps, Op service,
                                   uint64_t service_ps) {
  ScriptAssembler script;
  const uint32_t latch = script.latch("station", kind);
  script.group("client", 64);
  script.add(arrival, 0, script.constant(interval_ps));
  script.transaction_begin();
  script.enter(latch);
  if (service == Op::exponential) {
    script.spend_exponential(Op::work, service_ps);
  } else {
    script.spend(Op::work, service_ps);
  }
  script.leave();
  script.transaction_end();
  return script.program();
}

// One client, a request every 10 us, and 15 us for each: request n waits for 5 (n - 1) us.
TEST(ScriptTheory, LatencyCountsFromTheArrivalAndExplainSaysWhoWasServedFirst) {
  telemetry::Chronicle chronicle({{0, telemetry::kNotYetPs}});
  ScenarioRun run(
      spec_of(open_queue({ScriptLatchKind::none, 0}, Op::arrive, 10 * kUs, Op::constant, 15 * kUs),
              on_ideal_machine(0.001, 1)));
  figures_after(run);
  chronicle.bring_up_to_now();
  explain::ChainReader reader(chronicle);
  ASSERT_GE(chronicle.transactions().size(), 60u);
  double sum_ms = 0;
  for (const telemetry::Transaction& transaction : chronicle.transactions()) {
    const uint64_t waited_ps = 5 * kUs * (transaction.ordinal - 1);
    EXPECT_EQ(transaction.latency_ps(), waited_ps + 15 * kUs);
    sum_ms += static_cast<double>(transaction.latency_ps()) / 1e9;
    const std::vector<explain::Part> parts = reader.explain(transaction).parts;
    uint64_t covered_ps = 0;
    for (const explain::Part& part : parts)
      covered_ps += part.ps();
    EXPECT_EQ(covered_ps, transaction.latency_ps());
    if (transaction.ordinal == 1) continue;
    EXPECT_EQ(parts.at(0).behind, explain::Behind::earlier);
    EXPECT_EQ(parts.at(0).ps(), waited_ps);
    uint64_t chain_ps = 0;
    for (const explain::Part& part : parts.at(0).chain)
      chain_ps += part.ps();
    EXPECT_EQ(chain_ps, waited_ps);
  }
  EXPECT_NEAR(run.engine.figures().latency_sum_ms, sum_ms, 0.001 * sum_ms)
      << "the histogram and Explain agree";
}

// A thread of the server does each client's work, and then wakes it.
TEST(ScriptTheory, ExplainFollowsTheWakerOfAnEventAndTheLeader) {
  ScriptAssembler script;
  const uint32_t asked = script.word("asked"), done = script.word("done");
  script.group("client", 1);
  script.transaction_begin();
  const uint8_t unused = script.take_register(), one = script.constant(1), found = script.take_register();
  script.add(Op::led_by, 0, script.compute(Op::equal, one, script.constant(2)));  // no leader
  const uint32_t is_second = script.jump_if_zero(script.compute(Op::chance, script.constant(500'000)));
  script.add(Op::led_by, 0, script.constant(2));
  script.lands_here(is_second);
  script.change(Op::fetch_add, asked, unused, one);
  script.change(Op::futex_wake, asked, unused, one);
  const uint32_t again = script.here();
  script.change(Op::load, done, found, 0);
  const uint32_t waits = script.jump_if_zero(found);
  script.change(Op::store, done, 0, script.constant(0));
  const uint32_t to_end = script.jump();
  script.lands_here(waits);
  script.change(Op::futex_wait, done, 0, script.constant(0));
  script.jump(again);
  script.lands_here(to_end);
  script.transaction_end();
  script.group("leader", 1, false);
  script.change(Op::load, asked, found, 0);
  const uint32_t sleeps = script.jump_if_zero(found);
  script.change(Op::store, asked, 0, script.constant(0));
  script.spend(Op::work, 30 * kUs);
  script.change(Op::store, done, 0, script.constant(1));
  script.change(Op::futex_wake, done, script.take_register(), script.constant(1));
  const uint32_t goes_on = script.jump();
  script.lands_here(sleeps);
  script.change(Op::futex_wait, asked, 0, script.constant(0));
  script.lands_here(goes_on);
  telemetry::Chronicle chronicle({{0, telemetry::kNotYetPs}});
  ScenarioRun run(spec_of(script.program(), R"("duration_s":0.02,"threads":1)"));
  figures_after(run);
  chronicle.bring_up_to_now();
  explain::ChainReader reader(chronicle);
  uint32_t by_waker = 0, by_leader = 0;
  for (const telemetry::Transaction& transaction : chronicle.transactions()) {
    for (const explain::Part& part : reader.explain(transaction).parts) {
      if (!explain::is_thread(part.behind)) continue;
      EXPECT_EQ(telemetry::latch_name_of_site(part.site - 1), std::string("done"));
      EXPECT_EQ(part.behind_slot, 1u) << "the leader";
      uint64_t running_ps = 0;
      for (const explain::Part& of_leader : part.chain)
        running_ps += of_leader.state == telemetry::ThreadState::running ? of_leader.ps() : 0;
      EXPECT_GT(running_ps, part.ps() / 2);
      ++(part.behind == explain::Behind::leader ? by_leader : by_waker);
      EXPECT_EQ(part.state, part.behind == explain::Behind::leader ? telemetry::ThreadState::following
                                                                   : telemetry::ThreadState::waiting);
    }
  }
  EXPECT_GT(by_waker, 50u);
  EXPECT_GT(by_leader, 50u);
}

TEST(ScriptTheory, RequestsDoNotArriveWhileTheClientsStandStill) {
  ScriptAssembler script;
  const uint32_t word = script.word("word");
  script.latch_of_knob("kind", {{ScriptLatchKind::none, 0}, {ScriptLatchKind::pthread_mutex, 0}});
  script.group("client", 2);
  script.add(Op::arrive, 0, script.constant(100 * kUs));
  script.transaction_begin();
  script.change(Op::fetch_add, word, script.take_register(), script.constant(1));
  script.transaction_end();
  ScenarioRun run(spec_of(script.program(), on_ideal_machine(1, 2)));
  run.run_transactions(50);
  run.engine.pause();
  telemetry::sleep_ns(500'000'000);
  run.engine.resume();
  run.run_transactions(50);
  run.engine.stop();
  // Without the pause's requests, which would be 5,000 of up to half a second each.
  EXPECT_LT(run.engine.figures().latency_sum_ms, 1);
}

struct Estimate {
  double mean, half_width;  // of an interval with the quantile t
};

Estimate estimate_of(const std::vector<double>& values, double t) {
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values)
    sum += value;
  const double mean = sum / count;
  for (const double value : values)
    squares += (value - mean) * (value - mean);
  return {mean, t * std::sqrt(squares / (count - 1) / count)};
}

constexpr uint32_t kSeeds = 30;
constexpr double kT999Of29 = 3.659;  // Student's t, two-sided

TEST(ScriptTheory, IntervalsOfThirtySeedsCoverTheThroughput) {
  constexpr double kT95Of18 = 2.101;  // Student's t, two-sided
  const double expected = machine_repair_rate(1, kClients, kService, kThink);
  std::vector<double> means;
  uint32_t covering = 0;
  for (uint32_t seed = 1; seed <= kSeeds; ++seed) {
    ScenarioRun run(spec_of(one_station(), on_ideal_machine(0.1, kClients, seed) + R"(,"interval_s":0.005)"));
    figures_after(run);
    std::vector<double> rates;
    for (const run::Interval& interval : run.engine.intervals())
      rates.push_back(interval.per_s.transactions);
    rates.erase(rates.begin());  // the clients begin at once
    ASSERT_EQ(rates.size(), 19u);
    const Estimate of_run = estimate_of(rates, kT95Of18);
    means.push_back(of_run.mean);
    if (std::abs(of_run.mean - expected) <= of_run.half_width) ++covering;
  }
  const Estimate of_all = estimate_of(means, kT999Of29);
  EXPECT_LE(std::abs(of_all.mean - expected), of_all.half_width);
  EXPECT_GE(covering, 25u);
}

// --- open queues ---------------------------------------------------------------------------------

constexpr uint64_t kMeanServicePs = 10 * kUs;
constexpr double kLoad = 0.6;  // of each server
constexpr uint32_t kManyClients = 32;

double factorial(uint32_t n) {
  return std::tgamma(n + 1.0);
}

// Returns the share of requests that find all servers busy and are lost (M/M/c/c).
double erlang_b(uint32_t servers, double offered) {
  double sum = 0;
  for (uint32_t busy = 0; busy <= servers; ++busy)
    sum += std::pow(offered, busy) / factorial(busy);
  return std::pow(offered, servers) / factorial(servers) / sum;
}

// Returns the share of requests that wait (M/M/c).
double erlang_c(uint32_t servers, double offered) {
  const double lost = erlang_b(servers, offered), load = offered / servers;
  return lost / (1 - load * (1 - lost));
}

// Returns the mean wait in seconds (M/M/c).
double wait_of_mmc(uint32_t servers, double load) {
  return erlang_c(servers, load * servers) * kService / (servers * (1 - load));
}

// Returns the mean wait in seconds behind one server, by Pollaczek and Khinchine (M/G/1).
double wait_of_mg1(double load, double variation) {
  return load / (1 - load) * kService * (1 + variation * variation) / 2;
}

enum class Service : uint8_t { constant, exponential, lognormal };

struct OpenQueue {
  ScriptKind kind;                  // of the station that requests take
  uint32_t servers = 1;             // of the station
  uint32_t clients = kManyClients;  // requests wait for a free client, then for the station
  Service service = Service::exponential;
  uint64_t variation = 1'000'000;  // of lognormal service, in parts per million
};

workload::ScriptProgram program_of(const OpenQueue& queue, double load) {
  ScriptAssembler script;
  const uint32_t latch = script.latch("station", queue.kind);
  const auto interval_ps =
      static_cast<uint64_t>(static_cast<double>(kMeanServicePs) / (load * queue.servers));
  script.group("client", queue.clients);
  script.add(Op::arrive_exponential, 0, script.constant(interval_ps));
  script.transaction_begin();
  script.enter(latch);
  if (queue.service == Service::lognormal) {
    const uint8_t mean = script.constant(kMeanServicePs), variation = script.constant(queue.variation);
    script.add(Op::work, 0, script.compute(Op::lognormal, mean, variation));
  } else if (queue.service == Service::exponential) {
    script.spend_exponential(Op::work, kMeanServicePs);
  } else {
    script.spend(Op::work, kMeanServicePs);
  }
  script.leave();
  script.transaction_end();
  return script.program();
}

double mean_latency_s(const run::RunFigures& figures) {
  return figures.latency_sum_ms / 1e3 / static_cast<double>(figures.totals.transactions);
}

// Runs each seed for `seconds`, and expects the mean of `measure` to be `expected`.
template <class Measure>
void expect_over_seeds(const workload::ScriptProgram& program, double seconds, uint32_t clients,
                       double expected, Measure measure) {
  std::vector<double> values;
  for (uint32_t seed = 1; seed <= kSeeds; ++seed) {
    ScenarioRun run(spec_of(program, on_ideal_machine(seconds, clients, seed)));
    values.push_back(measure(figures_after(run)));
  }
  const Estimate found = estimate_of(values, kT999Of29);
  EXPECT_LE(std::abs(found.mean - expected), found.half_width)
      << found.mean << " +- " << found.half_width << ", not " << expected;
  EXPECT_LT(found.half_width, 0.1 * expected) << "the interval is narrow enough to say something";
}

void expect_wait(const OpenQueue& queue, double seconds, double expected_s) {
  SCOPED_TRACE(std::string(name_of(queue.kind.kind)) + ", " + std::to_string(queue.clients) + " clients");
  expect_over_seeds(program_of(queue, kLoad), seconds, queue.clients, expected_s,
                    [](const run::RunFigures& figures) { return mean_latency_s(figures) - kService; });
}

constexpr ScriptKind kNoLatch{ScriptLatchKind::none, 0}, kPthread{ScriptLatchKind::pthread_mutex, 0};

// Requests wait for the only client, or 32 clients wait for a latch.
TEST(ScriptTheory, OneServerHasTheWaitOfMM1) {
  expect_wait({.kind = kNoLatch, .clients = 1}, 0.2, wait_of_mmc(1, kLoad));
  expect_wait({.kind = kPthread}, 0.2, wait_of_mmc(1, kLoad));
}

TEST(ScriptTheory, SeveralServersHaveTheWaitOfErlangC) {
  expect_wait({.kind = kNoLatch, .servers = 3, .clients = 3}, 0.2, wait_of_mmc(3, kLoad));
  expect_wait({.kind = {ScriptLatchKind::semaphore, 3}, .servers = 3}, 0.2, wait_of_mmc(3, kLoad));
}

TEST(ScriptTheory, OtherServiceTimesHaveTheWaitOfPollaczekAndKhinchine) {
  EXPECT_DOUBLE_EQ(wait_of_mg1(kLoad, 1), wait_of_mmc(1, kLoad));
  expect_wait({.kind = kNoLatch, .clients = 1, .service = Service::constant}, 0.2, wait_of_mg1(kLoad, 0));
  expect_wait({.kind = kPthread, .service = Service::constant}, 0.2, wait_of_mg1(kLoad, 0));
  expect_wait({.kind = kNoLatch, .clients = 1, .service = Service::lognormal, .variation = 1'500'000}, 0.3,
              wait_of_mg1(kLoad, 1.5));
}

// The share of requests that wait at all, which a queue in another order would leave alone, too.
TEST(ScriptTheory, AnArrivalFindsTheServerBusyAsOftenAsItIs) {
  expect_over_seeds(
      program_of({.kind = kPthread}, kLoad), 0.1, kManyClients, kLoad, [](const run::RunFigures&) {
        const telemetry::LatchSiteSum station = sums_of("station");
        return static_cast<double>(station.contended) / static_cast<double>(station.acquisitions);
      });
}

TEST(ScriptTheory, RequestsThatFindAllServersBusyAreLostAsErlangBSays) {
  constexpr uint32_t kServers = 3;
  constexpr double kOffered = 2;
  ScriptAssembler script;
  const uint32_t latch = script.latch("station", {ScriptLatchKind::semaphore, kServers});
  const uint32_t lost = script.counter("lost");
  script.group("client", kManyClients);
  script.add(Op::arrive_exponential, 0, script.constant(static_cast<uint64_t>(kMeanServicePs / kOffered)));
  script.transaction_begin();
  const uint32_t is_busy = script.try_enter(latch);
  script.spend_exponential(Op::work, kMeanServicePs);
  script.leave();
  const uint32_t to_end = script.jump();
  script.lands_here(is_busy);
  script.count(lost);
  script.lands_here(to_end);
  script.transaction_end();
  const workload::ScriptProgram program = script.program();
  expect_over_seeds(program, 0.05, kManyClients, erlang_b(kServers, kOffered),
                    [&](const run::RunFigures& figures) {
                      return static_cast<double>(telemetry::counter_of_script(lost - 1)) /
                             static_cast<double>(figures.totals.transactions);
                    });
}

// With a server for each, no request waits. A request before the run's beginning would.
TEST(ScriptTheory, FreeClientsServeEachRequestAtOnce) {
  ScenarioRun run(spec_of(program_of({.kind = kNoLatch, .service = Service::constant}, kLoad),
                          on_ideal_machine(0.1, kManyClients)));
  EXPECT_NEAR(mean_latency_s(figures_after(run)), kService, 1e-3 * kService);
}

// The time that clients spend waiting is the rate of requests times the wait of each. The latch
// measures the one, latencies the other.
TEST(ScriptTheory, LittlesLawHoldsForArrivals) {
  ScenarioRun run(spec_of(program_of({.kind = kPthread}, kLoad), on_ideal_machine(0.5, kManyClients)));
  const run::RunFigures& figures = figures_after(run);
  const telemetry::LatchSiteSum station = sums_of("station");
  const auto requests = static_cast<double>(figures.totals.transactions);
  EXPECT_NEAR(requests / 0.5, kLoad / kService, 4 * std::sqrt(requests) / 0.5);
  const double in_system_s = figures.latency_sum_ms / 1e3;
  const double waited_s = static_cast<double>(station.wait_ns) / 1e9;
  const double held_s = static_cast<double>(station.hold_ns) / 1e9;
  EXPECT_NEAR(in_system_s, waited_s + held_s, 0.005 * in_system_s);
  // L = load / (1 - load)
  EXPECT_NEAR(in_system_s / 0.5, kLoad / (1 - kLoad), 0.1);
}

// Returns how often the first 500 transactions of a client drew that they take a latch.
uint64_t drawn_beside(const ScriptKind& kind, uint32_t seed) {
  constexpr uint64_t kCounted = 500, kTenPercent = 100'000;
  ScriptAssembler script;
  const uint32_t beside = script.latch("beside", kind);
  const uint32_t drawn = script.latch("drawn", {ScriptLatchKind::pthread_mutex, 0});
  const uint32_t transactions = script.word("transactions");
  script.group("client", 1);
  script.transaction_begin();
  script.enter(beside);
  script.spend(Op::work, kUs);
  script.leave();
  const uint8_t number = script.take_register();
  script.change(Op::fetch_add, transactions, number, script.constant(1));
  const uint8_t draws = script.compute(Op::chance, script.constant(kTenPercent));
  const uint8_t counts = script.compute(Op::less, number, script.constant(kCounted));
  const uint32_t goes_on = script.jump_if_zero(script.compute(Op::bit_and, draws, counts));
  script.enter(drawn);
  script.leave();
  script.lands_here(goes_on);
  script.transaction_end();
  ScenarioRun run(
      spec_of(script.program(), R"("threads":1,"duration_s":0.01,"seed":)" + std::to_string(seed)));
  EXPECT_GT(figures_after(run).totals.transactions, kCounted);
  return sums_of("drawn").acquisitions;
}

TEST(ScriptTheory, EveryDesignDrawsTheSameNumbers) {
  const uint64_t without = drawn_beside({ScriptLatchKind::none, 0}, 1);
  EXPECT_NEAR(static_cast<double>(without), 50, 25);
  EXPECT_EQ(drawn_beside({ScriptLatchKind::innodb_mutex, 0}, 1), without);
  EXPECT_EQ(drawn_beside({ScriptLatchKind::sharded_rw_lock, 64}, 1), without);
}

TEST(ScriptTheory, AnotherSeedDrawsOtherNumbers) {
  uint64_t hashes[2];
  for (uint32_t seed : {0, 1}) {
    ScenarioRun run(
        spec_of(queue({ScriptLatchKind::none, 0}, 10 * kUs, 50 * kUs), on_ideal_machine(0.01, 1, seed)));
    figures_after(run);
    hashes[seed] = platform::model_totals().hash;
  }
  EXPECT_NE(hashes[0], hashes[1]);
}

// --- threads that wait for each other ------------------------------------------------------------

void take_both(ScriptAssembler& script, uint32_t one, uint32_t other) {
  script.enter(one);
  script.spend(Op::work, 10 * kUs);
  script.enter(other);
  script.leave();
  script.leave();
}

// Client 1 takes a, then b; the others take b, then a.
workload::ScriptProgram opposite_orders(const ScriptKind& a, const ScriptKind& b) {
  ScriptAssembler script;
  const uint32_t first = script.latch("a", a);
  const uint32_t second = script.latch("b", b);
  script.group("client", 2);
  script.transaction_begin();
  const uint32_t others =
      script.jump_if_zero(script.compute(Op::equal, workload::kScriptThreadNumber, script.constant(1)));
  take_both(script, first, second);
  const uint32_t end = script.jump();
  script.lands_here(others);
  take_both(script, second, first);
  script.lands_here(end);
  script.transaction_end();
  return script.program();
}

void run_for_a_second(const workload::ScriptProgram& program) {
  ScenarioRun run(spec_of(program, on_ideal_machine(1, 2)));
  figures_after(run);
}

TEST(ScriptTheory, ADeadlockFailsTheEngineWithItsCircle) {
  const ScriptKind mutex{ScriptLatchKind::innodb_mutex, 0}, pthread{ScriptLatchKind::pthread_mutex, 0},
      one_unit{ScriptLatchKind::semaphore, 1};
  const char* circle =
      "deadlock: client 1 waits in line .* for b, which client 2 holds; client 2 waits in line .* for a, "
      "which "
      "client 1 holds";
  EXPECT_DEATH(run_for_a_second(opposite_orders(mutex, pthread)), circle);
  EXPECT_DEATH(run_for_a_second(opposite_orders(mutex, one_unit)), circle);
}

TEST(ScriptTheory, AFreeUnitOfASemaphoreIsNoDeadlock) {
  run_for_a_second(opposite_orders({ScriptLatchKind::innodb_mutex, 0}, {ScriptLatchKind::semaphore, 2}));
}

// Client 3 will give a unit back, which ends the circle of the others.
TEST(ScriptTheory, AHolderOutsideTheCircleIsNoDeadlock) {
  ScriptAssembler script;
  const uint32_t latch = script.latch("a", {ScriptLatchKind::innodb_mutex, 0});
  const uint32_t units = script.latch("units", {ScriptLatchKind::semaphore, 2});
  script.group("client", 3);
  script.transaction_begin();
  const auto only = [&](uint64_t thread) {
    return script.jump_if_zero(
        script.compute(Op::equal, workload::kScriptThreadNumber, script.constant(thread)));
  };
  uint32_t others = only(1);
  take_both(script, latch, units);
  script.lands_here(others);
  others = only(2);
  take_both(script, units, latch);
  script.lands_here(others);
  others = only(3);
  script.enter(units);
  script.spend(Op::work, 700'000 * kUs);
  script.leave();
  script.lands_here(others);
  script.transaction_end();
  script.spend(Op::think, 10'000 * kUs);
  ScenarioRun run(spec_of(script.program(), on_ideal_machine(2, 3)));
  EXPECT_GT(figures_after(run).totals.transactions, 3u);
}

TEST(ScriptTheory, ALoopThatTakesNoTimeEndsTheRun) {
  ScriptAssembler script;
  const uint32_t latch = script.latch("m", {ScriptLatchKind::innodb_mutex, 0});
  script.group("client", 1);
  script.transaction_begin();
  script.enter(latch);
  script.leave();
  script.transaction_end();
  ScenarioRun run(spec_of(script.program(), on_ideal_machine(1, 1)));
  run.run_until([&] { return run.engine.state() == telemetry::RunState::finished; });
  const std::string& why = run.engine.stopped_early();
  EXPECT_NE(why.find("client 1 ran a loop that takes no time"), std::string::npos) << why;
}

}  // namespace

}  // namespace latchscope
