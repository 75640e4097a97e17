#include "cli/run_spec.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "platform/platform.h"
#include "tests/workload_program_json.h"

namespace latchscope::cli {
namespace {

TEST(CliRunSpec, OptionsBecomeARunSpec) {
  CliRun run;
  run.scenario = "fil-mutex-69276";
  run.design = "fixed";
  run.threads = "4";
  run.seconds = "1.5";
  run.seed = "9";
  run.param = {"tables=3"};
  run.at = {"0.5:one_table", "1:tablespace_lookup=global_mutex"};
  const auto parsed = read_run_spec(run);
  ASSERT_TRUE(parsed.spec) << to_json(parsed.errors);
  EXPECT_EQ(parsed.spec->config.clients, 4u);
  EXPECT_EQ(parsed.spec->duration_s, 1.5);
  EXPECT_EQ(parsed.spec->config.design[0], 4u);
  EXPECT_EQ(parsed.spec->config.parameter("tables"), 3);
  EXPECT_EQ(parsed.spec->steps.size(), 2u);
}

TEST(CliRunSpec, SetOverridesAKnobOfThePreset) {
  CliRun run;
  run.scenario = "fil-mutex-69276";
  run.design = "fixed";
  run.set = {"tablespace_lookup=sharded_mutex"};
  const auto parsed = read_run_spec(run);
  ASSERT_TRUE(parsed.spec) << to_json(parsed.errors);
  EXPECT_EQ(parsed.spec->config.design[0], 2u);
}

TEST(CliRunSpec, OptionsOverrideAWorkloadFile) {
  const std::string path = testing::TempDir() + "/cli_run_spec_test_workload.json";
  std::ofstream(path) << tests::spec_of_program(tests::one_mutex());
  CliRun run;
  run.spec_path = path;
  run.set = {"kind=many"};
  run.param = {"cost=9"};
  if (platform::kIsModelled) run.server_set = {"cores_per_socket=8"};
  const auto parsed = read_run_spec(run);
  ASSERT_TRUE(parsed.spec) << to_json(parsed.errors);
  EXPECT_EQ(parsed.spec->config.design, std::vector<uint32_t>{1});
  EXPECT_EQ(parsed.spec->config.parameter("cost"), 9);
  if (platform::kIsModelled) EXPECT_EQ(parsed.spec->server.profile.cores_per_socket, 8u);
}

TEST(CliRunSpec, WithoutSecondsARunLastsTen) {
  CliRun run;
  run.scenario = "fil-mutex-69276";
  EXPECT_EQ(read_run_spec(run).spec->duration_s, 10);
}

TEST(CliRunSpec, OptionsOverrideAFile) {
  const std::string path = testing::TempDir() + "/cli_run_spec_test.json";
  std::ofstream(path) << R"({"version":1,"scenario":"fil-mutex-69276","threads":2,"duration_s":7})";
  CliRun run;
  run.spec_path = path;
  run.threads = "3";
  const auto parsed = read_run_spec(run);
  std::remove(path.c_str());
  ASSERT_TRUE(parsed.spec) << to_json(parsed.errors);
  EXPECT_EQ(parsed.spec->config.clients, 3u);
  EXPECT_EQ(parsed.spec->duration_s, 7);
}

struct BadFile {
  const char* name;
  const char* fields;
  const char* field;
};

class BadCliSpecFile : public testing::TestWithParam<BadFile> {};

// The options alone are valid.
TEST_P(BadCliSpecFile, IsRefusedByFieldWhateverTheOptionsSay) {
  const std::string path = testing::TempDir() + "/bad_spec_" + GetParam().name + ".json";
  std::ofstream(path) << R"({"version":1,"scenario":"fil-mutex-69276",)" << GetParam().fields << "}";
  CliRun run;
  run.spec_path = path;
  run.threads = "3";
  run.set = {"tablespace_lookup=atomic_word"};
  run.param = {"tables=3"};
  run.at = {"0.5:one_table"};
  if (platform::kIsModelled) run.server_set = {"sockets=1"};
  const auto read = read_run_spec(run);
  std::remove(path.c_str());
  EXPECT_FALSE(read.spec);
  ASSERT_EQ(read.errors.size(), 1u) << to_json(read.errors);
  EXPECT_EQ(read.errors[0].field, GetParam().field);
}

INSTANTIATE_TEST_SUITE_P(All, BadCliSpecFile,
                         testing::Values(BadFile{"ServerIsANumber", R"("server":5)", "server"},
                                         BadFile{"ServerIsAList", R"("server":[])", "server"},
                                         BadFile{"ServerIsNull", R"("server":null)", "server"},
                                         BadFile{"ParametersAreAList", R"("parameters":[])", "parameters"},
                                         BadFile{"ParametersAreText", R"("parameters":"tables")",
                                                 "parameters"},
                                         BadFile{"ActionsAreAnObject", R"("actions":{})", "actions"},
                                         BadFile{"ActionsAreANumber", R"("actions":1)", "actions"},
                                         BadFile{"DesignIsANumber", R"("design":7)", "design"},
                                         BadFile{"DesignIsAList", R"("design":["fixed"])", "design"},
                                         BadFile{"ThreadsAreAList", R"("threads":[])", "threads"}),
                         [](const auto& parameters) { return std::string(parameters.param.name); });

struct BadArguments {
  const char* name;
  void (*fill)(CliRun&);
  const char* field;
};

class BadCliRunSpec : public testing::TestWithParam<BadArguments> {};

TEST_P(BadCliRunSpec, IsRefusedByField) {
  CliRun run;
  run.scenario = "fil-mutex-69276";
  GetParam().fill(run);
  const auto parsed = read_run_spec(run);
  EXPECT_FALSE(parsed.spec);
  ASSERT_FALSE(parsed.errors.empty());
  EXPECT_EQ(parsed.errors[0].field, GetParam().field);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadCliRunSpec,
    testing::Values(
        BadArguments{"ThreadsNotANumber", [](CliRun& run) { run.threads = "many"; }, "threads"},
        BadArguments{"SecondsNotANumber", [](CliRun& run) { run.seconds = "soon"; }, "duration_s"},
        BadArguments{"ParameterWithoutValue", [](CliRun& run) { run.param = {"tables"}; },
                     "parameters.tables"},
        BadArguments{"SetWithoutVariant", [](CliRun& run) { run.set = {"tablespace_lookup"}; },
                     "design.tablespace_lookup"},
        BadArguments{"SetOnUnknownPreset",
                     [](CliRun& run) {
                       run.design = "best";
                       run.set = {"tablespace_lookup=atomic_word"};
                     },
                     "design"},
        BadArguments{"StepWithoutTime", [](CliRun& run) { run.at = {"one_table"}; }, "actions[0].at_s"},
        BadArguments{"SecondWhatIf",
                     [](CliRun& run) {
                       run.platform = "virtual";
                       run.at = {"1:what_if.costs.pause_ps=50", "2:what_if.costs.pause_ps=80"};
                     },
                     "--at"},
        BadArguments{"SettingWithoutName", [](CliRun& run) { run.param = {"=3"}; }, "--param"},
        BadArguments{"KnobWithoutName", [](CliRun& run) { run.set = {"=fixed"}; }, "--set"},
        BadArguments{"ServerValueWithoutName", [](CliRun& run) { run.server_set = {""}; }, "--server-set"},
        BadArguments{"MissingFile", [](CliRun& run) { run.spec_path = "no-such-file.json"; }, "--spec"},
        BadArguments{"FolderAsFile", [](CliRun& run) { run.spec_path = testing::TempDir(); }, "--spec"},
        BadArguments{"EmptyFile", [](CliRun& run) { run.spec_path = "/dev/null"; }, "--spec"},
        BadArguments{"EndlessFile", [](CliRun& run) { run.spec_path = "/dev/zero"; }, "--spec"}),
    [](const auto& parameters) { return std::string(parameters.param.name); });

}  // namespace
}  // namespace latchscope::cli
