#include "workload/scripted_workload.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include "telemetry/run_log.h"
#include "workload/script_body.h"
#include "workload/script_scenario.h"

namespace latchscope::workload {

namespace {

constexpr uint64_t kNsPerMs = 1'000'000;
constexpr uint64_t kPatienceNs = 3'000 * kNsPerMs;
constexpr uint64_t kStoppedSleepNs = 5 * kNsPerMs;
constexpr uint64_t kWakeAgainNs = 100'000;
// Telemetry of real threads may be read at slightly different times. A deadlock stays.
constexpr uint64_t kDeadlockNs = 300 * kNsPerMs;

uint32_t server_threads(const ScriptProgram& program) {
  uint32_t threads = 0;
  for (const ScriptGroup& group : program.groups)
    threads += group.server_threads();
  return threads;
}

// Returns the cache lines of a latch written in the lab's language.
uint64_t lines_of(const lab::Program& latch, uint32_t threads) {
  std::map<uint32_t, uint32_t> lines;  // by line as declared
  for (const lab::WordDeclaration& word : latch.words) {
    uint32_t& of_line = lines[word.line];
    of_line = std::max(of_line, word.is_packed ? 1 : word.elements_for(threads));
  }
  uint64_t all = 0;
  for (const auto& [line, of_line] : lines)
    all += of_line;
  return all;
}

uint64_t most_lines_of(const ScriptProgram& program, const ScriptLatch& latch, uint32_t threads) {
  uint64_t most = 0;
  for (const ScriptKind& kind : kinds_of(program, latch)) {
    if (kind.kind != ScriptLatchKind::lab_latch) continue;
    most = std::max(most, lines_of(*program.kinds[kind.program].program, threads));
  }
  return most * latch.elements;
}

class ScriptClient final : public Client {
 public:
  ScriptClient(ScriptWorld& world, uint32_t group, uint32_t index) : body_(world, group, index, index + 1) {}

  bool comes_to_transaction(ClientGate& gate) override {
    // Whatever comes before the first transaction belongs to the run, too.
    if (gate_ == nullptr && !body_.is_at_transaction() && !gate.pass()) return false;
    gate_ = &gate;
    body_.run_through(ScriptOp::transaction_begin, gate);
    while (body_.is_over()) {
      if (!gate.pass()) return false;
      telemetry::sleep_ns(kStoppedSleepNs);
    }
    return gate.pass();
  }
  uint64_t arrived_ps() const override { return body_.arrived_ps(); }
  void transaction() override { body_.run_through(ScriptOp::transaction_end, *gate_); }
  bool has_ended_transaction() const override { return !body_.is_over(); }

 private:
  ScriptBody body_;
  ClientGate* gate_ = nullptr;
};

class ScriptedWorkload final : public Workload {
 public:
  explicit ScriptedWorkload(const WorkloadConfig& config)
      : script_(config.script),
        program_(script_->program()),
        design_(config.design),
        server_threads_(server_threads(program_)),
        world_(config, config.clients + server_threads_),
        gate_(server_threads_),
        of_server_(server_threads_) {}

  void build() override { world_.use(design_); }
  std::vector<EngineThread> engine_threads() override;
  std::unique_ptr<Client> make_client(uint32_t ordinal) override {
    const auto clients = std::ranges::find_if(program_.groups, &ScriptGroup::has_transaction);
    return std::make_unique<ScriptClient>(world_, static_cast<uint32_t>(clients - program_.groups.begin()),
                                          ordinal);
  }

  void phase_ends() override {}
  // Stops the server's threads too: they may hold the latches that are replaced.
  void set_knob(uint32_t knob, uint32_t variant) override {
    const uint64_t began_ns = platform::now_ns();
    // Threads that wait for an action, or for their time, would only look at the gate later.
    const auto wake = [&] {
      wake_all();
      if (platform::now_ns() - began_ns > kPatienceNs) lose_patience();
    };
    gate_.close(wake, true);
    LATCHSCOPE_ASSERT(world_.first_held().empty(), "threads that stand still hold nothing");
    world_.set_knob(knob, variant);
    gate_.open();
  }

  void wake_clients() override {
    world_.awaits_clients(true);
    world_.wake_sleepers();
  }
  void clients_stand_still(uint64_t duration_ps) override {
    world_.awaits_clients(false);
    world_.stood_still(duration_ps);
  }

  bool action_stops_clients(uint32_t /*action*/) const override { return false; }
  std::string fire(uint32_t action) override;

  void look() override;
  std::string trouble() const override { return world_.trouble(); }
  void cut_short() override { world_.cut(); }
  uint64_t patience_ns() const override { return kPatienceNs; }
  void lose_patience() override {
    world_.report_slowest();
    world_.cut();
  }

  std::vector<Invariant> check_invariants() override;

 private:
  struct alignas(64) ServerThread : platform::CacheLine {
    static constexpr uint32_t kNone = 0, kIsUnderWay = 1;
    // Of a thread that does not begin by itself: whether it should run its body.
    platform::Atomic<uint32_t> call{*this, kNone};
    platform::Published<uint32_t> has_ended;
  };

  // `thread`: its number over all threads.
  ServerThread& own_of(uint32_t thread) { return of_server_[thread - world_.clients() - 1]; }
  void run_server_thread(uint32_t group, uint32_t index, uint32_t thread);
  bool comes_to_turn(ScriptRuns runs, ServerThread& own, uint64_t due_ps);
  void end_server_thread(uint32_t thread);
  void wake_all();
  std::string what_did_not_end() const;
  Invariant acquisitions_are_counted() const;

  const std::shared_ptr<const ScriptScenario> script_;
  const ScriptProgram& program_;
  const std::vector<uint32_t> design_;
  const uint32_t server_threads_;
  ScriptWorld world_;
  ClientGate gate_;  // of the server's threads
  std::deque<ServerThread> of_server_;
  std::vector<uint32_t> stuck_;
  uint64_t stuck_since_ns_ = 0;
};

std::vector<EngineThread> ScriptedWorkload::engine_threads() {
  std::vector<EngineThread> threads;
  uint32_t thread = world_.clients();
  for (uint32_t group = 0; group < program_.groups.size(); ++group) {
    for (uint32_t index = 0; index < program_.groups[group].server_threads(); ++index) {
      ++thread;
      threads.push_back({world_.name_of(thread),
                         [this, group, index, thread] { run_server_thread(group, index, thread); },
                         [this, thread] { end_server_thread(thread); }});
      if (program_.groups[group].runs == ScriptRuns::once)
        own_of(thread).call.store(ServerThread::kIsUnderWay);
    }
  }
  gate_.open();
  return threads;
}

void ScriptedWorkload::run_server_thread(uint32_t group, uint32_t index, uint32_t thread) {
  const ScriptGroup& of = program_.groups[group];
  ServerThread& own = own_of(thread);
  ScriptBody body(world_, group, index, thread);
  uint64_t due_ps = platform::now_ps() + of.period_ps;
  while (gate_.pass()) {
    if (body.is_over()) {
      telemetry::sleep_ns(kStoppedSleepNs);
    } else if (comes_to_turn(of.runs, own, due_ps)) {
      body.run_through(ScriptOp::give_back, gate_);
      own.call.store(ServerThread::kNone);
      if (of.period_ps > 0) due_ps += of.period_ps * (1 + (platform::now_ps() - due_ps) / of.period_ps);
    }
  }
  own.has_ended.set_release(1);
}

// Returns whether the thread may begin its body. If not, it has waited for some time.
bool ScriptedWorkload::comes_to_turn(ScriptRuns runs, ServerThread& own, uint64_t due_ps) {
  if (runs == ScriptRuns::every) {
    const uint64_t now_ps = platform::now_ps();
    if (now_ps >= due_ps) return true;
    telemetry::StateScope state(telemetry::ThreadState::sleeping);
    platform::await_message_ps(std::min(due_ps - now_ps, kStoppedSleepNs * platform::kPsPerNs));
    return false;
  }
  if (runs == ScriptRuns::again_and_again || own.call.load() == ServerThread::kIsUnderWay) return true;
  telemetry::StateScope state(telemetry::ThreadState::sleeping);
  platform::futex_wait(own.call, ServerThread::kNone);
  return false;
}

std::string ScriptedWorkload::fire(uint32_t action) {
  ServerThread& own = own_of(script_->thread_of_action(action, world_.clients()));
  uint32_t none = ServerThread::kNone;
  if (!own.call.compare_exchange(none, ServerThread::kIsUnderWay)) return "it is under way already";
  platform::futex_wake(own.call, 1);
  return "";
}

// Threads that are asleep look at the gate then.
void ScriptedWorkload::wake_all() {
  world_.wake_sleepers();
  for (ServerThread& thread : of_server_)
    platform::futex_wake(thread.call, platform::kWakeAll);
}

// Lets the body run to its end, within patience. A thread may fall asleep just after it was woken, so
// this wakes it again and again.
void ScriptedWorkload::end_server_thread(uint32_t thread) {
  const uint64_t began_ns = platform::now_ns();
  gate_.stop();
  while (own_of(thread).has_ended.read_acquire() == 0) {
    wake_all();
    if (platform::now_ns() - began_ns > kPatienceNs) world_.cut();
    platform::sleep_ns(kWakeAgainNs);
  }
}

void ScriptedWorkload::look() {
  world_.watch_latches();
  if (world_.is_cut()) wake_all();
  ScriptDeadlock deadlock = find_deadlock(world_);
  if (deadlock.threads != stuck_) {
    stuck_ = std::move(deadlock.threads);
    stuck_since_ns_ = platform::now_ns();
    return;
  }
  if (!stuck_.empty() && platform::now_ns() - stuck_since_ns_ >= kDeadlockNs)
    platform::fail(deadlock.text.c_str());
}

std::vector<Invariant> ScriptedWorkload::check_invariants() {
  const std::string trouble = world_.trouble();
  const std::string told = trouble.empty() ? what_did_not_end() : "";
  if (!told.empty()) telemetry::log_entry(told);
  const std::string held = world_.first_held();
  std::vector<Invariant> invariants = {{"no thread had to be stopped", trouble.empty(), trouble},
                                       {"every latch is free at the end", held.empty(), held},
                                       acquisitions_are_counted()};
  for (Invariant& check : check_at_end(world_))
    invariants.push_back(std::move(check));
  return invariants;
}

// Returns it as a sentence, or "".
std::string ScriptedWorkload::what_did_not_end() const {
  std::string cut = world_.what_was_cut();
  if (!cut.empty() || telemetry::counter_total(telemetry::Counter::transactions) > 0) return cut;
  return "no transaction ended: " + world_.where_was(1);
}

// Compares what the bodies took with what the latches counted. Sites of one name are one site.
Invariant ScriptedWorkload::acquisitions_are_counted() const {
  std::map<uint32_t, uint64_t> taken;
  for (uint32_t hold = 0; hold < program_.holds.size(); ++hold) {
    uint64_t& of_site = taken[world_.site(hold).id];
    for (const std::vector<uint64_t>& of_thread : world_.acquisitions())
      of_site += of_thread[hold];
  }
  std::string wrong;
  for (const auto& [site, acquisitions] : taken) {
    const uint64_t counted = telemetry::latch_site_total(site).acquisitions;
    if (counted != acquisitions)
      wrong += std::string(wrong.empty() ? "" : "; ") + telemetry::latch_name_of_site(site) + ": taken " +
               std::to_string(acquisitions) + " times, counted " + std::to_string(counted);
  }
  return {"every acquisition is counted", wrong.empty() || !telemetry::kTelemetryOn, wrong};
}

}  // namespace

std::vector<ConfigError> check_scripted_config(const WorkloadConfig& config) {
  const ScriptProgram& program = config.script->program();
  const uint32_t threads = config.clients + server_threads(program);
  uint64_t lines = 0;
  for (const ScriptLatch& latch : program.latches)
    lines += most_lines_of(program, latch, threads);
  if (lines > kScriptLinesMax) {
    return {{"threads", std::to_string(config.clients),
             "fewer: the latches would have " + std::to_string(lines) + " cache lines, and " +
                 std::to_string(kScriptLinesMax) + " are allowed"}};
  }
  for (const auto& [name, latch] : program.kinds) {
    if (latch->threads_max == 0 || latch->threads_max >= threads) continue;
    return {{"threads", std::to_string(config.clients),
             "fewer: the latch " + name + " is made for " + std::to_string(latch->threads_max) +
                 " threads, and there are " + std::to_string(threads) + " with those of the server"}};
  }
  return {};
}

std::unique_ptr<Workload> make_scripted_workload(const WorkloadConfig& config) {
  return std::make_unique<ScriptedWorkload>(config);
}

}  // namespace latchscope::workload
