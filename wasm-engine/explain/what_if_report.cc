#include "explain/what_if_report.h"

#include <algorithm>
#include <map>
#include <optional>

#include "explain/estimate.h"
#include "run/run_outcome.h"
#include "run/run_spec.h"

namespace latchscope::explain {

namespace {

bool is_point(const run::Json& point) {
  if (!run::has(point, "name", &run::Json::is_string) || !run::has(point, "runs", &run::Json::is_array))
    return false;
  const run::Json& runs = point["runs"];
  return runs.size() <= run::kSeedsMax && std::all_of(runs.begin(), runs.end(), [](const run::Json& run) {
           return run.is_null() || run::RunOutcome::is_one(run);
         });
}

bool is_point_of(const run::Json& json, const char* field) {
  return json.contains(field) && is_point(json[field]);
}

bool is_latch_of_profile(const run::Json& latch) {
  return run::has(latch, "latch", &run::Json::is_string) && is_point_of(latch, "section") &&
         is_point_of(latch, "hand_over");
}

bool is_curve(const run::Json& study) {
  if (!run::has(study, "points", &run::Json::is_array) || study["points"].empty()) return false;
  return std::all_of(study["points"].begin(), study["points"].end(), is_point);
}

// A row of the latch table may be an event of a workload file, such as a condition: it has no critical
// section.
bool is_latch(const run::Json& spec, const std::string& name) {
  if (!run::has(spec, "workload", &run::Json::is_object)) return true;
  const run::Json& workload = spec["workload"];
  if (!run::has(workload, "program", &run::Json::is_object)) return true;
  if (!run::has(workload["program"], "latches", &run::Json::is_array)) return true;
  const run::Json& latches = workload["program"]["latches"];
  return std::any_of(latches.begin(), latches.end(), [&](const run::Json& latch) {
    return run::has(latch, "name", &run::Json::is_string) && latch["name"] == name;
  });
}

using Runs = std::vector<std::optional<run::RunOutcome>>;
using Figure = double run::RunOutcome::*;

Runs runs_of(const run::Json& point) {
  Runs runs;
  for (const run::Json& run : point["runs"])
    runs.push_back(run.is_null() ? std::nullopt : std::optional(run::RunOutcome::of_json(run)));
  return runs;
}

// Without values the mean is null.
run::Json estimate_json(const std::vector<double>& values) {
  return values.empty() ? run::Json{{"mean", nullptr}} : Estimate::of(values).json();
}

run::Json estimate_of(const Runs& runs, Figure figure) {
  std::vector<double> values;
  for (const auto& run : runs) {
    if (run) values.push_back((*run).*figure);
  }
  return estimate_json(values);
}

// Computes the ratio seed by seed.
run::Json ratio_json(const Runs& runs, const Runs& base, Figure figure) {
  std::vector<double> ratios;
  for (size_t seed = 0; seed < std::min(runs.size(), base.size()); ++seed) {
    if (!runs[seed] || !base[seed]) continue;
    const double of_base = (*base[seed]).*figure;
    ratios.push_back(of_base == 0 ? 0 : (*runs[seed]).*figure / of_base);
  }
  return estimate_json(ratios);
}

run::Json point_json(const run::Json& point, const Runs& base) {
  const Runs runs = runs_of(point);
  run::Json json = {{"name", point["name"]}};
  for (const char* field : {"what_if", "step"}) {
    if (point.contains(field)) json[field] = point[field];
  }
  json["tps"] = estimate_of(runs, &run::RunOutcome::tps);
  json["tps_ratio"] = ratio_json(runs, base, &run::RunOutcome::tps);
  json["p99_ms"] = estimate_of(runs, &run::RunOutcome::p99_ms);
  json["runs"] = run::Json::array();
  for (const auto& run : runs)
    json["runs"].push_back(run ? run::Json{{"tps", run->tps}, {"p99_ms", run->p99_ms}} : run::Json());
  return json;
}

run::Json head_of(const run::Json& study) {
  return {{"version", study["version"]},
          {"spec", run::spec_as_written(study["spec"])},
          {"seeds", study["seeds"]},
          {"from_s", study["from_s"].get<double>()}};
}

run::Json curve_report(const run::Json& study) {
  const Runs base = runs_of(study["points"][0]);
  run::Json report = head_of(study);
  for (const run::Json& point : study["points"])
    report["points"].push_back(point_json(point, base));
  return report;
}

run::Json profile_report(const run::Json& study) {
  const Runs base = runs_of(study["base"]);
  std::map<std::string, double> cost_shares;
  for (const HotLatch& hot : hot_latches(study["spec"], study["base"]))
    cost_shares[hot.latch] = hot.cost_share;
  run::Json report = head_of(study);
  report["section_percent"] = study["section_percent"];
  report["base"] = point_json(study["base"], base);
  report["latches"] = run::Json::array();
  for (const run::Json& each : study["latches"]) {
    report["latches"].push_back({{"latch", each["latch"]},
                                 {"cost_share", cost_shares[each["latch"].get<std::string>()]},
                                 {"section", point_json(each["section"], base)},
                                 {"hand_over", point_json(each["hand_over"], base)}});
  }
  return report;
}

}  // namespace

bool is_profile(const run::Json& study) {
  if (!is_point_of(study, "base") || !run::has(study, "latches", &run::Json::is_array)) return false;
  return run::has(study, "section_percent", &run::Json::is_number) &&
         std::all_of(study["latches"].begin(), study["latches"].end(), is_latch_of_profile);
}

bool is_study(const run::Json& study) {
  const bool has_head =
      run::has(study, "version", &run::Json::is_number) && run::has(study, "spec", &run::Json::is_object) &&
      run::has(study["spec"], "threads", &run::Json::is_number) &&
      run::has(study, "seeds", &run::Json::is_number) && run::has(study, "from_s", &run::Json::is_number);
  return has_head && (is_profile(study) || is_curve(study));
}

run::Json what_if_report(const run::Json& study) {
  return is_profile(study) ? profile_report(study) : curve_report(study);
}

std::vector<HotLatch> hot_latches(const run::Json& spec, const run::Json& base) {
  const double clients = spec["threads"].get<double>();
  const Runs runs = runs_of(base);
  const auto count = static_cast<double>(std::count_if(
      runs.begin(), runs.end(), [](const std::optional<run::RunOutcome>& run) { return run.has_value(); }));
  std::map<std::string, double> shares;
  for (const auto& run : runs) {
    if (!run || run->seconds == 0) continue;
    for (const auto& [latch, cost_ns] : run->cost_ns) {
      if (!is_latch(spec, latch)) continue;
      shares[latch] += static_cast<double>(cost_ns) / 1e9 / (run->seconds * clients) / count;
    }
  }
  std::vector<HotLatch> hot;
  hot.reserve(shares.size());
  for (const auto& [latch, share] : shares)
    hot.push_back({latch, share});
  std::sort(hot.begin(), hot.end(), [](const HotLatch& a, const HotLatch& b) {
    return a.cost_share > b.cost_share || (a.cost_share == b.cost_share && a.latch < b.latch);
  });
  return hot;
}

run::Json to_json(const std::vector<HotLatch>& latches) {
  run::Json json = run::Json::array();
  for (const HotLatch& each : latches)
    json.push_back({{"latch", each.latch}, {"cost_share", each.cost_share}});
  return json;
}

std::string estimate_in_words(const run::Json& estimate, const char* format) {
  return Estimate::of_json(estimate).text(format);
}

}  // namespace latchscope::explain
