#include "cli/commands.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <sstream>
#include <utility>

#include "cli/run_pool.h"
#include "explain/estimate.h"
#include "explain/what_if_report.h"
#include "run/limits.h"

namespace latchscope::cli {

namespace {

constexpr const char* kScaleDefault = "0,25,50,75,100,125,150,200";

// The same run with each seed: the baseline run, a run with a what-if, or another branch.
struct Point {
  std::string name;
  Json what_if;  // null: no what-if
  Json step;     // null: the branch of the spec
  std::vector<run::RunOutcome> runs;

  Json json() const {
    Json json = {{"name", name}};
    if (!what_if.is_null()) json["what_if"] = what_if;
    if (!step.is_null()) json["step"] = step;
    json["runs"] = Json::array();
    for (const run::RunOutcome& run : runs)
      json["runs"].push_back(run.json());
    return json;
  }
};

class WhatIf {
 public:
  WhatIf(const CliWhatIf& arguments, Printed& printed) : arguments_(arguments), printed_(printed) {}

  int run() {
    check_options();
    if (!errors_.empty()) return report(errors_);
    RunSpecOrErrors read = read_run_spec(arguments_.run);
    if (!read.spec) return report(read.errors);
    base_spec_ = Json::parse(run::to_json(*read.spec));
    read_from(*read.spec);
    for (const std::string& fork : arguments_.fork_at) {
      if (const auto error = why_not_change(base_spec_, "--fork-at", fork)) errors_.push_back(*error);
    }
    if (!errors_.empty()) return report(errors_);
    ResultFile result_file(arguments_.run.json_path);
    if (const auto error = result_file.check()) return cannot_write(*error);
    const int outcome = arguments_.profile ? profile(result_file) : curve(result_file);
    return outcome == kOk && any_invariant_broken() ? kInvariantBroken : outcome;
  }

 private:
  bool is_quiet() const { return arguments_.run.json_path == "-"; }

  void fail(const char* option, const std::string& value, std::string allowed) {
    errors_.push_back(FieldError::of(option, value, std::move(allowed)));
  }

  // --- options -----------------------------------------------------------------------------------

  void check_options() {
    if (!platform::kIsModelled) {
      fail("--platform", run::platform_name(), "virtual: a what-if needs the virtual server");
      return;
    }
    const int subjects = (arguments_.profile ? 1 : 0) + (arguments_.latch.empty() ? 0 : 1) +
                         (arguments_.cost.empty() ? 0 : 1) + (arguments_.fork_at.empty() ? 0 : 1);
    if (subjects != 1)
      fail("what-if", std::to_string(subjects) + " of these options",
           "exactly one of --profile, --latch, --cost and --fork-at");
    if (!arguments_.site.empty() && arguments_.latch.empty())
      fail("--site", arguments_.site, "only with --latch");
    if (is_something_free() && arguments_.latch.empty())
      fail("what-if", free_flags(), "--hand-over-free, --line-still and --wake-up-free only with --latch");
    if ((arguments_.profile || is_fork()) && !arguments_.scale.empty())
      fail("--scale", arguments_.scale, "only with --latch or --cost; --profile has --percent");
    percent_ = number_of_option("--percent", arguments_.percent, 80, 0, run::kWhatIfPercentMax, errors_);
    seeds_ =
        number_of_option("--seeds", arguments_.seeds, arguments_.profile ? 5 : 1, 1, run::kSeedsMax, errors_);
    top_ = number_of_option("--top", arguments_.top, 8, 1, run::kWhatIfTopMax, errors_);
    read_scale();
  }

  bool is_fork() const { return !arguments_.fork_at.empty(); }
  bool is_something_free() const {
    return arguments_.hand_over_free || arguments_.line_still || arguments_.wake_up_free;
  }
  std::string free_flags() const {
    return std::string(arguments_.hand_over_free ? "--hand-over-free"
                       : arguments_.line_still   ? "--line-still"
                                                 : "--wake-up-free");
  }

  // Returns the earliest fork time, as given.
  std::string first_fork() const {
    std::string first;
    for (const std::string& fork : arguments_.fork_at) {
      const std::string at_s = fork.substr(0, fork.find(':'));
      if (first.empty() || strtod(at_s.c_str(), nullptr) < strtod(first.c_str(), nullptr)) first = at_s;
    }
    return first;
  }

  // Reads --from. The first interval ends where counting starts.
  void read_from(const RunSpec& spec) {
    const std::string& given = arguments_.from.empty() ? first_fork() : arguments_.from;
    if (given.empty()) return;
    const std::optional<Json> from_s = run::read_json(given);
    const bool ok = from_s && from_s->is_number() && from_s->get<double>() >= run::kIntervalMinS &&
                    from_s->get<double>() < std::min(run::kIntervalMaxS, *spec.duration_s);
    if (!ok) {
      fail(arguments_.from.empty() ? "--fork-at" : "--from", given,
           "a number from 0.001, before the end of the run");
      return;
    }
    from_s_ = from_s->get<double>();
    base_spec_["interval_s"] = from_s_;
  }

  // With a free cost and without --scale, the critical section keeps its length.
  void read_scale() {
    if (is_fork() || (arguments_.scale.empty() && is_something_free())) return;
    std::istringstream list(arguments_.scale.empty() ? kScaleDefault : arguments_.scale);
    for (std::string text; std::getline(list, text, ',');) {
      const auto number = integer_of(text);
      if (number && *number >= 0 && *number <= run::kWhatIfPercentMax) {
        scale_.push_back(static_cast<uint32_t>(*number));
      } else {
        fail("--scale", arguments_.scale,
             "integers from 0 to " + std::to_string(run::kWhatIfPercentMax) + ", separated by commas");
        return;
      }
    }
  }

  // --- what-ifs ----------------------------------------------------------------------------------

  static Json of_latch(Json entry) { return {{"latches", Json::array({std::move(entry)})}}; }

  Json of_latch_option(std::optional<uint32_t> section_percent) const {
    Json entry = {{"latch", arguments_.latch}};
    if (!arguments_.site.empty()) entry["site"] = arguments_.site;
    if (section_percent) entry["section_percent"] = *section_percent;
    if (arguments_.hand_over_free) entry["hand_over"] = "free";
    if (arguments_.line_still) entry["line"] = "still";
    if (arguments_.wake_up_free) entry["wake_up"] = "free";
    return of_latch(std::move(entry));
  }

  static Point as_it_is() { return {"baseline", {}, {}, {}}; }

  std::vector<Point> points_of_curve() const {
    std::vector<Point> points{as_it_is()};
    for (const std::string& fork : arguments_.fork_at)
      points.push_back({fork, {}, timed_change(fork), {}});
    if (is_fork()) return points;
    if (scale_.empty()) points.push_back({"what-if", of_latch_option(std::nullopt), {}, {}});
    for (uint32_t percent : scale_) {
      const Json what_if =
          arguments_.cost.empty() ? of_latch_option(percent) : Json{{"costs", {{arguments_.cost, percent}}}};
      points.push_back({std::to_string(percent) + " %", what_if, {}, {}});
    }
    return points;
  }

  // --- runs --------------------------------------------------------------------------------------

  // Adds the point's what-if to that of the spec.
  Json with(const Point& point, uint32_t seed) const {
    Json spec = base_spec_;
    spec["seed"] = base_spec_["seed"].get<uint64_t>() + seed;
    if (!point.step.is_null()) add_change(spec, point.step);
    const Json& what_if = point.what_if;
    if (what_if.is_null()) return spec;
    const Json costs = what_if.value("costs", Json::object());
    for (const auto& [cost, percent] : costs.items())
      spec["what_if"]["costs"][cost] = percent;
    for (const Json& latch : what_if.value("latches", Json::array()))
      spec["what_if"]["latches"].push_back(latch);
    return spec;
  }

  // Returns false if a run failed: the reason is in errors_, or has been printed.
  bool run_points(std::vector<Point>& points) {
    std::vector<RunSpec> specs;
    for (const Point& point : points) {
      for (uint32_t seed = 0; seed < seeds_; ++seed) {
        RunSpecOrErrors read = run::parse_run_spec(with(point, seed).dump());
        if (!read.spec) {
          errors_ = std::move(read.errors);
          return false;
        }
        specs.push_back(std::move(*read.spec));
      }
    }
    RunOutcomes outcomes = run_all(specs, from_s_);
    if (outcomes.failed) return false;
    auto next = outcomes.of_runs.begin();
    for (Point& point : points) {
      point.runs.assign(next, next + seeds_);
      next += seeds_;
      note_what_went_wrong(point);
    }
    return true;
  }

  void note_what_went_wrong(const Point& point) {
    for (const run::RunOutcome& run : point.runs) {
      for (const std::string& name : run.broken_invariants)
        broken_.push_back(point.name + ": " + name);
      warn_if_stopped_early(point.name, run.stopped_early);
    }
  }

  bool any_invariant_broken() const {
    for (const std::string& what : broken_)
      fprintf(stderr, "latchscope: an invariant is broken: %s\n", what.c_str());
    return !broken_.empty();
  }

  int failed() const { return errors_.empty() ? kEngineFailed : report(errors_); }

  // Drops percentages of the default scale that are outside the cost's range.
  void leave_out_what_the_cost_does_not_allow(std::vector<Point>& points) {
    if (arguments_.cost.empty() || !arguments_.scale.empty()) return;
    std::erase_if(points,
                  [&](const Point& point) { return !run::parse_run_spec(with(point, 0).dump()).spec; });
    if (points.size() < 2)
      // This spec's error names it.
      points.push_back({"", Json{{"costs", {{arguments_.cost, 0}}}}, {}, {}});
  }

  // Checks that the run takes the latch; another design may take other latches.
  bool is_latch_taken(const Point& base) {
    const std::map<std::string, uint64_t>& taken = base.runs[0].cost_ns;
    if (arguments_.latch.empty() || taken.contains(arguments_.latch)) return true;
    std::string names;
    for (const auto& [latch, cost_ns] : taken)
      names += (names.empty() ? "" : ", ") + latch;
    fail("--latch", arguments_.latch, "a latch of this run: " + names);
    return false;
  }

  int curve(ResultFile& result_file) {
    std::vector<Point> points = points_of_curve();
    leave_out_what_the_cost_does_not_allow(points);
    if (!run_points(points)) return failed();
    if (!is_latch_taken(points[0])) return report(errors_);
    Json study = head_json();
    for (const Point& point : points)
      study["points"].push_back(point.json());
    const Json report = explain::what_if_report(study);
    if (!is_quiet()) print_curve(report["points"]);
    return deliver(result_file, printed_, report.dump());
  }

  // --- the profile -------------------------------------------------------------------------------

  int profile(ResultFile& result_file) {
    std::vector<Point> base{as_it_is()};
    if (!run_points(base)) return failed();
    std::vector<explain::HotLatch> hot = explain::hot_latches(base_spec_, base[0].json());
    if (hot.size() > top_) hot.resize(top_);
    std::vector<Point> points;
    for (const explain::HotLatch& each : hot) {
      points.push_back({each.latch + ", critical section",
                        of_latch({{"latch", each.latch}, {"section_percent", percent_}}),
                        {},
                        {}});
      points.push_back(
          {each.latch + ", hand-off", of_latch({{"latch", each.latch}, {"hand_over", "free"}}), {}, {}});
    }
    if (!run_points(points)) return failed();
    Json study = head_json();
    study["section_percent"] = percent_;
    study["base"] = base[0].json();
    study["latches"] = Json::array();
    for (size_t i = 0; i < hot.size(); ++i) {
      study["latches"].push_back({{"latch", hot[i].latch},
                                  {"section", points[2 * i].json()},
                                  {"hand_over", points[2 * i + 1].json()}});
    }
    const Json report = explain::what_if_report(study);
    if (!is_quiet()) print_profile(report);
    return deliver(result_file, printed_, report.dump());
  }

  // --- output ------------------------------------------------------------------------------------

  Json head_json() const {
    return {{"version", 1}, {"spec", base_spec_}, {"seeds", seeds_}, {"from_s", from_s_}};
  }

  void print_head() const {
    const uint64_t first_seed = base_spec_["seed"].get<uint64_t>();
    printf("%s, %u threads, %g s", base_spec_["scenario"].get<std::string>().c_str(),
           base_spec_["threads"].get<uint32_t>(), base_spec_["duration_s"].get<double>());
    if (from_s_ > 0) printf(" from %g s on", from_s_);
    if (seeds_ == 1) {
      printf(", seed %llu\n\n", static_cast<unsigned long long>(first_seed));
    } else {
      printf(", seeds %llu to %llu: mean and 95 %% interval\n\n", static_cast<unsigned long long>(first_seed),
             static_cast<unsigned long long>(first_seed + seeds_ - 1));
    }
  }

  std::string subject() const {
    if (is_fork()) return "the run takes another branch";
    if (!arguments_.cost.empty()) return "cost of " + arguments_.cost;
    std::string words = arguments_.latch + (arguments_.site.empty() ? "" : " in " + arguments_.site);
    if (arguments_.hand_over_free) words += ", hand-off free";
    if (arguments_.line_still) words += ", line still";
    if (arguments_.wake_up_free) words += ", wake-up free";
    return words;
  }

  void print_curve(const Json& points) const {
    print_head();
    printf("What if: %s\n\n", subject().c_str());
    const int width = seeds_ > 1 ? 30 : 14;
    const char* of_what = is_fork()                  ? "branch"
                          : !arguments_.cost.empty() ? "cost"
                          : scale_.empty()           ? ""
                                                     : "critical section";
    size_t longest = std::max<size_t>(8, std::string_view(of_what).size());
    for (const Json& point : points)
      longest = std::max(longest, name_of(point).size());
    const int names = static_cast<int>(longest) + 2;
    printf("%-*s%*s%*s%*s\n", names, of_what, width, "TPS", width, "x base", width, "p99 ms");
    for (const Json& point : points) {
      printf("%-*s%*s%*s%*s\n", names, name_of(point).c_str(), width,
             explain::estimate_in_words(point["tps"], "%.0f").c_str(), width,
             explain::estimate_in_words(point["tps_ratio"], "%.3f").c_str(), width,
             explain::estimate_in_words(point["p99_ms"], "%.3f").c_str());
    }
  }
  static std::string name_of(const Json& point) { return point["name"].get<std::string>(); }

  void print_profile(const Json& report) const {
    print_head();
    printf("Baseline: %s transactions per second. Relative throughput with one latch changed:\n\n",
           explain::estimate_in_words(report["base"]["tps"], "%.0f").c_str());
    const std::string section = "critical section " + std::to_string(percent_) + " %";
    const int width = seeds_ > 1 ? 26 : 24;
    printf("%-32s%10s%*s%*s\n", "latch", "cost", width, section.c_str(), width, "hand-off free");
    for (const Json& each : report["latches"]) {
      printf("%-32s%8.1f %%%*s%*s\n", each["latch"].get<std::string>().c_str(),
             100 * each["cost_share"].get<double>(), width,
             explain::estimate_in_words(each["section"]["tps_ratio"], "%.3f").c_str(), width,
             explain::estimate_in_words(each["hand_over"]["tps_ratio"], "%.3f").c_str());
    }
    printf("\ncost: stall and queue time of all threads, relative to client time\n");
  }

  const CliWhatIf& arguments_;
  Printed& printed_;
  std::vector<FieldError> errors_;
  Json base_spec_;
  double from_s_ = 0;
  uint32_t percent_ = 0, seeds_ = 0, top_ = 0;
  std::vector<uint32_t> scale_;
  std::vector<std::string> broken_;
};

}  // namespace

int what_if(const CliWhatIf& arguments, Printed& printed) {
  return WhatIf(arguments, printed).run();
}

}  // namespace latchscope::cli
