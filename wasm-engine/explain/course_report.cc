#include "explain/course_report.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "run/run_spec.h"

namespace latchscope::explain {

namespace {

double number_at(const run::Json& json, const CourseReport::Path& path) {
  const run::Json* at = &json;
  for (const std::string& key : path) {
    if (!at->contains(key)) return 0;
    at = &(*at)[key];
  }
  return at->get<double>();
}

run::Json parting_json(const PairOfCourses& pair) {
  if (pair.first_different == 0) return nullptr;
  const bool has_server = !pair.on_server[0].is_null();
  return {
      {"event", pair.first_different},
      {"a", pair.events[0]},
      {"b", pair.events[1]},
      {"on_server", has_server ? run::Json{{"a", pair.on_server[0]}, {"b", pair.on_server[1]}} : run::Json()},
      {"noted_until", pair.noted_until},
      {"from_s", pair.figures[0]["from_s"].get<double>()}};
}

constexpr const char* kFiguresOfLatch[] = {"acquisitions", "contended", "waits", "wait_ns", "cost_ns"};

bool is_latch(const run::Json& json) {
  return std::all_of(std::begin(kFiguresOfLatch), std::end(kFiguresOfLatch), [&](const char* figure) {
    return run::has(json, figure, &run::Json::is_number_unsigned);
  });
}

bool is_figures(const run::Json& json) {
  if (!run::has(json, "from_s", &run::Json::is_number) || !run::has(json, "tps", &run::Json::is_number))
    return false;
  if (!run::has(json, "latency_ms", &run::Json::is_object) ||
      !run::has(json, "latches", &run::Json::is_object))
    return false;
  const run::Json& latency = json["latency_ms"];
  const run::Json& latches = json["latches"];
  return run::has(latency, "mean", &run::Json::is_number) &&
         run::has(latency, "p99", &run::Json::is_number) &&
         std::all_of(latches.begin(), latches.end(), is_latch);
}

bool is_list_of_two(const run::Json& json, const char* field) {
  return run::has(json, field, &run::Json::is_array) && json[field].size() == 2;
}

bool is_pair(const run::Json& json) {
  return run::has(json, "event", &run::Json::is_number_unsigned) &&
         run::has(json, "noted_until", &run::Json::is_number_unsigned) && is_list_of_two(json, "events") &&
         is_list_of_two(json, "on_server") && is_list_of_two(json, "figures") &&
         is_figures(json["figures"][0]) && is_figures(json["figures"][1]);
}

bool is_report(const run::Json& json) {
  if (!run::has(json, "a", &run::Json::is_object) || !run::has(json, "b", &run::Json::is_object))
    return false;
  if (!run::has(json, "pairs", &run::Json::is_array)) return false;
  const run::Json& pairs = json["pairs"];
  return !pairs.empty() && pairs.size() <= run::kSeedsMax && std::all_of(pairs.begin(), pairs.end(), is_pair);
}

}  // namespace

std::optional<CourseReport> CourseReport::read(const run::Json& json) {
  if (!is_report(json)) return std::nullopt;
  CourseReport report(run::spec_as_written(json["a"]), run::spec_as_written(json["b"]));
  for (const run::Json& each : json["pairs"]) {
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
    for (const run::Json& figures : pair.figures) {
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

run::Json CourseReport::figure_json(const Path& path) const {
  run::Json json = {{"a", of(0, path).json()}, {"b", of(1, path).json()}};
  if (const auto of_both = ratio(path)) json["ratio"] = of_both->json();
  return json;
}

run::Json CourseReport::json() const {
  run::Json json = {{"version", 1}, {"a", specs_[0]}, {"b", specs_[1]}, {"seeds", pairs_.size()}};
  json["parts"] = run::Json::array();
  for (const PairOfCourses& pair : pairs_)
    json["parts"].push_back(parting_json(pair));
  json["since"] = {{"tps", figure_json({"tps"})},
                   {"mean_ms", figure_json({"latency_ms", "mean"})},
                   {"p99_ms", figure_json({"latency_ms", "p99"})},
                   {"latches", run::Json::object()}};
  for (const std::string& latch : latches()) {
    for (const char* figure : kFiguresOfLatch)
      json["since"]["latches"][latch][figure] = figure_json({"latches", latch, figure});
  }
  return json;
}

}  // namespace latchscope::explain
