// Engine: one run at a time, from run spec to run result. The page reaches it through the C ABI
// (latchscope.h), the command line directly.
//
// One thread, the coordinator, calls every method, inside a telemetry::ThreadScope. create() starts
// the engine's own threads and the clients, which wait behind the gate until start().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/platform.h"
#include "run/run_figures.h"
#include "run/run_outcome.h"
#include "run/run_spec.h"
#include "telemetry/layout.h"
#include "telemetry/sampler.h"
#include "workload/client_gate.h"
#include "workload/workload.h"

namespace latchscope::run {

inline constexpr uint32_t kCoordinatorSlot = telemetry::kThreadSlots - 1;
inline constexpr uint32_t kCoordinatorKind = static_cast<uint32_t>(telemetry::ThreadKind::coordinator);

class Engine {
 public:
  Engine();
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  telemetry::RunState state() const;

  // Creates the run. `spec` becomes the run's own spec, which also records interactive changes.
  void create(RunSpec spec);  // idle, finished -> ready
  void start();               // ready -> running
  void pause();               // running -> paused
  void resume();              // paused -> running
  void stop();                // ready, running, paused -> finished

  // REQUIRES: ready, running or paused.
  void set_knob(uint32_t knob, uint32_t variant);
  // Returns why the action is impossible now, or "".
  //
  // REQUIRES: running or paused.
  std::string fire(uint32_t action);

  // Applies an interactive change. Interactive changes are recorded as steps of the run's spec, so
  // that the spec in its result repeats the run.
  //
  // On a modelled server the repetition is exact to the last event. The change takes effect at the
  // next nanosecond of run time, as if the spec had contained it from the beginning. Then
  // `on_done_by_hand` is called. On real threads the change takes effect at once.
  //
  // REQUIRES: ready, running or paused.
  void do_by_hand(TimedStep step);
  // Do the same for a host between two slices of a modelled server. Return by how many nanoseconds
  // the coordinator must wake earlier.
  //
  // REQUIRES: the run is running and the coordinator sleeps.
  uint64_t plan_by_hand(TimedStep step);
  uint64_t plan_stop_by_hand();
  // Applies a what-if from now on and records it in the run's spec, where it replaces a what-if
  // that has not begun. Rejected if a what-if already applies.
  //
  // REQUIRES: running or paused, on a modelled server.
  void suppose_by_hand(WhatIfSpec what_if);
  uint64_t plan_supposing(WhatIfSpec what_if);
  // Returns whether an interactive change is planned that has not taken effect yet.
  bool awaits_planned() const { return planned_by_hand_ > 0; }

  enum class DoneByHand : uint8_t { done, refused_by_server, too_many_steps, run_is_over };
  // `why`: the reason for refused_by_server.
  std::function<void(DoneByHand, const std::string& why)> on_done_by_hand;

  // Samples, closes intervals, fires timed actions, and ends the run when its duration is over.
  // Call it every few milliseconds during a run.
  void tick();
  // Returns how long to sleep until the next tick: a few milliseconds, with jitter so that the
  // sampler is not in phase with the workload. The time is shorter if a step, an interval's end or
  // the run's end is due.
  uint64_t next_tick_ns();
  // Sleeps until the next tick and performs it, for a host whose main thread is the coordinator.
  void go_on();

  // For the command line: called with each finished interval and each event.
  std::function<void(const Interval&)> on_interval;
  std::function<void(const std::string&)> on_event;
  // For the command line: called every few milliseconds. Returns the reason to end the run early,
  // or null.
  std::function<const char*()> interruption;

  const RunSpec& spec() const { return *spec_; }
  // Returns the names of the server's own threads in slot order. Their slots follow those of the
  // clients.
  const std::vector<std::string>& engine_thread_names() const { return engine_thread_names_; }
  const std::vector<Interval>& intervals() const { return intervals_; }
  const std::vector<std::string>& log() const { return log_; }
  const std::vector<workload::Invariant>& invariants() const { return invariants_; }
  const telemetry::Sampler& sampler() const { return sampler_; }
  // A sample of RunSpec::stack_samples.
  struct StackSample {
    double t_s;
    std::vector<telemetry::StackCount> stacks;  // samples = threads
  };
  const std::vector<StackSample>& stack_samples() const { return stack_samples_; }
  // Returns the run result (JSON) of the finished run.
  const std::string& result() const { return result_; }
  // A user's latch that was stopped because it failed as a latch.
  struct LatchStopped {
    std::string knob;
    double at_s;
  };
  const std::vector<LatchStopped>& latches_stopped() const { return latches_stopped_; }
  // Returns why the run ended early, or "".
  const std::string& stopped_early() const { return stopped_early_; }
  // REQUIRES: the run has finished; drain_figures() too.
  const RunFigures& figures() const { return figures_; }
  const DrainFigures& drain_figures() const { return drain_figures_; }
  // Returns the outcome of the finished run on a modelled server, from its beginning or from the
  // end of its first interval.
  enum class OutcomeFrom : uint8_t { beginning, first_interval };
  RunOutcome outcome(OutcomeFrom from) const;
  // Returns the counts of the finished run on a modelled server, read before the clients ended
  // their last transactions.
  const CountedReading& reading_at_end() const { return ended_; }

 private:
  void set_state(telemetry::RunState state);
  void start_threads();
  void run_client(uint32_t ordinal);
  void join_threads();
  void close_gate();
  void open_gate();
  void end_run();
  void drain();
  void stop_clients_for(const std::function<void()>& change);
  void look();
  void observe();
  void heed_interruption();
  void watch_latches();
  void take_latches_out_of_force();
  uint64_t run_ns() const;
  // Returns the first run time for which the host may plan something. Virtual platform only.
  uint64_t next_run_ns() const;
  uint64_t next_due_run_ns() const;
  bool is_over();
  void sample_stacks_if_due();
  uint64_t next_stack_sample_ns() const;
  void publish_clock();
  void publish_long_wait(const workload::LongWait& wait);
  void mark(telemetry::MarkKind kind, uint32_t subject, uint32_t value, uint64_t stopped_ns);
  void note(const std::string& event);
  void note_server_log();
  void close_interval(uint64_t now_run_ns);
  void close_interval_if_due();
  void fire_due_steps();
  void suppose();
  void suppose_if_due();
  std::string carry_out(const TimedStep& step);
  bool is_settled_by_hand(const TimedStep& step);
  std::string why_not_suppose() const;
  void end_planned(DoneByHand outcome, const std::string& why = "");
  uint64_t wake_at(uint64_t due_run_ns);
  void drop_steps_not_reached();
  void finish_run();
  void discard_run();

  std::optional<RunSpec> spec_;
  std::unique_ptr<workload::Workload> workload_;
  std::unique_ptr<workload::ClientGate> gate_;
  std::optional<uint64_t> stopped_at_ps_;  // since when the clients stand still
  std::vector<workload::EngineThread> engine_threads_;
  std::vector<std::string> engine_thread_names_;
  std::vector<platform::Thread> threads_;
  std::vector<uint32_t> design_;  // in force now

  uint32_t last_latch_before_ = 0;  // number of the last latch built before this run
  // Clock when the clients were last released; nothing while they are stopped.
  std::optional<uint64_t> resumed_at_ns_;
  uint64_t run_ns_before_ = 0;  // run time up to then
  uint64_t run_ns_at_stop_ = 0;
  uint64_t drain_began_ns_ = 0;
  bool awaits_what_if_ = false;  // the what-if's from_s is still to come
  size_t next_step_ = 0;
  // The step in progress, for marks.
  const TimedStep* step_under_way_ = nullptr;
  uint32_t planned_by_hand_ = 0;  // steps and stops
  uint32_t stops_planned_ = 0;
  uint64_t next_tick_run_ns_ = 0;
  // Drawn once for each tick, even if something else is due first.
  std::optional<uint64_t> jittered_tick_run_ns_;

  telemetry::Sampler sampler_;
  platform::Random tick_jitter_;
  std::vector<Interval> intervals_;
  std::vector<std::string> log_;
  std::vector<workload::Invariant> invariants_;
  std::vector<StackSample> stack_samples_;
  std::vector<LatchStopped> latches_stopped_;
  const char* interrupted_by_ = nullptr;
  std::string stopped_early_;
  RunFigures figures_{};
  DrainFigures drain_figures_{};
  std::string result_;
  RunReading interval_began_;
  CountedReading first_interval_ended_, ended_;
};

// Returns the run result (JSON, version 1) of a finished run. Its form is described in
// docs/reference/contract.md.
std::string run_result_json(const Engine& engine);
// Returns one of its intervals.
std::string interval_json(const Interval& interval, const RunSpec& spec);
// Returns {"version", "platform", "build", ...}, which identifies this engine but not its C ABI.
Json engine_version_json();

}  // namespace latchscope::run
