// The C ABI over class Engine: see latchscope.h.
#include "wasm/latchscope.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "explain/course.h"
#include "explain/course_diff.h"
#include "explain/course_report.h"
#include "explain/explain.h"
#include "explain/what_if_report.h"
#include "run/engine.h"
#include "run/json.h"
#include "run/sysbench_report.h"
#include "telemetry/lanes.h"
#include "telemetry/telemetry.h"
#include "wasm/lab_host.h"
#include "wasm/mailbox.h"
#include "wasm/test_failures.h"

namespace {

using namespace latchscope;
using run::FieldError;
using telemetry::RunState;
using wasm::Command;
using wasm::Outcome;

struct CommandEntry {
  const char* name;
  uint32_t states;  // in which the command is allowed
};

constexpr CommandEntry entry_of(wasm::Command command) {
  using enum RunState;
#define LATCHSCOPE_COMMAND_ENTRY(name, parameters, states, meaning) {#name, wasm::states_of states},
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
  wasm::Mailbox mailbox;
  run::Engine engine;  // used by the coordinator only, except result() of a finished run
  platform::Thread coordinator;
  // Of the latest created run, so that the host's thread can check names at once.
  std::optional<run::RunSpec> spec;
  bool is_idle = false;
  // Owned by the coordinator until it has counted the command as done.
  std::optional<explain::Explanation> explanation;
  explain::ExplanationProgress explanation_progress;
  wasm::LabHost lab;
  std::string refusal_text;
  std::string reply;  // the text that the latest question returned
};

Host& host() {
  // Never destroyed: the coordinator runs as long as the page exists.
  static Host* the_host = new Host;
  return *the_host;
}

const char* reply(std::string text) {
  host().reply = std::move(text);
  return host().reply.c_str();
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

// Publishes the outcome of the current command. Only the coordinator writes it, before it counts
// the command as done.
void publish_outcome(Outcome outcome, const std::string& why = "") {
  publish_text(header().error_text, why.c_str());
  header().command_outcome[0].set_release(static_cast<uint32_t>(outcome));
}

// Handles an engine that cannot continue. The host sees state `failed` and the text, and discards
// the whole module. The failing thread stops here and keeps its locks.
void on_failure(const char* text) {
  if (run_state() != RunState::failed) {
    publish_text(header().failure_text, text);
    header().run_state[0].set_release(static_cast<uint32_t>(RunState::failed));
  }
  platform::stop_for_good(text);
}

// Returns no command if a tick is due first. Planned interactive changes take effect before
// commands that were posted after them.
std::optional<wasm::Mailbox::Command> next_command() {
  run::Engine& engine = host().engine;
  telemetry::StateScope sleeping(telemetry::ThreadState::sleeping);
  if (engine.state() != RunState::running) return host().mailbox.take_at_leisure();
  const uint64_t until_tick_ns = engine.next_tick_ns();
  if (!engine.awaits_planned()) return host().mailbox.take(until_tick_ns);
  platform::sleep_ns(until_tick_ns);
  return std::nullopt;
}

void coordinate() {
  telemetry::ThreadScope scope({run::kCoordinatorSlot, run::kCoordinatorKind, 0, 0});
  run::Engine& engine = host().engine;
  for (;;) {
    if (const auto command = next_command()) {
      (*command)(engine);
    } else {
      engine.tick();
    }
  }
}

int32_t refuse(Outcome outcome, const std::vector<run::FieldError>& errors) {
  host().refusal_text = run::to_json(errors);
  return static_cast<int32_t>(outcome);
}

int32_t refuse(const run::FieldError& wrong_value) {
  return refuse(Outcome::wrong_value, {wrong_value});
}

std::vector<run::FieldError> wrong_state(const CommandEntry& command, RunState state) {
  std::string allowed;
  for (uint32_t i = 0; i < std::size(kStateNames); ++i) {
    if ((command.states & (1u << i)) != 0)
      allowed += (allowed.empty() ? "" : " or ") + std::string(kStateNames[i]);
  }
  return {{command.name, kStateNames[static_cast<uint32_t>(state)], allowed}};
}

bool means_something(const CommandEntry& command, RunState state) {
  return (command.states & wasm::bit(state)) != 0;
}

void count_posted() {
  header().commands_posted[0].set(header().commands_posted[0].read() + 1);
}

// REQUIRES: the caller is the coordinator, or a host between two slices of a modelled server.
void count_done() {
  header().commands_done[0].set_release(header().commands_done[0].read() + 1);
}

enum class Counted : uint8_t { when_carried_out, when_done_by_hand };

// Posts a command. While earlier commands are pending the later state is unknown, so the state is
// checked again when the command's turn comes.
int32_t post(Command which, const std::function<void(run::Engine&)>& carry_out,
             Counted counted = Counted::when_carried_out) {
  using enum wasm::Mailbox::Delivery;
  const CommandEntry command = entry_of(which);
  const bool state_is_settled =
      header().commands_done[0].read_acquire() == header().commands_posted[0].read();
  if (state_is_settled && !means_something(command, run_state()))
    return refuse(Outcome::wrong_state, wrong_state(command, run_state()));
  // A coordinator that is about to wake for a planned interactive change is not woken earlier.
  // Otherwise the run would take another branch.
  const bool wakes_by_itself = platform::kIsModelled && host().engine.awaits_planned();
  const bool posted = host().mailbox.post(
      [=](run::Engine& engine) {
        publish_outcome(Outcome::accepted);
        if (means_something(command, engine.state())) {
          carry_out(engine);
          if (counted == Counted::when_done_by_hand) return;
        } else {
          publish_outcome(Outcome::wrong_state, run::to_json(wrong_state(command, engine.state())));
        }
        count_done();
      },
      wakes_by_itself ? when_it_wakes : at_once);
  if (!posted) {
    return refuse(Outcome::mailbox_full,
                  {{command.name, "64 commands waiting", "wait until some of them are done"}});
  }
  count_posted();
  return static_cast<int32_t>(Outcome::accepted);
}

// --- interactive changes -------------------------------------------------------------------------

void publish_done_by_hand(run::Engine::DoneByHand outcome, const std::string& why) {
  using enum run::Engine::DoneByHand;
  switch (outcome) {
    case done:
      publish_outcome(Outcome::accepted);
      break;
    case refused_by_server:
      publish_outcome(Outcome::refused_by_server, why);
      break;
    case too_many_steps:
      publish_outcome(Outcome::wrong_value,
                      run::to_json({run::FieldError{
                          "actions", std::to_string(run::kTimedStepsMax + 1) + " actions",
                          "at most " + std::to_string(run::kTimedStepsMax) + " actions in a run"}}));
      break;
    case run_is_over:
      publish_outcome(Outcome::wrong_state,
                      run::to_json({run::FieldError{"run", "over", "a run in progress"}}));
      break;
  }
  count_done();
}

// Between two slices of a modelled server nothing else runs, so the host's thread itself can plan
// the next change.
bool can_be_planned() {
  return platform::kIsModelled && run_state() == RunState::running && host().mailbox.is_empty();
}

int32_t plan(const std::function<uint64_t()>& plan_with_engine) {
  count_posted();
  host().mailbox.bring_timeout_forward(plan_with_engine());
  return static_cast<int32_t>(Outcome::accepted);
}

int32_t post_step(Command which, const run::TimedStep& step) {
  if (can_be_planned()) return plan([&] { return host().engine.plan_by_hand(step); });
  return post(which, [step](run::Engine& engine) { engine.do_by_hand(step); }, Counted::when_done_by_hand);
}

void stop(run::Engine& engine) {
  if (platform::kIsModelled && engine.state() == RunState::running) {
    engine.plan_stop_by_hand();
  } else {
    engine.stop();
    publish_done_by_hand(run::Engine::DoneByHand::done, "");
  }
}

// Returns null if the text is not JSON.
run::Json json_of(const char* text) {
  return run::read_json(text).value_or(run::Json());
}

// --- explanations --------------------------------------------------------------------------------

struct Wanted {
  explain::TransactionChoice choice;
  bool with_blame = false;
};
struct WantedOrErrors {
  std::optional<Wanted> wanted;
  std::vector<run::FieldError> errors;
};

// Reads {"transaction", "blame"}.
WantedOrErrors read_wanted(const char* json_text) {
  const run::Json json = json_of(json_text);
  if (!json.is_object())
    return {std::nullopt, {run::FieldError::of("transaction_json", json_text, "a JSON object")}};
  const run::Json which = json.value("transaction", run::Json());
  const run::Json blame = json.value("blame", run::Json());
  std::vector<run::FieldError> errors;
  if (!blame.is_boolean()) errors.push_back(run::FieldError::of("blame", blame.dump(), "true or false"));
  const auto read = explain::read_transaction_choice(
      "transaction", which.is_string() ? which.get<std::string>() : which.dump());
  if (read.error) errors.push_back(*read.error);
  if (!errors.empty()) return {std::nullopt, std::move(errors)};
  return {Wanted{*read.choice, blame.get<bool>()}, {}};
}

void run_explanation(run::Engine& engine, const run::RunSpec& spec, const Wanted& wanted) {
  host().explanation.reset();
  explain::ExplanationOrError found =
      explain::explain(engine, spec, wanted.choice, wanted.with_blame, host().explanation_progress);
  host().explanation = std::move(found.explanation);
  if (found.error) publish_outcome(Outcome::wrong_value, run::to_json({*found.error}));
}

std::string parting_of(const run::Json& given) {
  if (!given.contains("noted") || !run::has(given, "courses", &run::Json::is_array)) return "";
  const auto noted = explain::read_window(given["noted"]);
  const run::Json& courses = given["courses"];
  if (!noted || courses.size() != 2 || !explain::is_course(courses[0]) || !explain::is_course(courses[1]))
    return "";
  const explain::Parting parting = explain::find_parting(*noted, courses[0], courses[1]);
  run::Json told = {{"next", {{"after", parting.next.after}, {"count", parting.next.count}}},
                    {"event", parting.first_different},
                    {"noted_until", parting.noted_until},
                    {"on_server", nullptr}};
  if (parting.on_server) told["on_server"] = *parting.on_server;
  return told.dump();
}

}  // namespace

const char* latchscope_version(void) {
  run::Json version = run::engine_version_json();
  version["abi_hash"] = wasm::abi_hash();
  return reply(version.dump());
}

void latchscope_open(void) {
  LATCHSCOPE_ASSERT(!host().coordinator.joinable(), "the engine is opened only once");
  platform::set_failure_handler(on_failure);
  host().engine.on_done_by_hand = publish_done_by_hand;
  host().coordinator = platform::Thread::beside_the_server(coordinate);
}

const void* latchscope_telemetry(void) {
  return &telemetry::block();
}
uint32_t latchscope_telemetry_bytes(void) {
  return sizeof(telemetry::TelemetryBlock);
}

const char* latchscope_check(const char* run_spec_json) {
  return reply(run::to_json(run::parse_run_spec(run_spec_json).errors));
}

int32_t latchscope_create(const char* run_spec_json) {
  run::RunSpecOrErrors parsed = run::parse_run_spec(run_spec_json);
  if (!parsed.spec) return refuse(Outcome::wrong_value, parsed.errors);
  const run::RunSpec& spec = *parsed.spec;
  const int32_t outcome = post(Command::create, [spec](run::Engine& engine) { engine.create(spec); });
  if (outcome == static_cast<int32_t>(Outcome::accepted)) host().spec = spec;
  return outcome;
}

int32_t latchscope_start(void) {
  return post(Command::start, [](run::Engine& engine) { engine.start(); });
}

int32_t latchscope_pause(void) {
  return post(Command::pause, [](run::Engine& engine) { engine.pause(); });
}

int32_t latchscope_resume(void) {
  return post(Command::resume, [](run::Engine& engine) { engine.resume(); });
}

int32_t latchscope_stop(void) {
  if (can_be_planned()) return plan([] { return host().engine.plan_stop_by_hand(); });
  return post(Command::stop, stop, Counted::when_done_by_hand);
}

int32_t latchscope_set_knob(const char* knob, const char* variant) {
  if (!host().spec)
    return refuse(run::FieldError::of("knob", knob, "a knob of an existing run; create a run first"));
  uint32_t knob_index = 0;
  uint32_t variant_index = 0;
  const auto error = run::find_knob(*host().spec->config.manifest, knob, variant, {"knob", "knob"},
                                    knob_index, variant_index);
  if (error) return refuse(*error);
  return post_step(Command::set_knob, {.action = std::nullopt, .knob = knob_index, .variant = variant_index});
}

int32_t latchscope_fire(const char* action) {
  if (!host().spec)
    return refuse(run::FieldError::of("action", action, "an action of an existing run; create a run first"));
  uint32_t action_index = 0;
  const auto error = run::find_action(*host().spec->config.manifest, action, "action", action_index);
  if (error) return refuse(*error);
  return post_step(Command::fire, {.action = action_index});
}

int32_t latchscope_suppose(const char* what_if_json) {
  if (!platform::kIsModelled)
    return refuse(
        run::FieldError::of("platform", run::platform_name(), "virtual: a what-if needs the virtual server"));
  if (!host().spec)
    return refuse(
        run::FieldError::of("what_if", what_if_json, "a what-if of an existing run; create a run first"));
  const run::RunSpecOrErrors read = run::supposing(run::to_json(*host().spec), what_if_json);
  if (!read.spec) return refuse(Outcome::wrong_value, read.errors);
  const run::WhatIfSpec& what_if = read.spec->what_if;
  if (can_be_planned()) return plan([&] { return host().engine.plan_supposing(what_if); });
  return post(
      Command::suppose, [what_if](run::Engine& engine) { engine.suppose_by_hand(what_if); },
      Counted::when_done_by_hand);
}

int32_t latchscope_explain(const char* run_spec_json, const char* transaction_json) {
  if (const auto error = explain::why_platform_cannot_explain("platform")) return refuse(*error);
  const run::RunSpecOrErrors parsed = run::parse_run_spec(run_spec_json);
  if (!parsed.spec) return refuse(Outcome::wrong_value, parsed.errors);
  if (!parsed.spec->duration_s)
    return refuse(
        run::FieldError::of("duration_s", "null", "a number: only a run with an end can be explained"));
  const WantedOrErrors read = read_wanted(transaction_json);
  if (!read.wanted) return refuse(Outcome::wrong_value, read.errors);
  return post(Command::explain, [spec = *parsed.spec, wanted = *read.wanted](run::Engine& engine) {
    run_explanation(engine, spec, wanted);
  });
}

const char* latchscope_refusal(void) {
  return host().refusal_text.c_str();
}

const char* latchscope_sysbench_header(void) {
  return reply(run::Json(host().spec ? run::sysbench_header(*host().spec) : run::Lines()).dump());
}

const char* latchscope_result(void) {
  return run_state() == RunState::finished ? host().engine.result().c_str() : "";
}

const char* latchscope_outcome(const char* from) {
  if (!platform::kIsModelled || run_state() != RunState::finished) return "";
  using From = run::Engine::OutcomeFrom;
  const std::string_view name = from;
  if (name != "beginning" && name != "first_interval") return "";
  const From moment = name == "beginning" ? From::beginning : From::first_interval;
  return reply(host().engine.outcome(moment).json().dump());
}

const char* latchscope_hot_latches(const char* study_json) {
  const run::Json study = json_of(study_json);
  if (!explain::is_study(study) || !explain::is_profile(study)) return "";
  return reply(explain::to_json(explain::hot_latches(study["spec"], study["base"])).dump());
}

const char* latchscope_what_if_report(const char* study_json) {
  const run::Json study = json_of(study_json);
  return explain::is_study(study) ? reply(explain::what_if_report(study).dump()) : "";
}

const char* latchscope_explanation_progress(void) {
  return reply(run::Json(host().explanation_progress.part_done(header().run_ns[0].read())).dump());
}

const char* latchscope_explanation(void) {
  const auto& explanation = host().explanation;
  return reply(explanation ? explain::explanation_json(*explanation) : "");
}

const char* latchscope_explanation_text(void) {
  if (!host().explanation) return "";
  std::string text;
  for (const std::string& line : explain::explanation_text(*host().explanation))
    text += line + "\n";
  return reply(std::move(text));
}

const char* latchscope_explanation_tables(void) {
  const auto& explanation = host().explanation;
  return reply(explanation ? explain::explanation_tables_json(*explanation) : "");
}

const char* latchscope_note_course(const char* window_json) {
  const auto window = explain::read_window(json_of(window_json));
  if (!window) return "";
  explain::note_course(window->after, window->count);
  return reply(window_json);
}

const char* latchscope_course(void) {
  const bool is_over = run_state() == RunState::finished;
  return reply(is_over ? explain::course_json(host().engine).dump() : "");
}

const char* latchscope_noted_event(const char* number) {
  const uint64_t event = std::strtoull(number, nullptr, 10);
  return reply(explain::noted_event_json(host().engine, event).dump());
}

const char* latchscope_parting(const char* courses_json) {
  return reply(parting_of(json_of(courses_json)));
}

const char* latchscope_course_diff(const char* given_json) {
  const auto report = explain::CourseReport::read(json_of(given_json));
  return reply(report ? report->json().dump() : "");
}

const char* latchscope_begin_lab_check(const char* check_json) {
  return reply(run::to_json(host().lab.begin_check(json_of(check_json))));
}

const char* latchscope_go_on_lab_check(void) {
  return reply(host().lab.go_on().dump());
}

const char* latchscope_lab_check(void) {
  return reply(host().lab.check_result().dump());
}

int32_t latchscope_compete(const char* contest_json) {
  if (!platform::kIsModelled) return refuse(run::FieldError::of("platform", "threads", "virtual"));
  if (const auto errors = host().lab.take_contest(json_of(contest_json)); !errors.empty())
    return refuse(Outcome::wrong_value, errors);
  return post(Command::compete, [](run::Engine&) { host().lab.hold_contest(); });
}

const char* latchscope_contest(void) {
  return reply(host().lab.contest_result().dump());
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
void latchscope_watch_hottest(uint32_t latches) {
  telemetry::watch_hottest(latches);
}
const void* latchscope_watched_latches(void) {
  return telemetry::watched_latches();
}
uint32_t latchscope_watched_latches_max(void) {
  return telemetry::kWatchedLatchesMax;
}
const void* latchscope_latch_events(void) {
  return telemetry::latch_events();
}
uint32_t latchscope_latch_events_max(void) {
  return telemetry::kLatchEventsMax;
}
double latchscope_latch_events_written(void) {
  return static_cast<double>(telemetry::latch_events_written());
}

int32_t latchscope_fail_for_test(const char* cause) {
  const wasm::TestFailure* failure = wasm::find_test_failure(cause);
  if (failure == nullptr) return refuse({"cause", cause, wasm::test_failure_causes()});
  return post(Command::fail_for_test, [failure](run::Engine&) { failure->provoke(); });
}
