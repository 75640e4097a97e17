#include "run/engine.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "telemetry/publish.h"
#include "telemetry/run_log.h"
#include "telemetry/telemetry.h"

namespace latchscope::run {

using telemetry::MarkKind;
using telemetry::RunState;

namespace {

constexpr uint64_t kNsPerSecond = 1'000'000'000;
constexpr uint32_t kTickUsMin = 3'000;
constexpr uint32_t kTickUsMax = 7'000;
constexpr uint64_t kTickJitterSeed = 0x7469636b;
constexpr size_t kLogLinesMax = 2'000;
constexpr uint64_t kAttachNs = 30'000;  // ptrace attach of one thread
constexpr size_t kStacksPerSampleMax = 256;
constexpr uint64_t kLookAtLatchesNs = 1'000'000;
constexpr uint64_t kInactiveClientSleepNs = 5'000'000;

uint64_t to_ns(double seconds) {
  return static_cast<uint64_t>(std::llround(seconds * static_cast<double>(kNsPerSecond)));
}

double to_s(uint64_t ns) {
  return static_cast<double>(ns) / static_cast<double>(kNsPerSecond);
}

std::string seconds_text(uint64_t run_ns) {
  char text[32];
  snprintf(text, sizeof text, "[%6.1fs] ", static_cast<double>(run_ns) / 1e9);
  return text;
}

}  // namespace

Engine::Engine() : tick_jitter_(kTickJitterSeed) {}

Engine::~Engine() {
  if (threads_.empty()) return;
  // Transactions in progress may need the server's own threads.
  workload_->cut_short();
  gate_->close([this] {
    watch_latches();
    workload_->look();
  });
  gate_->stop();
  join_threads();
}

RunState Engine::state() const {
  return static_cast<RunState>(telemetry::block().header.run_state[0].read_acquire());
}

void Engine::set_state(RunState state) {
  // The host reads the run result once it sees `finished`.
  telemetry::set_run_state(telemetry::block().header.run_state[0], state);
}

void Engine::create(RunSpec spec) {
  LATCHSCOPE_ASSERT(state() == RunState::idle || state() == RunState::finished, "one run at a time");
  discard_run();
  set_state(RunState::building);
  telemetry::reset();
  spec_ = std::move(spec);
  design_ = spec_->config.design;
  awaits_what_if_ = spec_->what_if.from_s > 0;
  telemetry::suppose({});
  platform::begin_run(spec_->server.profile);
  last_latch_before_ = telemetry::latch_numbers_given();
  telemetry::forget_names_of_run();
  workload_ = workload::make_workload(spec_->config);
  if (!awaits_what_if_) suppose();
  workload_->build();
  gate_ = std::make_unique<workload::ClientGate>(spec_->config.clients);
  telemetry::reset();  // the run starts from zero; loading the data does not count
  telemetry::block().header.client_threads[0].set(spec_->config.clients);
  start_threads();
  gate_->close();
  set_state(RunState::ready);
}

void Engine::suppose() {
  telemetry::suppose(spec_->what_if.latches);
  platform::take_costs(profile_of_run(*spec_));
}

void Engine::discard_run() {
  workload_.reset();
  gate_.reset();
  intervals_.clear();
  log_.clear();
  invariants_.clear();
  interrupted_by_ = nullptr;
  stopped_early_.clear();
  stack_samples_.clear();
  latches_stopped_.clear();
  sampler_.clear();
  tick_jitter_ = platform::Random(kTickJitterSeed);
  resumed_at_ns_.reset();
  run_ns_before_ = run_ns_at_stop_ = drain_began_ns_ = 0;
  interval_began_ = {};
  first_interval_ended_ = ended_ = {};
  next_step_ = 0;
  planned_by_hand_ = 0;
  stops_planned_ = 0;
  jittered_tick_run_ns_.reset();
}

void Engine::start_threads() {
  const uint32_t clients = spec_->config.clients;
  engine_threads_ = workload_->engine_threads();
  engine_thread_names_.clear();
  for (const workload::EngineThread& thread : engine_threads_)
    engine_thread_names_.push_back(thread.name);
  for (uint32_t i = 0; i < engine_threads_.size(); ++i) {
    constexpr auto kFirstKind = static_cast<uint32_t>(telemetry::ThreadKind::server);
    const telemetry::ThreadIdentity identity{clients + i, kFirstKind + i, 0, spec_->config.seed};
    threads_.emplace_back([this, identity, i] {
      telemetry::ThreadScope scope(identity);
      engine_threads_[i].body();
    });
  }
  for (uint32_t ordinal = 0; ordinal < clients; ++ordinal) {
    threads_.emplace_back([this, ordinal] { run_client(ordinal); });
  }
}

void Engine::run_client(uint32_t ordinal) {
  constexpr auto kKind = static_cast<uint32_t>(telemetry::ThreadKind::client);
  telemetry::ThreadScope scope({ordinal, kKind, ordinal, spec_->config.seed});
  const std::unique_ptr<workload::Client> client = workload_->make_client(ordinal);
  telemetry::ThreadRecorder& recorder = telemetry::recorder();
  while (client->comes_to_transaction(*gate_)) {
    if (!client->is_active()) {
      telemetry::sleep_ns(kInactiveClientSleepNs);
      continue;
    }
    recorder.transaction_begins(client->arrived_ps());
    platform::call_apart([&] { client->transaction(); });
    if (client->has_ended_transaction()) recorder.transaction_ends();
  }
}

void Engine::join_threads() {
  for (workload::EngineThread& thread : engine_threads_)
    thread.request_stop();
  take_latches_out_of_force();
  for (platform::Thread& thread : threads_)
    thread.join();
  threads_.clear();
  engine_threads_.clear();
}

uint64_t Engine::run_ns() const {
  return run_ns_before_ + (resumed_at_ns_ ? platform::now_ns() - *resumed_at_ns_ : 0);
}

uint64_t Engine::next_run_ns() const {
  return run_ns() + (platform::furthest_ns() - platform::now_ns()) + 1;
}

void Engine::publish_clock() {
  telemetry::block().header.run_ns[0].set(run_ns());
  telemetry::block().header.clock_ns[0].set(platform::now_ns());
}

void Engine::publish_long_wait(const workload::LongWait& wait) {
  telemetry::BlockHeader& header = telemetry::block().header;
  header.long_wait_done[0].set_release(wait.done);
  header.long_wait_total[0].set_release(wait.total);
  header.long_wait[0].set_release(static_cast<uint32_t>(wait.what));
}

void Engine::start() {
  LATCHSCOPE_ASSERT(state() == RunState::ready, "a run starts when it is ready");
  jittered_tick_run_ns_.reset();
  resumed_at_ns_ = platform::now_ns();
  publish_clock();
  telemetry::begin_hot_latches(last_latch_before_, to_ns(spec_->interval_s));
  set_state(RunState::running);
  platform::let_host_look();
  gate_->open();
}

void Engine::pause() {
  LATCHSCOPE_ASSERT(state() == RunState::running, "a running run can be paused");
  close_gate();
  run_ns_before_ = run_ns();
  resumed_at_ns_.reset();
  publish_clock();
  mark(MarkKind::pause, 0, 0, 0);
  set_state(RunState::paused);
  note("paused");
}

void Engine::resume() {
  LATCHSCOPE_ASSERT(state() == RunState::paused, "a paused run can be resumed");
  mark(MarkKind::resume, 0, 0, 0);
  note("resumed");
  resumed_at_ns_ = platform::now_ns();
  publish_clock();
  set_state(RunState::running);
  platform::let_host_look();
  open_gate();
}

// Waits for the last transactions, which may take seconds when a COMMIT waits for a purge. They are
// sampled too.
void Engine::close_gate() {
  const uint64_t began_ns = platform::now_ns();
  gate_->close([&] {
    workload_->wake_clients();
    observe();
    close_interval_if_due();
    if (platform::now_ns() - began_ns > workload_->patience_ns()) workload_->lose_patience();
  });
  stopped_at_ps_ = platform::now_ps();
}

void Engine::open_gate() {
  if (stopped_at_ps_) workload_->clients_stand_still(platform::now_ps() - *stopped_at_ps_);
  stopped_at_ps_.reset();
  gate_->open();
}

void Engine::stop_clients_for(const std::function<void()>& change) {
  const bool were_running = gate_->is_open();
  if (were_running) close_gate();
  change();
  if (were_running) open_gate();
}

void Engine::set_knob(uint32_t knob, uint32_t variant) {
  if (design_[knob] == variant) return;
  const uint64_t began_ns = platform::now_ns();
  stop_clients_for([&] {
    workload_->phase_ends();
    workload_->set_knob(knob, variant);
  });
  design_[knob] = variant;
  const uint64_t stopped_ns = platform::now_ns() - began_ns;
  mark(MarkKind::knob, knob, variant, stopped_ns);
  const auto& manifest = spec_->config.manifest->knobs[knob];
  note(std::string(manifest.id) + " = " + std::string(manifest.variants[variant].id) +
       ", clients stood for " + std::to_string(stopped_ns / 1000) + " us");
}

std::string Engine::fire(uint32_t action) {
  std::string refusal;
  const uint64_t began_ns = platform::now_ns();
  const bool stops_clients = workload_->action_stops_clients(action);
  if (stops_clients) {
    stop_clients_for([&] { refusal = workload_->fire(action); });
  } else {
    refusal = workload_->fire(action);
  }
  mark(MarkKind::action, action, refusal.empty() ? 0 : 1, stops_clients ? platform::now_ns() - began_ns : 0);
  note(std::string(spec_->config.manifest->actions[action].id) +
       (refusal.empty() ? "" : ": refused: " + refusal));
  return refusal;
}

void Engine::mark(MarkKind kind, uint32_t subject, uint32_t value, uint64_t stopped_ns) {
  telemetry::TelemetryBlock& block = telemetry::block();
  telemetry::publish_mark(
      block.header.marks_count[0], block.marks,
      {.run_ns = run_ns(),
       .kind = kind,
       .subject = subject,
       .value = value,
       .stopped_us = static_cast<uint32_t>(stopped_ns / 1000),
       .step_ns = step_under_way_ == nullptr ? run_ns() : to_ns(step_under_way_->at_s),
       .is_by_hand = step_under_way_ != nullptr && step_under_way_->is_by_hand ? 1u : 0u});
}

void Engine::note(const std::string& event) {
  if (log_.size() < kLogLinesMax) log_.push_back(seconds_text(run_ns()) + event);
  if (on_event) on_event(seconds_text(run_ns()) + event);
}

// Passes on the server's own log lines, as the server wrote them.
void Engine::note_server_log() {
  for (std::string& line : telemetry::take_log_lines()) {
    if (on_event) on_event(line);
    if (log_.size() < kLogLinesMax) log_.push_back(std::move(line));
  }
}

void Engine::tick() {
  if (state() != RunState::running) return;
  jittered_tick_run_ns_.reset();
  observe();
  suppose_if_due();
  fire_due_steps();
  sample_stacks_if_due();
  if (is_over()) {
    stop();
  } else {
    close_interval_if_due();
  }
}

bool Engine::is_over() {
  if (spec_->duration_s && run_ns() >= to_ns(*spec_->duration_s)) return true;
  if (interrupted_by_ != nullptr) {
    stopped_early_ = interrupted_by_;
  } else if (const std::string trouble = workload_->trouble(); !trouble.empty()) {
    stopped_early_ = trouble;
  } else if (platform::kIsModelled && platform::model_totals().events >= spec_->events_max) {
    stopped_early_ = "events_max: " + std::to_string(spec_->events_max) + " events are used up";
  } else if (!spec_->duration_s && run_ns() >= to_ns(spec_->interval_s * kRunIntervalsMax)) {
    stopped_early_ = "intervals_max: a result has at most " + std::to_string(kRunIntervalsMax) + " intervals";
  } else {
    return false;
  }
  note("stopped early: " + stopped_early_);
  return true;
}

// Also called during the last transactions, when a purge may be running.
void Engine::heed_interruption() {
  if (!interruption || interrupted_by_ != nullptr) return;
  interrupted_by_ = interruption();
  if (interrupted_by_ != nullptr) workload_->cut_short();
}

uint64_t Engine::next_stack_sample_ns() const {
  return to_ns(spec_->stack_samples.every_s * static_cast<double>(stack_samples_.size() + 1));
}

// Takes a stack sample. A debugger needs some time to stop each thread, and the other threads
// continue meanwhile.
void Engine::sample_stacks_if_due() {
  const bool is_due =
      stack_samples_.size() < spec_->stack_samples.count && run_ns() >= next_stack_sample_ns();
  if (!is_due) return;
  const bool stops = spec_->stack_samples.sampler == StackSampler::stop_the_world;
  if (stops) {
    for (platform::Thread& thread : threads_) {
      thread.freeze();
      platform::sleep_ns(kAttachNs);
    }
  }
  telemetry::Sampler sampler;
  sampler.sample();
  stack_samples_.push_back({static_cast<double>(run_ns()) / 1e9, sampler.stacks(kStacksPerSampleMax)});
  if (!stops) return;
  for (platform::Thread& thread : threads_)
    thread.thaw();
}

void Engine::look() {
  sampler_.sample();
  note_server_log();
  publish_long_wait(workload_->long_wait());
  heed_interruption();
  watch_latches();
  workload_->look();
}

void Engine::watch_latches() {
  for (lab::LatchPlace* place : workload_->latch_places()) {
    if (!place->look()) continue;
    const int32_t knob = workload::index_of(spec_->config.manifest->knobs, place->knob());
    mark(MarkKind::latch_stopped, static_cast<uint32_t>(knob), 0, 0);
    latches_stopped_.push_back({place->knob(), to_s(run_ns())});
    telemetry::log_entry(seconds_text(run_ns()) + "the latch of " + place->knob() +
                         " was stopped: " + place->why_stopped());
  }
}

// Waits until no thread of the server waits for or holds a user's latch.
void Engine::take_latches_out_of_force() {
  const std::vector<lab::LatchPlace*> places = workload_->latch_places();
  if (places.empty()) return;
  for (lab::LatchPlace* place : places)
    place->put_in_force(false);
  do {
    platform::sleep_ns(kLookAtLatchesNs);
    watch_latches();
  } while (!std::ranges::all_of(places, &lab::LatchPlace::is_left));
}

void Engine::observe() {
  look();
  publish_clock();
}

uint64_t Engine::next_tick_ns() {
  const uint64_t now_run_ns = run_ns();
  if (!jittered_tick_run_ns_)
    jittered_tick_run_ns_ = now_run_ns + uint64_t{tick_jitter_.between(kTickUsMin, kTickUsMax)} * 1000;
  next_tick_run_ns_ = std::max(std::min(*jittered_tick_run_ns_, next_due_run_ns()), now_run_ns);
  return next_tick_run_ns_ - now_run_ns;
}

void Engine::go_on() {
  telemetry::sleep_ns(next_tick_ns());
  tick();
}

uint64_t Engine::next_due_run_ns() const {
  uint64_t due = interval_began_.run_ns + to_ns(spec_->interval_s);
  if (spec_->duration_s) due = std::min(due, to_ns(*spec_->duration_s));
  if (stack_samples_.size() < spec_->stack_samples.count) due = std::min(due, next_stack_sample_ns());
  if (next_step_ < spec_->steps.size()) due = std::min(due, to_ns(spec_->steps[next_step_].at_s));
  if (awaits_what_if_) due = std::min(due, to_ns(spec_->what_if.from_s));
  return due;
}

void Engine::suppose_if_due() {
  if (!awaits_what_if_ || run_ns() < to_ns(spec_->what_if.from_s)) return;
  awaits_what_if_ = false;
  suppose();
  TimedStep step;
  step.at_s = spec_->what_if.from_s;
  step.is_by_hand = spec_->what_if.is_by_hand;
  step_under_way_ = &step;
  mark(MarkKind::what_if, 0, 0, 0);
  step_under_way_ = nullptr;
  note("what if: it holds from here on");
  if (step.is_by_hand) end_planned(DoneByHand::done);
}

void Engine::fire_due_steps() {
  while (next_step_ < spec_->steps.size() && run_ns() >= to_ns(spec_->steps[next_step_].at_s)) {
    // Other steps may be planned while this one takes effect.
    const TimedStep step = spec_->steps[next_step_++];
    const std::string refusal = carry_out(step);
    if (step.is_by_hand)
      end_planned(refusal.empty() ? DoneByHand::done : DoneByHand::refused_by_server, refusal);
  }
}

std::string Engine::carry_out(const TimedStep& step) {
  step_under_way_ = &step;
  std::string refusal;
  if (step.action) {
    refusal = fire(*step.action);
  } else {
    set_knob(step.knob, step.variant);
  }
  step_under_way_ = nullptr;
  return refusal;
}

// --- interactive changes -------------------------------------------------------------------------

// Returns true if no more work is needed: the step is already in force, or is rejected.
bool Engine::is_settled_by_hand(const TimedStep& step) {
  if (!awaits_planned() && !step.action && design_[step.knob] == step.variant) {
    on_done_by_hand(DoneByHand::done, "");
    return true;
  }
  if (const std::string lacking = step.action ? "" : latch_lacking(*spec_, step.knob, step.variant);
      !lacking.empty()) {
    on_done_by_hand(DoneByHand::refused_by_server, lacking);
    return true;
  }
  if (spec_->steps.size() < kTimedStepsMax) return false;
  on_done_by_hand(DoneByHand::too_many_steps, "");
  return true;
}

void Engine::do_by_hand(TimedStep step) {
  if (platform::kIsModelled && state() == RunState::running) {
    plan_by_hand(step);
    return;
  }
  if (state() == RunState::running) fire_due_steps();
  if (is_settled_by_hand(step)) return;
  std::vector<TimedStep>& steps = spec_->steps;
  step.is_by_hand = true;
  step.at_s = to_s(run_ns());
  if (next_step_ < steps.size()) step.at_s = std::min(step.at_s, steps[next_step_].at_s);
  steps.insert(steps.begin() + static_cast<ptrdiff_t>(next_step_++), step);
  const std::string refusal = carry_out(step);
  on_done_by_hand(refusal.empty() ? DoneByHand::done : DoneByHand::refused_by_server, refusal);
}

uint64_t Engine::plan_by_hand(TimedStep step) {
  if (is_settled_by_hand(step)) return 0;
  const uint64_t at_run_ns = next_run_ns();
  step.is_by_hand = true;
  step.at_s = to_s(at_run_ns);
  const auto later = [](double at_s, const TimedStep& other) { return at_s < other.at_s; };
  std::vector<TimedStep>& steps = spec_->steps;
  steps.insert(std::upper_bound(steps.begin(), steps.end(), step.at_s, later), step);
  ++planned_by_hand_;
  return wake_at(at_run_ns);
}

// Returns "" if a what-if can be applied.
std::string Engine::why_not_suppose() const {
  const WhatIfSpec& present = spec_->what_if;
  if (present.is_empty() || (awaits_what_if_ && !present.is_by_hand)) return "";
  if (awaits_what_if_) return "another what-if is about to start";
  if (present.from_s == 0) return "the whole run already has a what-if: start a run without one";
  return "a what-if already applies from " + Json(present.from_s).dump() +
         " s on: go back to an earlier time";
}

void Engine::suppose_by_hand(WhatIfSpec what_if) {
  plan_supposing(std::move(what_if));
  if (state() == RunState::paused) suppose_if_due();
}

uint64_t Engine::plan_supposing(WhatIfSpec what_if) {
  if (const std::string why_not = why_not_suppose(); !why_not.empty()) {
    on_done_by_hand(DoneByHand::refused_by_server, why_not);
    return 0;
  }
  const uint64_t from_run_ns = state() == RunState::running ? next_run_ns() : std::max<uint64_t>(run_ns(), 1);
  spec_->what_if = std::move(what_if);
  spec_->what_if.from_s = to_s(from_run_ns);
  spec_->what_if.is_by_hand = true;
  awaits_what_if_ = true;
  ++planned_by_hand_;
  return wake_at(from_run_ns);
}

uint64_t Engine::plan_stop_by_hand() {
  const uint64_t end_run_ns = std::max(next_run_ns(), to_ns(kDurationMinS));
  const bool ends_before = spec_->duration_s && to_ns(*spec_->duration_s) <= end_run_ns;
  if (!ends_before) spec_->duration_s = to_s(end_run_ns);
  ++stops_planned_;
  ++planned_by_hand_;
  return wake_at(end_run_ns);
}

uint64_t Engine::wake_at(uint64_t due_run_ns) {
  if (due_run_ns >= next_tick_run_ns_) return 0;
  return std::exchange(next_tick_run_ns_, due_run_ns) - due_run_ns;
}

void Engine::end_planned(DoneByHand outcome, const std::string& why) {
  --planned_by_hand_;
  on_done_by_hand(outcome, why);
}

// Drops the steps after an early end of the run: its spec must only contain what happened.
void Engine::drop_steps_not_reached() {
  if (awaits_what_if_ && spec_->what_if.is_by_hand) {
    spec_->what_if = {};
    awaits_what_if_ = false;
    end_planned(DoneByHand::run_is_over);
  }
  const auto is_planned = [](const TimedStep& step) { return step.is_by_hand; };
  std::vector<TimedStep>& steps = spec_->steps;
  const auto first = steps.begin() + static_cast<ptrdiff_t>(next_step_);
  const auto planned = std::count_if(first, steps.end(), is_planned);
  if (stops_planned_ > 0) {
    steps.erase(first, steps.end());
  } else {
    steps.erase(std::remove_if(first, steps.end(), is_planned), steps.end());
  }
  for (ptrdiff_t i = 0; i < planned; ++i)
    end_planned(DoneByHand::run_is_over);
}

void Engine::close_interval_if_due() {
  const uint64_t now_run_ns = run_ns();
  if (now_run_ns - interval_began_.run_ns >= to_ns(spec_->interval_s)) close_interval(now_run_ns);
}

void Engine::close_interval(uint64_t now_run_ns) {
  const RunReading ended = RunReading::at(now_run_ns);
  const Interval& interval = intervals_.emplace_back(interval_between(interval_began_, ended));
  interval_began_ = ended;
  if (platform::kIsModelled && intervals_.size() == 1) first_interval_ended_ = CountedReading::of(ended);
  telemetry::TelemetryBlock& block = telemetry::block();
  telemetry::publish_line(block.header.intervals_count[0], block.intervals, interval_json(interval, *spec_));
  if (on_interval) on_interval(interval);
}

void Engine::stop() {
  LATCHSCOPE_ASSERT(state() == RunState::ready || state() == RunState::running || state() == RunState::paused,
                    "only an existing run can be stopped");
  end_run();
  drop_steps_not_reached();
  drain();
  finish_run();
  set_state(RunState::finished);
  for (; stops_planned_ > 0; --stops_planned_)
    end_planned(DoneByHand::done);
}

// Ends the run. Transactions that end later are not part of it: its time is fixed, and its figures
// are known.
void Engine::end_run() {
  run_ns_at_stop_ = run_ns_before_ = run_ns();
  resumed_at_ns_.reset();
  drain_began_ns_ = platform::now_ns();
  publish_clock();
  if (run_ns_at_stop_ > interval_began_.run_ns) close_interval(run_ns_at_stop_);
  figures_ = figures_of_run(static_cast<double>(run_ns_at_stop_) / 1e9, spec_->config.clients);
  if (platform::kIsModelled) ended_ = CountedReading::at(run_ns_at_stop_);
  telemetry::end_run();
  set_state(RunState::stopping);
  platform::let_host_look();
}

// Lets the transactions in progress end, so that all counts are of whole transactions.
void Engine::drain() {
  gate_->close([this] {
    workload_->wake_clients();
    look();
    if (platform::now_ns() - drain_began_ns_ > workload_->patience_ns()) workload_->cut_short();
  });
  const double seconds = static_cast<double>(platform::now_ns() - drain_began_ns_) / 1e9;
  drain_figures_ = {seconds, StatementTotals::now().transactions - figures_.totals.transactions};
}

void Engine::finish_run() {
  gate_->stop();
  join_threads();
  publish_long_wait({});
  workload_->phase_ends();
  invariants_ = workload_->check_invariants();
  note_server_log();
  for (const lab::LatchPlace* place : workload_->latch_places()) {
    if (!place->was_in_force()) continue;
    const std::string latch = "the reader's latch of " + place->knob();
    if (place->was_entered()) {
      invariants_.push_back({latch + " never had to be stopped", !place->is_stopped(), place->why_stopped()});
    } else {
      invariants_.push_back({latch + " was never taken: this run says nothing about it", true, ""});
    }
  }
  result_ = run_result_json(*this);
}

RunOutcome Engine::outcome(OutcomeFrom from) const {
  RunOutcome outcome = outcome_between(
      from == OutcomeFrom::beginning ? CountedReading::of_beginning() : first_interval_ended_, ended_);
  for (const workload::Invariant& invariant : invariants_) {
    if (!invariant.ok) outcome.broken_invariants.push_back(invariant.name);
  }
  outcome.stopped_early = stopped_early_;
  return outcome;
}

}  // namespace latchscope::run
