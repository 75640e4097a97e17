// Returns to a moment of a run: a copy of the process taken at that moment continues as the run
// did.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/host.h"
#include "cli/sliced_run.h"
#include "platform/random.h"
#include "run/json.h"
#include "tests/lab_mutexes.h"
#include "tests/scenario_run.h"
#include "workload/scenario_manifest.h"

namespace latchscope::cli {
namespace {

using run::Json;
using run::parse_run_spec;
using run::read_json;
using run::RunSpec;
using run::RunSpecOrErrors;
using run::TimedStep;
using run::to_json;

constexpr uint64_t kRunNs = 20'000'000;
constexpr uint32_t kMoments = 100;

// Returns a spec that changes a knob during the run, to the latch written in the lab if there is
// such a variant.
RunSpec short_spec(const workload::ScenarioManifest& manifest) {
  const Json spec = {{"version", 1},          {"scenario", manifest.id},
                     {"platform", "virtual"}, {"threads", std::min(16u, manifest.threads_max)},
                     {"duration_s", 0.02},    {"interval_s", 0.005}};
  RunSpecOrErrors read = parse_run_spec(spec.dump());
  EXPECT_TRUE(read.spec) << to_json(read.errors);
  TimedStep turn;
  turn.at_s = 0.01;
  turn.variant = static_cast<uint32_t>(manifest.knobs[0].variants.size()) - 1;
  read.spec->steps = {turn};
  const bool has_yours = manifest.knobs[0].variants.back().needs != workload::LatchNeeded::none;
  return has_yours ? tests::with_latch(*read.spec, tests::futex_mutex()) : *read.spec;
}

// Changes the copy. Returns the server's reason if it refused the change.
using Change = std::function<std::optional<std::string>()>;

std::optional<ChildProcess> copy_here(SlicedRun& run, const Change& change) {
  return ChildProcess::start([&, change](Connection& parent) {
    if (!parent.read_line()) return;
    if (const auto refusal = change()) {
      parent.write_line(*refusal);
      return;
    }
    run.go_to_the_end();
    parent.write_line(run.result());
  });
}

std::string result_of(std::optional<ChildProcess>& copy) {
  EXPECT_TRUE(copy && copy->connection().write_line("go on"));
  return copy->connection().read_line().value_or("the copy has ended");
}

// A process can have one such run, so each has its own process.
std::string in_a_process(const std::function<std::string()>& work) {
  std::optional<ChildProcess> process =
      ChildProcess::start([&](Connection& parent) { parent.write_line(work()); });
  return process ? process->connection().read_line().value_or("it has ended") : "it has not begun";
}

std::string result_of_spec(const Json& spec) {
  return in_a_process([&] {
    SlicedRun run(*parse_run_spec(spec.dump()).spec);
    run.go_to_the_end();
    return run.result();
  });
}

// Returns a what-if with free hand-offs for each latch of the bug, and more expensive work.
Json supposed_of(const RunSpec& spec) {
  Json supposed = {{"costs", {{"work_percent", 120}}}, {"latches", Json::array()}};
  for (std::string_view latch : spec.config.manifest->latches)
    supposed["latches"].push_back({{"latch", latch}, {"hand_over", "free"}});
  return supposed;
}

class Rewind : public testing::TestWithParam<size_t> {};

TEST_P(Rewind, FromAnyMomentTheRunGoesOnAsItDidTheFirstTime) {
  const RunSpec spec = short_spec(workload::scenario_manifests()[GetParam()]);
  const std::string whole = result_of_spec(Json::parse(to_json(spec)));
  ASSERT_TRUE(read_json(whole)) << whole;
  const std::string differing = in_a_process([&] {
    platform::Random random(7);
    std::vector<uint64_t> at;
    for (uint32_t i = 0; i < kMoments; ++i)
      at.push_back(random.below(kRunNs));
    std::sort(at.begin(), at.end());
    SlicedRun run(spec);
    std::vector<std::optional<ChildProcess>> copies;
    for (uint64_t run_ns : at) {
      run.go_to(run_ns);
      copies.push_back(copy_here(run, [] { return std::nullopt; }));
    }
    run.go_to_the_end();
    std::string differ = run.result() == whole ? "" : " the run itself";
    for (size_t i = 0; i < copies.size(); ++i) {
      if (result_of(copies[i]) != whole) differ += " from " + std::to_string(at[i]) + " ns";
    }
    return differ;
  });
  EXPECT_EQ(differing, "");
}

TEST_P(Rewind, WithAChangeItGoesOnAsTheSpecOfItsResultSays) {
  RunSpec spec = short_spec(workload::scenario_manifests()[GetParam()]);
  const TimedStep flip = spec.steps[0];
  spec.steps.clear();
  const std::string changed = in_a_process([&] {
    SlicedRun run(spec);
    run.go_to(7'654'321);
    std::optional<ChildProcess> copy = copy_here(run, [&] { return run.do_by_hand(spec, flip); });
    run.go_to_the_end();
    return result_of(copy);
  });
  const std::optional<Json> result = read_json(changed);
  ASSERT_TRUE(result) << changed;
  EXPECT_DOUBLE_EQ((*result)["spec"]["actions"][0]["at_s"], 0.007654322);
  EXPECT_EQ(result_of_spec((*result)["spec"]), changed);
}

TEST_P(Rewind, WithAWhatIfItGoesOnAsTheSpecOfItsResultSays) {
  const RunSpec spec = short_spec(workload::scenario_manifests()[GetParam()]);
  const Json supposed = supposed_of(spec);
  const std::string as_it_is = result_of_spec(Json::parse(to_json(spec)));
  const std::string changed = in_a_process([&] {
    SlicedRun run(spec);
    run.go_to(7'654'321);
    std::optional<ChildProcess> copy = copy_here(run, [&] { return run.suppose(supposed); });
    run.go_to_the_end();
    return result_of(copy);
  });
  const std::optional<Json> result = read_json(changed);
  ASSERT_TRUE(result) << changed;
  EXPECT_DOUBLE_EQ((*result)["spec"]["what_if"]["from_s"], 0.007654322);
  EXPECT_EQ((*result)["spec"]["actions"].size(), 1u) << "the flip still takes place";
  EXPECT_EQ(result_of_spec((*result)["spec"]), changed);
  EXPECT_NE((*result)["totals"], Json::parse(as_it_is)["totals"]);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Rewind, testing::Range<size_t>(0, 5), [](const auto& test) {
  std::string id(workload::scenario_manifests()[test.param].id);
  std::replace(id.begin(), id.end(), '-', '_');
  return id;
});

}  // namespace
}  // namespace latchscope::cli
