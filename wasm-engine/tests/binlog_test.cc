#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "server/binlog/binlog_event.h"
#include "server/binlog/gtid_set.h"
#include "telemetry/telemetry.h"
#include "tests/binlog_world.h"
#include "tests/test_threads.h"

namespace latchscope::server::binlog {
namespace {

using tests::BinlogWorld;

bool never_stop() {
  return false;
}

TEST(GtidSet, IntervalsJoinSplitAndContain) {
  GtidSet set;
  for (uint64_t gno : {5, 1, 3, 2, 9})
    set.add(gno);
  EXPECT_EQ(set.to_string(), "1-3:5:9");
  set.add(GnoInterval{4, 8});
  EXPECT_EQ(set.to_string(), "1-9");
  GtidSet hole;
  hole.add(GnoInterval{3, 4});
  set.remove(hole);
  EXPECT_EQ(set.to_string(), "1-2:5-9");
  EXPECT_EQ(set.count(), 7u);
  EXPECT_TRUE(set.contains(5));
  EXPECT_FALSE(set.contains(4));
  EXPECT_FALSE(set.contains(hole));
}

// A rotation removes its register while a purge is deleting large files.
TEST(BinlogFileSystem, ATextFileIsDeletedWhileLargeFilesStillAreBeing) {
  platform::Device device(platform::kRamDevice);
  FileSystem files(device, {.ns_per_gib = 400'000'000});
  for (const char* name : {"large.1", "large.2"}) {
    files.create(name);
    files.make_old(name, uint64_t{1} << 30, 0);
  }
  files.create("text", /*keep_whole=*/true);
  files.append("text", std::string("binlog.000001\n"));
  struct alignas(64) Line : platform::CacheLine {
    platform::Atomic<uint32_t> large_files_deleted{*this, 0};
  } line;
  // Each deletion starts when the previous one has removed its name.
  const char* const names[] = {"large.1", "large.2", "text"};
  tests::run_threads(3, [&](uint32_t thread) {
    while (thread > 0 && files.exists(names[thread - 1]))
      platform::yield();
    EXPECT_TRUE(files.unlink(names[thread]));
    if (thread < 2) {
      line.large_files_deleted.fetch_add(1);
    } else {
      EXPECT_EQ(line.large_files_deleted.load(), 0u);
    }
  });
}

TEST(BinlogEvent, ReadsBackWhatWasWrittenAndNoticesDamage) {
  GtidSet gtids;
  gtids.add(GnoInterval{1, 41});
  Bytes log;
  append_previous_gtids(log, gtids);
  append_gtid(log, 42, {0, 1}, 0);
  append_query(log, "BEGIN");
  append_xid(log, 9);
  stamp_events(log, 0, 4);

  EventReader reader(log, 0);
  auto event = reader.next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->type, EventType::previous_gtids);
  EXPECT_EQ(gtids_of(*event), gtids);
  EXPECT_EQ(event->end_position, 4 + event->size);
  event = reader.next();
  ASSERT_TRUE(event);
  EXPECT_EQ(gno_of(*event), 42u);
  EXPECT_EQ(reader.next()->type, EventType::query);
  EXPECT_EQ(reader.next()->type, EventType::xid);
  EXPECT_TRUE(reader.at_end());

  log[log.size() / 2] ^= 1;
  EventReader damaged(log, 0);
  while (damaged.next()) {
  }
  EXPECT_FALSE(damaged.at_end());
}

TEST(FileSystemTest, ACrashLosesWhatWasNotSyncedAndKeepsAPrefixOfTheJournal) {
  platform::Device device(platform::kRamDevice);
  for (size_t journal_kept : {0u, 1u, 2u}) {
    FileSystem files(device);
    files.create("a");                      // 1
    files.append("a", std::string("one"));  // 2
    files.fsync("a");                       // 3
    files.append("a", std::string("two"));  // 4
    files.create("b");                      // 5
    files.capture_crash({7, journal_kept, /*unsynced_bytes_kept=*/false});
    files.unlink("a");  // 6
    files.create("c");  // the crash comes before this operation
    ASSERT_NE(files.crash_image(), nullptr);
    FileSystem after(device, {}, *files.crash_image());
    EXPECT_EQ(after.exists("a"), journal_kept < 2);
    EXPECT_EQ(after.exists("b"), journal_kept >= 1);
    EXPECT_FALSE(after.exists("c"));
    if (journal_kept < 2) {
      EXPECT_EQ(after.read_text("a"), "one");
    }
  }
}

TEST(FileSystemTest, KeepsHeadAndTailOfALargeFileAndAccountsForTheRest) {
  platform::Device device(platform::kRamDevice);
  FileSystem files(device, {}, BytesKept{8, 16});
  files.create("log");
  for (char c = 'a'; c < 'k'; ++c)
    files.append("log", std::string(8, c));
  EXPECT_EQ(files.stat("log")->size, 80u);
  EXPECT_EQ(files.read_text("log"), "aaaaaaaa");
  EXPECT_EQ(files.read_tail("log").size(), 16u);
  EXPECT_EQ(files.bytes_not_kept(), 56u);
  files.trim("log");
  EXPECT_EQ(files.read_tail("log").size(), 8u);
}

TEST(OrderedCommit, OneCommitTakesEachStageOnce) {
  BinlogWorld world;
  world.log.open();
  const CommitPathTotals before = world.log.commit_path_totals();
  world.commit_one();
  const CommitPathTotals after = world.log.commit_path_totals();
  EXPECT_EQ(after.lock_log - before.lock_log, 1u);
  EXPECT_EQ(after.lock_sync - before.lock_sync, 1u);
  EXPECT_EQ(after.lock_commit - before.lock_commit, 1u);
  EXPECT_EQ(after.lock_after_commit - before.lock_after_commit, 1u);
  EXPECT_EQ(after.signal_done - before.signal_done, 1u);
  EXPECT_EQ(world.log.check_files(), "");
}

uint64_t acquisitions_of(const std::string& latch) {
  uint64_t acquisitions = 0;
  for (uint32_t site = 0; site < telemetry::latch_sites_count(); ++site) {
    if (telemetry::latch_name_of_site(site) == latch)
      acquisitions += telemetry::latch_site_total(site).acquisitions;
  }
  return acquisitions;
}

// Counts measured in MySQL 9.7.4. Here every commit is its own group.
TEST(OrderedCommit, TakesTheServersOtherMutexesAsOftenAsCounted) {
  constexpr uint64_t kCommits = 20;
  for (uint32_t sync_binlog : {0u, 1u, 100u}) {
    BinlogSettings settings;
    settings.sync_binlog = sync_binlog;
    BinlogWorld world(settings);
    world.log.open();
    telemetry::reset();
    for (uint64_t i = 0; i < kCommits; ++i)
      world.commit_one();
    EXPECT_EQ(acquisitions_of("sid_locks"), 2 * kCommits);
    EXPECT_EQ(acquisitions_of("global_tsid_lock"), (2 + 1) * kCommits) << "twice a group, once a commit";
    EXPECT_EQ(acquisitions_of("LOCK_binlog_end_pos"), kCommits);
    EXPECT_EQ(acquisitions_of("LOCK_replica_trans_dep_tracker"), kCommits);
    EXPECT_EQ(acquisitions_of("LOCK_sync"), kCommits);
    telemetry::reset();
    world.log.rotate_and_purge();
    EXPECT_EQ(acquisitions_of("LOCK_sync"), 2u) << "a rotation";
  }
}

// The wait reads the length of the queue in each of its ten slices.
TEST(OrderedCommit, ALeaderWaitsForMembersOnlyIfItsGroupWillBeFlushed) {
  BinlogSettings settings;
  settings.sync_binlog = 2;
  settings.sync_delay_us = 10;
  settings.sync_no_delay_count = 2;
  BinlogWorld world(settings);
  world.log.open();
  telemetry::reset();
  world.commit_one();
  EXPECT_EQ(acquisitions_of("LOCK_sync_queue"), 2u) << "to enter and to fetch";
  world.commit_one();
  EXPECT_EQ(acquisitions_of("LOCK_sync_queue"), 2u + 2u + 10u);
}

TEST(OrderedCommit, ManySessionsCommitInTheOrderOfTheLog) {
  constexpr uint32_t kSessions = 8;
  BinlogSettings settings;
  settings.max_binlog_size = 4'096;  // so that leaders rotate all the time
  BinlogWorld world(settings);
  world.log.open();
  const uint32_t commits = tests::stress_rounds(200);
  tests::run_threads(kSessions, [&](uint32_t) {
    for (uint32_t i = 0; i < commits; ++i) {
      BinlogSession session;
      append_query(session.cache, "BEGIN");
      append_xid(session.cache, i);
      world.log.commit(session);
      EXPECT_GT(session.gno, 0u);
    }
  });
  EXPECT_EQ(world.log.order_violations(), 0u);
  EXPECT_EQ(world.engine.committed.size(), kSessions * commits);
  EXPECT_TRUE(std::is_sorted(world.engine.committed.begin(), world.engine.committed.end()));
  EXPECT_EQ(world.log.executed_gtids().to_string(), "1-" + std::to_string(kSessions * commits));
  EXPECT_GT(world.log.index_names().size(), 3u);
  EXPECT_EQ(world.log.check_files(), "");
  EXPECT_EQ(world.log.pending_xids(), 0u);
}

TEST(OrderedCommit, ALeaderWaitsForMembersOnlyUpToTheirCount) {
  BinlogSettings settings;
  settings.sync_delay_us = 1'000'000;
  settings.sync_no_delay_count = 1;
  BinlogWorld world(settings);
  world.log.open();
  const uint64_t began_ns = platform::now_ns();
  world.commit_one();  // one session is enough: it does not wait a second
  EXPECT_LT(platform::now_ns() - began_ns, 1'000'000'000u);
}

TEST(Purge, DeletesExpiredFilesAndSaysWhichGtidsAreLost) {
  for (UnlinkUnder unlink_under : {UnlinkUnder::lock_index, UnlinkUnder::no_lock}) {
    BinlogWorld world;
    world.log.set_design({PurgeBy::commit_leader, unlink_under, RotateWhenIndexBusy::wait});
    world.log.create_old_files(3, 1 << 20);
    world.log.open();
    world.commit_one();
    world.log.auto_purge(never_stop);
    EXPECT_EQ(world.log.index_names().size(), 5u) << "30 days have not passed";
    world.log.set_expire_seconds(1);
    world.log.auto_purge(never_stop);
    EXPECT_EQ(world.log.index_names(), (std::vector<std::string>{"binlog.000004", "binlog.000005"}));
    EXPECT_EQ(world.log.lost_gtids().to_string(), "1-3450000");
    EXPECT_EQ(world.log.check_files(), "");
    EXPECT_FALSE(world.files.exists(kRegisterFile));
    EXPECT_FALSE(world.files.exists(kPurgeRegisterFile));
  }
}

TEST(Purge, StopsAtAFileThatAReaderUses) {
  BinlogWorld world;
  world.log.create_old_files(3, 1 << 20);
  world.log.open();
  world.log.set_expire_seconds(1);
  world.log.reader_opens(1);
  world.log.auto_purge(never_stop);
  EXPECT_EQ(world.log.index_names().size(), 5u);
  world.log.reader_closes(1);
  world.log.auto_purge(never_stop);
  EXPECT_EQ(world.log.index_names().size(), 2u);
  EXPECT_EQ(world.log.check_files(), "");
}

TEST(Purge, AnInterruptedPurgeIsFinishedByTheNext) {
  BinlogWorld world;
  world.log.set_design({PurgeBy::background_thread, UnlinkUnder::no_lock, RotateWhenIndexBusy::wait});
  world.log.create_old_files(3, 1 << 20);
  world.log.open();
  world.log.set_expire_seconds(1);
  int asked = 0;
  world.log.auto_purge([&] { return ++asked > 1; });
  EXPECT_TRUE(world.files.exists("binlog.000002")) << "registered, not yet deleted";
  EXPECT_EQ(world.log.index_names().size(), 2u);
  world.log.recover();
  EXPECT_FALSE(world.files.exists("binlog.000002"));
  EXPECT_EQ(world.log.check_files(), "");
}

TEST(Purge, OneThatIsAskedForBeforeItsThreadRunsIsNotLost) {
  BinlogWorld world;
  world.log.set_design({PurgeBy::background_thread, UnlinkUnder::no_lock, RotateWhenIndexBusy::wait});
  world.log.create_old_files(3, 1 << 20);
  world.log.open();
  world.log.set_expire_seconds(1);
  world.log.rotate_and_purge();
  ASSERT_TRUE(world.files.exists("binlog.000001"));
  tests::run_threads(
      1, [&](uint32_t) { world.log.run_purge_thread([&] { return !world.files.exists("binlog.000001"); }); });
}

// Tests how a rotation behaves when a purge holds LOCK_index.
TEST(Rotation, KeepsWritingWhereTheDesignSaysSoAndLaterCatchesUp) {
  latch::LatchEnvironment latches{64};
  platform::Device ram(platform::kRamDevice);
  tests::CountingEngine engine;
  FileSystem files(ram, {.ns_per_gib = uint64_t{1'000} << 30},
                   BinlogWorld::kKeepAll);  // a microsecond per byte
  BinlogSettings settings;
  settings.max_binlog_size = 600;
  MysqlBinLog log(latches, files, engine, settings);
  log.set_design({PurgeBy::background_thread, UnlinkUnder::lock_index, RotateWhenIndexBusy::keep_writing});
  log.create_old_files(1, 300'000);  // 0.3 s to delete
  log.open();
  log.set_expire_seconds(1);
  const auto deferred = [] {
    return telemetry::counter_total(telemetry::Counter::binlog_rotations_deferred);
  };
  const uint64_t deferred_before = deferred();
  tests::run_threads(2, [&](uint32_t ordinal) {
    if (ordinal == 0) {
      log.auto_purge(never_stop);
      return;
    }
    while (files.exists("binlog.000001"))
      platform::yield();  // until the purge is inside unlink, under LOCK_index
    BinlogSession session;
    append_query(session.cache, std::string(2'000, 'x'));
    log.commit(session);
  });
  EXPECT_EQ(deferred() - deferred_before, 1u);
  const size_t names = log.index_names().size();
  BinlogSession session;
  append_query(session.cache, "BEGIN");
  log.commit(session);
  EXPECT_EQ(log.index_names().size(), names + 1) << "the next group rotates";
  EXPECT_EQ(log.check_files(), "");
}

// -------------------------------------------------------------------------------------------------
// A crash at every operation on the file system, with every prefix of the pending directory
// changes.

struct CrashCase {
  const char* name;
  BinlogDesign design;
  std::function<void(BinlogWorld&)> prepare;
  std::function<void(BinlogWorld&)> act;
};

void check_after_crash(const FileSystem::DiskImage& image, uint64_t last_gno, const std::string& what) {
  BinlogWorld world(image, {});
  world.log.recover();
  const std::vector<std::string> names = world.log.index_names();
  const std::vector<std::string> files = world.files.list();
  ASSERT_FALSE(names.empty()) << what;
  for (const std::string& name : names)
    ASSERT_TRUE(world.files.exists(name)) << what << ": the index names " << name;
  world.log.recover();
  ASSERT_EQ(world.log.index_names(), names) << what << ": recovery may be repeated";
  ASSERT_EQ(world.files.list(), files) << what << ": recovery may be repeated";

  world.log.open();
  ASSERT_EQ(world.log.check_files(), "") << what;
  ASSERT_TRUE(world.log.executed_gtids().contains(last_gno)) << what << ": no committed transaction is lost";
  world.commit_one();
  ASSERT_EQ(world.last_gno, last_gno + 1) << what;
}

void crash_everywhere(const CrashCase& crash_case) {
  uint64_t first = 0;
  uint64_t last = 0;
  {
    BinlogWorld world;
    world.log.set_design(crash_case.design);
    crash_case.prepare(world);
    first = world.files.operations() + 1;
    crash_case.act(world);
    last = world.files.operations();
  }
  ASSERT_GT(last, first) << crash_case.name;
  for (uint64_t operation = first; operation <= last + 1; ++operation) {
    for (size_t journal_kept : {0, 1, 2, 3, 4, 5, 100}) {
      for (bool unsynced_bytes_kept : {false, true}) {
        BinlogWorld world;
        world.log.set_design(crash_case.design);
        world.files.capture_crash({operation, journal_kept, unsynced_bytes_kept});
        crash_case.prepare(world);
        crash_case.act(world);
        if (operation > last) world.files.create("one operation more, so that the last one can be followed");
        ASSERT_NE(world.files.crash_image(), nullptr);
        const std::string what =
            std::string(crash_case.name) + ", operation " + std::to_string(operation - first) + ", journal " +
            std::to_string(journal_kept) + (unsynced_bytes_kept ? ", unsynced bytes kept" : "");
        check_after_crash(*world.files.crash_image(), world.last_gno, what);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

void old_files_and_commits(BinlogWorld& world) {
  world.log.create_old_files(3, 1 << 20);
  world.log.open();
  world.commit_one();
  world.commit_one();
  world.log.set_expire_seconds(1);
}

TEST(Crash, AtEveryStepOfAPurgeUnderLockIndex) {
  crash_everywhere({"purge under LOCK_index",
                    {PurgeBy::commit_leader, UnlinkUnder::lock_index, RotateWhenIndexBusy::wait},
                    old_files_and_commits,
                    [](BinlogWorld& world) { world.log.auto_purge(never_stop); }});
}

TEST(Crash, AtEveryStepOfAPurgeOutsideLockIndex) {
  crash_everywhere({"purge under no lock",
                    {PurgeBy::background_thread, UnlinkUnder::no_lock, RotateWhenIndexBusy::keep_writing},
                    old_files_and_commits,
                    [](BinlogWorld& world) { world.log.auto_purge(never_stop); }});
}

TEST(Crash, AtEveryStepOfARotation) {
  crash_everywhere({"rotation",
                    {PurgeBy::background_thread, UnlinkUnder::lock_index, RotateWhenIndexBusy::wait},
                    old_files_and_commits,
                    [](BinlogWorld& world) { world.log.rotate_and_purge(); }});
}

TEST(Crash, AtEveryStepOfARotationWithPurgeAfterAnInterruptedPurge) {
  crash_everywhere({"rotation and purge after an interrupted purge",
                    {PurgeBy::commit_leader, UnlinkUnder::no_lock, RotateWhenIndexBusy::wait},
                    [](BinlogWorld& world) {
                      old_files_and_commits(world);
                      int asked = 0;
                      world.log.auto_purge([&] { return ++asked > 1; });
                      world.log.age_closed_files(1 << 20);
                    },
                    [](BinlogWorld& world) { world.log.rotate_and_purge(); }});
}

}  // namespace
}  // namespace latchscope::server::binlog
