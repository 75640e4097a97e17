// Pinning a tablespace against its drop, over many schedules (explorer.h), for every lookup
// variant.
#include <gtest/gtest.h>

#include "server/fil/fil_system.h"
#include "server/fil/tablespace_lookup_variants.h"
#include "tests/small_server.h"
#include "tests/virtual/explorer.h"

namespace latchscope::server::fil {
namespace {

using tests::expect_found;
using tests::require;
using tests::scenario;

constexpr uint32_t kSpaceId = 10;
constexpr const char* kDroppedUnderRead = "a tablespace is not dropped while it is read";

platform::Device& ram() {
  static platform::Device device(platform::kRamDevice);
  return device;
}

struct alignas(64) Line : platform::CacheLine {
  platform::Atomic<uint32_t> word{*this, 0};
};

// Executes the seven steps of a synchronous read (tablespace_lookup.h).
template <class Lookup>
DbErr read_page(Lookup& lookup, FilSpace& space, const Line& line) {
  BlockRead read{{space.id, 0}, &space, nullptr, 0, /*is_leaf=*/true};
  DbErr outcome = lookup.begin(read);
  if (outcome != DbErr::success) return outcome;
  FilSpace* pinned_by_page = nullptr;
  outcome = lookup.admit(read, pinned_by_page);
  FilNode* node = outcome == DbErr::success ? lookup.prepare_io(read) : nullptr;
  if (node != nullptr) {
    require(space.references.is_deleted.load() == 0 && node->is_open, kDroppedUnderRead);
    line.word.load();
    require(space.references.is_deleted.load() == 0 && node->is_open, kDroppedUnderRead);
    lookup.complete_io(read, *node);
    lookup.acquire_for_ibuf(read);
    lookup.release_for_ibuf(read);
  }
  lookup.end(read);
  if (pinned_by_page != nullptr) pinned_by_page->references.n_ref_count.fetch_sub(1);
  return node == nullptr ? DbErr::tablespace_missing : DbErr::success;
}

// Two tablespaces, of which one file may be open. Two threads read both in turn; a third drops the
// first one.
struct DropWorld final : tests::Scenario {
  explicit DropWorld(TablespaceLookupVariant variant) : fil_system(latches, variant, /*open_files_max=*/1) {
    latches.spin = {1, 0, 0};
    for (uint32_t i = 0; i < 2; ++i)
      spaces[i] = &fil_system.add(fil_system.create(kSpaceId + i, "t", ram(), /*pages=*/1));
  }
  uint32_t threads() const override { return 3; }
  void run(uint32_t thread) override {
    if (thread == 2) {
      fil_system.drop(*spaces[0], [](FilSpace&) {});
      is_dropped = true;
      return;
    }
    for (uint32_t i = 0; i < 2; ++i) {
      const uint32_t which = (thread + i) % 2;
      const bool was_dropped = is_dropped;
      const DbErr outcome = read_page(fil_system.lookup(), *spaces[which], line);
      if (which == 1) require(outcome == DbErr::success, "a tablespace that is not dropped can be read");
      if (which == 0 && was_dropped) require(outcome != DbErr::success, "a dropped tablespace is missing");
    }
  }
  void check() override {
    require(fil_system.nothing_is_pending(), "nothing is pending in the end");
    require(spaces[0]->references.n_ref_count.load() == 1, "only the dictionary refers to it in the end");
  }

  latch::LatchEnvironment latches{3};
  FilSystem fil_system;
  FilSpace* spaces[2];
  Line line;
  bool is_dropped = false;
};

class DropSchedules : public testing::TestWithParam<TablespaceLookupVariant> {};

TEST_P(DropSchedules, ATablespaceIsNotDroppedWhileItIsRead) {
  const TablespaceLookupVariant variant = GetParam();
  tests::expect_holds("drop, " + tests::variant_name(variant),
                      [variant] { return std::make_unique<DropWorld>(variant); });
}

INSTANTIATE_TEST_SUITE_P(Schedules, DropSchedules, testing::ValuesIn(tests::kAllVariants),
                         [](const auto& parameters) { return tests::variant_name(parameters.param); });

// --- twins --------------------------------------------------------------------------------------

// The correct atomic word. A twin hides the step that it gets wrong.
struct AtomicWord {
  explicit AtomicWord(FilShards& shards) : lookup(shards) {}
  DbErr begin(BlockRead& read) { return lookup.begin(read); }
  DbErr admit(BlockRead& read, FilSpace*& pinned_by_page) { return lookup.admit(read, pinned_by_page); }
  FilNode* prepare_io(BlockRead& read) { return lookup.prepare_io(read); }
  void complete_io(BlockRead& read, FilNode& node) { lookup.complete_io(read, node); }
  void acquire_for_ibuf(BlockRead& read) { lookup.acquire_for_ibuf(read); }
  void release_for_ibuf(BlockRead& read) { lookup.release_for_ibuf(read); }
  void end(BlockRead& read) { lookup.end(read); }
  void begin_drop(FilSpace& space) { lookup.begin_drop(space); }
  bool has_pending_operations(FilSpace& space) { return lookup.has_pending_operations(space); }

  AtomicWordLookup lookup;
};

// Wrong: tests the flag, then pins. The flag may be set in between.
struct PinAfterTheFlag : AtomicWord {
  using AtomicWord::AtomicWord;
  DbErr begin(BlockRead& read) {
    if ((read.table_space->pending.word.load() & FilSpace::kStopping) != 0) return DbErr::tablespace_missing;
    read.table_space->pending.word.fetch_add(1);
    read.pinned = read.table_space;
    return DbErr::success;
  }
  DbErr admit(BlockRead& /*read*/, FilSpace*& /*pinned_by_page*/) { return DbErr::success; }
};

// Wrong: drops without waiting until nothing is pending.
struct DropWithoutWaiting : AtomicWord {
  using AtomicWord::AtomicWord;
  bool has_pending_operations(FilSpace& /*space*/) { return false; }
};

// Wrong: waits until nothing is pending, then refuses new operations.
struct FlagAfterTheCount : AtomicWord {
  using AtomicWord::AtomicWord;
  void begin_drop(FilSpace& space) {
    while (AtomicWord::has_pending_operations(space))
      platform::yield();
    AtomicWord::begin_drop(space);
  }
  bool has_pending_operations(FilSpace& /*space*/) { return false; }
};

// One tablespace, a reader, and the steps of FilSystem::drop.
template <class Lookup>
struct TwinWorld final : tests::Scenario {
  TwinWorld() NO_THREAD_SAFETY_ANALYSIS {
    latches.spin = {1, 0, 0};
    shards.push_back(std::make_unique<FilShard>(latches, /*open_files_max=*/1));
    shards[0]->spaces.emplace(kSpaceId, &space);
    shards[0]->open_node(space.node);
  }
  uint32_t threads() const override { return 2; }
  void run(uint32_t thread) override {
    if (thread == 0) {
      read_page(lookup, space, line);
      return;
    }
    lookup.begin_drop(space);
    while (lookup.has_pending_operations(space))
      platform::sleep_ns(1'000);
    space.references.is_deleted.store(1);
  }

  latch::LatchEnvironment latches{2};
  FilShards shards;
  Lookup lookup{shards};
  FilSpace space{kSpaceId, "t", 1, ram(), /*pages=*/1};
  Line line;
};

TEST(Schedules, TheDropTwinWithoutAFault) {
  tests::expect_holds("drop, twin", scenario<TwinWorld<AtomicWord>>());
}
TEST(BrokenTwin, APinAfterTheFlag) {
  expect_found("drop, pin after the flag", kDroppedUnderRead, scenario<TwinWorld<PinAfterTheFlag>>());
}
TEST(BrokenTwin, ADropThatDoesNotWait) {
  expect_found("drop, does not wait", kDroppedUnderRead, scenario<TwinWorld<DropWithoutWaiting>>());
}
TEST(BrokenTwin, AFlagAfterTheCount) {
  expect_found("drop, flag after the count", kDroppedUnderRead, scenario<TwinWorld<FlagAfterTheCount>>());
}

}  // namespace
}  // namespace latchscope::server::fil
