// Uses the C ABI as a page does. This thread posts commands and the coordinator runs them. The test
// reads the outcome from the telemetry block.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>

#include "run/json.h"
#include "run/limits.h"
#include "telemetry/telemetry.h"
#include "tests/test_threads.h"
#include "wasm/latchscope.h"

namespace latchscope::wasm {
namespace {

using telemetry::RunState;

constexpr auto kAccepted = static_cast<int32_t>(wasm::Outcome::accepted);
constexpr auto kWrongValue = static_cast<int32_t>(wasm::Outcome::wrong_value);
constexpr auto kWrongState = static_cast<int32_t>(wasm::Outcome::wrong_state);

constexpr const char* kSpec =
    R"({"version":1,"scenario":"fil-mutex-69276","threads":3,"parameters":{"tables":2,"rows_per_table":2000,)"
    R"("buffer_pool_mib":2,"buffer_pool_instances":2}})";

const telemetry::BlockHeader& header() {
  return static_cast<const telemetry::TelemetryBlock*>(latchscope_telemetry())->header;
}

RunState run_state() {
  return static_cast<RunState>(header().run_state[0].read_acquire());
}

template <class Cells>
std::string text_of(const Cells& cells) {
  std::string text;
  for (const auto& cell : cells) {
    if (cell.read_acquire() == 0) break;
    text.push_back(static_cast<char>(cell.read_acquire()));
  }
  return text;
}

wasm::Outcome command_outcome() {
  return static_cast<wasm::Outcome>(header().command_outcome[0].read_acquire());
}

std::string error_text() {
  return text_of(header().error_text);
}

// A virtual server runs only while its host runs a slice. Real threads run by themselves.
void wait_until(const std::function<bool()>& reached, uint32_t events_per_slice = 1'000) {
  while (!reached()) {
    latchscope_run_slice(events_per_slice, INFINITY);
    if (!platform::kIsModelled) platform::sleep_ns(1'000'000);
  }
}

bool is_settled() {
  return header().commands_done[0].read_acquire() == header().commands_posted[0].read();
}

void wait_until_settled(uint32_t events_per_slice = 1'000) {
  wait_until(is_settled, events_per_slice);
}

std::string first_refused_field() {
  return run::Json::parse(latchscope_refusal())[0]["field"];
}

class CAbi : public testing::Test {
 protected:
  static void SetUpTestSuite() { latchscope_open(); }

  void TearDown() override {
    if (run_state() != RunState::idle && run_state() != RunState::finished) latchscope_stop();
    wait_until_settled();
  }

  static void create_and_start() {
    ASSERT_EQ(latchscope_create(kSpec), kAccepted) << latchscope_refusal();
    wait_until_settled();
    ASSERT_EQ(run_state(), RunState::ready);
    ASSERT_EQ(latchscope_start(), kAccepted);
    wait_until_settled();
    ASSERT_EQ(run_state(), RunState::running);
    wait_until([] { return telemetry::counter_total(telemetry::Counter::transactions) > 100; });
  }
};

TEST_F(CAbi, SaysWhichEngineItIs) {
  const run::Json version = run::Json::parse(latchscope_version());
  EXPECT_EQ(version["abi_hash"], wasm::abi_hash());
  EXPECT_EQ(version["layout_hash"], telemetry::layout_hash());
  EXPECT_EQ(latchscope_telemetry_bytes(), sizeof(telemetry::TelemetryBlock));
}

TEST_F(CAbi, ARunFromSpecToResult) {
  create_and_start();
  EXPECT_STREQ(latchscope_result(), "") << "no result while it runs";
  EXPECT_EQ(latchscope_set_knob("tablespace_lookup", "atomic_word"), kAccepted);
  EXPECT_EQ(latchscope_fire("one_table"), kAccepted);
  EXPECT_EQ(latchscope_pause(), kAccepted);
  EXPECT_EQ(latchscope_resume(), kAccepted);
  EXPECT_EQ(latchscope_stop(), kAccepted);
  wait_until([] { return run_state() == RunState::finished; });
  EXPECT_EQ(header().marks_count[0].read(), 4u);
  const run::Json result = run::Json::parse(latchscope_result());
  EXPECT_GT(result["totals"]["transactions"], 100);
  EXPECT_EQ(std::string(latchscope_outcome("beginning")) != "", platform::kIsModelled);
  EXPECT_STREQ(latchscope_outcome("now"), "") << "no such moment";
  for (const run::Json& invariant : result["invariants"])
    EXPECT_TRUE(invariant["ok"].get<bool>()) << invariant;
}

TEST_F(CAbi, ABadSpecIsRefusedAtOnceAndNothingStarts) {
  const RunState before = run_state();
  EXPECT_EQ(latchscope_create(R"({"version":1,"scenario":"fil-mutex-69276","threads":0})"), kWrongValue);
  EXPECT_EQ(first_refused_field(), "threads");
  EXPECT_EQ(run_state(), before);
  EXPECT_EQ(run::Json::parse(latchscope_check("{}")).size(), 2u);
  EXPECT_EQ(run::Json::parse(latchscope_check(kSpec)).size(), 0u);
}

run::Json point_of_one_run() {
  const run::Json run = {{"tps", 100},
                         {"p99_ms", 1.5},
                         {"seconds", 1},
                         {"cost_ns", {{"fil_system->mutex", 5}}},
                         {"broken_invariants", run::Json::array()},
                         {"stopped_early", ""}};
  return {{"name", "baseline"}, {"runs", {run, nullptr}}};
}

run::Json study_of(run::Json fields) {
  run::Json study = {{"version", 1}, {"spec", run::Json::parse(kSpec)}, {"seeds", 2}, {"from_s", 0}};
  study.update(fields);
  return study;
}

run::Json curve_study() {
  return study_of({{"points", {point_of_one_run()}}});
}

run::Json profile_study() {
  const run::Json latch = {
      {"latch", "fil_system->mutex"}, {"section", point_of_one_run()}, {"hand_over", point_of_one_run()}};
  return study_of({{"section_percent", 80}, {"base", point_of_one_run()}, {"latches", {latch}}});
}

std::string report_of(const run::Json& study) {
  return latchscope_what_if_report(study.dump().c_str());
}

TEST_F(CAbi, AStudyHasAReport) {
  EXPECT_EQ(run::Json::parse(report_of(curve_study()))["points"][0]["tps_ratio"]["mean"], 1.0);
  EXPECT_EQ(run::Json::parse(report_of(profile_study()))["latches"][0]["section"]["tps"]["mean"], 100.0);
  EXPECT_EQ(run::Json::parse(latchscope_hot_latches(profile_study().dump().c_str()))[0]["latch"],
            "fil_system->mutex");
  EXPECT_STREQ(latchscope_hot_latches(curve_study().dump().c_str()), "") << "a curve has no base";
}

using Answer = std::function<std::string(const run::Json&)>;

// Expects that `given` has an answer, and none if a field at this place is missing or of another
// type.
void expect_each_field_needed(const run::Json& given, const char* at, const Answer& answer) {
  const run::Json::json_pointer place(at);
  EXPECT_NE(answer(given), "");
  for (const auto& [field, value] : given.at(place).items()) {
    run::Json without = given;
    without.at(place).erase(field);
    EXPECT_EQ(answer(without), "") << place / field;
    run::Json changed = given;
    changed[place / field] = true;
    EXPECT_EQ(answer(changed), "") << place / field;
  }
}

TEST_F(CAbi, WhatIsNoStudyHasNoReport) {
  for (const char* text : {"", "{", "7", "null", "[]", "{}", R"({"base":7})", R"({"points":[]})"}) {
    EXPECT_STREQ(latchscope_what_if_report(text), "") << text;
    EXPECT_STREQ(latchscope_hot_latches(text), "") << text;
  }
  for (const char* place : {"", "/points/0", "/points/0/runs/0"})
    expect_each_field_needed(curve_study(), place, report_of);
  for (const char* place : {"", "/base", "/base/runs/0", "/latches/0", "/latches/0/section"})
    expect_each_field_needed(profile_study(), place, report_of);
}

run::Json course_given() {
  const run::Json trail = {{"events", 3}, {"every", 4096}, {"hashes", {"00"}}};
  return {{"trail", trail},
          {"hashes", {"00"}},
          {"server_events", run::Json::array({run::Json::array({1, "00"})})}};
}

run::Json diff_given() {
  const run::Json latch = {
      {"acquisitions", 1}, {"contended", 0}, {"waits", 0}, {"wait_ns", 0}, {"cost_ns", 0}};
  const run::Json figures = {
      {"from_s", 0}, {"tps", 1.5}, {"latency_ms", {{"mean", 1}, {"p99", 2}}}, {"latches", {{"x", latch}}}};
  const run::Json pair = {{"event", 1},
                          {"noted_until", 3},
                          {"events", {nullptr, nullptr}},
                          {"on_server", {nullptr, nullptr}},
                          {"figures", {figures, figures}}};
  return {{"a", run::Json::object()}, {"b", run::Json::object()}, {"pairs", run::Json::array({pair})}};
}

Answer answer_of(const char* (*ask)(const char*)) {
  return [ask](const run::Json& given) { return std::string(ask(given.dump().c_str())); };
}

TEST_F(CAbi, WhatIsNoCourseIsNotCompared) {
  for (const char* text : {"", "{", "7", "null", "[]", "{}", R"({"after":-1,"count":2})", R"({"after":1})"}) {
    EXPECT_STREQ(latchscope_note_course(text), "") << text;
    EXPECT_STREQ(latchscope_parting(text), "") << text;
    EXPECT_STREQ(latchscope_course_diff(text), "") << text;
  }
  const run::Json courses = {{"noted", {{"after", 0}, {"count", 0}}},
                             {"courses", {course_given(), course_given()}}};
  for (const char* place : {"", "/noted", "/courses/0", "/courses/1/trail"})
    expect_each_field_needed(courses, place, answer_of(latchscope_parting));
  for (const char* place : {"", "/pairs/0", "/pairs/0/figures/1/latency_ms", "/pairs/0/figures/0/latches/x"})
    expect_each_field_needed(diff_given(), place, answer_of(latchscope_course_diff));
}

TEST_F(CAbi, AStudyOfMoreSeedsThanThereMayBeHasNoReport) {
  run::Json study = curve_study();
  run::Json& runs = study["points"][0]["runs"];
  while (runs.size() < run::kSeedsMax)
    runs.push_back(runs[0]);
  EXPECT_NE(report_of(study), "");
  runs.push_back(runs[0]);
  EXPECT_EQ(report_of(study), "");
}

TEST_F(CAbi, ACommandThatMeansNothingNowIsRefused) {
  EXPECT_EQ(latchscope_pause(), kWrongState);
  EXPECT_EQ(first_refused_field(), "pause");
  create_and_start();
  EXPECT_EQ(latchscope_create(kSpec), kWrongState);
  EXPECT_EQ(first_refused_field(), "create");
  EXPECT_EQ(latchscope_resume(), kWrongState);
}

TEST_F(CAbi, UnknownNamesAreRefused) {
  create_and_start();
  EXPECT_EQ(latchscope_set_knob("speed", "fast"), kWrongValue);
  EXPECT_EQ(latchscope_set_knob("tablespace_lookup", "fast"), kWrongValue);
  EXPECT_NE(std::string(latchscope_refusal()).find("atomic_word"), std::string::npos);
  EXPECT_EQ(latchscope_fire("reboot"), kWrongValue);
}

TEST_F(CAbi, ACommandOvertakenByAnEarlierOneSaysSoInTheErrorText) {
  create_and_start();
  latchscope_stop();
  // posted while the stop is in progress, or refused after it
  const int32_t at_once = latchscope_pause();
  wait_until_settled();
  EXPECT_EQ(run_state(), RunState::finished);
  if (at_once == kAccepted) EXPECT_EQ(command_outcome(), wasm::Outcome::wrong_state);
  const run::Json errors = run::Json::parse(at_once == kAccepted ? error_text() : latchscope_refusal());
  EXPECT_EQ(errors, run::Json::parse(R"([{"field":"pause","value":"finished","allowed":"running"}])"));
}

TEST_F(CAbi, AnActionThatMakesNoSenseNowPublishesWhy) {
  create_and_start();
  ASSERT_EQ(latchscope_fire("create_table"), kAccepted);
  wait_until_settled();
  EXPECT_EQ(command_outcome(), wasm::Outcome::refused_by_server);
  EXPECT_NE(error_text().find("the last table exists"), std::string::npos) << error_text();
}

// Interactive changes become part of the result's spec, and that spec reproduces the result.

struct ByHand {
  const char* spec;
  const char* action;
  const char* knob;
  const char* variant;
};

void run_slices(uint32_t slices, uint32_t events) {
  for (uint32_t i = 0; i < slices; ++i)
    latchscope_run_slice(events, INFINITY);
}

void start_run(const std::string& spec) {
  ASSERT_EQ(latchscope_create(spec.c_str()), kAccepted) << latchscope_refusal();
  wait_until_settled();
  ASSERT_EQ(latchscope_start(), kAccepted);
}

std::string result_of_run_by_hand(const ByHand& hand) {
  start_run(hand.spec);
  wait_until([] { return header().run_ns[0].read() > 2'000'000; });
  run_slices(3, 777);
  EXPECT_EQ(latchscope_fire(hand.action), kAccepted);
  run_slices(5, 1'111);
  EXPECT_EQ(latchscope_set_knob(hand.knob, hand.variant), kAccepted);
  EXPECT_EQ(latchscope_fire(hand.action), kAccepted) << "posted while the first is pending";
  wait_until_settled();
  run_slices(40, 999);
  EXPECT_EQ(latchscope_stop(), kAccepted);
  wait_until([] { return run_state() == RunState::finished; });
  return latchscope_result();
}

std::string result_of_spec(const std::string& spec) {
  start_run(spec);
  wait_until([] { return run_state() == RunState::finished; });
  return latchscope_result();
}

TEST_F(CAbi, WhatWasDoneByHandIsRepeatedToTheLastEvent) {
  if (!platform::kIsModelled) GTEST_SKIP() << "runs on real threads are never identical";
  const ByHand hands[] = {
      {R"({"version":1,"scenario":"fil-mutex-69276","interval_s":0.005,"parameters":{"tables":2,"rows_per_table":5000}})",
       "one_table", "tablespace_lookup", "atomic_word"},
      {R"({"version":1,"scenario":"undo-read-117533","threads":16,"parameters":{"rows":1000},"duration_s":3600,)"
       R"("actions":[{"at_s":0.001,"action":"update_k"},{"at_s":3000,"action":"update_k"}]})",
       "update_k", "undo_page_size_lookup", "cached"},
      {R"({"version":1,"scenario":"binlog-purge-104615","threads":50,"parameters":{"old_binlogs_gib":1}})",
       "expire_logs_1s", "unlink_under", "no_lock"},
      {R"({"version":1,"scenario":"xa-gtid-99638","threads":40,"parameters":{"rows_per_table":5000}})",
       "fewer_xa_clients", "gtid_flush_wait", "condition_variable"},
  };
  for (const ByHand& hand : hands) {
    const std::string by_hand = result_of_run_by_hand(hand);
    const run::Json spec = run::Json::parse(by_hand)["spec"];
    EXPECT_GE(spec["actions"].size(), 3u) << hand.spec;
    EXPECT_LE(spec["duration_s"], run::Json::parse(by_hand)["totals"]["seconds"])
        << "but for the last transactions";
    EXPECT_EQ(result_of_spec(spec.dump()), by_hand) << hand.spec;
  }
}

// Slices end anywhere, as on a busy host.
class BusyHost {
 public:
  explicit BusyHost(uint64_t seed) : random_(seed, 0) {}

  // Many slices end where a page reads: together with an interval of the run.
  void run_slice() {
    const uint32_t events = 1 + random_.below(random_.below(2) == 0 ? 20 : 2'000);
    double until_ns = INFINITY;
    if (random_.below(2) == 0) {
      const uint64_t run_ns = header().run_ns[0].read();
      const uint64_t step_ns = random_.below(2) == 0 ? 1'000'000 : 1 + random_.below(300'000);
      const uint64_t began_ns = header().clock_ns[0].read() - run_ns;
      until_ns = static_cast<double>(began_ns + (run_ns / step_ns + 1) * step_ns);
    }
    latchscope_run_slice(events, until_ns);
  }
  void run_until(const std::function<bool()>& reached) {
    while (!reached())
      run_slice();
  }
  void run_slices() {
    for (uint64_t left = random_.below(30); left > 0; --left)
      run_slice();
  }

 private:
  platform::Random random_;
};

TEST_F(CAbi, ChangesAtAnyEventAreRepeatedToTheLastEvent) {
  if (!platform::kIsModelled) GTEST_SKIP() << "runs on real threads are never identical";
  constexpr const char* kShort =
      R"({"version":1,"scenario":"fil-mutex-69276","threads":16,"interval_s":0.001,)"
      R"("parameters":{"tables":2,"rows_per_table":10000,"buffer_pool_mib":5}})";
  // LATCHSCOPE_SEEDS sets another number, for a run by hand.
  const char* given = std::getenv("LATCHSCOPE_SEEDS");
  const uint64_t seeds = given == nullptr ? tests::stress_rounds(200) : std::strtoull(given, nullptr, 10);
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    BusyHost host(seed);
    start_run(kShort);
    host.run_until([] { return header().run_ns[0].read() > 1'000'000; });
    host.run_slices();
    EXPECT_EQ(latchscope_set_knob("tablespace_lookup", "atomic_word"), kAccepted);
    host.run_until(is_settled);
    host.run_slices();
    EXPECT_EQ(latchscope_stop(), kAccepted);
    host.run_until([] { return run_state() == RunState::finished; });
    const std::string by_hand = latchscope_result();
    const std::string spec = run::Json::parse(by_hand)["spec"].dump();
    ASSERT_EQ(result_of_spec(spec), by_hand) << "seed " << seed;
  }
}

// A page reads every 125 us, and its slices end there.
void run_to_reading(uint64_t number) {
  const auto left_ns = [&] {
    const uint64_t began_ns = header().clock_ns[0].read() - header().run_ns[0].read();
    return static_cast<double>(began_ns + number * 125'000) - latchscope_clock_ns();
  };
  while (left_ns() > 0)
    latchscope_run_slice(~0u, latchscope_clock_ns() + left_ns());
}

TEST_F(CAbi, ChangesAtAReadingAreRepeatedToTheLastEvent) {
  if (!platform::kIsModelled) GTEST_SKIP() << "runs on real threads are never identical";
  start_run(
      R"({"version":1,"scenario":"fil-mutex-69276","threads":16,"interval_s":0.005,)"
      R"("server":"snb-ep-2013","parameters":{"tables":2,"rows_per_table":10000,"buffer_pool_mib":5}})");
  wait_until([] { return run_state() == RunState::running; });
  // A thread has done private work beyond this reading.
  run_to_reading(105);
  EXPECT_EQ(latchscope_set_knob("tablespace_lookup", "atomic_word"), kAccepted);
  run_to_reading(109);
  EXPECT_EQ(latchscope_stop(), kAccepted);
  wait_until([] { return run_state() == RunState::finished; });
  const std::string by_hand = latchscope_result();
  EXPECT_EQ(result_of_spec(run::Json::parse(by_hand)["spec"].dump()), by_hand);
}

TEST_F(CAbi, AMarkSaysWhichTimedStepItIs) {
  create_and_start();
  ASSERT_EQ(latchscope_fire("one_table"), kAccepted);
  wait_until_settled();
  const telemetry::Mark& mark =
      static_cast<const telemetry::TelemetryBlock*>(latchscope_telemetry())->marks[0];
  EXPECT_EQ(mark.is_by_hand[0].read_acquire(), 1u);
  ASSERT_EQ(latchscope_stop(), kAccepted);
  wait_until([] { return run_state() == RunState::finished; });
  const run::Json step = run::Json::parse(latchscope_result())["spec"]["actions"][0];
  EXPECT_EQ(step["action"], "one_table");
  EXPECT_DOUBLE_EQ(step["at_s"], static_cast<double>(mark.step_ns[0].read_acquire()) / 1e9);
}

constexpr const char* kWhatIf =
    R"({"costs":{"pause_ps":50},"latches":[{"latch":"fil_system->mutex","section_percent":20}]})";

TEST_F(CAbi, WhatIsSupposedByHandIsRepeatedToTheLastEvent) {
  if (!platform::kIsModelled) GTEST_SKIP() << "a what-if needs the virtual server";
  create_and_start();
  run_slices(3, 777);
  ASSERT_EQ(latchscope_suppose(kWhatIf), kAccepted) << latchscope_refusal();
  ASSERT_EQ(latchscope_set_knob("tablespace_lookup", "atomic_word"), kAccepted);
  wait_until_settled();
  EXPECT_EQ(command_outcome(), wasm::Outcome::accepted);
  const telemetry::Mark& mark =
      static_cast<const telemetry::TelemetryBlock*>(latchscope_telemetry())->marks[0];
  EXPECT_EQ(mark.kind[0].read_acquire(), static_cast<uint32_t>(telemetry::MarkKind::what_if));
  EXPECT_EQ(mark.is_by_hand[0].read_acquire(), 1u);
  const double from_s = static_cast<double>(mark.step_ns[0].read_acquire()) / 1e9;
  run_slices(40, 999);
  ASSERT_EQ(latchscope_stop(), kAccepted);
  wait_until([] { return run_state() == RunState::finished; });
  const std::string by_hand = latchscope_result();
  const run::Json spec = run::Json::parse(by_hand)["spec"];
  EXPECT_DOUBLE_EQ(spec["what_if"]["from_s"], from_s);
  EXPECT_EQ(spec["what_if"]["costs"], run::Json::parse(kWhatIf)["costs"]);
  EXPECT_EQ(result_of_spec(spec.dump()), by_hand);
}

TEST_F(CAbi, ASecondWhatIfIsRefusedAndTheRunKeepsTheFirst) {
  if (!platform::kIsModelled) GTEST_SKIP() << "a what-if needs the virtual server";
  create_and_start();
  run_slices(3, 777);
  ASSERT_EQ(latchscope_suppose(kWhatIf), kAccepted);
  ASSERT_EQ(latchscope_suppose(kWhatIf), kAccepted);
  wait_until_settled();
  run_slices(3, 777);
  ASSERT_EQ(latchscope_suppose(R"({"costs":{"pause_ps":60}})"), kAccepted);
  wait_until_settled();
  EXPECT_EQ(command_outcome(), wasm::Outcome::refused_by_server);
  EXPECT_TRUE(error_text().starts_with("a what-if already applies from 0.0")) << error_text();
  ASSERT_EQ(latchscope_stop(), kAccepted);
  wait_until([] { return run_state() == RunState::finished; });
  const run::Json what_if = run::Json::parse(latchscope_result())["spec"]["what_if"];
  EXPECT_EQ(what_if["costs"]["pause_ps"], 50);
}

TEST_F(CAbi, AWhatIfThatIsNoneIsRefusedByField) {
  create_and_start();
  EXPECT_NE(latchscope_suppose(R"({"costs":{"pause_ps":50},"from_s":1})"), kAccepted);
  EXPECT_EQ(run::Json::parse(latchscope_refusal())[0]["field"],
            platform::kIsModelled ? "what_if.from_s" : "platform");
  EXPECT_NE(latchscope_suppose("[]"), kAccepted);
  EXPECT_EQ(run::Json::parse(latchscope_refusal())[0]["field"],
            platform::kIsModelled ? "what_if" : "platform");
  EXPECT_NE(latchscope_suppose(R"({"latches":[{"latch":"no_such"}]})"), kAccepted);
  EXPECT_EQ(run::Json::parse(latchscope_refusal())[0]["field"],
            platform::kIsModelled ? "what_if.latches[0].latch" : "platform");
}

TEST_F(CAbi, AKnobThatStandsThereAlreadyIsNoStep) {
  create_and_start();
  ASSERT_EQ(latchscope_set_knob("tablespace_lookup", "global_mutex"), kAccepted);
  wait_until_settled();
  EXPECT_EQ(command_outcome(), wasm::Outcome::accepted);
  ASSERT_EQ(latchscope_stop(), kAccepted);
  wait_until([] { return run_state() == RunState::finished; });
  EXPECT_EQ(run::Json::parse(latchscope_result())["spec"]["actions"], run::Json::array());
}

TEST_F(CAbi, MoreStepsThanASpecMayHaveAreRefused) {
  create_and_start();
  for (uint32_t i = 0; i < run::kTimedStepsMax; ++i) {
    ASSERT_EQ(latchscope_fire(i % 2 == 0 ? "one_table" : "many_tables"), kAccepted);
    wait_until_settled();
    ASSERT_EQ(command_outcome(), wasm::Outcome::accepted) << error_text();
  }
  ASSERT_EQ(latchscope_fire("one_table"), kAccepted);
  wait_until_settled();
  EXPECT_EQ(command_outcome(), wasm::Outcome::wrong_value);
  EXPECT_EQ(run::Json::parse(error_text()),
            run::Json::parse(
                R"([{"field":"actions","value":"257 actions","allowed":"at most 256 actions in a run"}])"));
}

TEST_F(CAbi, EachIntervalIsPublishedAsTheRunResultHasIt) {
  run::Json spec = run::Json::parse(kSpec);
  spec["interval_s"] = 0.01;
  ASSERT_EQ(latchscope_create(spec.dump().c_str()), kAccepted);
  ASSERT_EQ(latchscope_start(), kAccepted);
  wait_until([] { return header().intervals_count[0].read_acquire() >= 3; });
  ASSERT_EQ(latchscope_stop(), kAccepted);
  wait_until([] { return run_state() == RunState::finished; });
  const run::Json result = run::Json::parse(latchscope_result());
  EXPECT_EQ(run::Json::parse(latchscope_sysbench_header()), result["sysbench"]["header"]);
  const uint32_t count = header().intervals_count[0].read();
  ASSERT_EQ(count, result["intervals"].size());
  const auto& published = static_cast<const telemetry::TelemetryBlock*>(latchscope_telemetry())->intervals;
  const uint32_t oldest_kept = count - std::min(count, telemetry::kIntervalsMax);
  for (uint32_t i = oldest_kept; i < count; ++i) {
    const telemetry::IntervalText& interval = published[i % telemetry::kIntervalsMax];
    EXPECT_EQ(interval.sequence[0].read_acquire(), i + 1);
    EXPECT_EQ(text_of(interval.text), result["intervals"][i].dump());
  }
}

TEST_F(CAbi, ExplainsATransactionInSlices) {
  const std::string spec = std::string(kSpec).insert(1, R"("duration_s":0.003,)");
  const int32_t outcome = latchscope_explain(spec.c_str(), R"({"transaction":"slowest","blame":true})");
  if (!platform::kIsModelled) {
    EXPECT_EQ(outcome, kWrongValue);
    EXPECT_EQ(first_refused_field(), "platform");
    return;
  }
  ASSERT_EQ(outcome, kAccepted) << latchscope_refusal();
  double done = 0;
  wait_until([&] {
    const double before = done;
    done = run::Json::parse(latchscope_explanation_progress());
    EXPECT_GE(done, before);
    return header().commands_done[0].read_acquire() == header().commands_posted[0].read();
  });
  EXPECT_GT(done, 0.9);
  EXPECT_EQ(command_outcome(), wasm::Outcome::accepted) << error_text();
  EXPECT_EQ(run_state(), RunState::finished);
  const run::Json explanation = run::Json::parse(latchscope_explanation());
  EXPECT_EQ(explanation["rank"], 1);
  uint64_t parts_ps = 0;
  for (const run::Json& part : explanation["transaction"]["parts"])
    parts_ps += part["ps"].get<uint64_t>();
  EXPECT_EQ(explanation["transaction"]["latency_ps"], parts_ps);
  EXPECT_EQ(explanation["blame"]["slowest_1_percent"], explanation["blame"]["transactions"]);
  const std::string lines = latchscope_explanation_text();
  EXPECT_EQ(lines.find("Transaction "), 0u);
  uint64_t sums_ps = 0;
  for (const run::Json& table : run::Json::parse(latchscope_explanation_tables())) {
    const auto heading = table["heading"].get<std::string>();
    EXPECT_NE(lines.find(heading), std::string::npos) << "the tables are those of the lines";
    for (const run::Json& row : table["rows"]) {
      EXPECT_NE(lines.find(row["what"].get<std::string>()), std::string::npos);
      if (table["id"] == "states") sums_ps += row["ps"].get<uint64_t>();
    }
  }
  EXPECT_EQ(sums_ps, parts_ps);
  create_and_start();  // the next run is not affected
}

TEST_F(CAbi, WhatCannotBeExplainedIsRefusedByField) {
  if (!platform::kIsModelled) return;
  const std::string spec = std::string(kSpec).insert(1, R"("duration_s":0.003,)");
  const auto refused_field = [&](const char* run_spec, const char* transaction) {
    EXPECT_EQ(latchscope_explain(run_spec, transaction), kWrongValue);
    return first_refused_field();
  };
  EXPECT_EQ(refused_field(kSpec, R"({"transaction":"slowest","blame":false})"), "duration_s");
  EXPECT_EQ(refused_field(spec.c_str(), R"({"transaction":"fastest","blame":false})"), "transaction");
  EXPECT_EQ(refused_field(spec.c_str(), R"({"transaction":"slowest"})"), "blame");
  EXPECT_EQ(refused_field(spec.c_str(), "slowest"), "transaction_json");
  EXPECT_EQ(latchscope_explain(spec.c_str(), R"({"transaction":"nth:999999","blame":false})"), kAccepted);
  wait_until_settled();
  EXPECT_EQ(command_outcome(), wasm::Outcome::wrong_value);
  EXPECT_NE(error_text().find("nth:1 to nth:"), std::string::npos) << error_text();
  EXPECT_STREQ(latchscope_explanation(), "") << "nothing of an earlier one is told";
}

// --- the lab: programs compiled from lab/latches/test-and-set.latch and wrong/test-then-set.latch
// ---

constexpr const char* kTestAndSet =
    R"({"words":[{"name":"locked"}],"registers":3,"functions":{"enter":[0,7],"exit":[7,10]},"code":[512,1,131612,)"
    R"(16711680,131089,6,512,1,131095,0,16,0,22,0,512,0,131099,16711680,22,0],"source_lines":[7,7,7,7,7,7,8,11,11,12]})";
constexpr const char* kTestThenSet =
    R"({"words":[{"name":"locked"}],"registers":3,"functions":{"enter":[0,8],"exit":[8,11]},"code":[538,16711680,)"
    R"(131089,5,512,1,131095,0,16,0,512,1,131099,16711680,22,0,512,0,131099,16711680,22,0],"source_lines":[5,5,5,5,5,6,6,7,)"
    R"(10,10,11]})";

std::string given(const char* program, const char* field, const char* value) {
  return std::string(R"({"program":)") + program + R"(,")" + field + R"(":)" + value + "}";
}

run::Json check_latch(const char* program, const char* options) {
  EXPECT_STREQ(latchscope_begin_lab_check(given(program, "check", options).c_str()), "[]");
  EXPECT_STREQ(latchscope_lab_check(), "null") << "nothing is told before it is done";
  uint32_t part = 0;
  for (bool is_done = false; !is_done;) {
    const run::Json progress = run::Json::parse(latchscope_go_on_lab_check());
    is_done = progress["is_done"];
    EXPECT_GE(progress["part"], part);
    EXPECT_LE(progress["part"], progress["parts"]);
    part = progress["part"];
  }
  return run::Json::parse(latchscope_lab_check());
}

TEST_F(CAbi, ALatchOfTheLabIsChecked) {
  const run::Json right = check_latch(kTestAndSet, R"({"schedules":50})");
  EXPECT_EQ(right["verdict"], "no_fault_found") << right;
  EXPECT_GE(right["checked"].size(), 5u);
  const run::Json wrong = check_latch(kTestThenSet, R"({"memory":"sc"})");
  EXPECT_EQ(wrong["verdict"], "fault_found");
  const run::Json& fault = wrong["fault"];
  EXPECT_EQ(fault["kind"], "mutual_exclusion");
  const run::Json& begin = fault["begin"];
  EXPECT_EQ(begin["words"], run::Json::parse(R"([{"word":"locked","values":[0]}])"));
  EXPECT_EQ(begin["threads"][0], run::Json::parse(R"({"phase":"entering","line":5,"unseen_stores":[]})"));
  EXPECT_EQ(begin["sleepers"], run::Json::array());
  const run::Json& load = fault["steps"].front();
  EXPECT_EQ(load["read"], 0);
  EXPECT_FALSE(load.contains("wrote"));
  const run::Json& store = fault["steps"].back();
  EXPECT_EQ(store["wrote"], 1);
  EXPECT_FALSE(store.contains("read"));
  const run::Json& end = store["afterwards"];
  EXPECT_EQ(end["words"][0]["values"], run::Json::array({1}));
  for (const run::Json& thread : end["threads"])
    EXPECT_EQ(thread["phase"], "holding");
}

TEST_F(CAbi, ACheckKeepsToTheStatesItMayKeep) {
  const run::Json few = check_latch(kTestAndSet, R"({"states":5,"schedules":0,"threads":2})");
  EXPECT_EQ(few["verdict"], "no_fault_found");
  EXPECT_EQ(few["checked"][0]["complete"], false);
}

TEST_F(CAbi, WhatCannotBeCheckedIsRefusedByField) {
  const auto refused = [](const std::string& text) -> std::string {
    const run::Json errors = run::Json::parse(latchscope_begin_lab_check(text.c_str()));
    EXPECT_STREQ(latchscope_go_on_lab_check(), "null") << "nothing has begun";
    return errors.empty() ? "nothing" : errors[0]["field"];
  };
  EXPECT_EQ(refused("{"), "given");
  EXPECT_EQ(refused(R"({"program":{}})"), "given");
  EXPECT_EQ(refused(given(kTestAndSet, "check", "7")), "check");
  EXPECT_EQ(refused(given(kTestAndSet, "check", R"({"threads":7})")), "threads");
  EXPECT_EQ(refused(given(kTestAndSet, "check", R"({"rounds":0})")), "rounds");
  EXPECT_EQ(refused(given(kTestAndSet, "check", R"({"memory":"arm"})")), "memory");
  EXPECT_EQ(refused(given(kTestAndSet, "check", R"({"memories":"sc"})")), "memories");
  EXPECT_NE(refused(given(R"({"words":[]})", "check", "{}")), "nothing");
}

int32_t compete_with(const char* program, const char* contest) {
  return latchscope_compete(given(program, "contest", contest).c_str());
}

// Needs an engine that has not run anything. Other tests of this file have, so this one has its own
// process.
[[noreturn]] void hold_contests_and_look() {
  latchscope_open();
  const auto compete = [](const char* program, uint32_t threads = 4, uint32_t events_per_slice = 1'000) {
    const std::string contest = R"({"duration_us":200,"threads":)" + std::to_string(threads) + "}";
    if (compete_with(program, contest.c_str()) != kAccepted) std::_Exit(2);
    wait_until_settled(events_per_slice);
    return run::Json::parse(latchscope_contest());
  };
  const run::Json right = compete(kTestAndSet);
  const run::Json again = compete(kTestAndSet);
  const run::Json wrong = compete(kTestThenSet);
  if (right["verdict"] != "sound" || right["acquisitions"] == 0 || right != again) std::_Exit(3);
  if (wrong["verdict"] != "broken") std::_Exit(4);
  for (const uint32_t threads : {1u, 2u, 4u}) {
    const run::Json in_large_slices = compete(kTestAndSet, threads, 1'000'000'000);
    if (compete(kTestAndSet, threads, 7) != in_large_slices) std::_Exit(7);
    if (in_large_slices["wait_ns"]["max"] > 2e6) std::_Exit(8);
  }
  if (latchscope_create(kSpec) != kAccepted) std::_Exit(5);
  wait_until([] { return run_state() == RunState::ready; });
  if (compete_with(kTestAndSet, "{}") != kWrongState) std::_Exit(6);
  std::_Exit(0);
}

TEST(CAbiDeathTest, ThreadsCompeteForALatchOfTheLab) {
  if (!platform::kIsModelled) {
    EXPECT_EQ(compete_with(kTestAndSet, "{}"), kWrongValue);
    EXPECT_EQ(first_refused_field(), "platform");
    return;
  }
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(hold_contests_and_look(), testing::ExitedWithCode(0), "");
}

TEST_F(CAbi, AContestThatCannotBeHeldIsRefusedByField) {
  if (!platform::kIsModelled) return;
  EXPECT_EQ(compete_with(kTestAndSet, R"({"threads":0})"), kWrongValue);
  EXPECT_EQ(first_refused_field(), "threads");
  EXPECT_EQ(compete_with("{}", "{}"), kWrongValue);
}

TEST_F(CAbi, AWayToFailThatItDoesNotKnowIsRefused) {
  EXPECT_EQ(latchscope_fail_for_test("boredom"), kWrongValue);
  EXPECT_EQ(first_refused_field(), "cause");
}

// Ends the process: exit code 0 if the published failure text contains `why`.
[[noreturn]] void fail_and_look(const char* cause, const char* why) {
  latchscope_open();
  latchscope_fail_for_test(cause);
  wait_until([] { return run_state() == RunState::failed; });
  const std::string text = text_of(header().failure_text);
  fprintf(stderr, "%s\n", text.c_str());
  std::_Exit(text.find(why) != std::string::npos ? 0 : 1);
}

TEST(CAbiDeathTest, AFailedAssertionIsPublished) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(fail_and_look("assertion", "fails to test its host"), testing::ExitedWithCode(0), "");
}

TEST(CAbiDeathTest, MemoryThatIsRefusedIsPublished) {
  if (tests::kIsSanitized) GTEST_SKIP() << "sanitizers end the process";
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(fail_and_look("memory", "out of memory: the engine uses"), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace latchscope::wasm
