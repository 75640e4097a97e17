#include "cli/commands.h"

#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/host.h"
#include "cli/sliced_run.h"

namespace latchscope::cli {

namespace {

constexpr int kNameWidth = 44;

class RunTakenBack {
 public:
  RunTakenBack(const CliRun& arguments, Printed& printed) : arguments_(arguments), printed_(printed) {}

  int run() {
    RunSpecOrErrors read = read_run_spec(arguments_);
    if (!read.spec) return report(read.errors);
    spec_ = std::move(*read.spec);
    if (auto errors = read_way(); !errors.empty()) return report(errors);
    ResultFile result_file(arguments_.json_path);
    if (const auto error = result_file.check()) return cannot_write(*error);
    if (!run_twice()) return errors_.empty() ? kEngineFailed : report(errors_);
    if (!result_file.is_standard_output()) print();
    if (const int code = deliver(result_file, printed_, json()); code != kOk) return code;
    if (!fork_ && first_ != again_) {
      fprintf(stderr, "latchscope: the replayed run diverged from the first; please report this error\n");
      return kEngineFailed;
    }
    return do_all_hold(first_) && do_all_hold(again_) ? kOk : kInvariantBroken;
  }

 private:
  std::vector<FieldError> read_way() {
    if (!platform::kIsModelled)
      return {
          FieldError::of("--platform", run::platform_name(), "virtual: runs on real threads cannot go back")};
    const bool forks = !arguments_.fork_at.empty();
    if (forks && !arguments_.rewind_to.empty())
      return {FieldError::of("--rewind-to", arguments_.rewind_to,
                             "either --rewind-to or --fork-at, which goes back to its own time")};
    if (!forks) return read_moment();
    ForkOrErrors fork = read_fork(spec_, arguments_.fork_at);
    if (!fork.spec) return std::move(fork.errors);
    fork_ = std::move(fork);
    run_ns_ = fork_->run_ns - 1;  // the interactive change takes effect one nanosecond later
    return {};
  }

  std::vector<FieldError> read_moment() {
    const std::optional<uint64_t> moment = moment_of(arguments_.rewind_to, spec_, 0);
    if (!moment)
      return {
          FieldError::of("--rewind-to", arguments_.rewind_to,
                         "a number from 0, before the end of the run: " + Json(*spec_.duration_s).dump())};
    run_ns_ = *moment;
    return {};
  }

  // Returns false on failure: the reason is in errors_, or has been printed.
  bool run_twice() {
    SlicedRun run(spec_);
    run.go_to(run_ns_);
    if (run.is_over()) {
      errors_ = {FieldError::of(
          fork_ ? "--fork-at" : "--rewind-to", fork_ ? arguments_.fork_at : arguments_.rewind_to,
          "a time before the end of the run, which ended at " + ended_at(run.result()))};
      return false;
    }
    std::optional<ChildProcess> moment = ChildProcess::start([&](Connection& parent) {
      if (parent.read_line()) parent.write_line(go_on_from_here(run));
    });
    if (!moment) return false;
    run.go_to_the_end();
    first_ = run.result();
    if (!moment->connection().write_line("go on")) return false;
    std::optional<std::string> answer = moment->connection().read_line();
    if (!answer) return false;
    if (!answer->starts_with('{')) {
      errors_ = {FieldError::of("--fork-at", arguments_.fork_at,
                                "a change that the server accepts at this time: " + *answer)};
      return false;
    }
    again_ = std::move(*answer);
    return true;
  }

  // Returns the result, or why the change was rejected.
  std::string go_on_from_here(SlicedRun& run) const {
    if (fork_) {
      const auto refusal = fork_->step ? run.do_by_hand(spec_, *fork_->step) : run.suppose(fork_->what_if);
      if (refusal) return *refusal;
    }
    run.go_to_the_end();
    return run.result();
  }

  static double to_s(uint64_t ns) { return static_cast<double>(ns) / 1e9; }
  static std::string ended_at(const std::string& result) {
    return Json::parse(result)["totals"]["seconds"].dump() + " s";
  }

  static bool do_all_hold(const std::string& result) {
    for (const Json& invariant : Json::parse(result)["invariants"]) {
      if (invariant["ok"].get<bool>()) continue;
      fprintf(stderr, "latchscope: an invariant is broken: %s\n",
              invariant["name"].get<std::string>().c_str());
      return false;
    }
    return true;
  }

  std::string json() const {
    Json json = {{"version", 1},
                 {"rewind_to_s", to_s(run_ns_)},
                 {"same", first_ == again_},
                 {"first", Json::parse(first_)},
                 {"again", Json::parse(again_)}};
    if (fork_) json["step"] = timed_change(arguments_.fork_at);
    return json.dump();
  }

  static void print_course(const std::string& name, const std::string& result) {
    const Json json = Json::parse(result);
    printf("%-*s%14.2f%14.3f%16llu  %s\n", kNameWidth, name.c_str(), json["totals"]["tps"].get<double>(),
           json["totals"]["latency_ms"]["p99"].get<double>(),
           static_cast<unsigned long long>(json["model"]["events"].get<uint64_t>()),
           json["model"]["event_hash"].get<std::string>().c_str());
  }

  void print() const {
    printf("%s, %u threads, %g s, seed %llu\n\n", std::string(spec_.config.manifest->id).c_str(),
           spec_.config.clients, *spec_.duration_s, static_cast<unsigned long long>(spec_.config.seed));
    printf("%-*s%14s%14s%16s  %s\n", kNameWidth, "", "TPS", "p99 ms", "events", "event hash");
    print_course("full run", first_);
    print_course(fork_ ? arguments_.fork_at : "again from " + arguments_.rewind_to + " s", again_);
    printf("\n%s\n", first_ == again_ ? "Both results are identical, byte for byte."
                                      : "The results differ. To see where, use latchscope diff.");
  }

  const CliRun& arguments_;
  Printed& printed_;
  RunSpec spec_;
  uint64_t run_ns_ = 0;
  std::optional<ForkOrErrors> fork_;  // the change there
  std::vector<FieldError> errors_;
  std::string first_, again_;
};

}  // namespace

bool goes_back(const CliRun& arguments) {
  return !arguments.rewind_to.empty() || !arguments.fork_at.empty();
}

int run_and_go_back(const CliRun& arguments, Printed& printed) {
  return RunTakenBack(arguments, printed).run();
}

}  // namespace latchscope::cli
