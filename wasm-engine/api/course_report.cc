#include "api/course_report.h"

#include <algorithm>
#include <set>

namespace latchscope::api {

namespace {

double number_at(const Json& json, const CourseReport::Path& path) {
  const Json* at = &json;
  for (const std::string& key : path) {
    if (!at->contains(key)) return 0;
    at = &(*at)[key];
  }
  return at->get<double>();
}

Json parting_json(const PairOfCourses& pair) {
  if (pair.first_different == 0) return nullptr;
  const bool has_server = !pair.on_server[0].is_null();
  return {{"event", pair.first_different},
          {"a", pair.events[0]},
          {"b", pair.events[1]},
          {"on_server", has_server ? Json{{"a", pair.on_server[0]}, {"b", pair.on_server[1]}} : Json()},
          {"noted_until", pair.noted_until},
          {"from_s", pair.figures[0]["from_s"]}};
}

}  // namespace

CourseReport CourseReport::read(const Json& json) {
  CourseReport report(json["a"], json["b"]);
  for (const Json& each : json["pairs"]) {
    PairOfCourses pair{each["event"], each["noted_until"], {}, {}, {}};
    for (size_t course : {0, 1}) {
      pair.events[course] = each["events"][course];
      pair.on_server[course] = each["on_server"][course];
      pair.figures[course] = each["figures"][course];
    }
    report.add(std::move(pair));
  }
  return report;
}

Estimate CourseReport::of(size_t course, const Path& path) const {
  std::vector<double> values;
  values.reserve(pairs_.size());
  for (const PairOfCourses& pair : pairs_)
    values.push_back(number_at(pair.figures[course], path));
  return Estimate::of(values);
}

std::optional<Estimate> CourseReport::ratio(const Path& path) const {
  std::vector<double> ratios;
  for (const PairOfCourses& pair : pairs_) {
    const double of_a = number_at(pair.figures[0], path);
    if (of_a == 0) return std::nullopt;
    ratios.push_back(number_at(pair.figures[1], path) / of_a);
  }
  return Estimate::of(ratios);
}

std::vector<std::string> CourseReport::latches() const {
  std::set<std::string> names;
  for (const PairOfCourses& pair : pairs_) {
    for (const Json& figures : pair.figures) {
      for (const auto& [latch, of_latch] : figures["latches"].items()) {
        if (of_latch["acquisitions"].get<uint64_t>() + of_latch["contended"].get<uint64_t>() > 0)
          names.insert(latch);
      }
    }
  }
  std::vector<std::string> sorted(names.begin(), names.end());
  const auto cost = [&](const std::string& latch) {
    const Path path{"latches", latch, "cost_ns"};
    return of(0, path).mean + of(1, path).mean;
  };
  std::sort(sorted.begin(), sorted.end(), [&](const std::string& a, const std::string& b) {
    return cost(a) > cost(b) || (cost(a) == cost(b) && a < b);
  });
  return sorted;
}

Json CourseReport::figure_json(const Path& path) const {
  Json json = {{"a", of(0, path).json()}, {"b", of(1, path).json()}};
  if (const auto of_both = ratio(path)) json["ratio"] = of_both->json();
  return json;
}

Json CourseReport::json() const {
  Json json = {{"version", 1}, {"a", specs_[0]}, {"b", specs_[1]}, {"seeds", pairs_.size()}};
  json["parts"] = Json::array();
  for (const PairOfCourses& pair : pairs_)
    json["parts"].push_back(parting_json(pair));
  json["since"] = {{"tps", figure_json({"tps"})},
                   {"mean_ms", figure_json({"latency_ms", "mean"})},
                   {"p99_ms", figure_json({"latency_ms", "p99"})},
                   {"latches", Json::object()}};
  for (const std::string& latch : latches()) {
    for (const char* figure : {"acquisitions", "contended", "waits", "wait_ns", "cost_ns"})
      json["since"]["latches"][latch][figure] = figure_json({"latches", latch, figure});
  }
  return json;
}

}  // namespace latchscope::api
