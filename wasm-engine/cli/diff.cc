#include "cli/commands.h"

#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/host.h"
#include "explain/course.h"
#include "explain/course_diff.h"
#include "explain/course_report.h"
#include "run/engine.h"

namespace latchscope::cli {

namespace {

constexpr size_t kLatchesShown = 8;
constexpr const char* kNames = "AB";

// A branch of a run in a process of its own, which answers questions about its events.
class Course {
 public:
  static std::optional<Course> start(const RunSpec& spec, const explain::EventWindow& noted) {
    std::optional<ChildProcess> process = ChildProcess::start([&](Connection& parent) {
      telemetry::ThreadScope scope({run::kCoordinatorSlot, run::kCoordinatorKind, 0, 0});
      run::Engine engine;
      explain::note_course(noted.after, noted.count);
      engine.create(spec);
      engine.start();
      while (engine.state() == telemetry::RunState::running)
        engine.go_on();
      parent.write_line(told(engine).dump());
      while (const auto number = parent.read_line())
        parent.write_line(explain::noted_event_json(engine, std::stoull(*number)).dump());
    });
    if (!process) return std::nullopt;
    return Course(std::move(*process));
  }

  // Returns false if the engine has stopped, and has printed why.
  bool read() {
    const std::optional<std::string> line = process_.connection().read_line();
    if (line) told_ = Json::parse(*line);
    return line.has_value();
  }
  const Json& told() const { return told_; }
  // Returns null if the run has no such event.
  Json event(uint64_t number) {
    process_.connection().write_line(std::to_string(number));
    const std::optional<std::string> line = process_.connection().read_line();
    return line ? Json::parse(*line) : Json();
  }

 private:
  explicit Course(ChildProcess process) : process_(std::move(process)) {}

  static Json told(const run::Engine& engine) {
    Json told = explain::course_json(engine);
    told["stopped_early"] = engine.stopped_early();
    told["broken_invariants"] = Json::array();
    for (const workload::Invariant& invariant : engine.invariants()) {
      if (!invariant.ok) told["broken_invariants"].push_back(invariant.name);
    }
    return told;
  }

  ChildProcess process_;
  Json told_;
};

class Diff {
 public:
  Diff(const CliDiff& arguments, Printed& printed) : arguments_(arguments), printed_(printed) {}

  int run() {
    read_options();
    if (!errors_.empty()) return report(errors_);
    report_.emplace(specs_[0], specs_[1]);
    ResultFile result_file(arguments_.run.json_path);
    if (const auto error = result_file.check()) return cannot_write(*error);
    for (uint32_t seed = 0; seed < seeds_; ++seed) {
      if (!run_pair(seed)) return errors_.empty() ? kEngineFailed : report(errors_);
    }
    if (!result_file.is_standard_output()) print();
    const int code = deliver(result_file, printed_, report_->json().dump());
    if (code != kOk) return code;
    for (const std::string& name : broken_)
      fprintf(stderr, "latchscope: an invariant is broken: %s\n", name.c_str());
    return broken_.empty() ? kOk : kInvariantBroken;
  }

 private:
  // --- options -----------------------------------------------------------------------------------

  void fail(const char* option, const std::string& value, std::string allowed) {
    errors_.push_back(FieldError::of(option, value, std::move(allowed)));
  }

  void read_options() {
    if (!platform::kIsModelled) {
      fail("--platform", run::platform_name(), "virtual: runs on real threads are never identical");
      return;
    }
    seeds_ = number_of_option("--seeds", arguments_.seeds, 1, 1, run::kSeedsMax, errors_);
    if (arguments_.fork_at.empty() == arguments_.other_path.empty()) {
      fail("diff", arguments_.fork_at.empty() ? "neither" : "both", "either --fork-at or --other");
      return;
    }
    RunSpecOrErrors read = read_run_spec(arguments_.run);
    append(read.errors, "");
    if (!read.spec) return;
    specs_.push_back(Json::parse(run::to_json(*read.spec)));
    if (arguments_.fork_at.empty()) {
      read_other();
    } else {
      read_fork_of(*read.spec);
    }
  }

  void read_fork_of(const RunSpec& spec) {
    const ForkOrErrors fork = read_fork(spec, arguments_.fork_at);
    append(fork.errors, "");
    if (fork.spec) specs_.push_back(Json::parse(run::to_json(*fork.spec)));
  }

  void read_other() {
    CliRun other;
    other.spec_path = arguments_.other_path;
    other.platform = arguments_.run.platform;
    other.default_seconds = arguments_.run.default_seconds;
    const RunSpecOrErrors read = read_run_spec(other);
    append(read.errors, "--other: ");
    if (read.spec) specs_.push_back(Json::parse(run::to_json(*read.spec)));
  }

  void append(const std::vector<FieldError>& errors, const std::string& before_field) {
    for (FieldError error : errors) {
      error.field.insert(0, before_field);
      errors_.push_back(std::move(error));
    }
  }

  // --- runs --------------------------------------------------------------------------------------

  std::optional<RunSpec> spec_of(size_t course, uint32_t seed) {
    Json spec = specs_[course];
    spec["seed"] = spec["seed"].get<uint64_t>() + seed;
    RunSpecOrErrors read = run::parse_run_spec(spec.dump());
    if (!read.spec) errors_ = std::move(read.errors);
    return std::move(read.spec);
  }

  // Returns nothing on failure: the reason is in errors_, or has been printed.
  std::optional<std::vector<Course>> run_both(uint32_t seed, const explain::EventWindow& noted) {
    std::vector<Course> courses;
    for (size_t course : {0, 1}) {
      const std::optional<RunSpec> spec = spec_of(course, seed);
      std::optional<Course> started = spec ? Course::start(*spec, noted) : std::nullopt;
      if (!started) return std::nullopt;
      courses.push_back(std::move(*started));
    }
    for (Course& course : courses) {
      if (!course.read()) return std::nullopt;
    }
    return courses;
  }

  // Repeats both runs until it has found where they diverge.
  bool run_pair(uint32_t seed) {
    explain::EventWindow noted;
    for (;;) {
      auto courses = run_both(seed, noted);
      if (!courses) return false;
      const explain::Parting parting =
          explain::find_parting(noted, (*courses)[0].told(), (*courses)[1].told());
      noted = parting.next;
      if (noted.count > 0) continue;
      look_at(*courses, parting);
      return true;
    }
  }

  void look_at(std::vector<Course>& courses, const explain::Parting& parting) {
    explain::PairOfCourses pair{parting.first_different, parting.noted_until, {}, {}, {}};
    for (size_t course : {0, 1}) {
      Course& each = courses[course];
      if (parting.first_different > 0) pair.events[course] = each.event(parting.first_different);
      if (parting.on_server) pair.on_server[course] = each.event((*parting.on_server)[course]);
      pair.figures[course] = each.told()["figures"];
      warn_if_stopped_early(std::string(1, kNames[course]), each.told()["stopped_early"].get<std::string>());
      for (const Json& name : each.told()["broken_invariants"])
        broken_.push_back(std::string(1, kNames[course]) + ": " + name.get<std::string>());
    }
    report_->add(std::move(pair));
  }

  // --- output ------------------------------------------------------------------------------------

  void print_event(size_t course, const Json& event) const {
    if (event.is_null()) {
      printf("  %c  no such event: the run has ended\n", kNames[course]);
      return;
    }
    printf("  %c  at %.6f ms: %s\n", kNames[course], event["run_ns"].get<double>() / 1e6,
           event_in_words(event).c_str());
  }

  void print_parting() const {
    const explain::PairOfCourses& pair = report_->pairs()[0];
    if (pair.first_different == 0) {
      printf("A and B are identical to the last event.\n");
      return;
    }
    printf("A and B diverge at event %llu; the %llu events before it are identical.\n",
           static_cast<unsigned long long>(pair.first_different),
           static_cast<unsigned long long>(pair.first_different - 1));
    for (size_t course : {0, 1})
      print_event(course, pair.events[course]);
    if (pair.on_server[0].is_null()) {
      printf("No server thread diverges in the next %llu events.\n",
             static_cast<unsigned long long>(pair.noted_until - pair.first_different));
      return;
    }
    if (pair.on_server[0] == pair.events[0] && pair.on_server[1] == pair.events[1]) return;
    printf("First server thread to diverge:\n");
    for (size_t course : {0, 1})
      print_event(course, pair.on_server[course]);
  }

  void print_figure(const std::string& name, const explain::CourseReport::Path& path,
                    const char* format) const {
    const int width = seeds_ > 1 ? 32 : 14;
    const auto of_both = report_->ratio(path);
    printf("%-44s%*s%*s%*s\n", name.c_str(), width, report_->of(0, path).text(format).c_str(), width,
           report_->of(1, path).text(format).c_str(), width, of_both ? of_both->text("%.3f").c_str() : "-");
  }

  void print() const {
    for (size_t course : {0, 1})
      printf("%c: %s\n", kNames[course], in_words(specs_[course]).c_str());
    printf("\n");
    print_parting();
    if (report_->pairs()[0].first_different == 0 && seeds_ == 1) return;
    printf("\nFrom %.6f s on", report_->pairs()[0].figures[0]["from_s"].get<double>());
    if (seeds_ > 1) printf(" (with the first seed), mean and 95 %% interval of %u seeds", seeds_);
    const int width = seeds_ > 1 ? 32 : 14;
    printf("\n%-44s%*s%*s%*s\n", "", width, "A", width, "B", width, "B / A");
    print_figure("transactions per second", {"tps"}, "%.1f");
    print_figure("mean latency, ms", {"latency_ms", "mean"}, "%.4f");
    print_figure("p99 latency, ms", {"latency_ms", "p99"}, "%.4f");
    std::vector<std::string> shown = report_->latches();
    if (shown.size() > kLatchesShown) shown.resize(kLatchesShown);
    for (const std::string& latch : shown) {
      printf("%s\n", latch.c_str());
      print_figure("    acquisitions", {"latches", latch, "acquisitions"}, "%.0f");
      print_figure("    waits", {"latches", latch, "waits"}, "%.0f");
      print_figure("    wait time, ns", {"latches", latch, "wait_ns"}, "%.0f");
    }
  }

  static std::string in_words(const Json& spec) {
    std::string words = spec["scenario"].get<std::string>() + ", " +
                        std::to_string(spec["threads"].get<int>()) + " threads, " +
                        spec["duration_s"].dump() + " s, seed " + spec["seed"].dump() + ", design " +
                        spec["design"].dump();
    for (const Json& step : spec["actions"])
      words += ", " + step_in_words(step);
    if (spec.contains("what_if") && !spec["what_if"].is_null())
      words += ", what if " + spec["what_if"].dump();
    return words;
  }

  static std::string step_in_words(const Json& step) {
    const std::string at = "at " + step["at_s"].dump() + " s ";
    return at + (step.contains("action")
                     ? step["action"].get<std::string>()
                     : step["knob"].get<std::string>() + "=" + step["variant"].get<std::string>());
  }

  static std::string event_in_words(const Json& event) {
    const std::string kind = event["kind"];
    const std::string latch = event.value("latch", "");
    const std::string who = event["thread"].get<std::string>();
    std::string words = (who.empty() ? "an unknown thread" : who) + " ";
    const std::string word = event.value("word", "");
    const std::string what = (word.empty() ? "" : word + " of ") + latch;
    if (event.contains("access")) {
      words += verb_of(event["access"]) + " " + what;
    } else if (kind == "access" || kind == "polls") {
      words += (kind == "polls" ? "spins on " : "accesses ") + (latch.empty() ? "a word" : what);
    } else if (kind == "store") {
      words += latch.empty() ? "has a store take effect" : "has a store to " + what + " take effect";
    } else {
      words += kind == "wakes" ? "is woken" : kind == "timer" ? "wakes by its timer" : "ends a unit of work";
    }
    const Json stack = event.value("stack", Json::array());
    if (!stack.empty()) words += ", in " + stack.back().get<std::string>();
    return words;
  }

  static std::string verb_of(const std::string& access) {
    if (access == "load") return "reads";
    if (access == "poll") return "polls";
    if (access == "store") return "stores to";
    return access == "read_modify_write" ? "changes" : "fails to change";
  }

  const CliDiff& arguments_;
  Printed& printed_;
  std::vector<FieldError> errors_;
  std::vector<Json> specs_;
  uint32_t seeds_ = 1;
  std::optional<explain::CourseReport> report_;  // set once both specs are known
  std::vector<std::string> broken_;
};

}  // namespace

int diff(const CliDiff& arguments, Printed& printed) {
  return Diff(arguments, printed).run();
}

}  // namespace latchscope::cli
