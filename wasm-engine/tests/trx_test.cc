#include <gtest/gtest.h>

#include "telemetry/telemetry.h"
#include "tests/small_undo_server.h"
#include "tests/test_threads.h"

namespace latchscope::server::trx {
namespace {

using fil::PageSizeLookupVariant;
using telemetry::Counter;
using tests::SmallUndoServer;

constexpr PurgeLatchVariant kAllPurgeLatches[] = {
    PurgeLatchVariant::rw_lock, PurgeLatchVariant::sharded_rw_lock, PurgeLatchVariant::view_guard,
    PurgeLatchVariant::sharded_view_guard};
constexpr PageSizeLookupVariant kAllLookups[] = {
    PageSizeLookupVariant::shard_mutex, PageSizeLookupVariant::shard_rw_lock, PageSizeLookupVariant::cached};

TEST(RollPtr, SevenBytesHoldEveryField) {
  const RollPtr pointers[] = {
      {false, 1, 0, 56}, {true, 127, 0xffffffff, 0xffff}, {false, 2, 0x12345678, 0x9abc}};
  for (const RollPtr& pointer : pointers) {
    uint8_t bytes[kRollPtrBytes + 1] = {};
    bytes[kRollPtrBytes] = 0xa5;
    write_roll_ptr(bytes, pointer);
    EXPECT_EQ(read_roll_ptr(bytes), pointer);
    EXPECT_EQ(bytes[kRollPtrBytes], 0xa5);
  }
  EXPECT_EQ(encode({true, 127, 0xffffffff, 0xffff}), (uint64_t{1} << 56) - 1);
}

TEST(UndoPage, RecordsAreAppendedUntilThePageIsFull) {
  std::vector<uint8_t> page(kPageBytes);
  init_undo_page(page.data(), {kUndoSpaceIdMax - 1, 9});
  std::vector<uint16_t> offsets;
  for (;;) {
    const auto n = static_cast<uint32_t>(offsets.size());
    const uint16_t offset = append_undo_record(page.data(), {.undo_no = n,
                                                             .table_no = 3,
                                                             .trx_id = 0x123456789abc,
                                                             .roll_ptr = {false, 2, n, 77},
                                                             .id = n + 1,
                                                             .k = 5 * n});
    if (offset == 0) break;
    offsets.push_back(offset);
  }
  EXPECT_EQ(offsets.size(), kUndoRecordsPerPage);
  for (uint32_t n = 0; n < offsets.size(); ++n) {
    const UndoRecord record = read_undo_record(page.data(), offsets[n]);
    EXPECT_EQ(record.undo_no, n);
    EXPECT_EQ(record.trx_id, 0x123456789abcu);
    EXPECT_EQ(record.roll_ptr, (RollPtr{false, 2, n, 77}));
    EXPECT_EQ(record.id, n + 1);
    EXPECT_EQ(record.k, 5 * n);
  }
}

TEST(UndoPageDeathTest, ARollPointerThatNamesNoRecordStopsTheEngine) {
  std::vector<uint8_t> page(kPageBytes);
  init_undo_page(page.data(), {kUndoSpaceIdMax - 1, 9});
  EXPECT_DEATH((void)read_undo_record(page.data(), kUndoPageBody), "refers to an undo record");
}

class ReadViewTest : public testing::Test {
 protected:
  void TearDown() override {
    for (ReadView* view : {&old_, &young_}) {
      if (view->is_open()) trx_sys_.close(*view);
    }
  }

  latch::LatchEnvironment latches_{64};
  TrxSys trx_sys_{latches_};
  ReadView old_, young_;
};

TEST_F(ReadViewTest, SeesWhatHadCommittedAndNothingElse) {
  const TrxId committed = trx_sys_.begin();
  trx_sys_.commit(committed, trx_sys_.assign_number());
  const TrxId active = trx_sys_.begin();
  const TrxId committed_later_begun = trx_sys_.begin();
  trx_sys_.commit(committed_later_begun, trx_sys_.assign_number());
  trx_sys_.open(old_);
  const TrxId future = trx_sys_.begin();
  EXPECT_TRUE(old_.changes_visible(0)) << "loaded rows";
  EXPECT_TRUE(old_.changes_visible(committed));
  EXPECT_FALSE(old_.changes_visible(active));
  EXPECT_TRUE(old_.changes_visible(committed_later_begun));
  EXPECT_FALSE(old_.changes_visible(future));
  EXPECT_EQ(old_.committed_before(), 2u);

  trx_sys_.commit(active, trx_sys_.assign_number());
  EXPECT_FALSE(old_.changes_visible(active)) << "a view does not change";
  trx_sys_.open(young_);
  EXPECT_TRUE(young_.changes_visible(active));
  EXPECT_FALSE(young_.changes_visible(future));
  trx_sys_.commit(future, trx_sys_.assign_number());
}

TEST_F(ReadViewTest, PurgeGetsTheOldestViewOrAFreshOne) {
  ReadView clone;
  trx_sys_.open(old_);
  const TrxId id = trx_sys_.begin();
  trx_sys_.commit(id, trx_sys_.assign_number());
  trx_sys_.open(young_);
  trx_sys_.clone_oldest_view(clone);
  EXPECT_FALSE(clone.changes_visible(id));
  trx_sys_.close(old_);
  trx_sys_.clone_oldest_view(clone);
  EXPECT_TRUE(clone.changes_visible(id));
  trx_sys_.close(young_);
  const TrxId next = trx_sys_.begin();
  trx_sys_.commit(next, trx_sys_.assign_number());
  trx_sys_.clone_oldest_view(clone);
  EXPECT_TRUE(clone.changes_visible(next)) << "no view is open: one made now";
}

// A transaction gets its number before it becomes visible: a view opened in between needs its undo
// log.
TEST_F(ReadViewTest, AViewNeedsTheUndoLogOfATransactionThatIsCommitting) {
  const TrxId id = trx_sys_.begin();
  const uint64_t number = trx_sys_.assign_number();
  trx_sys_.open(old_);
  EXPECT_FALSE(old_.changes_visible(id));
  EXPECT_LE(old_.low_limit_no(), number);
  trx_sys_.commit(id, number);
  trx_sys_.open(young_);
  EXPECT_TRUE(young_.changes_visible(id));
  EXPECT_GT(young_.low_limit_no(), number);
}

TEST(UndoSpaces, BeginInTheShardsOfInnoDB) {
  SmallUndoServer server;
  EXPECT_EQ(server.undo_spaces.space_id(1), 0xffffffefu);
  EXPECT_EQ(server.undo_spaces.space_id(2), 0xffffffeeu);
  EXPECT_EQ(server.fil_system.lookup().shard_of(server.undo_spaces.space_id(1)), 67u);
  EXPECT_EQ(server.fil_system.lookup().shard_of(server.undo_spaces.space_id(2)), 66u);
}

TEST(UndoSpaces, TransactionsTakeTurnsAndOneHasOneTablespace) {
  SmallUndoServer server;
  std::vector<uint32_t> spaces;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(server.update());
    const uint8_t number = server.first_row().first.space_no;
    spaces.push_back(number);
  }
  EXPECT_EQ(spaces, (std::vector<uint32_t>{1, 2, 1, 2}));
  EXPECT_EQ(server.undo_spaces.used_pages(), server.undo_spaces.history_pages());
}

TEST(UndoSpaces, AFullTablespaceIsNotGivenOut) {
  SmallUndoServer server({.undo_pages = 8});  // 7 for records; an UPDATE needs 3
  ReadView view;
  server.trx_sys.open(view);
  uint32_t updates = 0;
  while (server.update())
    ++updates;
  EXPECT_EQ(updates, 4u);
  EXPECT_EQ(server.updates_seen(view), 0u);
  server.trx_sys.close(view);
  server.purge_everything();
  EXPECT_TRUE(server.update()) << "purge has freed the pages";
}

TEST(ConsistentRead, EachViewSeesItsSnapshotThroughChainsOfAnyLength) {
  for (PurgeLatchVariant purge_latch : kAllPurgeLatches) {
    SmallUndoServer server({.rows = 300, .purge_latch = purge_latch});
    constexpr uint32_t kUpdates = 9;
    ReadView views[kUpdates + 1];
    for (uint32_t n = 0; n < kUpdates; ++n) {
      server.trx_sys.open(views[n]);
      ASSERT_TRUE(server.update());
    }
    server.trx_sys.open(views[kUpdates]);
    server.purge_everything();  // the oldest view needs all history
    telemetry::reset();
    for (uint32_t n = 0; n <= kUpdates; ++n) {
      EXPECT_EQ(server.updates_seen(views[n]), n);
      EXPECT_EQ(views[n].committed_before(), n);
    }
    EXPECT_EQ(telemetry::counter_total(Counter::undo_reads), 300u * (kUpdates * (kUpdates + 1) / 2));
    for (ReadView& view : views)
      server.trx_sys.close(view);
  }
}

TEST(ConsistentRead, AnUpdateInFlightIsSeenByNobody) {
  SmallUndoServer server;
  const std::unique_ptr<Trx> trx = server.begin();
  ASSERT_EQ(row::update_k_of_all_rows(server.buffer_pool, *server.table, *trx), DbErr::success);
  ReadView before, after;
  server.trx_sys.open(before);
  EXPECT_EQ(server.updates_seen(before), 0u);
  trx->commit();
  server.trx_sys.open(after);
  EXPECT_EQ(server.updates_seen(before), 0u);
  EXPECT_EQ(server.updates_seen(after), 1u);
  server.trx_sys.close(before);
  server.trx_sys.close(after);
}

TEST(ConsistentRead, RowsKeepTheirChecksum) {
  SmallUndoServer server;
  ASSERT_TRUE(server.update());
  ASSERT_TRUE(server.update());
  uint8_t record[row::kRowBytes];
  for (uint32_t id = 1; id <= server.options.rows; ++id)
    ASSERT_EQ(row::select_by_primary_key(server.buffer_pool, *server.table, id, record), DbErr::success);
  EXPECT_EQ(telemetry::counter_total(Counter::rows_wrong), 0u);
}

// Undo pages and leaves are dirty pages like any other: they are written to files and read back.
TEST(ConsistentRead, WorksWithABufferPoolThatIsTooSmall) {
  SmallUndoServer server({.rows = 2'000, .frames = 16});
  telemetry::reset();
  ReadView view;
  server.trx_sys.open(view);
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(server.update());
  EXPECT_EQ(server.updates_seen(view), 0u);
  EXPECT_GT(telemetry::counter_total(Counter::pages_flushed), 30u);
  EXPECT_TRUE(server.buffer_pool.is_consistent());
  server.trx_sys.close(view);
  server.purge_everything();
  EXPECT_EQ(server.undo_spaces.used_pages(), 0u);
}

// Checks the table in trx_rec.h.
TEST(ConsistentRead, LatchesPerUndoRead) {
  for (PurgeLatchVariant purge_latch : kAllPurgeLatches) {
    for (PageSizeLookupVariant lookup : kAllLookups) {
      SmallUndoServer server({.page_size_lookup = lookup, .purge_latch = purge_latch});
      ReadView view;
      server.trx_sys.open(view);
      ASSERT_TRUE(server.update());
      telemetry::reset();
      ASSERT_EQ(server.updates_seen(view), 0u);
      server.trx_sys.close(view);
      const auto acquisitions = [](uint32_t site) { return telemetry::latch_site_total(site).acquisitions; };
      const uint64_t reads = telemetry::counter_total(Counter::undo_reads);
      const bool guard = server.purge_sys.latch().guards_end_view();
      EXPECT_EQ(reads, server.options.rows);
      EXPECT_EQ(acquisitions(PurgeLatch::reader_site()), guard ? 0 : reads);
      EXPECT_EQ(acquisitions(PurgeLatch::reader_end_site()), guard ? reads : 0);
      EXPECT_EQ(acquisitions(UndoReader::undo_page_site()), guard ? 0 : reads);
      EXPECT_EQ(acquisitions(fil::page_size_mutex_site()),
                lookup == PageSizeLookupVariant::shard_mutex ? reads : 0);
      EXPECT_EQ(acquisitions(fil::page_size_rw_lock_site()),
                lookup == PageSizeLookupVariant::shard_rw_lock ? reads : 0);
    }
  }
}

TEST(Purge, TakesWhatNoViewNeedsAndFreesItsPages) {
  SmallUndoServer server;
  telemetry::reset();
  ASSERT_TRUE(server.update());
  ReadView view;
  server.trx_sys.open(view);
  ASSERT_TRUE(server.update());
  ASSERT_TRUE(server.update());
  const uint32_t pages = server.undo_spaces.used_pages();
  server.purge_everything();
  EXPECT_EQ(telemetry::counter_total(Counter::undo_records_purged), 1'000u) << "the view needs the other two";
  EXPECT_EQ(server.purge_sys.history_length(), 2u);
  EXPECT_EQ(server.undo_spaces.used_pages(), pages * 2 / 3);
  EXPECT_EQ(server.updates_seen(view), 1u);
  server.trx_sys.close(view);
  server.purge_everything();
  EXPECT_EQ(telemetry::counter_total(Counter::undo_records_purged), 3'000u);
  EXPECT_EQ(telemetry::counter_total(Counter::undo_pages_freed), pages);
  EXPECT_EQ(server.undo_spaces.used_pages(), 0u);
  EXPECT_EQ(server.undo_spaces.history_records(), 0u);
}

TEST(Purge, ABatchEndsAfterSoManyPagesAlsoInsideAnUndoLog) {
  SmallUndoServer server({.batch_size_pages = 2});
  telemetry::reset();
  ASSERT_TRUE(server.update());  // 1,000 records: 3 pages
  EXPECT_EQ(server.purge_sys.purge_batch(), 2u);
  EXPECT_EQ(server.undo_spaces.history_records(), 1'000u - 2 * kUndoRecordsPerPage);
  EXPECT_EQ(server.undo_spaces.used_pages(), 3u) << "freed when the whole log is purged";
  EXPECT_EQ(server.purge_sys.purge_batch(), 1u);
  EXPECT_EQ(server.undo_spaces.used_pages(), 0u);
  EXPECT_EQ(server.purge_sys.purge_batch(), 0u);
}

TEST(Purge, HistoryThatIsGoneIsAnErrorReturn) {
  for (PurgeLatchVariant purge_latch : kAllPurgeLatches) {
    for (PageSizeLookupVariant lookup : kAllLookups) {
      SmallUndoServer server({.page_size_lookup = lookup, .purge_latch = purge_latch});
      ReadView view;
      server.trx_sys.open(view);
      ASSERT_TRUE(server.update());
      const auto [roll_ptr, trx_id] = server.first_row();
      UndoRecord record;
      EXPECT_EQ(server.undo_reader.get_undo_rec(roll_ptr, trx_id, record), DbErr::success);
      EXPECT_EQ(record.id, 1u);
      ReadView forgotten;
      forgotten.copy_from(view);  // sees the same, but purge does not know it
      server.trx_sys.close(view);
      server.purge_everything();
      EXPECT_EQ(server.undo_reader.get_undo_rec(roll_ptr, trx_id, record), DbErr::missing_history);
      EXPECT_EQ(server.updates_seen(forgotten), std::nullopt);
      EXPECT_TRUE(server.purge_sys.latch().is_free());
      EXPECT_TRUE(server.buffer_pool.is_consistent());
    }
  }
}

TEST(Purge, AnUndoTablespaceThatHasGrownIsTruncatedOnceNothingRefersToIt) {
  SmallUndoServer server({.truncate_pages = 2});
  telemetry::reset();
  ReadView view;
  server.trx_sys.open(view);
  ASSERT_TRUE(server.update());
  const auto [roll_ptr, trx_id] = server.first_row();
  ASSERT_EQ(roll_ptr.space_no, 1);
  server.purge_everything();  // marks undo_001
  EXPECT_EQ(server.undo_spaces.space_id(1), 0xffffffefu) << "the view needs its history";
  EXPECT_EQ(server.updates_seen(view), 0u);
  ASSERT_TRUE(server.update());
  ASSERT_TRUE(server.update());
  EXPECT_EQ(server.first_row().first.space_no, 2)
      << "no transaction gets a rollback segment of a marked tablespace";
  server.trx_sys.close(view);
  server.purge_everything();
  EXPECT_EQ(server.undo_spaces.space_id(1), 0xffffffefu - 127);
  EXPECT_EQ(server.fil_system.lookup().shard_of(server.undo_spaces.space_id(1)), 64u) << "67 + 1, modulo 4";
  EXPECT_EQ(server.fil_system.find(0xffffffefu), nullptr);
  EXPECT_EQ(server.fil_system.deleted_but_referenced(), 0u);
  UndoRecord record;
  EXPECT_EQ(server.undo_reader.get_undo_rec(roll_ptr, trx_id, record), DbErr::missing_history);
  server.purge_everything();  // undo_002 has also grown
  server.purge_everything();
  EXPECT_EQ(server.undo_spaces.space_id(2), 0xffffffeeu - 127);
  EXPECT_EQ(server.fil_system.lookup().shard_of(server.undo_spaces.space_id(2)), 67u);
  EXPECT_EQ(telemetry::counter_total(Counter::undo_truncations), 2u);
  ReadView after;
  server.trx_sys.open(after);
  ASSERT_TRUE(server.update());
  EXPECT_EQ(server.updates_seen(after), 3u);
  server.trx_sys.close(after);
}

TEST(Purge, StopHoldsItBetweenTwoBatches) {
  SmallUndoServer server;
  tests::run_threads(2, [&](uint32_t ordinal) {
    if (ordinal == 0) {
      server.purge_sys.coordinate();
      return;
    }
    server.purge_sys.stop();
    ASSERT_TRUE(server.update());
    telemetry::sleep_ns(5'000'000);  // gives a purge that does not stop time to run
    EXPECT_EQ(server.purge_sys.history_length(), 1u);
    server.purge_sys.run();
    while (server.purge_sys.history_length() > 0)
      platform::yield();
    server.purge_sys.stop();
    server.purge_sys.run();
    server.purge_sys.request_exit();
  });
}

// Runs readers with short views, readers whose views purge does not know, an updater and purge
// concurrently. Each reader must get its snapshot or the error.
TEST(Purge, ReadersOfHistoryThatIsBeingFreed) {
  for (PurgeLatchVariant purge_latch : kAllPurgeLatches) {
    SmallUndoServer server({.rows = 500, .frames = 64, .truncate_pages = 6, .purge_latch = purge_latch});
    const uint32_t rounds = tests::stress_rounds(200);
    platform::CacheLine line;
    platform::Atomic<uint32_t> readers_left(line, 3);
    tests::run_threads(5, [&](uint32_t ordinal) {
      if (ordinal == 0) return server.purge_sys.coordinate();
      if (ordinal == 1) {
        while (readers_left.load() > 0) {
          if (!server.update()) platform::yield();
        }
        return server.purge_sys.request_exit();
      }
      for (uint32_t i = 0; i < rounds; ++i) {
        ReadView view;
        server.trx_sys.open(view);
        const auto expected = static_cast<uint32_t>(view.committed_before());
        if (ordinal < 4) {
          ASSERT_EQ(server.updates_seen(view), expected);
          server.trx_sys.close(view);
          server.purge_sys.wake();
        } else {
          ReadView forgotten;
          forgotten.copy_from(view);
          server.trx_sys.close(view);
          const std::optional<uint32_t> seen = server.updates_seen(forgotten);
          if (seen) ASSERT_EQ(*seen, expected);
        }
      }
      readers_left.fetch_sub(1);
    });
    server.purge_everything();
    EXPECT_EQ(server.undo_spaces.used_pages(), 0u);
    EXPECT_TRUE(server.buffer_pool.is_consistent());
    EXPECT_TRUE(server.purge_sys.latch().is_free());
  }
}

}  // namespace
}  // namespace latchscope::server::trx
