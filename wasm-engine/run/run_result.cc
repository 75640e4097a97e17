#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "run/engine.h"
#include "run/json.h"
#include "run/sysbench_report.h"
#include "telemetry/counters.h"
#include "telemetry/telemetry.h"
#include "workload/script_scenario.h"

#ifndef LATCHSCOPE_VERSION
#define LATCHSCOPE_VERSION "unknown"
#endif
#ifndef LATCHSCOPE_BUILD
#define LATCHSCOPE_BUILD "unknown"
#endif

namespace latchscope::run {

namespace {

using telemetry::Counter;
using telemetry::ThreadKind;
using telemetry::ThreadState;

constexpr int kRunResultVersion = 1;
constexpr size_t kStacksShown = 64;

const char* const kCounterNames[] = {
#define LATCHSCOPE_COUNTER_NAME(name, meaning) #name,
    LATCHSCOPE_COUNTERS(LATCHSCOPE_COUNTER_NAME)
#undef LATCHSCOPE_COUNTER_NAME
};

Json engine_json() {
  return {{"version", LATCHSCOPE_VERSION}, {"platform", platform_name()}, {"build", LATCHSCOPE_BUILD}};
}

// On a modelled server every build gives the same result, so the result does not name the build.
Json engine_of_result_json() {
  Json json = engine_json();
  if (platform::kIsModelled) json.erase("build");
  return json;
}

// Returns totals of the modelled server since its start, including the loading of the data.
Json model_json() {
  const platform::ModelTotals totals = platform::model_totals();
  char hash[17];
  snprintf(hash, sizeof hash, "%016" PRIx64, totals.hash);
  return {{"time_ps", totals.time_ps},
          {"events", totals.events},
          {"event_hash", hash},
          {"context_switches", totals.context_switches},
          {"busy_ps", totals.busy_ps},
          {"bucket_spin_ps", totals.bucket_spin_ps},
          {"futex_waits", totals.futex_waits},
          {"futex_wakes", totals.futex_wakes}};
}

Json interval_of_result(const Interval& interval, const RunSpec& spec) {
  const auto& [t_s, seconds, per_s, latency_ms] = interval;
  Json json = {{"t_s", t_s},
               {"seconds", seconds},
               {"tps", per_s.transactions},
               {"qps", per_s.queries()},
               {"queries_per_s", {{"read", per_s.reads}, {"write", per_s.writes}, {"other", per_s.others}}},
               {"latency_ms",
                {{"mean", latency_ms.mean},
                 {"p50", latency_ms.p50},
                 {"p95", latency_ms.p95},
                 {"p99", latency_ms.p99},
                 {"max", latency_ms.max}}},
               {"errors_per_s", per_s.errors}};
  if (const auto line = sysbench_interval_line(interval, spec)) json["sysbench_line"] = *line;
  return json;
}

Json spread_json(const Spread& spread) {
  return {{"avg", spread.avg}, {"stddev", spread.stddev}};
}

Json totals_json(const RunFigures& figures) {
  const LatencyFigures& latency_ms = figures.latency_ms;
  return {{"seconds", figures.seconds},
          {"transactions", figures.totals.transactions},
          {"tps", figures.per_s.transactions},
          {"latency_ms",
           {{"min", latency_ms.min},
            {"mean", latency_ms.mean},
            {"p50", latency_ms.p50},
            {"p95", latency_ms.p95},
            {"p99", latency_ms.p99},
            {"max", latency_ms.max}}},
          {"threads_fairness",
           {{"events", spread_json(figures.events)}, {"execution_s", spread_json(figures.execution_s)}}}};
}

Json drain_json(const DrainFigures& drain) {
  return {{"seconds", drain.seconds}, {"transactions", drain.transactions}};
}

Json counters_json(const RunSpec& spec) {
  Json counters = Json::object();
  for (uint32_t i = 0; i < static_cast<uint32_t>(Counter::count_); ++i) {
    counters[kCounterNames[i]] = telemetry::counter_total(static_cast<Counter>(i));
  }
  if (!spec.config.script) return counters;
  const std::vector<std::string>& of_script = spec.config.script->program().counters;
  for (uint32_t i = 0; i < of_script.size(); ++i)
    counters[of_script[i]] = telemetry::counter_of_script(i);
  return counters;
}

// Returns the shares of the threads' time outside the gate. For real threads they come from
// samples, which cannot distinguish some states.
Json cpu_json(const std::array<uint64_t, telemetry::kThreadStates>& of_states) {
  constexpr std::pair<const char*, ThreadState> kShown[] = {
      {"running", ThreadState::running},     {"stalled", ThreadState::stalled},
      {"spinning", ThreadState::spinning},   {"waiting", ThreadState::waiting},
      {"following", ThreadState::following}, {"ready", ThreadState::ready},
      {"sleeping", ThreadState::sleeping},   {"io", ThreadState::io}};
  const auto time = [&](ThreadState state) {
    return static_cast<double>(of_states[static_cast<size_t>(state)]);
  };
  double total = 0;
  for (const auto& [name, state] : kShown)
    total += time(state);
  Json shares = Json::object();
  for (const auto& [name, state] : kShown) {
    const bool is_known =
        platform::kIsModelled || (state != ThreadState::stalled && state != ThreadState::ready);
    if (is_known) shares[name] = total == 0 ? 0.0 : time(state) / total;
  }
  return shares;
}

Json cpu_of_clients_json(const Engine& engine) {
  if constexpr (platform::kIsModelled) return cpu_json(telemetry::state_times_of(ThreadKind::client));
  return cpu_json(engine.sampler().client_states());
}

Json cpu_of_server_json(const Engine& engine) {
  if constexpr (platform::kIsModelled) return cpu_json(telemetry::state_times_of(ThreadKind::server));
  return cpu_json(engine.sampler().engine_states());
}

std::vector<uint32_t> latch_sites_by_name() {
  std::vector<uint32_t> sites(telemetry::latch_sites_count());
  std::iota(sites.begin(), sites.end(), 0u);
  const auto name = [](uint32_t site) {
    return std::pair<std::string_view, std::string_view>(telemetry::latch_name_of_site(site),
                                                         telemetry::function_name_of_site(site));
  };
  std::sort(sites.begin(), sites.end(), [&](uint32_t a, uint32_t b) { return name(a) < name(b); });
  return sites;
}

Json latches_json() {
  Json latches = Json::array();
  for (uint32_t site : latch_sites_by_name()) {
    const telemetry::LatchSiteSum sum = telemetry::latch_site_total(site);
    if (sum.acquisitions == 0 && sum.contended == 0) continue;
    Json latch = {{"latch", telemetry::latch_name_of_site(site)},
                  {"site", telemetry::function_name_of_site(site)},
                  {"acquisitions", sum.acquisitions},
                  {"contended", sum.contended},
                  {"spin_rounds", sum.spin_rounds},
                  {"waits", sum.waits},
                  {"wait_ns", sum.wait_ns},
                  {"hold_ns", sum.hold_ns},
                  {"samples_waiting", sum.samples_waiting},
                  {"samples_spinning", sum.samples_spinning}};
    if (platform::kIsModelled) {
      latch["line_stall_ns"] = sum.line_stall_ns;
      latch["queue_ns"] = sum.queue_ns;
      latch["cost_ns"] = sum.cost_ns;
    }
    latches.push_back(std::move(latch));
  }
  return latches;
}

Json stacks_json(const std::vector<telemetry::StackCount>& counts, const char* count_name) {
  Json stacks = Json::array();
  for (const telemetry::StackCount& stack : counts) {
    Json frames = Json::array();
    for (uint32_t function : stack.functions)
      frames.push_back(telemetry::function_name(function));
    stacks.push_back({{"frames", std::move(frames)}, {count_name, stack.samples}});
  }
  return stacks;
}

// Returns sysbench's lines before and after those of the intervals.
Json sysbench_json(const Engine& engine) {
  const RunSpec& spec = engine.spec();
  return {{"header", sysbench_header(spec)}, {"report", sysbench_final_report(engine.figures(), spec)}};
}

}  // namespace

std::string interval_json(const Interval& interval, const RunSpec& spec) {
  return interval_of_result(interval, spec).dump();
}

Json engine_version_json() {
  Json json = engine_json();
  json["run_spec_version"] = kRunSpecVersion;
  json["run_result_version"] = kRunResultVersion;
  json["layout_hash"] = telemetry::layout_hash();
  json["clients_max"] = clients_max();
  return json;
}

std::string run_result_json(const Engine& engine) {
  Json json = {{"version", kRunResultVersion},
               {"spec", Json::parse(to_json(engine.spec()))},
               {"engine", engine_of_result_json()},
               {"intervals", Json::array()},
               {"totals", totals_json(engine.figures())},
               {"drain", drain_json(engine.drain_figures())},
               {"counters", counters_json(engine.spec())},
               {"cpu", cpu_of_clients_json(engine)},
               {"engine_cpu", cpu_of_server_json(engine)},
               {"latches", latches_json()},
               {"stacks", stacks_json(engine.sampler().stacks(kStacksShown), "samples")},
               {"log", engine.log()},
               {"invariants", Json::array()},
               {"sysbench", sysbench_json(engine)}};
  if (platform::kIsModelled) json["model"] = model_json();
  for (const Engine::StackSample& sample : engine.stack_samples())
    json["stack_samples"].push_back({{"t_s", sample.t_s}, {"stacks", stacks_json(sample.stacks, "threads")}});
  for (const Engine::LatchStopped& stopped : engine.latches_stopped())
    json["latches_stopped"].push_back({{"knob", stopped.knob}, {"at_s", stopped.at_s}});
  if (!engine.stopped_early().empty()) json["stopped_early"] = engine.stopped_early();
  for (const Interval& interval : engine.intervals())
    json["intervals"].push_back(interval_of_result(interval, engine.spec()));
  for (const workload::Invariant& invariant : engine.invariants()) {
    json["invariants"].push_back(
        {{"name", invariant.name}, {"ok", invariant.ok}, {"detail", invariant.detail}});
  }
  return json.dump();
}

}  // namespace latchscope::run
