#include <algorithm>
#include <vector>

#include "run/json.h"
#include "tests/scenario_run.h"

namespace latchscope::tests {
namespace {

using telemetry::Counter;

constexpr const char* kXaGtid = "xa-gtid-99638";

std::string xa_fields(const std::string& more = "") {
  return R"("threads":6,"parameters":{"rows_per_table":1000,"gtid_flush_us":20})" + more;
}

TEST(XaGtid99638, EachVariantPersistsEveryGtidOnce) {
  for (const char* variant : {"poll_1ms", "spin", "condition_variable", "own_list_number", "once_per_group",
                              "reserved_undo_slot"}) {
    ScenarioRun run(kXaGtid, xa_fields(std::string(R"(,"design":{"gtid_flush_wait":")") + variant + "\"}"));
    run.run_transactions(200);
    run.stop_and_check();
    EXPECT_EQ(total(Counter::gtids_persisted), 2 * total(Counter::xa_commits)) << variant;
  }
}

TEST(XaGtid99638, TheOriginalNeedsAFlushPerMemberOfAGroup) {
  ScenarioRun run(kXaGtid, xa_fields());
  run.run_transactions(300);
  run.stop_and_check();
  EXPECT_EQ(total(Counter::gtid_flush_waits), total(Counter::xa_commits));
  EXPECT_GT(total(Counter::gtid_flushes), total(Counter::commit_groups))
      << "several cycles per group: it cannot share one";
}

TEST(XaGtid99638, ASpinningLeaderBurnsCpuAndASleepingOneDoesNot) {
  for (const bool spins : {true, false}) {
    ScenarioRun run(kXaGtid, xa_fields(R"(,"design":{"gtid_flush_wait":")" +
                                       std::string(spins ? "spin" : "poll_1ms") + "\"}"));
    run.run_transactions(200);
    run.stop_and_check();
    const uint64_t polls = total(Counter::gtid_wait_polls);
    ASSERT_GT(polls, 0u);
    if (spins) {
      EXPECT_GT(total(Counter::gtid_wait_cpu_ns), polls * 500) << "each poll is 500 PAUSEs";
    } else {
      EXPECT_LT(total(Counter::gtid_wait_cpu_ns), polls * 1'000'000)
          << "each poll is a sleep of a millisecond";
    }
  }
}

TEST(XaGtid99638, TheWaitingLeaderHasTheReportsCallStack) {
  ScenarioRun run(kXaGtid, xa_fields());
  const std::vector<std::string> wanted = {"handle_one_connection",
                                           "do_command",
                                           "dispatch_command",
                                           "mysql_parse",
                                           "mysql_execute_command",
                                           "Sql_cmd_xa_commit::execute",
                                           "Sql_cmd_xa_commit::trans_xa_commit",
                                           "Sql_cmd_xa_commit::process_internal_xa_commit",
                                           "MYSQL_BIN_LOG::commit",
                                           "MYSQL_BIN_LOG::ordered_commit",
                                           "MYSQL_BIN_LOG::process_commit_stage_queue",
                                           "ha_commit_low",
                                           "innobase_commit",
                                           "innobase_commit_low",
                                           "trx_commit_for_mysql",
                                           "trx_undo_gtid_flush_prepare",
                                           "Clone_persist_gtid::wait_flush",
                                           "Clone_persist_gtid::wait_thread",
                                           "Clone_Sys::wait"};
  run.run_until([&] {
    const auto stacks = run.engine.sampler().stacks(1'000);
    return std::any_of(stacks.begin(), stacks.end(), [&](const telemetry::StackCount& stack) {
      return std::equal(
          stack.functions.begin(), stack.functions.end(), wanted.begin(), wanted.end(),
          [](uint32_t id, const std::string& name) { return telemetry::function_name(id) == name; });
    });
  });
  run.stop_and_check();
}

TEST(XaGtid99638, FlippingEveryPairLosesNothing) {
  ScenarioRun run(kXaGtid, xa_fields());
  flip_every_pair(run, 15);
  run.stop_and_check();
}

TEST(XaGtid99638, FewerAndMoreClients) {
  ScenarioRun run(kXaGtid, xa_fields());
  EXPECT_NE(run.fire("more_xa_clients"), "") << "all are active";
  EXPECT_EQ(run.fire("fewer_xa_clients"), "");
  EXPECT_EQ(run.fire("fewer_xa_clients"), "");
  EXPECT_NE(run.fire("fewer_xa_clients"), "") << "one is left";
  run.run_transactions(30);
  run.engine.pause();
  run.engine.resume();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(run.fire("more_xa_clients"), "");
  run.run_transactions(60);
  run.stop_and_check();
}

TEST(XaGtid99638, BadParametersAreRefusedByName) {
  for (const auto& [parameter, value] :
       std::initializer_list<std::pair<const char*, const char*>>{{"gtid_flush_us", "10001"},
                                                                  {"sync_binlog", "-1"},
                                                                  {"innodb_flush_log_at_trx_commit", "0"},
                                                                  {"rows_per_table", "999"}}) {
    const auto parsed =
        run::parse_run_spec(std::string(R"({"version":1,"scenario":"xa-gtid-99638","parameters":{")") +
                            parameter + "\":" + value + "}}");
    ASSERT_FALSE(parsed.spec) << parameter;
    ASSERT_EQ(parsed.errors.size(), 1u) << parameter;
    EXPECT_EQ(parsed.errors[0].field, std::string("parameters.") + parameter);
  }
}

}  // namespace
}  // namespace latchscope::tests
