// The C ABI over class Engine: see latchscope.h.
#include "api/latchscope.h"

#include <functional>
#include <string>
#include <vector>

#include "api/engine.h"
#include "api/mailbox.h"
#include "api/test_failures.h"
#include "telemetry/lanes.h"
#include "telemetry/telemetry.h"

#if defined(__EMSCRIPTEN__)
#include <emscripten/emscripten.h>
#define LATCHSCOPE_EXPORT EMSCRIPTEN_KEEPALIVE
#else
#define LATCHSCOPE_EXPORT
#endif

namespace {

using namespace latchscope;
using api::FieldError;
using telemetry::RunState;

// States in which a command means something, as a set of bits.
constexpr uint32_t bit(RunState state) {
  return 1u << static_cast<uint32_t>(state);
}
constexpr uint32_t kIdleOrFinished = bit(RunState::idle) | bit(RunState::finished);
constexpr uint32_t kReady = bit(RunState::ready);
constexpr uint32_t kRunning = bit(RunState::running);
constexpr uint32_t kPaused = bit(RunState::paused);
constexpr uint32_t kEveryState = ~0u;

constexpr const char* kStateNames[] = {
#define LATCHSCOPE_QUOTE_NAME(name, meaning) #name,
    LATCHSCOPE_RUN_STATES(LATCHSCOPE_QUOTE_NAME)
#undef LATCHSCOPE_QUOTE_NAME
};

// What the host's thread and the coordinator share.
struct Host {
  api::Mailbox mailbox;
  api::Engine engine;  // touched by the coordinator only, but for result() of a finished run
  platform::Thread coordinator;
  // Of the run that was created last, so that the host's thread can check names at once.
  const workload::ScenarioManifest* manifest = nullptr;
  bool is_idle = false;
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

// What became of the command under way. Written by the coordinator alone, before it counts the command as done.
void publish_error(const char* text) {
  publish_text(header().error_text, text);
}

// The engine cannot go on. The host sees state `failed` and the text, and throws the whole module away.
// The failing thread stops here, still holding whatever it holds.
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

int32_t refuse(const std::vector<FieldError>& errors) {
  host().refusal_text = api::to_json(errors);
  return 0;
}

std::string state_sentence() {
  return std::string("run state ") + kStateNames[static_cast<uint32_t>(run_state())];
}

std::string list_states(uint32_t states) {
  std::string list;
  for (uint32_t i = 0; i < sizeof kStateNames / sizeof *kStateNames; ++i) {
    if ((states & (1u << i)) != 0) list += std::string(list.empty() ? "run state " : " or ") + kStateNames[i];
  }
  return list;
}

// Posts a command that makes sense in the given states. With earlier commands still under way the state is
// not known yet, so it is looked at again when the command's turn comes.
int32_t post(const char* name, uint32_t states, const std::function<void(api::Engine&)>& carry_out) {
  const bool state_is_settled = header().commands_done[0].read_acquire() == host().mailbox.posted();
  if (state_is_settled && (bit(run_state()) & states) == 0) {
    return refuse({{name, state_sentence(), list_states(states)}});
  }
  const bool posted = host().mailbox.post([=](api::Engine& engine) {
    publish_error("");
    if ((bit(engine.state()) & states) != 0) {
      carry_out(engine);
    } else {
      publish_error(
          (std::string(name) + ": got " + state_sentence() + "; allowed: " + list_states(states)).c_str());
    }
    header().commands_done[0].set_release(header().commands_done[0].read() + 1);
  });
  if (!posted) return refuse({{name, "64 commands waiting", "to wait until some of them are done"}});
  header().commands_posted[0].set(host().mailbox.posted());
  return 1;
}

}  // namespace

LATCHSCOPE_EXPORT const char* latchscope_version(void) {
  host().version_text = api::engine_version_json();
  return host().version_text.c_str();
}

LATCHSCOPE_EXPORT void latchscope_open(void) {
  LATCHSCOPE_ASSERT(!host().coordinator.joinable(), "the engine is opened once");
  platform::set_failure_handler(on_failure);
  host().coordinator = platform::Thread::beside_the_server(coordinate);
}

LATCHSCOPE_EXPORT const void* latchscope_telemetry(void) {
  return &telemetry::block();
}
LATCHSCOPE_EXPORT uint32_t latchscope_telemetry_bytes(void) {
  return sizeof(telemetry::TelemetryBlock);
}

LATCHSCOPE_EXPORT const char* latchscope_check(const char* run_spec_json) {
  host().check_text = api::to_json(api::parse_run_spec(run_spec_json).errors);
  return host().check_text.c_str();
}

LATCHSCOPE_EXPORT int32_t latchscope_create(const char* run_spec_json) {
  api::RunSpecOrErrors parsed = api::parse_run_spec(run_spec_json);
  if (!parsed.spec) return refuse(parsed.errors);
  const workload::ScenarioManifest* manifest = parsed.spec->config.manifest;
  const int32_t posted =
      post("create", kIdleOrFinished, [spec = *parsed.spec](api::Engine& engine) { engine.create(spec); });
  if (posted != 0) host().manifest = manifest;
  return posted;
}

LATCHSCOPE_EXPORT int32_t latchscope_start(void) {
  return post("start", kReady, [](api::Engine& engine) { engine.start(); });
}

LATCHSCOPE_EXPORT int32_t latchscope_pause(void) {
  return post("pause", kRunning, [](api::Engine& engine) { engine.pause(); });
}

LATCHSCOPE_EXPORT int32_t latchscope_resume(void) {
  return post("resume", kPaused, [](api::Engine& engine) { engine.resume(); });
}

LATCHSCOPE_EXPORT int32_t latchscope_stop(void) {
  return post("stop", kReady | kRunning | kPaused, [](api::Engine& engine) { engine.stop(); });
}

LATCHSCOPE_EXPORT int32_t latchscope_set_knob(const char* knob, const char* variant) {
  if (host().manifest == nullptr)
    return refuse({FieldError::of("knob", knob, "a knob of a run: create one first")});
  uint32_t knob_index = 0;
  uint32_t variant_index = 0;
  const auto error = api::find_knob(*host().manifest, knob, variant, "knob", knob_index, variant_index);
  if (error) return refuse({*error});
  return post("set_knob", kReady | kRunning | kPaused,
              [=](api::Engine& engine) { engine.set_knob(knob_index, variant_index); });
}

LATCHSCOPE_EXPORT int32_t latchscope_fire(const char* action) {
  if (host().manifest == nullptr)
    return refuse({FieldError::of("action", action, "an action of a run: create one first")});
  uint32_t action_index = 0;
  const auto error = api::find_action(*host().manifest, action, "action", action_index);
  if (error) return refuse({*error});
  return post("fire", kRunning | kPaused,
              [=](api::Engine& engine) { publish_error(engine.fire(action_index).c_str()); });
}

LATCHSCOPE_EXPORT const char* latchscope_refusal(void) {
  return host().refusal_text.c_str();
}

LATCHSCOPE_EXPORT const char* latchscope_result(void) {
  return run_state() == RunState::finished ? host().engine.result().c_str() : "";
}

LATCHSCOPE_EXPORT void latchscope_run_slice(uint32_t events, double until_ns) {
  constexpr double kAgesNs = 1e18;
  const bool has_end = until_ns >= 0 && until_ns < kAgesNs;
  host().is_idle = !platform::run_slice(events, has_end ? static_cast<uint64_t>(until_ns) : ~uint64_t{0});
}

LATCHSCOPE_EXPORT int32_t latchscope_is_idle(void) {
  return host().is_idle ? 1 : 0;
}

LATCHSCOPE_EXPORT double latchscope_clock_ns(void) {
  return static_cast<double>(platform::now_ns());
}
LATCHSCOPE_EXPORT double latchscope_events(void) {
  return static_cast<double>(platform::model_totals().events);
}
LATCHSCOPE_EXPORT const void* latchscope_lane_segments(void) {
  return telemetry::lane_segments();
}
LATCHSCOPE_EXPORT uint32_t latchscope_lane_segments_max(void) {
  return telemetry::kLaneSegmentsMax;
}
LATCHSCOPE_EXPORT double latchscope_lane_segments_written(void) {
  return static_cast<double>(telemetry::lane_segments_written());
}
LATCHSCOPE_EXPORT const void* latchscope_lane_totals(void) {
  return telemetry::lane_totals();
}

LATCHSCOPE_EXPORT int32_t latchscope_fail_for_test(const char* cause) {
  const api::TestFailure* failure = api::find_test_failure(cause);
  if (failure == nullptr) return refuse({{"cause", cause, api::test_failure_causes()}});
  return post("fail_for_test", kEveryState, [failure](api::Engine&) { failure->provoke(); });
}
