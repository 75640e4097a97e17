#include "cli/run_pool.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "api/engine.h"
#include "cli/report.h"
#include "cli/signals.h"
#include "telemetry/telemetry.h"

namespace latchscope::cli {

using api::Engine;
using api::Json;
using api::kCoordinatorKind;
using api::kCoordinatorSlot;
using api::RunOutcome;
using api::RunSpec;

namespace {

std::string run_here(const RunSpec& spec, double from_s) {
  telemetry::ThreadScope scope({kCoordinatorSlot, kCoordinatorKind, 0, 0});
  Engine engine;
  engine.create(spec);
  engine.start();
  while (engine.state() == telemetry::RunState::running)
    engine.go_on();
  using From = Engine::OutcomeFrom;
  return engine.outcome(from_s > 0 ? From::first_interval : From::beginning).json().dump();
}

void write_all(int pipe, const std::string& text) {
  for (size_t written = 0; written < text.size();) {
    const ssize_t part = write(pipe, text.data() + written, text.size() - written);
    if (part < 0 && errno != EINTR) std::_Exit(kEngineFailed);
    written += part > 0 ? static_cast<size_t>(part) : 0;
  }
}

std::string read_all(int pipe) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t part = read(pipe, buffer, sizeof buffer);
    if (part > 0) text.append(buffer, static_cast<size_t>(part));
    if (part == 0 || (part < 0 && errno != EINTR)) return text;
  }
}

class Pool {
 public:
  Pool(const std::vector<RunSpec>& specs, double from_s) : specs_(specs), from_s_(from_s) {
    outcomes_.of_runs.resize(specs.size());
  }

  RunOutcomes run() {
    const auto cores = static_cast<size_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
    for (size_t next = 0; next < specs_.size() && !outcomes_.failed; ++next) {
      if (under_way_.size() == cores) await_one();
      if (!outcomes_.failed) start(next);
    }
    while (!under_way_.empty())
      await_one();
    return std::move(outcomes_);
  }

 private:
  struct UnderWay {
    size_t run;
    pid_t process;
    int pipe;
  };

  void start(size_t run) {
    int ends[2];
    const pid_t parent = getpid();
    fflush(nullptr);
    if (pipe(ends) != 0) return fail("cannot create a pipe");
    const pid_t process = fork();
    if (process < 0) return fail("cannot start a process");
    if (process == 0) {
      signals::remove_at_end("");  // the file belongs to the parent
      signals::end_with_parent(parent);
      close(ends[0]);
      write_all(ends[1], run_here(specs_[run], from_s_));
      std::_Exit(kOk);
    }
    close(ends[1]);
    under_way_.push_back({run, process, ends[0]});
  }

  void fail(const char* what) {
    fprintf(stderr, "latchscope: %s: %s\n", what, system_text(errno).c_str());
    outcomes_.failed = true;
  }

  // The output of a run fits into its pipe, so the run ends whether or not this process reads.
  void await_one() {
    int status = 0;
    pid_t process = -1;
    do {
      process = wait(&status);
    } while (process < 0 && errno == EINTR);
    const auto ended = std::find_if(under_way_.begin(), under_way_.end(),
                                    [&](const UnderWay& each) { return each.process == process; });
    if (ended == under_way_.end()) {
      fail("cannot wait for a run");
      under_way_.clear();
      return;
    }
    const std::string text = read_all(ended->pipe);
    close(ended->pipe);
    if (WIFEXITED(status) && WEXITSTATUS(status) == kOk) {
      outcomes_.of_runs[ended->run] = RunOutcome::of_json(Json::parse(text));
    } else {
      if (WIFSIGNALED(status)) fprintf(stderr, "latchscope: signal %d ended a run\n", WTERMSIG(status));
      outcomes_.failed = true;
    }
    under_way_.erase(ended);
  }

  const std::vector<RunSpec>& specs_;
  const double from_s_;
  std::vector<UnderWay> under_way_;
  RunOutcomes outcomes_;
};

}  // namespace

RunOutcomes run_all(const std::vector<RunSpec>& specs, double from_s) {
  return Pool(specs, from_s).run();
}

}  // namespace latchscope::cli
