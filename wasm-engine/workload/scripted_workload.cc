#include "workload/scripted_workload.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "workload/script_body.h"
#include "workload/script_scenario.h"

namespace latchscope::workload {

namespace {

constexpr uint64_t kNsPerMs = 1'000'000;
constexpr uint64_t kPatienceNs = 3'000 * kNsPerMs;
constexpr uint64_t kStoppedSleepNs = 5 * kNsPerMs;
// Telemetry of real threads may be read at slightly different times. A deadlock stays.
constexpr uint64_t kDeadlockNs = 300 * kNsPerMs;

std::vector<uint64_t> parameter_values(const WorkloadConfig& config) {
  std::vector<uint64_t> values;
  const auto& parameters = config.script->program().parameters;
  for (size_t i = 0; i < parameters.size(); ++i)
    // NOLINTNEXTLINE(performance-inefficient-vector-operation): at most 16, once per run
    values.push_back(static_cast<uint64_t>(config.parameters[i]) * parameters[i].scale);
  return values;
}

uint32_t server_threads(const ScriptProgram& program) {
  uint32_t threads = 0;
  for (const ScriptGroup& group : program.groups)
    threads += group.has_transaction ? 0 : group.threads;
  return threads;
}

class ScriptClient final : public Client {
 public:
  ScriptClient(ScriptWorld& world, uint32_t group, uint32_t index) : body_(world, group, index, index + 1) {}

  bool comes_to_transaction(ClientGate& gate) override {
    body_.run_through(ScriptOp::transaction_begin, &gate);
    while (body_.is_over()) {
      if (!gate.pass()) return false;
      telemetry::sleep_ns(kStoppedSleepNs);
    }
    return gate.pass();
  }
  void transaction() override { body_.run_through(ScriptOp::transaction_end, nullptr); }
  bool has_ended_transaction() const override { return !body_.is_over(); }

 private:
  ScriptBody body_;
};

class ScriptedWorkload final : public Workload {
 public:
  explicit ScriptedWorkload(const WorkloadConfig& config)
      : script_(config.script),
        program_(script_->program()),
        design_(config.design),
        server_threads_(server_threads(program_)),
        world_(program_, config.clients, config.seed, config.clients + server_threads_),
        gate_(server_threads_) {
    world_.set_parameters(parameter_values(config));
  }

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
    gate_.close([&] {
      if (platform::now_ns() - began_ns > kPatienceNs) lose_patience();
    });
    if (world_.first_held().empty()) world_.set_knob(knob, variant);
    gate_.open();
  }

  bool action_stops_clients(uint32_t /*action*/) const override { return false; }
  std::string fire(uint32_t /*action*/) override { return "this workload has no actions"; }

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
  void run_server_thread(uint32_t group, uint32_t index, uint32_t thread);
  Invariant acquisitions_are_counted() const;

  const std::shared_ptr<const ScriptScenario> script_;
  const ScriptProgram& program_;
  const std::vector<uint32_t> design_;
  const uint32_t server_threads_;
  ScriptWorld world_;
  ClientGate gate_;  // of the server's threads
  std::vector<uint32_t> stuck_;
  uint64_t stuck_since_ns_ = 0;
};

std::vector<EngineThread> ScriptedWorkload::engine_threads() {
  std::vector<EngineThread> threads;
  uint32_t thread = world_.clients();
  for (uint32_t group = 0; group < program_.groups.size(); ++group) {
    if (program_.groups[group].has_transaction) continue;
    for (uint32_t index = 0; index < program_.groups[group].threads; ++index) {
      ++thread;
      threads.push_back({world_.name_of(thread),
                         [this, group, index, thread] { run_server_thread(group, index, thread); },
                         [this] {
                           world_.cut();
                           gate_.stop();
                         }});
    }
  }
  gate_.open();
  return threads;
}

void ScriptedWorkload::run_server_thread(uint32_t group, uint32_t index, uint32_t thread) {
  ScriptBody body(world_, group, index, thread);
  while (gate_.pass()) {
    if (body.is_over()) {
      telemetry::sleep_ns(kStoppedSleepNs);
    } else {
      body.run_through(ScriptOp::give_back, &gate_);
    }
  }
}

void ScriptedWorkload::look() {
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
  const std::string held = world_.first_held();
  return {{"no thread had to be stopped", trouble.empty(), trouble},
          {"every latch is free at the end", held.empty(), held},
          acquisitions_are_counted()};
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

std::unique_ptr<Workload> make_scripted_workload(const WorkloadConfig& config) {
  return std::make_unique<ScriptedWorkload>(config);
}

}  // namespace latchscope::workload
