#include "server/fil/fil_system.h"

#include <gtest/gtest.h>

#include "telemetry/telemetry.h"
#include "tests/small_server.h"
#include "tests/test_threads.h"

namespace latchscope::server::fil {
namespace {

using telemetry::Counter;
using tests::SmallServer;

class EveryVariant : public testing::TestWithParam<TablespaceLookupVariant> {
 protected:
  void SetUp() override { telemetry::reset(); }
};

uint64_t read_path_acquisitions(FilSystem& fil_system) {
  uint64_t acquisitions = 0;
  for (uint32_t site : fil_system.lookup().read_path_sites()) {
    acquisitions += telemetry::latch_site_total(site).acquisitions;
  }
  return acquisitions;
}

uint64_t acquisitions_of_latch(const std::string& name) {
  uint64_t acquisitions = 0;
  for (uint32_t site = 0; site < telemetry::latch_sites_count(); ++site) {
    if (name == telemetry::latch_name_of_site(site)) {
      acquisitions += telemetry::latch_site_total(site).acquisitions;
    }
  }
  return acquisitions;
}

// Checks the table in tablespace_lookup.h, one read at a time.
TEST_P(EveryVariant, OneReadTakesTheMutexAsOftenAsTheTableSays) {
  SmallServer server(GetParam());
  server.create(0);
  row::DictTable* table = server.dictionary.open(0);
  telemetry::reset();
  // Reads the root, one leaf and the bitmap page.
  ASSERT_EQ(server.select(*table, 1), DbErr::success);

  const uint64_t reads = telemetry::counter_total(Counter::block_reads);
  const uint64_t leaf_reads = telemetry::counter_total(Counter::block_reads_leaf);
  ASSERT_EQ(reads, 3u);
  ASSERT_EQ(leaf_reads, 1u);
  const ReadPathCost cost = server.fil_system.lookup().read_path_cost();
  EXPECT_EQ(telemetry::counter_total(Counter::block_reads_no_ibuf), 1u);
  EXPECT_EQ(read_path_acquisitions(server.fil_system),
            cost.per_leaf_read + cost.per_other_read + cost.per_no_ibuf_read);
  server.dictionary.close(*table);
}

TEST_P(EveryVariant, TheCostIsThatOfTheSource) {
  SmallServer server(GetParam());
  const ReadPathCost cost = server.fil_system.lookup().read_path_cost();
  const uint32_t leaf[] = {6, 4, 5, 1, 0};
  const uint32_t other[] = {6, 4, 3, 1, 0};
  EXPECT_EQ(cost.per_leaf_read, leaf[static_cast<size_t>(GetParam())]);
  EXPECT_EQ(cost.per_other_read, other[static_cast<size_t>(GetParam())]);
  const uint32_t no_ibuf[] = {4, 2, 3, 1, 0};
  EXPECT_EQ(cost.per_no_ibuf_read, no_ibuf[static_cast<size_t>(GetParam())]);
}

TEST_P(EveryVariant, ManyThreadsTakeItExactlyThatOften) {
  SmallServer server(GetParam());
  for (uint32_t table_no = 0; table_no < 4; ++table_no)
    server.create(table_no);
  telemetry::reset();
  const uint32_t rounds = tests::stress_rounds(3'000);
  tests::run_threads(8, [&](uint32_t) {
    platform::Random& random = telemetry::recorder().random();
    for (uint32_t i = 0; i < rounds; ++i) {
      row::DictTable* table = server.dictionary.open(random.below(4));
      ASSERT_EQ(server.select(*table, random.between(1, SmallServer::kRows)), DbErr::success);
      server.dictionary.close(*table);
    }
  });
  const ReadPathCost cost = server.fil_system.lookup().read_path_cost();
  const uint64_t leaf_reads = telemetry::counter_total(Counter::block_reads_leaf);
  const uint64_t no_ibuf_reads = telemetry::counter_total(Counter::block_reads_no_ibuf);
  const uint64_t other_reads = telemetry::counter_total(Counter::block_reads) - leaf_reads - no_ibuf_reads;
  const uint64_t lost_races = telemetry::counter_total(Counter::block_reads_lost_race);
  EXPECT_EQ(read_path_acquisitions(server.fil_system),
            cost.per_leaf_read * leaf_reads + cost.per_other_read * other_reads +
                cost.per_no_ibuf_read * no_ibuf_reads + cost.per_lost_race * lost_races);
  EXPECT_EQ(telemetry::counter_total(Counter::rows_verified), uint64_t{8} * rounds);
  EXPECT_EQ(telemetry::counter_total(Counter::rows_wrong), 0u);
  EXPECT_TRUE(server.fil_system.nothing_is_pending());
  EXPECT_TRUE(server.buffer_pool.is_consistent());
}

TEST_P(EveryVariant, ADroppedTablespaceIsMissingAndFreed) {
  SmallServer server(GetParam());
  server.create(0);
  row::DictTable* table = server.dictionary.open(0);
  ASSERT_EQ(server.select(*table, 5), DbErr::success);
  ASSERT_TRUE(server.drop(0));
  EXPECT_EQ(server.select(*table, 5), DbErr::tablespace_missing);
  EXPECT_EQ(server.fil_system.deleted_but_referenced(), 1u) << "the open table still points to it";
  server.dictionary.close(*table);
  // Under sharded_mutex the pages still in the pool refer to the dropped tablespace. The pool
  // detects this when they are used or evicted.
  server.buffer_pool.resize(server.buffer_pool.size());
  server.free_dropped();
  EXPECT_EQ(server.fil_system.deleted_but_referenced(), 0u);
  EXPECT_EQ(server.dictionary.open(0), nullptr);
}

// Invariant 4: pages of an earlier tablespace with the same id are not used for the new one.
TEST_P(EveryVariant, ATablespaceCreatedAgainUnderTheSameIdHasItsOwnPages) {
  SmallServer server(GetParam(), /*frames=*/64);
  server.create(0, /*rows=*/1'000);
  row::DictTable* old_table = server.dictionary.open(0);
  for (uint32_t id = 1; id <= 1'000; id += 50)
    ASSERT_EQ(server.select(*old_table, id), DbErr::success);
  server.dictionary.close(*old_table);
  ASSERT_TRUE(server.drop(0));

  server.create(0, /*rows=*/3'000);  // another k in most rows, another tree
  row::DictTable* new_table = server.dictionary.open(0);
  for (uint32_t id = 1; id <= 3'000; id += 50)
    ASSERT_EQ(server.select(*new_table, id), DbErr::success);
  EXPECT_EQ(telemetry::counter_total(Counter::rows_wrong), 0u);
  server.dictionary.close(*new_table);
}

// Readers run while the tablespace is repeatedly dropped and created again. Sanitizers check for
// races.
TEST_P(EveryVariant, DroppingWhileOthersReadGivesThemAnErrorAndNothingElse) {
  SmallServer server(GetParam());
  server.create(0);
  server.create(1);
  struct alignas(64) Line : platform::CacheLine {
    platform::Atomic<uint32_t> stop{*this, 0};
    platform::Atomic<uint32_t> missing{*this, 0};
  };
  Line line;
  tests::run_threads(5, [&](uint32_t ordinal) {
    if (ordinal == 4) {
      for (int i = 0; i < 6; ++i) {
        const uint32_t missing_before = line.missing.load();
        ASSERT_TRUE(server.drop(1));
        while (line.missing.load() == missing_before)
          platform::yield();  // a reader has noticed
        server.create(1);
      }
      line.stop.store(1);
      return;
    }
    row::DictTable* tables[2] = {nullptr, nullptr};
    platform::Random& random = telemetry::recorder().random();
    while (line.stop.load() == 0) {
      const uint32_t table_no = random.below(2);
      row::DictTable*& table = tables[table_no];
      if (table == nullptr) table = server.dictionary.open(table_no);
      const DbErr outcome = table == nullptr ? DbErr::tablespace_missing
                                             : server.select(*table, random.between(1, SmallServer::kRows));
      if (outcome == DbErr::success) continue;
      ASSERT_EQ(outcome, DbErr::tablespace_missing);
      ASSERT_EQ(table_no, 1u) << "only table 1 is ever dropped";
      line.missing.fetch_add(1);
      if (table != nullptr) server.dictionary.close(*table);
      table = nullptr;
    }
    for (row::DictTable* table : tables) {
      if (table != nullptr) server.dictionary.close(*table);
    }
  });
  EXPECT_EQ(telemetry::counter_total(Counter::rows_wrong), 0u);
  EXPECT_TRUE(server.fil_system.nothing_is_pending());
  EXPECT_TRUE(server.buffer_pool.is_consistent());
  server.buffer_pool.resize(server.buffer_pool.size());
  server.free_dropped();
  EXPECT_EQ(server.fil_system.deleted_but_referenced(), 0u);
}

TEST_P(EveryVariant, StaysWithinTheOpenFilesLimitAndReadsOn) {
  SmallServer server(GetParam(), /*frames=*/16, /*open_files_max=*/2);
  for (uint32_t table_no = 0; table_no < 6; ++table_no)
    server.create(table_no);
  tests::run_threads(4, [&](uint32_t) {
    platform::Random& random = telemetry::recorder().random();
    for (uint32_t i = 0; i < tests::stress_rounds(1'000); ++i) {
      row::DictTable* table = server.dictionary.open(random.below(6));
      ASSERT_EQ(server.select(*table, random.between(1, SmallServer::kRows)), DbErr::success);
      server.dictionary.close(*table);
    }
  });
  EXPECT_TRUE(server.fil_system.nothing_is_pending());
}

INSTANTIATE_TEST_SUITE_P(TablespaceLookup, EveryVariant, testing::ValuesIn(tests::kAllVariants),
                         [](const auto& parameters) { return tests::variant_name(parameters.param); });

TEST(FilSystem, TheFirstTwoVariantsUseTheGlobalMutexAndAtomicWordNone) {
  for (const auto variant : tests::kAllVariants) {
    SmallServer server(variant);
    server.create(0);
    row::DictTable* table = server.dictionary.open(0);
    telemetry::reset();
    ASSERT_EQ(server.select(*table, 1), DbErr::success);
    const uint64_t global[] = {16, 10, 0, 3, 0};
    const uint64_t sharded[] = {0, 0, 11, 0, 0};
    EXPECT_EQ(acquisitions_of_latch("fil_system->mutex"), global[static_cast<size_t>(variant)]);
    EXPECT_EQ(acquisitions_of_latch("Fil_shard::m_mutex"), sharded[static_cast<size_t>(variant)]);
    server.dictionary.close(*table);
  }
}

TEST(FilSystem, ShardsFollowTheNumberOfTheTablespace) {
  latch::LatchEnvironment latches(4);
  FilShards shards;
  const auto lookup = make_tablespace_lookup(TablespaceLookupVariant::sharded_mutex, shards);
  EXPECT_EQ(lookup->shards(), 68u);
  EXPECT_EQ(lookup->shard_of(7), 7u);
  EXPECT_EQ(lookup->shard_of(64 + 7), 7u);
  EXPECT_EQ(lookup->shard_of(0xffffffef), 67u);  // undo_001
  EXPECT_EQ(lookup->shard_of(0xffffffee), 66u);  // undo_002
}

TEST(FilSystem, EveryVariantChangesIntoEveryOther) {
  SmallServer server(TablespaceLookupVariant::global_mutex);
  server.create(0);
  server.create(1);
  for (const auto from : tests::kAllVariants) {
    for (const auto to : tests::kAllVariants) {
      for (const auto variant : {from, to}) {
        server.fil_system.use(variant);
        server.buffer_pool.rebind_pages();
        row::DictTable* table = server.dictionary.open(1);
        for (uint32_t id = 1; id < SmallServer::kRows; id += 90) {
          ASSERT_EQ(server.select(*table, id), DbErr::success);
        }
        server.dictionary.close(*table);
        ASSERT_TRUE(server.drop(1));
        server.create(1);
      }
    }
  }
  EXPECT_EQ(telemetry::counter_total(Counter::rows_wrong), 0u);
  EXPECT_TRUE(server.buffer_pool.is_consistent());
}

}  // namespace
}  // namespace latchscope::server::fil
