#include "run/run_outcome.h"

#include <algorithm>

namespace latchscope::run {

namespace {

std::map<std::string, uint64_t> cost_between(const CountedReading& from, const CountedReading& to) {
  std::map<std::string, uint64_t> cost_ns;
  for (uint32_t site = 0; site < to.sites.size(); ++site) {
    const telemetry::LatchSiteSum& sum = to.sites[site];
    if (sum.acquisitions == 0 && sum.contended == 0) continue;
    cost_ns[telemetry::latch_name_of_site(site)] += sum.cost_ns - from.sites[site].cost_ns;
  }
  return cost_ns;
}

}  // namespace

CountedReading CountedReading::of(const RunReading& run) {
  CountedReading reading{run, {}};
  reading.sites.reserve(telemetry::latch_sites_count());
  for (uint32_t site = 0; site < telemetry::latch_sites_count(); ++site)
    reading.sites.push_back(telemetry::latch_site_total(site));
  return reading;
}

CountedReading CountedReading::of_beginning() {
  return {{}, std::vector<telemetry::LatchSiteSum>(telemetry::latch_sites_count())};
}

Json RunOutcome::json() const {
  return {{"tps", tps},
          {"p99_ms", p99_ms},
          {"seconds", seconds},
          {"cost_ns", cost_ns},
          {"broken_invariants", broken_invariants},
          {"stopped_early", stopped_early}};
}

bool RunOutcome::is_one(const Json& json) {
  const auto all = [&](const char* field, IsOfType is_of_type) {
    return std::all_of(json[field].begin(), json[field].end(),
                       [&](const Json& each) { return (each.*is_of_type)(); });
  };
  return has(json, "tps", &Json::is_number) && has(json, "p99_ms", &Json::is_number) &&
         has(json, "seconds", &Json::is_number) && has(json, "stopped_early", &Json::is_string) &&
         has(json, "cost_ns", &Json::is_object) && all("cost_ns", &Json::is_number_unsigned) &&
         has(json, "broken_invariants", &Json::is_array) && all("broken_invariants", &Json::is_string);
}

RunOutcome RunOutcome::of_json(const Json& json) {
  return {json["tps"].get<double>(),
          json["p99_ms"].get<double>(),
          json["seconds"].get<double>(),
          json["cost_ns"].get<std::map<std::string, uint64_t>>(),
          json["broken_invariants"].get<std::vector<std::string>>(),
          json["stopped_early"].get<std::string>()};
}

RunOutcome outcome_between(const CountedReading& from, const CountedReading& to) {
  const Interval window = interval_between(from.run, to.run);
  RunOutcome outcome;
  outcome.tps = window.per_s.transactions;
  outcome.p99_ms = window.latency_ms.p99;
  outcome.seconds = window.seconds;
  outcome.cost_ns = cost_between(from, to);
  return outcome;
}

}  // namespace latchscope::run
