#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "server/gtid/innodb_engine.h"
#include "telemetry/telemetry.h"
#include "tests/test_threads.h"

namespace latchscope::server::gtid {
namespace {

using telemetry::Counter;

constexpr GtidFlushWait kAllWaits[] = {GtidFlushWait::poll_1ms,           GtidFlushWait::spin,
                                       GtidFlushWait::condition_variable, GtidFlushWait::own_list_number,
                                       GtidFlushWait::once_per_group,     GtidFlushWait::reserved_undo_slot};

// An engine whose persister runs a round only when the test calls it.
struct World {
  explicit World(GtidFlushWait wait) { engine.use(wait); }

  void start_and_prepare(Trx& trx, uint64_t gno) {
    engine.start(trx);
    engine.xa_prepare(trx, gno);
  }
  void commit(Trx& trx, uint64_t gno) {
    binlog::BinlogSession session;
    session.kind = binlog::CommitKind::xa_commit;
    session.transaction = &trx;
    session.gno = gno;
    engine.before_commit_stage(&session);
    engine.commit(session);
  }

  latch::LatchEnvironment latches{64};
  platform::Device device{platform::kRamDevice};
  InnodbEngine engine{latches, device, device, {}};
};

TEST(ClonePersistGtid, AFlushIsAskedForWhateverIsInMemory) {
  World world(GtidFlushWait::poll_1ms);
  ClonePersistGtid& persister = world.engine.persister();
  EXPECT_EQ(persister.request_immediate_flush(false), 0u)
      << "nothing in memory: the list before the active one";
  EXPECT_TRUE(persister.check_flushed(0));

  Trx first;
  Trx second;
  world.start_and_prepare(first, 1);
  EXPECT_EQ(first.prepare_list_number, 1u);
  EXPECT_EQ(persister.request_immediate_flush(false), 1u);
  EXPECT_FALSE(persister.check_flushed(1));
  persister.flush_gtids();
  EXPECT_TRUE(persister.check_flushed(1));
  EXPECT_EQ(persister.active_number(), 2u);

  world.start_and_prepare(second, 2);
  EXPECT_EQ(persister.request_immediate_flush(false), 2u)
      << "the prepare GTID of `first` is in the table, but the wait includes what `second` has just added";
  persister.flush_gtids();
  EXPECT_EQ(persister.request_immediate_flush(false), 2u) << "nothing in memory";
  world.commit(first, 3);
  persister.flush_gtids();
  world.commit(second, 4);
  persister.flush_gtids();
  EXPECT_EQ(world.engine.table().contents().to_string(), "1-4");
  EXPECT_EQ(world.engine.table().duplicates(), 0u);
  EXPECT_TRUE(persister.all_lists_are_empty());
}

TEST(ClonePersistGtid, AnEmptyListIsNotSwitched) {
  World world(GtidFlushWait::poll_1ms);
  world.engine.persister().flush_gtids();
  EXPECT_EQ(world.engine.persister().active_number(), 1u);
  EXPECT_EQ(world.engine.persister().flush_number(), 0u);
}

TEST(ClonePersistGtid, FiftyFlushesCompressTheTable) {
  World world(GtidFlushWait::reserved_undo_slot);
  const uint64_t before = telemetry::counter_total(Counter::gtid_compressions);
  for (uint64_t gno = 1; gno <= 2 * ClonePersistGtid::kCompressionThreshold; ++gno) {
    Trx trx;
    world.engine.start(trx);
    world.commit(trx, gno);
    world.engine.persister().flush_gtids();
    EXPECT_EQ(world.engine.table().rows(), gno == 50 || gno == 100 ? 1 : gno < 50 ? gno : gno - 49);
  }
  EXPECT_EQ(telemetry::counter_total(Counter::gtid_compressions) - before, 2u);
}

TEST(ClonePersistGtid, UndoIsPurgedOnlyOnceItsGtidIsInTheTable) {
  World world(GtidFlushWait::reserved_undo_slot);
  Trx trx;
  world.start_and_prepare(trx, 1);
  world.commit(trx, 2);
  world.engine.purge_undo();
  EXPECT_EQ(world.engine.undo_in_use(), 1u);
  world.engine.persister().flush_gtids();
  world.engine.purge_undo();
  EXPECT_EQ(world.engine.undo_in_use(), 0u);
}

// A group of three. With one wait per member, the persister needs a round for each of them.
TEST(ClonePersistGtid, HowManyFlushesAGroupNeeds) {
  struct Expectation {
    GtidFlushWait wait;
    uint64_t waits;
    uint64_t flushes_min, flushes_max;
  };
  // The first member finds no GTID in memory; each later one finds the commit GTID of the previous
  // one.
  for (const Expectation& expected :
       {Expectation{GtidFlushWait::poll_1ms, 3, 2, 2}, Expectation{GtidFlushWait::spin, 3, 2, 2},
        Expectation{GtidFlushWait::condition_variable, 3, 2, 2},
        Expectation{GtidFlushWait::own_list_number, 3, 0, 1},
        Expectation{GtidFlushWait::once_per_group, 1, 0, 1},
        Expectation{GtidFlushWait::reserved_undo_slot, 0, 0, 1}}) {
    World world(expected.wait);
    std::vector<Trx> members(3);
    for (uint64_t i = 0; i < members.size(); ++i)
      world.start_and_prepare(members[i], i + 1);
    world.engine.persister().flush_gtids();
    const uint64_t waits = telemetry::counter_total(Counter::gtid_flush_waits);
    uint64_t flushes_in_group = 0;
    tests::run_threads(2, [&](uint32_t ordinal) {
      if (ordinal == 1) {
        world.engine.persister().run();
        return;
      }
      std::vector<binlog::BinlogSession> sessions(members.size());
      for (size_t i = 0; i < members.size(); ++i) {
        sessions[i].kind = binlog::CommitKind::xa_commit;
        sessions[i].transaction = &members[i];
        sessions[i].gno = 10 + i;
        sessions[i].next_in_stage = i + 1 < members.size() ? &sessions[i + 1] : nullptr;
      }
      const uint64_t flushed = world.engine.persister().flush_number();
      world.engine.before_commit_stage(&sessions[0]);
      for (binlog::BinlogSession& session : sessions)
        world.engine.commit(session);
      flushes_in_group = world.engine.persister().flush_number() - flushed;
      world.engine.persister().request_stop();
    });
    const auto variant = static_cast<int>(expected.wait);
    EXPECT_EQ(telemetry::counter_total(Counter::gtid_flush_waits) - waits, expected.waits) << variant;
    EXPECT_GE(flushes_in_group, expected.flushes_min) << variant;
    EXPECT_LE(flushes_in_group, expected.flushes_max) << variant;
    EXPECT_EQ(world.engine.table().contents().to_string(), "1-3:10-12") << variant;
    EXPECT_EQ(world.engine.table().duplicates(), 0u) << variant;
  }
}

// Runs three XA transactions and crashes after the step with this number. Returns the number of
// steps.
uint64_t run_until_crash(GtidFlushWait wait, uint64_t crash_after_step, EngineCrashImage& image,
                         binlog::GtidSet& in_undo_by_then, std::string& crashed_step) {
  World world(wait);
  uint64_t steps = 0;
  uint64_t gno = 0;
  binlog::GtidSet in_undo;
  world.engine.persister().set_crash_probe([&](const char* step) {
    if (std::string(step).ends_with("in undo")) in_undo.add(gno);
    if (++steps != crash_after_step) return;
    image = world.engine.crash_image();
    in_undo_by_then = in_undo;
    crashed_step = step;
  });
  ClonePersistGtid& persister = world.engine.persister();
  Trx trx[3];
  for (Trx& each : trx) {
    world.engine.start(each);
    ++gno;
    world.engine.xa_prepare(each, gno);
  }
  persister.flush_gtids();
  for (Trx& each : trx) {
    ++gno;
    world.commit(each, gno);
    persister.flush_gtids();
  }
  world.engine.purge_undo();
  Trx late;
  world.engine.start(late);
  ++gno;
  world.engine.xa_prepare(late, gno);
  persister.flush_gtids();
  return steps;
}

TEST(Crash, AtEveryStepOfTheGtidsWayEachIsInTheTableExactlyOnce) {
  for (GtidFlushWait wait : kAllWaits) {
    for (GtidFlushWait wait_after_restart : {wait, GtidFlushWait::reserved_undo_slot}) {
      EngineCrashImage image;
      binlog::GtidSet expected;
      std::string step;
      const uint64_t steps = run_until_crash(wait, 0, image, expected, step);
      ASSERT_GT(steps, 15u);
      for (uint64_t crash = 1; crash <= steps; ++crash) {
        run_until_crash(wait, crash, image, expected, step);
        const std::string what = "variant " + std::to_string(static_cast<int>(wait)) + ", step " +
                                 std::to_string(crash) + " (" + step + ")";
        World restarted(wait_after_restart);
        std::vector<Trx> prepared = restarted.engine.recover(image);
        ASSERT_EQ(restarted.engine.table().contents(), expected) << what;
        ASSERT_EQ(restarted.engine.table().duplicates(), 0u) << what;
        // Prepared transactions can be committed, under the old format and the new one.
        uint64_t gno = 100;
        for (Trx& trx : prepared) {
          expected.add(gno);
          restarted.commit(trx, gno++);
          restarted.engine.persister().flush_gtids();
        }
        ASSERT_EQ(restarted.engine.table().contents(), expected) << what;
        restarted.engine.purge_undo();
        ASSERT_EQ(restarted.engine.undo_in_use(), 0u) << what;
      }
    }
  }
}

}  // namespace
}  // namespace latchscope::server::gtid
