// Options of a check and of a contest in the lab: defaults, bounds and error messages.
#include <gtest/gtest.h>

#include <string>

#include "run/lab_check.h"
#include "run/lab_contest.h"
#include "tests/lab_mutexes.h"

namespace latchscope {

namespace {

using run::CheckedSchedules;
using run::FieldError;
using run::Json;

// Writes and reads the JSON, as if it came from outside: a number without a sign is unsigned.
Json as_text(const Json& json) {
  return *run::read_json(json.dump());
}

std::string sentences(const std::vector<FieldError>& errors) {
  std::string text;
  for (const FieldError& error : errors)
    text += (text.empty() ? "" : "; ") + error.sentence();
  return text;
}

std::string check_errors(const Json& json, CheckedSchedules schedules = CheckedSchedules::all) {
  return sentences(run::read_check_options(as_text(json), schedules).errors);
}

std::string contest_errors(const Json& json) {
  return sentences(run::read_contest_spec(as_text(json), tests::test_and_set()).errors);
}

TEST(LabOptions, OfACheckHaveDefaults) {
  const lab::CheckOptions all = run::read_check_options(Json::object(), CheckedSchedules::all).options;
  EXPECT_EQ(all.threads, 0u);
  EXPECT_EQ(all.schedules, lab::CheckOptions{}.schedules);
  EXPECT_TRUE(all.with_sequential && all.with_store_buffers);
  const lab::CheckOptions one = run::read_check_options(Json::object(), CheckedSchedules::one).options;
  EXPECT_EQ(one.threads, 2u);
  EXPECT_EQ(one.rounds, 3u);
  EXPECT_TRUE(one.with_sequential && !one.with_store_buffers);
}

TEST(LabOptions, OfACheckAreTaken) {
  const Json json = {{"threads", 6}, {"rounds", 100}, {"schedules", 0}, {"states", 1}, {"memory", "tso"}};
  const run::CheckOptionsOrErrors read = run::read_check_options(as_text(json), CheckedSchedules::all);
  EXPECT_EQ(sentences(read.errors), "");
  EXPECT_EQ(read.options.threads, 6u);
  EXPECT_EQ(read.options.rounds, 100u);
  EXPECT_EQ(read.options.schedules, 0u);
  EXPECT_EQ(read.options.states, 1u);
  EXPECT_TRUE(!read.options.with_sequential && read.options.with_store_buffers);
  EXPECT_EQ(check_errors({{"rounds", 0}}, CheckedSchedules::one), "");
}

TEST(LabOptions, OfACheckNameEachFault) {
  EXPECT_EQ(check_errors(3), "check: got 3; allowed: a JSON object");
  EXPECT_EQ(check_errors({{"thread", 2}}), "thread: got 2; allowed: no such field");
  EXPECT_EQ(
      check_errors({{"threads", 7}, {"rounds", 0}}),
      "threads: got 7; allowed: an integer from 1 to 6; rounds: got 0; allowed: an integer from 1 to 100");
  EXPECT_EQ(check_errors({{"rounds", 101}}, CheckedSchedules::one),
            "rounds: got 101; allowed: an integer from 0 to 100");
  EXPECT_EQ(check_errors({{"schedules", -1}}), "schedules: got -1; allowed: an integer from 0 to 100000000");
  EXPECT_EQ(check_errors({{"states", "9"}}), "states: got \"9\"; allowed: an integer from 1 to 50000000");
  EXPECT_EQ(check_errors({{"memory", "arm"}}), "memory: got arm; allowed: sc, tso or both");
  EXPECT_EQ(check_errors({{"memory", "both"}}, CheckedSchedules::one),
            "memory: got both; allowed: sc or tso");
}

TEST(LabOptions, OfAContestNameEachFault) {
  EXPECT_EQ(contest_errors({{"threads", 512}, {"hold_ns", 0}, {"seed", 4294967295}}), "");
  EXPECT_EQ(contest_errors({{"threads", 513}}), "threads: got 513; allowed: an integer from 1 to 512");
  EXPECT_EQ(contest_errors({{"hold_ns", 1.5}}), "hold_ns: got 1.5; allowed: an integer from 0 to 1000000");
  EXPECT_EQ(contest_errors({{"shared_percent", 1}}),
            "shared_percent: got 1; allowed: an integer from 0 to 0");
  EXPECT_EQ(contest_errors({{"server", "pdp-11"}}).substr(0, 35), "server: got pdp-11; allowed: one of");
}

}  // namespace

}  // namespace latchscope
