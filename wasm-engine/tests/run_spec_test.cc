#include "run/run_spec.h"

#include <gtest/gtest.h>

#include "platform/platform.h"
#include "tests/workload_program_json.h"

namespace latchscope::run {
namespace {

constexpr const char* kGood =
    R"({"version":1,"scenario":"fil-mutex-69276","threads":8,"seed":3,"duration_s":2.5,
  "design":{"tablespace_lookup":"sharded_mutex"},"parameters":{"tables":2},
  "actions":[{"at_s":1,"action":"one_table"},{"at_s":2,"knob":"tablespace_lookup","variant":"atomic_word"}]})";

TEST(RunSpec, AGoodSpecIsReadWhole) {
  const RunSpecOrErrors parsed = parse_run_spec(kGood);
  ASSERT_TRUE(parsed.spec) << to_json(parsed.errors);
  const RunSpec& spec = *parsed.spec;
  EXPECT_EQ(spec.config.manifest->id, "fil-mutex-69276");
  EXPECT_EQ(spec.config.clients, 8u);
  EXPECT_EQ(spec.config.seed, 3u);
  EXPECT_EQ(spec.duration_s, 2.5);
  EXPECT_EQ(spec.config.design[0], 2u);
  EXPECT_EQ(spec.config.parameter("tables"), 2);
  ASSERT_EQ(spec.steps.size(), 2u);
  EXPECT_EQ(spec.steps[0].at_s, 1);
  EXPECT_TRUE(spec.steps[0].action);
  EXPECT_EQ(spec.steps[1].variant, 4u);
}

TEST(RunSpec, ItsOwnTextIsReadBackEqual) {
  const std::string text = to_json(*parse_run_spec(kGood).spec);
  EXPECT_EQ(to_json(*parse_run_spec(text).spec), text);
}

TEST(RunSpec, EverythingButScenarioAndVersionHasADefault) {
  const auto parsed = parse_run_spec(R"({"version":1,"scenario":"fil-mutex-69276"})");
  ASSERT_TRUE(parsed.spec);
  EXPECT_EQ(parsed.spec->config.design[0], 0u) << "the original";
  EXPECT_GE(parsed.spec->config.clients, 8u);
  if (!platform::kIsModelled)
    EXPECT_GE(parsed.spec->config.clients, std::min(platform::hardware_cores(), 64u));
  EXPECT_FALSE(parsed.spec->duration_s);
  EXPECT_EQ(parsed.spec->config.parameter("tables"), 8);
}

TEST(RunSpec, ADesignMayBeAPreset) {
  const auto parsed = parse_run_spec(R"({"version":1,"scenario":"fil-mutex-69276","design":"fixed"})");
  ASSERT_TRUE(parsed.spec);
  EXPECT_EQ(parsed.spec->config.design[0], 4u);
}

struct BadSpec {
  const char* name;
  const char* json;
  const char* field;
  const char* value;
  const char* allowed;  // substring of the message
};

class BadRunSpec : public testing::TestWithParam<BadSpec> {};

TEST_P(BadRunSpec, IsRefusedWithFieldValueAndWhatIsAllowed) {
  const RunSpecOrErrors parsed = parse_run_spec(GetParam().json);
  EXPECT_FALSE(parsed.spec);
  ASSERT_EQ(parsed.errors.size(), 1u) << to_json(parsed.errors);
  EXPECT_EQ(parsed.errors[0].field, GetParam().field);
  EXPECT_EQ(parsed.errors[0].value, GetParam().value);
  EXPECT_NE(parsed.errors[0].allowed.find(GetParam().allowed), std::string::npos) << parsed.errors[0].allowed;
}

constexpr const char* kThreadsAllowed = platform::kIsModelled ? "1 to 1024" : "1 to 64";

// A latch with one word whose enter and exit do nothing.
#define SMALL_LATCH(threads_max)                                                       \
  R"({"threads_max":)" #threads_max                                                    \
  R"(,"words":[{"name":"w"}],"registers":2,"functions":{"enter":[0,1],"exit":[1,2]},)" \
  R"("code":[22,0,22,0],"source_lines":[1,2]})"
#define SPEC(fields) R"({"version":1,"scenario":"fil-mutex-69276",)" fields "}"

INSTANTIATE_TEST_SUITE_P(
    All, BadRunSpec,
    testing::Values(
        BadSpec{"NotJson", "threads=8", "run spec", "threads=8", "a JSON object"},
        BadSpec{"NotAnObject", "[1]", "run spec", "[1]", "a JSON object"},
        BadSpec{"OlderVersion", R"({"version":0,"scenario":"fil-mutex-69276"})", "version", "0", "1"},
        BadSpec{"NoVersion", R"({"scenario":"fil-mutex-69276"})", "version", "null", "1"},
        BadSpec{"UnknownScenario", R"({"version":1,"scenario":"fil"})", "scenario", "\"fil\"",
                "fil-mutex-69276"},
        BadSpec{"UnknownField", SPEC(R"("colour":1)"), "colour", "1", "threads"},
        BadSpec{"NoThreads", SPEC(R"("threads":0)"), "threads", "0", kThreadsAllowed},
        BadSpec{"TooManyThreads", SPEC(R"("threads":1025)"), "threads", "1025", kThreadsAllowed},
        BadSpec{"ThreadsAsText", SPEC(R"("threads":"8")"), "threads", "\"8\"", kThreadsAllowed},
        BadSpec{"HalfAThread", SPEC(R"("threads":1.5)"), "threads", "1.5", "an integer"},
        BadSpec{"HugeSeed", SPEC(R"("seed":18446744073709551615)"), "seed", "18446744073709551615",
                "integer"},
        BadSpec{"NegativeSeed", SPEC(R"("seed":-1)"), "seed", "-1", "from 0"},
        BadSpec{"ZeroSeconds", SPEC(R"("duration_s":0)"), "duration_s", "0", "from 0.000001"},
        BadSpec{"NoTimeAtAll", SPEC(R"("duration_s":1e-12)"), "duration_s", "1e-12", "from 0.000001"},
        BadSpec{"TooManySeconds", SPEC(R"("duration_s":3601)"), "duration_s", "3601", "3600"},
        BadSpec{"MoreIntervalsThanAResultMayHave", SPEC(R"("duration_s":36.1,"interval_s":0.001)"),
                "interval_s", "0.001", "at most 36000 intervals"},
        platform::kIsModelled
            ? BadSpec{"OtherPlatform", SPEC(R"("platform":"threads")"), "platform", "\"threads\"", "virtual"}
            : BadSpec{"OtherPlatform", SPEC(R"("platform":"virtual")"), "platform", "\"virtual\"", "threads"},
        platform::kIsModelled ? BadSpec{"NothingSupposed", SPEC(R"("what_if":{})"), "what_if", "{}",
                                        "at least one cost or latch"}
                              : BadSpec{"WhatIfOnRealThreads", SPEC(R"("what_if":{"costs":{"pause_ps":50}})"),
                                        "what_if", R"({"costs":{"pause_ps":50}})", "omitted: virtual only"},
        BadSpec{"UnknownPreset", SPEC(R"("design":"best")"), "design", "\"best\"", "original"},
        BadSpec{"UnknownKnob", SPEC(R"("design":{"lookup":"x"})"), "design.lookup", "lookup",
                "tablespace_lookup"},
        BadSpec{"UnknownVariant", SPEC(R"("design":{"tablespace_lookup":"x"})"), "design.tablespace_lookup",
                "x", "global_mutex"},
        BadSpec{"UnknownParameter", SPEC(R"("parameters":{"rows":1})"), "parameters.rows", "1",
                "rows_per_table"},
        BadSpec{"ParameterTooSmall", SPEC(R"("parameters":{"tables":0})"), "parameters.tables", "0",
                "1 to 64"},
        BadSpec{"ParameterTooLarge", SPEC(R"("parameters":{"buffer_pool_mib":65})"),
                "parameters.buffer_pool_mib", "65", "2 to 64"},
        BadSpec{"TooManyRowsTogether", SPEC(R"("parameters":{"tables":64,"rows_per_table":20000})"),
                "parameters.rows_per_table", "20000", "at most 9375"},
        BadSpec{"PoolTooSmallForItsThreads",
                SPEC(R"("threads":64,"parameters":{"buffer_pool_mib":2,"buffer_pool_instances":8})"),
                "parameters.buffer_pool_mib", "2", "at least 17"},
        BadSpec{"PoolTooSmallWhateverItsSize",
                platform::kIsModelled
                    ? SPEC(R"("threads":1024,"parameters":{"buffer_pool_mib":2,"buffer_pool_instances":8})")
                    : SPEC(R"("threads":64,"parameters":{"buffer_pool_mib":2,"buffer_pool_instances":8})"),
                platform::kIsModelled ? "parameters.buffer_pool_instances" : "parameters.buffer_pool_mib",
                platform::kIsModelled ? "8" : "2",
                platform::kIsModelled ? "at most 1 with 1024 threads" : "at least 17 with 64 threads"},
        BadSpec{"YoursWithoutALatch", SPEC(R"("design":{"tablespace_lookup":"yours"})"),
                "design.tablespace_lookup", "yours",
                "yours with a latch (the field latch), or one of global_mutex, release_by_pointer, "
                "sharded_mutex, "
                "single_lookup_pin, atomic_word"},
        BadSpec{"AStepToYoursWithoutALatch",
                SPEC(R"("actions":[{"at_s":1,"knob":"tablespace_lookup","variant":"yours"}])"),
                "actions[0].variant", "yours", "yours with a latch (the field latch)"},
        BadSpec{"ALatchThatIsNoObject", SPEC(R"("latch":3)"), "latch", "3", "an object with source, program"},
        BadSpec{"ALatchWithoutItsProgram", SPEC(R"("latch":{"source":"void enter() {}"})"), "latch.program",
                "null", "a JSON object"},
        BadSpec{"ALatchOfNoFunctions", SPEC(R"("latch":{"program":{"words":[],"functions":{}}})"),
                "latch.program.code", "null", "a list of at most 2048 elements"},
        BadSpec{"ALatchWithMoreFields", SPEC(R"("latch":{"name":"mine","program":)" SMALL_LATCH(0) "}"),
                "latch.name", "\"mine\"", "one of source, program"},
        BadSpec{"ALatchForFewerThreads", SPEC(R"("threads":4,"latch":{"program":)" SMALL_LATCH(2) "}"),
                "latch.program.threads_max", "2",
                "at least 12 (the clients and 8 server threads), or 0 for any number"},
        BadSpec{
            "ALatchThatIsNoRwLatch",
            R"({"version":1,"scenario":"undo-read-117533","design":{"purge_latch":"yours"},"latch":{"program":)" SMALL_LATCH(
                0) "}}",
            "design.purge_latch", "yours", "yours with an rw-latch (the field latch), or one of rw_lock, "},
        BadSpec{"ALatchForNothing",
                R"({"version":1,"scenario":"aio-wakeup-95491","latch":{"program":)" SMALL_LATCH(0) "}}",
                "latch", R"({"program":)" SMALL_LATCH(0) "}",
                "omitted: no variant of this scenario is a latch of your own"},
        BadSpec{"StepWithoutAction", SPEC(R"("actions":[{"at_s":1}])"), "actions[0]", "{\"at_s\":1}",
                "action"},
        BadSpec{"StepWithoutVariant", SPEC(R"("actions":[{"at_s":1,"knob":"tablespace_lookup"}])"),
                "actions[0].variant", "null", "atomic_word"},
        BadSpec{"ActionWithAKnob",
                SPEC(R"("actions":[{"at_s":1,"action":"one_table","knob":"tablespace_lookup"}])"),
                "actions[0].knob", R"("tablespace_lookup")", "one of at_s, action"},
        BadSpec{"StepWithoutTime", SPEC(R"("actions":[{"action":"one_table"}])"), "actions[0].at_s", "null",
                "0 to 3600"},
        BadSpec{"NulInText", SPEC(R"("actions":[{"at_s":1,"action":"one\u0000table"}])"), "actions[0].action",
                R"(one\u{0}table)", "one_table"},
        BadSpec{"ControlCharactersInAName", SPEC(R"("\u001b[31m":1)"), R"(\u{1b}[31m)", "1", "threads"},
        BadSpec{"UnknownAction", SPEC(R"("actions":[{"at_s":1,"action":"x"}])"), "actions[0].action", "x",
                "one_table"},
        BadSpec{"UnknownVariantInStep",
                SPEC(R"("actions":[{"at_s":1,"knob":"tablespace_lookup","variant":"x"}])"),
                "actions[0].variant", "x", "atomic_word"},
        BadSpec{"StepOutOfOrder",
                SPEC(R"("actions":[{"at_s":2,"action":"one_table"},{"at_s":1.5,"action":"many_tables"}])"),
                "actions[1].at_s", "1.5", "at least 2: actions are sorted by time"},
        BadSpec{"StepAfterTheEnd",
                SPEC(R"("duration_s":0.000000123e3,"actions":[{"at_s":0.5,"action":"one_table"}])"),
                "actions[0].at_s", "0.5", "at most 0.000123, the end of the run (duration_s)"}),
    [](const auto& parameters) { return std::string(parameters.param.name); });

std::string nested(size_t levels) {
  return R"({"version":1,"scenario":"fil-mutex-69276","design":)" + std::string(levels, '[') +
         std::string(levels, ']') + "}";
}

TEST(RunSpec, ALatchComesBackAsItWas) {
  const auto parsed = parse_run_spec(SPEC(
      R"("design":{"tablespace_lookup":"yours"},"latch":{"source":"// mine","program":)" SMALL_LATCH(0) "}"));
  ASSERT_TRUE(parsed.spec) << to_json(parsed.errors);
  const Json again = Json::parse(to_json(*parsed.spec));
  EXPECT_EQ(again["latch"]["source"], "// mine");
  EXPECT_EQ(again["latch"]["program"], Json::parse(SMALL_LATCH(0)));
  EXPECT_EQ(again["design"]["tablespace_lookup"], "yours");
  EXPECT_EQ(to_json(*parse_run_spec(again.dump()).spec), again.dump());
}

TEST(RunSpec, DeepNestingIsRefusedHoweverDeep) {
  EXPECT_EQ(parse_run_spec(nested(10)).errors[0].field, "design");
  for (size_t levels : {20u, 1'000'000u}) {
    const auto parsed = parse_run_spec(nested(levels));
    ASSERT_EQ(parsed.errors.size(), 1u);
    EXPECT_EQ(parsed.errors[0].field, "run spec");
    EXPECT_NE(parsed.errors[0].allowed.find("nested at most 16"), std::string::npos);
  }
}

TEST(RunSpec, AnErrorIsShortHoweverLongTheValueIs) {
  const std::string megabyte(1'000'000, 'a');
  for (const std::string& fields :
       {"\"seed\":\"" + megabyte + '"', '"' + megabyte + "\":1", "\"design\":{\"" + megabyte + "\":1}",
        "\"parameters\":{\"" + megabyte + "\":1}",
        "\"actions\":[{\"at_s\":1,\"action\":\"" + megabyte + "\"}]"}) {
    const auto parsed = parse_run_spec(R"({"version":1,"scenario":"fil-mutex-69276",)" + fields + "}");
    ASSERT_EQ(parsed.errors.size(), 1u);
    EXPECT_LT(parsed.errors[0].sentence().size(), 1000u);
  }
}

TEST(RunSpec, EveryErrorIsReportedAtOnce) {
  const auto parsed = parse_run_spec(SPEC(R"("threads":0,"seed":-1,"parameters":{"tables":0})"));
  EXPECT_EQ(parsed.errors.size(), 3u);
}

// --- workload files ------------------------------------------------------------------------------

const Json kProgram = tests::one_mutex();

std::string first_error_of(const std::string& text) {
  const auto parsed = parse_run_spec(text);
  return parsed.spec ? "" : parsed.errors.at(0).sentence();
}

TEST(RunSpecOfWorkload, HasTheManifestOfItsProgram) {
  const auto parsed =
      parse_run_spec(tests::spec_of_program(kProgram, R"("design":"fixed","parameters":{"cost":7})"));
  ASSERT_TRUE(parsed.spec) << to_json(parsed.errors);
  EXPECT_EQ(parsed.spec->config.manifest->title, "one mutex");
  EXPECT_EQ(parsed.spec->config.design, std::vector<uint32_t>{1});
  EXPECT_EQ(parsed.spec->config.parameters, std::vector<int64_t>{7});
  if (platform::kIsModelled) EXPECT_EQ(parsed.spec->config.clients, 4u);
}

TEST(RunSpecOfWorkload, IsWrittenWithItsProgram) {
  const auto parsed = parse_run_spec(tests::spec_of_program(kProgram));
  ASSERT_TRUE(parsed.spec) << to_json(parsed.errors);
  const std::string text = to_json(*parsed.spec);
  EXPECT_EQ(Json::parse(text)["workload"]["program"], kProgram);
  const auto again = parse_run_spec(text);
  ASSERT_TRUE(again.spec) << to_json(again.errors);
  EXPECT_EQ(to_json(*again.spec), text);
}

TEST(RunSpecOfWorkload, NamesFaultsOfTheProgram) {
  Json program = kProgram;
  program["groups"][0]["threads"] = 0;
  EXPECT_EQ(first_error_of(tests::spec_of_program(program)),
            "workload.program.groups[0].threads: got 0; allowed: a number from 1 to 1024");
  EXPECT_EQ(first_error_of(R"({"version":1,"scenario":"workload"})"),
            "workload: got null; allowed: an object with source, program");
  EXPECT_EQ(first_error_of(R"({"version":1,"scenario":"workload","workload":{"source":3,"program":{}}})"),
            "workload.source: got 3; allowed: a text");
  EXPECT_EQ(first_error_of(R"({"version":1,"scenario":"fil-mutex-69276","workload":{}})"),
            "workload: got {}; allowed: omitted: only of the scenario workload");
}

TEST(RunSpecOfWorkload, AWhatIfNamesItsLatchesAndParts) {
  if (!platform::kIsModelled) return;
  const auto error_with = [](const std::string& latch) {
    return first_error_of(tests::spec_of_program(kProgram, R"("what_if":{"latches":[)" + latch + "]}"));
  };
  EXPECT_EQ(error_with(R"({"latch":"m","site":"client","section_percent":50})"), "");
  EXPECT_EQ(error_with(R"({"latch":"n"})"), "what_if.latches[0].latch: got \"n\"; allowed: one of m, rw");
  EXPECT_EQ(error_with(R"({"latch":"m","site":"commit"})"),
            "what_if.latches[0].site: got \"commit\"; allowed: client");
}

}  // namespace
}  // namespace latchscope::run
