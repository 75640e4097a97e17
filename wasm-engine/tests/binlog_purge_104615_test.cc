#include <algorithm>

#include "run/json.h"
#include "tests/binlog_purge_104615_run.h"
#include "tests/lab_mutexes.h"
#include "tests/test_threads.h"
#include "workload/binlog_server.h"

namespace latchscope::tests {
namespace {

using telemetry::Counter;

TEST(BinlogPurge104615, ACommitThatRotatesPurgesAndIsInTheSlowLog) {
  ScenarioRun run(kBinlogPurge, purge_fields());
  run.run_until_counter(Counter::binlog_files_rotated, 2);
  EXPECT_EQ(total(Counter::binlog_files_purged), 0u);
  EXPECT_EQ(run.fire("expire_logs_1s"), "");
  run.run_until([] { return total(Counter::binlog_files_purged) >= 2 && total(Counter::slow_commits) >= 1; });
  run.stop_and_check();
  const run::Json log = run::Json::parse(run.engine.result())["log"];
  size_t entries = 0;
  for (size_t i = 0; i + 4 < log.size(); ++i) {
    if (!log[i].get<std::string>().starts_with("# Time: ")) continue;
    ++entries;
    EXPECT_TRUE(log[i + 1].get<std::string>().starts_with("# User@Host: root[root] @ localhost []  Id: "));
    EXPECT_TRUE(log[i + 2].get<std::string>().starts_with("# Query_time: 0.")) << log[i + 2];
    EXPECT_TRUE(log[i + 3].get<std::string>().starts_with("SET timestamp="));
    EXPECT_EQ(log[i + 4], "COMMIT;");
  }
  EXPECT_EQ(entries, total(Counter::slow_commits));
}

TEST(BinlogPurge104615, TheFixedDesignPurgesInAThreadOfItsOwn) {
  ScenarioRun run(kBinlogPurge, purge_fields("", R"(,"design":"fixed")"));
  EXPECT_EQ(run.fire("expire_logs_1s"), "");
  run.run_until_counter(Counter::binlog_files_purged, 2);
  run.stop_and_check();  // one of the checks: no client has purged
}

// 200 files take two seconds each: too long to wait for.
TEST(BinlogPurge104615, AnInterruptedRunDoesNotWaitForAPurge) {
  for (const char* design : {"original", "fixed"}) {
    ScenarioRun run(kBinlogPurge,
                    R"("threads":4,"parameters":{"rows_per_table":1000,"max_binlog_size_kib":64,)"
                    R"("old_binlogs_gib":200,"unlink_ms_per_gib":2000},"design":")" +
                        std::string(design) + '"');
    const char* reason = nullptr;
    run.engine.interruption = [&] { return reason; };
    EXPECT_EQ(run.fire("expire_logs_1s"), "");
    run.run_until_counter(Counter::binlog_files_purged, 1);
    reason = "SIGINT";
    run.run_until([&] { return run.engine.state() == telemetry::RunState::finished; });
    expect_invariants_hold(run.engine);
  }
}

TEST(BinlogPurge104615, FlippingEveryKnobWhilePurgesGoOn) {
  ScenarioRun run(with_latch(parsed_spec(kBinlogPurge, purge_fields()), futex_mutex()));
  EXPECT_EQ(run.fire("expire_logs_1s"), "");
  flip_every_pair(run, 60);
  run.stop_and_check();
}

TEST(BinlogPurge104615, EveryActionUnderEveryCombinationOfVariants) {
  ScenarioRun run(with_latch(parsed_spec(kBinlogPurge, purge_fields()), futex_mutex()));
  for (uint32_t combination = 0; combination < 16; ++combination) {
    for (uint32_t knob = 0; knob < 4; ++knob)
      run.engine.set_knob(knob, (combination >> knob) & 1);
    const auto fire_when_idle = [&](const char* action) {
      run.run_until([&] { return run.fire(action).empty(); });
      run.run_transactions(20);
    };
    const uint64_t rotated = total(Counter::binlog_files_rotated);
    fire_when_idle("flush_binary_logs");
    run.run_until([&] { return total(Counter::binlog_files_rotated) > rotated; });
    fire_when_idle("create_old_binlogs");
    EXPECT_EQ(run.fire("open_dump_thread"), "");
    EXPECT_EQ(run.fire("expire_logs_1s"), "");
    run.run_transactions(50);
    EXPECT_EQ(run.fire("close_dump_thread"), "");
    const uint64_t purged = total(Counter::binlog_files_purged);
    run.run_until([&] { return total(Counter::binlog_files_purged) > purged; });
    EXPECT_EQ(run.fire("expire_logs_default"), "");
  }
  run.stop_and_check();
}

TEST(BinlogServer, AStatementPostedBeforeItsSessionRunsIsCarriedOut) {
  workload::BinlogServer server({}, 1, {});
  server.build();
  ASSERT_EQ(server.flush_binary_logs(), "");
  const std::vector<workload::EngineThread> threads = server.engine_threads();
  const auto session = std::find_if(threads.begin(), threads.end(),
                                    [](const auto& thread) { return thread.name == "admin_session"; });
  ASSERT_NE(session, threads.end());
  run_threads(2, [&](uint32_t ordinal) {
    if (ordinal == 0) return session->body();
    while (total(Counter::binlog_files_rotated) == 0)
      telemetry::sleep_ns(1'000'000);
    session->request_stop();
  });
}

TEST(BinlogPurge104615, AnActionThatMakesNoSenseNowSaysSo) {
  ScenarioRun run(kBinlogPurge, purge_fields(R"(,"log_bin":0)"));
  for (const auto& action : run.manifest().actions) {
    EXPECT_NE(run.fire(std::string(action.id).c_str()).find("log_bin = 0"), std::string::npos) << action.id;
  }
  run.run_transactions(50);
  run.stop_and_check();

  ScenarioRun with_log(kBinlogPurge, purge_fields());
  EXPECT_NE(with_log.fire("close_dump_thread"), "");
  EXPECT_EQ(with_log.fire("open_dump_thread"), "");
  EXPECT_NE(with_log.fire("open_dump_thread"), "");
  EXPECT_EQ(with_log.fire("expire_logs_1s"), "");
  EXPECT_NE(with_log.fire("expire_logs_1s"), "");
  with_log.stop_and_check();
}

TEST(BinlogPurge104615, GroupCommitParametersAreObeyed) {
  ScenarioRun run(
      kBinlogPurge,
      purge_fields(R"(,"sync_binlog":3,"group_commit_sync_delay_us":2000,"group_commit_no_delay_count":4)"));
  run.run_transactions(200);
  run.stop_and_check();
  EXPECT_LT(total(Counter::commit_groups), total(Counter::commits));
}

TEST(BinlogPurge104615, BadParametersAreRefusedByName) {
  for (const auto& [parameter, value] :
       std::initializer_list<std::pair<const char*, const char*>>{{"old_binlogs_gib", "201"},
                                                                  {"max_binlog_size_kib", "63"},
                                                                  {"unlink_ms_per_gib", "-1"},
                                                                  {"unlink_extent_mib", "0"},
                                                                  {"unlink_device_percent", "101"},
                                                                  {"active_binlog_kib", "16384"},
                                                                  {"long_query_time_ms", "0"},
                                                                  {"sync_binlog", "1001"},
                                                                  {"group_commit_sync_delay_us", "1000001"},
                                                                  {"group_commit_no_delay_count", "5"},
                                                                  {"rows_per_table", "1.5"},
                                                                  {"log_bin", "2"}}) {
    const auto parsed =
        run::parse_run_spec(std::string(R"({"version":1,"scenario":"binlog-purge-104615","parameters":{")") +
                            parameter + "\":" + value + "}}");
    ASSERT_FALSE(parsed.spec) << parameter;
    ASSERT_EQ(parsed.errors.size(), 1u) << parameter;
    EXPECT_EQ(parsed.errors[0].field, std::string("parameters.") + parameter);
    EXPECT_EQ(parsed.errors[0].value, value);
  }
}

}  // namespace
}  // namespace latchscope::tests
