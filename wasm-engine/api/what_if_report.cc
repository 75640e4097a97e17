#include "api/what_if_report.h"

#include <algorithm>
#include <map>
#include <optional>

#include "api/estimate.h"
#include "api/run_outcome.h"
#include "api/run_spec.h"

namespace latchscope::api {

namespace {

bool is_point(const Json& point) {
  if (!has(point, "name", &Json::is_string) || !has(point, "runs", &Json::is_array)) return false;
  const Json& runs = point["runs"];
  return runs.size() <= kSeedsMax && std::all_of(runs.begin(), runs.end(), [](const Json& run) {
           return run.is_null() || RunOutcome::is_one(run);
         });
}

bool is_point_of(const Json& json, const char* field) {
  return json.contains(field) && is_point(json[field]);
}

bool is_latch_of_profile(const Json& latch) {
  return has(latch, "latch", &Json::is_string) && is_point_of(latch, "section") &&
         is_point_of(latch, "hand_over");
}

bool is_curve(const Json& study) {
  if (!has(study, "points", &Json::is_array) || study["points"].empty()) return false;
  return std::all_of(study["points"].begin(), study["points"].end(), is_point);
}

using Runs = std::vector<std::optional<RunOutcome>>;
using Figure = double RunOutcome::*;

Runs runs_of(const Json& point) {
  Runs runs;
  for (const Json& run : point["runs"])
    runs.push_back(run.is_null() ? std::nullopt : std::optional(RunOutcome::of_json(run)));
  return runs;
}

// Without values the mean is null.
Json estimate_json(const std::vector<double>& values) {
  return values.empty() ? Json{{"mean", nullptr}} : Estimate::of(values).json();
}

Json estimate_of(const Runs& runs, Figure figure) {
  std::vector<double> values;
  for (const auto& run : runs) {
    if (run) values.push_back((*run).*figure);
  }
  return estimate_json(values);
}

// Computes the ratio seed by seed.
Json ratio_json(const Runs& runs, const Runs& base, Figure figure) {
  std::vector<double> ratios;
  for (size_t seed = 0; seed < std::min(runs.size(), base.size()); ++seed) {
    if (!runs[seed] || !base[seed]) continue;
    const double of_base = (*base[seed]).*figure;
    ratios.push_back(of_base == 0 ? 0 : (*runs[seed]).*figure / of_base);
  }
  return estimate_json(ratios);
}

Json point_json(const Json& point, const Runs& base) {
  const Runs runs = runs_of(point);
  Json json = {{"name", point["name"]}};
  for (const char* field : {"what_if", "step"}) {
    if (point.contains(field)) json[field] = point[field];
  }
  json["tps"] = estimate_of(runs, &RunOutcome::tps);
  json["tps_ratio"] = ratio_json(runs, base, &RunOutcome::tps);
  json["p99_ms"] = estimate_of(runs, &RunOutcome::p99_ms);
  json["runs"] = Json::array();
  for (const auto& run : runs)
    json["runs"].push_back(run ? Json{{"tps", run->tps}, {"p99_ms", run->p99_ms}} : Json());
  return json;
}

Json head_of(const Json& study) {
  return {{"version", study["version"]},
          {"spec", spec_as_written(study["spec"])},
          {"seeds", study["seeds"]},
          {"from_s", study["from_s"].get<double>()}};
}

Json curve_report(const Json& study) {
  const Runs base = runs_of(study["points"][0]);
  Json report = head_of(study);
  for (const Json& point : study["points"])
    report["points"].push_back(point_json(point, base));
  return report;
}

Json profile_report(const Json& study) {
  const Runs base = runs_of(study["base"]);
  std::map<std::string, double> cost_shares;
  for (const HotLatch& hot : hot_latches(study["spec"], study["base"]))
    cost_shares[hot.latch] = hot.cost_share;
  Json report = head_of(study);
  report["section_percent"] = study["section_percent"];
  report["base"] = point_json(study["base"], base);
  report["latches"] = Json::array();
  for (const Json& each : study["latches"]) {
    report["latches"].push_back({{"latch", each["latch"]},
                                 {"cost_share", cost_shares[each["latch"].get<std::string>()]},
                                 {"section", point_json(each["section"], base)},
                                 {"hand_over", point_json(each["hand_over"], base)}});
  }
  return report;
}

}  // namespace

bool is_profile(const Json& study) {
  if (!is_point_of(study, "base") || !has(study, "latches", &Json::is_array)) return false;
  return has(study, "section_percent", &Json::is_number) &&
         std::all_of(study["latches"].begin(), study["latches"].end(), is_latch_of_profile);
}

bool is_study(const Json& study) {
  const bool has_head = has(study, "version", &Json::is_number) && has(study, "spec", &Json::is_object) &&
                        has(study["spec"], "threads", &Json::is_number) &&
                        has(study, "seeds", &Json::is_number) && has(study, "from_s", &Json::is_number);
  return has_head && (is_profile(study) || is_curve(study));
}

Json what_if_report(const Json& study) {
  return is_profile(study) ? profile_report(study) : curve_report(study);
}

std::vector<HotLatch> hot_latches(const Json& spec, const Json& base) {
  const double clients = spec["threads"].get<double>();
  const Runs runs = runs_of(base);
  const auto count = static_cast<double>(std::count_if(
      runs.begin(), runs.end(), [](const std::optional<RunOutcome>& run) { return run.has_value(); }));
  std::map<std::string, double> shares;
  for (const auto& run : runs) {
    if (!run || run->seconds == 0) continue;
    for (const auto& [latch, cost_ns] : run->cost_ns)
      shares[latch] += static_cast<double>(cost_ns) / 1e9 / (run->seconds * clients) / count;
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

Json to_json(const std::vector<HotLatch>& latches) {
  Json json = Json::array();
  for (const HotLatch& each : latches)
    json.push_back({{"latch", each.latch}, {"cost_share", each.cost_share}});
  return json;
}

std::string estimate_in_words(const Json& estimate, const char* format) {
  return Estimate::of_json(estimate).text(format);
}

}  // namespace latchscope::api
