// Runs on the virtual server: the same spec gives the same events, another seed gives others, and
// limits are enforced.
#include <gtest/gtest.h>

#include "run/engine.h"
#include "run/json.h"
#include "tests/scenario_run.h"

namespace latchscope::run {
namespace {

std::string spec_json(const std::string& scenario, const std::string& fields) {
  return "{\"version\":1,\"platform\":\"virtual\",\"scenario\":\"" + scenario + "\"," + fields + "}";
}

Json run(Engine& engine, const std::string& spec) {
  auto parsed = parse_run_spec(spec);
  for (const FieldError& error : parsed.errors)
    ADD_FAILURE() << error.sentence();
  engine.create(std::move(*parsed.spec));
  engine.start();
  while (engine.state() == telemetry::RunState::running)
    engine.go_on();
  tests::expect_invariants_hold(engine);
  return Json::parse(engine.result());
}

struct Case {
  const char* scenario;
  const char* fields;
};

class EngineDeterminism : public testing::TestWithParam<Case> {};

TEST_P(EngineDeterminism, TheSameSpecGivesTheSameEventsAndTheSameResult) {
  const std::string fields = GetParam().fields;
  const auto run_with_seed = [&](Engine& engine, int seed) {
    return run(engine, spec_json(GetParam().scenario, fields + ",\"seed\":" + std::to_string(seed)));
  };
  Json first, other;
  {
    Engine engine;
    first = run_with_seed(engine, 1);
    other = run_with_seed(engine, 2);
    EXPECT_EQ(first.dump(), run_with_seed(engine, 1).dump()) << "after another run";
  }
  Engine another_engine;
  const Json again = run_with_seed(another_engine, 1);
  EXPECT_GT(first["model"]["events"].get<uint64_t>(), 1'000u);
  EXPECT_EQ(first["model"]["event_hash"], again["model"]["event_hash"]);
  EXPECT_EQ(first.dump(), again.dump());
  EXPECT_NE(first["model"]["event_hash"], other["model"]["event_hash"]);
}

INSTANTIATE_TEST_SUITE_P(
    EveryScenario, EngineDeterminism,
    testing::Values(
        Case{
            "fil-mutex-69276",
            R"("duration_s":0.003,"parameters":{"rows_per_table":5000,"buffer_pool_mib":16,"buffer_pool_instances":2})"},
        Case{"aio-wakeup-95491", R"("duration_s":0.004,"parameters":{"rows_per_table":20000})"},
        Case{"xa-gtid-99638", R"("duration_s":0.1,"threads":100,"parameters":{"rows_per_table":5000})"},
        Case{
            "binlog-purge-104615",
            R"("duration_s":0.1,"threads":100,"parameters":{"old_binlogs_gib":1},"actions":[{"at_s":0.02,"action":"expire_logs_1s"}])"},
        Case{
            "undo-read-117533",
            R"("duration_s":0.02,"parameters":{"rows":1000},"actions":[{"at_s":0.005,"action":"update_k"}])"}),
    [](const auto& parameters) {
      std::string name = parameters.param.scenario;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

constexpr const char* kSmallUndo = R"("threads":8,"parameters":{"rows":500})";

Json run_small_undo(const std::string& fields) {
  Engine engine;
  return run(engine, spec_json("undo-read-117533", kSmallUndo + fields));
}

TEST(VirtualRun, StopsEarlyAndSaysSoWhenTheEventsAreUsedUp) {
  const Json result = run_small_undo(R"(,"duration_s":5,"events_max":20000)");
  EXPECT_LT(result["totals"]["seconds"].get<double>(), 1);
  EXPECT_GT(result["totals"]["transactions"].get<uint64_t>(), 0u);
  EXPECT_EQ(result["stopped_early"], "events_max: 20000 events are used up");
}

TEST(VirtualRun, WhatEndsWhileTheRunDrainsIsInTheCountersAlone) {
  constexpr double kDuration_s = 0.025;
  const Json result = run_small_undo(
      R"(,"duration_s":0.025,"interval_s":0.01,"actions":[{"at_s":0.005,"action":"update_k"}])");
  EXPECT_DOUBLE_EQ(result["totals"]["seconds"].get<double>(), kDuration_s);
  ASSERT_EQ(result["intervals"].size(), 3u);
  EXPECT_DOUBLE_EQ(result["intervals"][2]["t_s"].get<double>(), kDuration_s);
  double in_intervals = 0;
  for (const Json& interval : result["intervals"])
    in_intervals += interval["tps"].get<double>() * interval["seconds"].get<double>();
  const auto of_run = result["totals"]["transactions"].get<uint64_t>();
  const auto drained = result["drain"]["transactions"].get<uint64_t>();
  EXPECT_NEAR(in_intervals, static_cast<double>(of_run), 1e-6);
  EXPECT_GT(drained, 0u);
  EXPECT_LE(drained, 8u);
  EXPECT_GT(result["drain"]["seconds"].get<double>(), 0);
  EXPECT_EQ(of_run + drained, result["counters"]["transactions"].get<uint64_t>());
}

TEST(VirtualRun, StepsAndIntervalsComeAtTheirTimes) {
  const Json result = run_small_undo(
      R"(,"duration_s":0.05,"interval_s":0.01,"actions":[{"at_s":0.0125,"action":"update_k"}])");
  ASSERT_GE(result["intervals"].size(), 5u);
  for (size_t i = 0; i < 4; ++i)
    EXPECT_DOUBLE_EQ(result["intervals"][i]["t_s"].get<double>(), 0.01 * static_cast<double>(i + 1));
}

TEST(VirtualRun, IntervalsSayHowManyStatementsOfEachKindThereWere) {
  const Json result = run_small_undo(
      R"(,"duration_s":0.02,"interval_s":0.01,"actions":[{"at_s":0.005,"action":"update_k"}])");
  for (const char* kind : {"read", "write", "other"}) {
    double statements = 0;
    double began_s = 0;
    for (const Json& interval : result["intervals"]) {
      const double t_s = interval["t_s"];
      statements += interval["queries_per_s"][kind].get<double>() * (t_s - began_s);
      began_s = t_s;
    }
    const double counted = result["counters"][std::string("queries_") + kind];
    EXPECT_GT(counted, 0) << kind;
    // Counters also include transactions that ended after the run; each has three statements.
    EXPECT_LE(statements, counted * (1 + 1e-6)) << kind;
    EXPECT_GE(statements, counted - 3 * result["drain"]["transactions"].get<double>()) << kind;
  }
}

TEST(VirtualRun, SamplesStacksAsAsked) {
  Engine engine;
  const Json result = run(
      engine,
      spec_json(
          "undo-read-117533",
          std::string(kSmallUndo) +
              R"(,"duration_s":0.02,"stack_samples":{"sampler":"stop_the_world","count":3,"every_s":0.004})"));
  ASSERT_EQ(result["stack_samples"].size(), 3u);
  for (const Json& sample : result["stack_samples"]) {
    uint64_t threads = 0;
    for (const Json& stack : sample["stacks"])
      threads += stack["threads"].get<uint64_t>();
    EXPECT_GE(threads, 8u);
  }
}

struct BadValue {
  const char* fields;
  const char* field;
  const char* allowed;
};

TEST(VirtualRun, BadValuesAreNamed) {
  const BadValue bad_specs[] = {
      {R"("server":"pdp-11")", "server", "epyc-cloud-2025"},
      {R"("server":{"based_on":"epyc-cloud-2025","pause_ps":100001})", "server.pause_ps", "0 to 100000"},
      {R"("server":{"l4_ps":1})", "server.based_on", "epyc-cloud-2025"},
      {R"("server":{"based_on":"epyc-cloud-2025","l4_ps":1})", "server.l4_ps", "load_hit_ps"},
      {R"("server":{"based_on":"epyc-cloud-2025","sockets":8,"cores_per_socket":128})",
       "server.cores_per_socket", "256"},
      {R"("threads":1025)", "threads", "1 to 1024"},
      {R"("events_max":0)", "events_max", "1 to"},
      {R"("interval_s":0)", "interval_s", "0.001 to 60"},
      {R"("stack_samples":{"sampler":"gdb","count":1,"every_s":1})", "stack_samples.sampler",
       "stop_the_world"},
  };
  for (const BadValue& bad : bad_specs) {
    const auto parsed = parse_run_spec(spec_json("undo-read-117533", bad.fields));
    ASSERT_FALSE(parsed.errors.empty()) << bad.fields;
    EXPECT_EQ(parsed.errors[0].field, bad.field);
    EXPECT_NE(parsed.errors[0].allowed.find(bad.allowed), std::string::npos) << parsed.errors[0].allowed;
  }
}

TEST(VirtualRun, ASpecIsWrittenAsItWasRead) {
  const std::string fields =
      R"("server":{"based_on":"snb-ep-2013","pause_ps":43000},"events_max":77,"interval_s":0.5)";
  const auto parsed = parse_run_spec(spec_json("xa-gtid-99638", fields));
  ASSERT_TRUE(parsed.spec);
  const Json written = Json::parse(to_json(*parsed.spec));
  EXPECT_EQ(written["server"], Json::parse(R"({"based_on":"snb-ep-2013","pause_ps":43000})"));
  EXPECT_EQ(written["events_max"], 77);
  EXPECT_EQ(written["threads"], 400) << "the report's";
  EXPECT_EQ(to_json(*parse_run_spec(written.dump()).spec), written.dump());
}

}  // namespace
}  // namespace latchscope::run
