#include "cli/run_pool.h"

#include <cerrno>
#include <cstdio>
#include <iterator>
#include <list>
#include <optional>
#include <utility>

#include "cli/host.h"
#include "run/engine.h"
#include "telemetry/telemetry.h"

namespace latchscope::cli {

namespace {

std::string run_here(const RunSpec& spec, double from_s) {
  telemetry::ThreadScope scope({run::kCoordinatorSlot, run::kCoordinatorKind, 0, 0});
  run::Engine engine;
  engine.create(spec);
  engine.start();
  while (engine.state() == telemetry::RunState::running)
    engine.go_on();
  using From = run::Engine::OutcomeFrom;
  return engine.outcome(from_s > 0 ? From::first_interval : From::beginning).json().dump();
}

class Pool {
 public:
  Pool(const std::vector<RunSpec>& specs, double from_s)
      : specs_(specs), from_s_(from_s), progress_(specs.size()) {
    outcomes_.of_runs.resize(specs.size());
  }

  RunOutcomes run() {
    for (size_t next = 0; next < specs_.size() && !outcomes_.failed; ++next) {
      if (under_way_.size() == host::cores()) await_one();
      if (!outcomes_.failed) start(next);
    }
    while (!under_way_.empty())
      await_one();
    return std::move(outcomes_);
  }

 private:
  struct UnderWay {
    size_t run;
    ChildProcess process;
  };

  void start(size_t run) {
    std::optional<ChildProcess> process =
        ChildProcess::start([&](Connection& parent) { parent.write_line(run_here(specs_[run], from_s_)); });
    if (process)
      under_way_.push_back({run, std::move(*process)});
    else
      outcomes_.failed = true;
  }

  void await_one() {
    std::vector<ChildProcess*> processes;
    for (UnderWay& each : under_way_)
      processes.push_back(&each.process);
    const std::optional<ChildProcess::Ended> end = ChildProcess::await_one(processes);
    if (!end) {
      fprintf(stderr, "latchscope: cannot wait for a run: %s\n", system_text(errno).c_str());
      outcomes_.failed = true;
      under_way_.clear();
      return;
    }
    const auto ended = std::next(under_way_.begin(), static_cast<std::ptrdiff_t>(end->index));
    if (end->signal != 0) fprintf(stderr, "latchscope: signal %d ended a run\n", end->signal);
    const bool is_ok = end->signal == 0 && end->exit_code == kOk;
    const std::optional<std::string> text = is_ok ? ended->process.connection().read_line() : std::nullopt;
    if (text)
      outcomes_.of_runs[ended->run] = run::RunOutcome::of_json(Json::parse(*text));
    else
      outcomes_.failed = true;
    under_way_.erase(ended);
    progress_.advance();
  }

  const std::vector<RunSpec>& specs_;
  const double from_s_;
  std::list<UnderWay> under_way_;
  ProgressBar progress_;
  RunOutcomes outcomes_;
};

}  // namespace

RunOutcomes run_all(const std::vector<RunSpec>& specs, double from_s) {
  return Pool(specs, from_s).run();
}

}  // namespace latchscope::cli
