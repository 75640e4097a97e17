// class Engine: one run at a time, from run spec to run result. The page reaches it through the C ABI
// (latchscope.h), the command line directly.
//
// Threads: one thread, the coordinator, calls every method, inside a telemetry::ThreadScope. create() starts
// the engine's own threads and the clients, which wait behind the gate until start().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/counted_reading.h"
#include "api/run_figures.h"
#include "api/run_outcome.h"
#include "api/run_spec.h"
#include "platform/platform.h"
#include "telemetry/layout.h"
#include "telemetry/sampler.h"
#include "workload/client_gate.h"
#include "workload/workload.h"

namespace latchscope::api {

inline constexpr uint32_t kCoordinatorSlot = telemetry::kThreadSlots - 1;
inline constexpr uint32_t kCoordinatorKind = static_cast<uint32_t>(telemetry::ThreadKind::coordinator);

class Engine {
 public:
  Engine();
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  telemetry::RunState state() const;

  // The spec becomes the one of this run: what is done by hand is written into it.
  void create(RunSpec spec);  // idle, finished -> ready
  void start();               // ready -> running
  void pause();               // running -> paused
  void resume();              // paused -> running
  void stop();                // ready, running, paused -> finished

  // ready, running, paused.
  void set_knob(uint32_t knob, uint32_t variant);
  // running, paused. Returns why the action is impossible now, or "".
  std::string fire(uint32_t action);

  // What somebody does by hand while the run goes on becomes a step of the run's spec, so that the spec of its result
  // is one that repeats the run. On a modelled server it is repeated to the last event: a step takes place, and a stop ends the run,
  // at the next nanosecond of run time, as if the spec had said so from the beginning; then `on_done_by_hand` is called. On
  // real threads that happens at once. ready, running, paused.
  void do_by_hand(TimedStep step);
  // The same for a host between two slices of a modelled server, running, while the coordinator sleeps. Returns how many
  // nanoseconds sooner it has to wake.
  uint64_t plan_by_hand(TimedStep step);
  uint64_t plan_stop_by_hand();
  // The same of a what-if: the run supposes it from then on, and its spec says so, in place of one that was still to come. Refused if one
  // holds already. running, paused; on a modelled server.
  void suppose_by_hand(WhatIfSpec what_if);
  uint64_t plan_supposing(WhatIfSpec what_if);
  // Something was planned by hand and has not taken place yet.
  bool awaits_planned() const { return planned_by_hand_ > 0; }

  enum class DoneByHand : uint8_t { done, refused_by_server, too_many_steps, run_is_over };
  // `why`: of refused_by_server.
  std::function<void(DoneByHand, const std::string& why)> on_done_by_hand;

  // Samples, closes intervals, fires timed actions, and ends the run when its duration is over. Call it every
  // few milliseconds during a run.
  void tick();
  // How long to sleep until the next tick: a few milliseconds, varied so that the sampler does not beat with
  // the workload, and shorter if a step, an interval's end or the run's end is due.
  uint64_t next_tick_ns();
  // For a host whose main thread is the coordinator: sleeps until the next tick, and does it.
  void go_on();

  // For the command line: called with each finished interval and each event.
  std::function<void(const Interval&)> on_interval;
  std::function<void(const std::string&)> on_event;
  // For the command line: called every few milliseconds. Returns the reason to end the run early, or null.
  std::function<const char*()> interruption;

  const RunSpec& spec() const { return *spec_; }
  // Of the server's own threads, in the order of their slots, which follow those of the clients.
  const std::vector<std::string>& engine_thread_names() const { return engine_thread_names_; }
  const std::vector<Interval>& intervals() const { return intervals_; }
  const std::vector<std::string>& log() const { return log_; }
  const std::vector<workload::Invariant>& invariants() const { return invariants_; }
  const telemetry::Sampler& sampler() const { return sampler_; }
  // RunSpec::stack_samples, in the order of their times.
  struct StackSample {
    double t_s;
    std::vector<telemetry::StackCount> stacks;  // samples = threads
  };
  const std::vector<StackSample>& stack_samples() const { return stack_samples_; }
  // The run result (JSON) of the finished run.
  const std::string& result() const { return result_; }
  // A reader's latch that did not do what a latch has to, in the order of the times.
  struct LatchStopped {
    std::string knob;
    double at_s;
  };
  const std::vector<LatchStopped>& latches_stopped() const { return latches_stopped_; }
  // Why the run ended early, or "".
  const std::string& stopped_early() const { return stopped_early_; }
  // Of the finished run.
  const RunFigures& figures() const { return figures_; }
  const DrainFigures& drain_figures() const { return drain_figures_; }
  // Of the finished run on a modelled server, from its beginning, or from the end of its first interval.
  enum class OutcomeFrom : uint8_t { beginning, first_interval };
  RunOutcome outcome(OutcomeFrom from) const;
  // Of the finished run on a modelled server, before clients ended their last transactions.
  const CountedReading& reading_at_end() const { return ended_; }

 private:
  void set_state(telemetry::RunState state);
  void start_threads();
  void run_client(uint32_t ordinal);
  void join_threads();
  void close_gate();
  void end_run();
  void drain();
  void stop_clients_for(const std::function<void()>& change);
  void look();
  void observe();
  void heed_interruption();
  void watch_latches();
  void take_latches_out_of_force();
  uint64_t run_ns() const;
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
  std::vector<workload::EngineThread> engine_threads_;
  std::vector<std::string> engine_thread_names_;
  std::vector<platform::Thread> threads_;
  std::vector<uint32_t> design_;  // in force now

  uint32_t last_latch_before_ = 0;  // number of the last latch built before those of this run
  uint64_t resumed_at_ns_ = 0;      // clock when the clients were last let go; 0 while they stand
  uint64_t run_ns_before_ = 0;      // run time up to then
  uint64_t run_ns_at_stop_ = 0;
  uint64_t drain_began_ns_ = 0;
  bool awaits_what_if_ = false;  // its from_s is still to come
  size_t next_step_ = 0;
  // Of the step under way: as a mark tells it.
  const TimedStep* step_under_way_ = nullptr;
  uint32_t planned_by_hand_ = 0;  // steps and stops
  uint32_t stops_planned_ = 0;
  uint64_t next_tick_run_ns_ = 0;
  std::optional<uint64_t> jittered_tick_run_ns_;  // drawn once for each tick, whatever comes before it

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

// The run result (JSON, version 1) of a finished run. The shape is described in docs/explanation/architecture.md.
std::string run_result_json(const Engine& engine);
// One of its intervals.
std::string interval_json(const Interval& interval, const RunSpec& spec);
// {"engine":..., "platform":..., "build":...}: which engine this is.
std::string engine_version_json();

}  // namespace latchscope::api
