// The C ABI over class Engine: see latchscope.h.
#include "api/latchscope.h"

#include <functional>
#include <string>
#include <vector>

#include "api/engine.h"
#include "api/json.h"
#include "api/mailbox.h"
#include "api/sysbench_report.h"
#include "api/test_failures.h"
#include "telemetry/lanes.h"
#include "telemetry/telemetry.h"

namespace {

using namespace latchscope;
using api::FieldError;
using c_abi::Command;
using c_abi::Outcome;
using telemetry::RunState;

struct CommandEntry {
  const char* name;
  uint32_t states;  // in which it means something
};

constexpr CommandEntry entry_of(c_abi::Command command) {
  using enum RunState;
#define LATCHSCOPE_COMMAND_ENTRY(name, parameters, states, meaning) {#name, c_abi::states_of states},
  constexpr CommandEntry kEntries[] = {LATCHSCOPE_COMMANDS(LATCHSCOPE_COMMAND_ENTRY, , , )};
#undef LATCHSCOPE_COMMAND_ENTRY
  return kEntries[static_cast<uint32_t>(command)];
}

constexpr const char* kStateNames[] = {
#define LATCHSCOPE_QUOTE_NAME(name, meaning) #name,
    LATCHSCOPE_RUN_STATES(LATCHSCOPE_QUOTE_NAME)
#undef LATCHSCOPE_QUOTE_NAME
};

// State shared by the host's thread and the coordinator.
struct Host {
  api::Mailbox mailbox;
  api::Engine engine;  // touched by the coordinator only, but for result() of a finished run
  platform::Thread coordinator;
  // Of the latest created run, so that the host's thread can check names at once.
  const workload::ScenarioManifest* manifest = nullptr;
  bool is_idle = false;
  std::string sysbench_header = "[]";  // of the same run
  std::string version_text, check_text, refusal_text;
};

Host& host() {
  static Host* the_host = new Host;  // never destroyed: the coordinator runs as long as the page lives
  return *the_host;
}

telemetry::BlockHeader& header() {
  return telemetry::block().header;
}

RunState run_state() {
  return static_cast<RunState>(header().run_state[0].read_acquire());
}

using TextCells = decltype(telemetry::BlockHeader::error_text);
static_assert(sizeof(telemetry::BlockHeader::failure_text) == sizeof(TextCells));

void publish_text(TextCells& cells, const char* text) {
  uint32_t i = 0;
  for (; text[i] != 0 && i + 1 < telemetry::kErrorBytes; ++i)
    cells[i].set_release(static_cast<uint8_t>(text[i]));
  cells[i].set_release(0);
}

// The outcome of the current command. Only the coordinator writes it, before it counts the command as done.
void publish_outcome(Outcome outcome, const std::string& why = "") {
  publish_text(header().error_text, why.c_str());
  header().command_outcome[0].set_release(static_cast<uint32_t>(outcome));
}

// The engine cannot continue. The host sees state `failed` and the text, and throws the whole module away.
// The failing thread stops here and keeps its locks.
void on_failure(const char* text) {
  if (run_state() != RunState::failed) {
    publish_text(header().failure_text, text);
    header().run_state[0].set_release(static_cast<uint32_t>(RunState::failed));
  }
  platform::stop_for_good(text);
}

void coordinate() {
  telemetry::ThreadScope scope({api::kCoordinatorSlot, api::kCoordinatorKind, 0, 0});
  api::Engine& engine = host().engine;
  for (;;) {
    const bool is_running = engine.state() == RunState::running;
    const auto command = [&] {
      telemetry::StateScope sleeping(telemetry::ThreadState::sleeping);
      return is_running ? host().mailbox.take(engine.next_tick_ns()) : host().mailbox.take_at_leisure();
    }();
    if (command) {
      (*command)(engine);
    } else {
      engine.tick();
    }
  }
}

int32_t refuse(Outcome outcome, const std::vector<FieldError>& errors) {
  host().refusal_text = api::to_json(errors);
  return static_cast<int32_t>(outcome);
}

int32_t refuse(const FieldError& wrong_value) {
  return refuse(Outcome::wrong_value, {wrong_value});
}

std::vector<FieldError> wrong_state(const CommandEntry& command, RunState state) {
  std::string allowed;
  for (uint32_t i = 0; i < std::size(kStateNames); ++i) {
    if ((command.states & (1u << i)) != 0)
      allowed += (allowed.empty() ? "" : " or ") + std::string(kStateNames[i]);
  }
  return {{command.name, kStateNames[static_cast<uint32_t>(state)], allowed}};
}

bool means_something(const CommandEntry& command, RunState state) {
  return (command.states & c_abi::bit(state)) != 0;
}

// While earlier commands are pending the later state is unknown, so it is checked again when the command's
// turn comes.
int32_t post(Command which, const std::function<void(api::Engine&)>& carry_out) {
  const CommandEntry command = entry_of(which);
  const bool state_is_settled = header().commands_done[0].read_acquire() == host().mailbox.posted();
  if (state_is_settled && !means_something(command, run_state()))
    return refuse(Outcome::wrong_state, wrong_state(command, run_state()));
  const bool posted = host().mailbox.post([=](api::Engine& engine) {
    publish_outcome(Outcome::accepted);
    if (means_something(command, engine.state())) {
      carry_out(engine);
    } else {
      publish_outcome(Outcome::wrong_state, api::to_json(wrong_state(command, engine.state())));
    }
    header().commands_done[0].set_release(header().commands_done[0].read() + 1);
  });
  if (!posted) {
    return refuse(Outcome::mailbox_full,
                  {{command.name, "64 commands waiting", "to wait until some of them are done"}});
  }
  header().commands_posted[0].set(host().mailbox.posted());
  return static_cast<int32_t>(Outcome::accepted);
}

void fire(api::Engine& engine, uint32_t action) {
  const std::string why = engine.fire(action);
  if (!why.empty()) publish_outcome(Outcome::refused_by_server, why);
}

}  // namespace

const char* latchscope_version(void) {
  host().version_text = api::engine_version_json();
  return host().version_text.c_str();
}

void latchscope_open(void) {
  LATCHSCOPE_ASSERT(!host().coordinator.joinable(), "the engine is opened once");
  platform::set_failure_handler(on_failure);
  host().coordinator = platform::Thread::beside_the_server(coordinate);
}

const void* latchscope_telemetry(void) {
  return &telemetry::block();
}
uint32_t latchscope_telemetry_bytes(void) {
  return sizeof(telemetry::TelemetryBlock);
}

const char* latchscope_check(const char* run_spec_json) {
  host().check_text = api::to_json(api::parse_run_spec(run_spec_json).errors);
  return host().check_text.c_str();
}

int32_t latchscope_create(const char* run_spec_json) {
  api::RunSpecOrErrors parsed = api::parse_run_spec(run_spec_json);
  if (!parsed.spec) return refuse(Outcome::wrong_value, parsed.errors);
  const api::RunSpec& spec = *parsed.spec;
  const int32_t outcome = post(Command::create, [spec](api::Engine& engine) { engine.create(spec); });
  if (outcome == static_cast<int32_t>(Outcome::accepted)) {
    host().manifest = spec.config.manifest;
    host().sysbench_header = api::Json(api::sysbench_header(spec)).dump();
  }
  return outcome;
}

int32_t latchscope_start(void) {
  return post(Command::start, [](api::Engine& engine) { engine.start(); });
}

int32_t latchscope_pause(void) {
  return post(Command::pause, [](api::Engine& engine) { engine.pause(); });
}

int32_t latchscope_resume(void) {
  return post(Command::resume, [](api::Engine& engine) { engine.resume(); });
}

int32_t latchscope_stop(void) {
  return post(Command::stop, [](api::Engine& engine) { engine.stop(); });
}

int32_t latchscope_set_knob(const char* knob, const char* variant) {
  if (host().manifest == nullptr)
    return refuse(FieldError::of("knob", knob, "a knob of a run: create one first"));
  uint32_t knob_index = 0;
  uint32_t variant_index = 0;
  const auto error = api::find_knob(*host().manifest, knob, variant, "knob", knob_index, variant_index);
  if (error) return refuse(*error);
  return post(Command::set_knob, [=](api::Engine& engine) { engine.set_knob(knob_index, variant_index); });
}

int32_t latchscope_fire(const char* action) {
  if (host().manifest == nullptr)
    return refuse(FieldError::of("action", action, "an action of a run: create one first"));
  uint32_t action_index = 0;
  const auto error = api::find_action(*host().manifest, action, "action", action_index);
  if (error) return refuse(*error);
  return post(Command::fire, [=](api::Engine& engine) { fire(engine, action_index); });
}

const char* latchscope_refusal(void) {
  return host().refusal_text.c_str();
}

const char* latchscope_sysbench_header(void) {
  return host().sysbench_header.c_str();
}

const char* latchscope_result(void) {
  return run_state() == RunState::finished ? host().engine.result().c_str() : "";
}

void latchscope_run_slice(uint32_t events, double until_ns) {
  constexpr double kAgesNs = 1e18;
  const bool has_end = until_ns >= 0 && until_ns < kAgesNs;
  host().is_idle = !platform::run_slice(events, has_end ? static_cast<uint64_t>(until_ns) : ~uint64_t{0});
}

int32_t latchscope_is_idle(void) {
  return host().is_idle ? 1 : 0;
}

double latchscope_clock_ns(void) {
  return static_cast<double>(platform::now_ns());
}
double latchscope_events(void) {
  return static_cast<double>(platform::model_totals().events);
}
const void* latchscope_lane_segments(void) {
  return telemetry::lane_segments();
}
uint32_t latchscope_lane_segments_max(void) {
  return telemetry::kLaneSegmentsMax;
}
double latchscope_lane_segments_written(void) {
  return static_cast<double>(telemetry::lane_segments_written());
}
const void* latchscope_lane_totals(void) {
  return telemetry::lane_totals();
}

int32_t latchscope_fail_for_test(const char* cause) {
  const api::TestFailure* failure = api::find_test_failure(cause);
  if (failure == nullptr) return refuse({"cause", cause, api::test_failure_causes()});
  return post(Command::fail_for_test, [failure](api::Engine&) { failure->provoke(); });
}
