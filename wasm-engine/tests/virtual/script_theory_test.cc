// Workload files against queueing theory, on a machine where only work and waiting take time.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

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

TEST(ScriptTheory, IntervalsOfThirtySeedsCoverTheThroughput) {
  constexpr uint32_t kSeeds = 30;
  constexpr double kT95Of18 = 2.101, kT999Of29 = 3.659;  // Student's t, two-sided
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
