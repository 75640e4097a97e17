// Hand-computed cases of the store buffers, and litmus tests of the order that they preserve. Costs
// of the server below, in nanoseconds:
//    store 1, load hit 1, local write 8, transfer 40, the first access to a line 22, residency 10
//    PAUSE 24, system call 100, context switch 1,500, time slice 10,000
#include "platform/virtual/store_buffer.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include "platform/platform.h"
#include "tests/two_word_line.h"
#include "tests/virtual/explorer.h"

namespace latchscope::platform {
namespace {

using tests::TwoWordLine;

constexpr uint64_t kThreadWakeLatency = 3'000;  // until a new thread runs
constexpr uint64_t kBegin = 4'000;              // by then the lines are where a test needs them

ServerProfile server(uint64_t entries = 56) {
  return {.sockets = 1,
          .cores_per_socket = 4,
          .pause_ps = 24'000,
          .load_hit_ps = 1'000,
          .local_rmw_ps = 8'000,
          .store_ps = 1'000,
          .store_buffer_entries = entries,
          .same_socket_transfer_ps = 40'000,
          .system_call_ps = 100'000,
          .wake_latency_ps = kThreadWakeLatency * 1'000,
          .context_switch_ps = 1'500'000,
          .time_slice_ps = 10'000'000};
}

void wait_until(uint64_t time_ns) {
  charge(time_ns - now_ns());
}

// Runs each body in its own thread and on its own core.
void run(const std::vector<std::function<void()>>& bodies) {
  std::vector<Thread> threads;
  for (const auto& body : bodies)
    threads.emplace_back(body);
  for (Thread& thread : threads)
    thread.join();
}

class StoreBufferTest : public testing::Test {
 protected:
  void SetUp() override { begin_run(server()); }

  // Runs `body` at kBegin, while another core has `remote`. Its own core has `near`.
  void run_with_remote_line(const std::function<void()>& body) {
    run({[this] { remote.word.fetch_add(0); },
         [this, &body] {
           near.word.fetch_add(0);
           wait_until(kBegin);
           body();
         }});
  }
  // Reads the word's value at a given time, without an access.
  std::function<void()> look_at(const TwoWordLine& line, uint64_t time_ns, uint32_t& seen) {
    return [&line, time_ns, &seen] {
      wait_until(time_ns);
      seen = line.word.value();
    };
  }

  TwoWordLine remote, near;
};

TEST_F(StoreBufferTest, AStoreLeavesItsThreadAndTakesEffectWhenTheLineIsThere) {
  uint32_t before = 9, after = 9;
  run({[this] { remote.word.fetch_add(0); },
       [this] {
         wait_until(kBegin);
         remote.word.store_release(7);
         EXPECT_EQ(now_ns(), kBegin + 1);
       },
       look_at(remote, kBegin + 39, before), look_at(remote, kBegin + 41, after)});
  EXPECT_EQ(before, 0u);
  EXPECT_EQ(after, 7u);
}

TEST_F(StoreBufferTest, TheThreadItselfReadsItsNewestStoreAtOnce) {
  run_with_remote_line([this] {
    remote.word.store_release(7);
    remote.word.store_relaxed(8);
    EXPECT_EQ(remote.word.load(), 8u);
    EXPECT_EQ(now_ns(), kBegin + 1 + 1 + 1);
    EXPECT_EQ(remote.word.value(), 0u) << "no other core sees it";
    EXPECT_EQ(remote.other.load(), 0u);
    EXPECT_EQ(now_ns(), kBegin + 40 + 1) << "another word of the line waits for it";
  });
}

TEST_F(StoreBufferTest, AThreadThatWaitsForItsOwnStoreSeesItTakeEffect) {
  run_with_remote_line([this] {
    remote.word.store_release(7);
    while (remote.word.value() != 7)
      EXPECT_EQ(remote.word.load(), 7u);
    EXPECT_LE(now_ns(), kBegin + 40 + 60 + 2) << "private work may run 60 ahead of other threads";
  });
}

TEST_F(StoreBufferTest, AnAtomicOperationWaitsForTheStoresBefore) {
  run_with_remote_line([this] {
    remote.word.store_release(7);
    near.word.fetch_add(1);
    EXPECT_EQ(now_ns(), kBegin + 40 + 8);
  });
}

TEST_F(StoreBufferTest, ASequentiallyConsistentStoreWaitsForItselfToo) {
  run_with_remote_line([this] {
    near.word.store_release(1);  // has its line: 1
    remote.word.store(7);
    EXPECT_EQ(now_ns(), kBegin + 1 + 40);
    EXPECT_EQ(remote.word.value(), 7u);
  });
}

TEST_F(StoreBufferTest, AStoreWhoseLineIsThereTakesEffectAtOnce) {
  run_with_remote_line([this] {
    near.word.store_release(1);
    EXPECT_EQ(now_ns(), kBegin + 1);
    EXPECT_EQ(near.word.value(), 1u);
  });
}

TEST_F(StoreBufferTest, StoresTakeEffectInTheirOrder) {
  uint32_t before = 9, after = 9;
  run({[this] { remote.word.fetch_add(0); },
       [this] {
         near.word.fetch_add(0);
         wait_until(kBegin);
         remote.word.store_relaxed(1);
         near.word.store_relaxed(1);  // its line is there, but not the first store's
         EXPECT_EQ(now_ns(), kBegin + 2);
       },
       look_at(near, kBegin + 39, before), look_at(near, kBegin + 41, after)});
  EXPECT_EQ(before, 0u);
  EXPECT_EQ(after, 1u);
}

TEST_F(StoreBufferTest, AStoreThatDoesNotFitWaitsForTheOldestOne) {
  begin_run(server(2));
  TwoWordLine lines[3];
  run({[&lines] {
         for (TwoWordLine& line : lines)
           line.word.fetch_add(0);
       },
       [this, &lines] {
         wait_until(kBegin);
         lines[0].word.store_relaxed(1);  // until 40
         lines[1].word.store_relaxed(1);  // until 41
         EXPECT_EQ(now_ns(), kBegin + 2);
         lines[2].word.store_relaxed(1);
         EXPECT_EQ(now_ns(), kBegin + 40 + 1);
         // Its first access. The third store is pending until 80.
         near.word.fetch_add(1);
         EXPECT_EQ(now_ns(), kBegin + 80 + 22);
       }});
}

TEST_F(StoreBufferTest, SiblingsHaveHalfOfItEach) {
  ServerProfile profile;
  profile.store_buffer_entries = 36;
  EXPECT_EQ(profile.buffered_stores_max(), 36u);
  profile.threads_per_core = 2;
  EXPECT_EQ(profile.buffered_stores_max(), 18u);
  profile.store_buffer_entries = 0;
  EXPECT_EQ(profile.buffered_stores_max(), 0u);
}

TEST_F(StoreBufferTest, WithoutEntriesAStoreStallsAsAnAtomicOperationDoes) {
  begin_run(server(0));
  DataLine data;
  run({[&] {
         remote.word.fetch_add(0);
         data.write();
       },
       [&] {
         wait_until(kBegin);
         remote.word.store_relaxed(7);
         EXPECT_EQ(now_ns(), kBegin + 40);
         remote.word.store_relaxed(7);
         EXPECT_EQ(now_ns(), kBegin + 40 + 8);
         data.write();
         EXPECT_EQ(now_ns(), kBegin + 40 + 8 + 40);
       }});
}

TEST_F(StoreBufferTest, PlainDataGoesThroughTheBufferToo) {
  DataLine data;
  run({[&] { data.write(); },
       [&] {
         near.word.fetch_add(0);
         wait_until(kBegin);
         data.write();
         EXPECT_EQ(now_ns(), kBegin + 1);
         near.word.fetch_add(1);
         EXPECT_EQ(now_ns(), kBegin + 40 + 8);
       }});
}

TEST_F(StoreBufferTest, ASystemCallWaitsForTheStores) {
  run_with_remote_line([this] {
    remote.word.store_relaxed(7);
    EXPECT_EQ(futex_wake(near.word, 1), 0u);
    EXPECT_EQ(now_ns(), kBegin + 40 + 100);
    near.other.store_relaxed(1);
    remote.other.store_relaxed(7);
    yield();
    EXPECT_EQ(now_ns(), kBegin + 140 + 2 + 100) << "both lines are there by now";
  });
}

TEST_F(StoreBufferTest, AThreadThatEndsLeavesNoStoreBehind) {
  run_with_remote_line([this] { remote.word.store_relaxed(7); });
  EXPECT_EQ(remote.word.value(), 7u);
}

TEST_F(StoreBufferTest, AContextSwitchWaitsForTheStores) {
  ServerProfile profile = server();
  profile.cores_per_socket = 2;
  profile.same_socket_transfer_ps = 5'000'000;
  begin_run(profile);
  // Three threads on two cores, with slices of 10,000. The first gives its core to the third. It
  // returns on the core of the second, which has had a pending store since 9,999.
  uint64_t third_began_ns = 0, first_ended_ns = 0;
  run({[&] {
         remote.word.fetch_add(0);
         wait_until(kThreadWakeLatency + 10'000);
         charge(500);
         first_ended_ns = now_ns();
       },
       [&] {
         wait_until(kThreadWakeLatency + 9'999);
         remote.word.store_relaxed(7);
         charge(1'000);
       },
       [&] {
         third_began_ns = now_ns();
         charge(9'000);
       }});
  EXPECT_EQ(third_began_ns, kThreadWakeLatency + 10'000 + 1'500);
  EXPECT_EQ(first_ended_ns, kThreadWakeLatency + 9'999 + 5'000 + 1'500 + 500);
}

struct IsSeven {
  bool operator()(uint32_t value) const { return value == 7; }
};

TEST_F(StoreBufferTest, AThreadThatPollsAWordItHasStoredToWaitsForTheStore) {
  Random generator(1);
  const SpinPolicy policy{30, 6, 50, &generator, nullptr};
  run_with_remote_line([&] {
    remote.word.store_relaxed(7);
    const SpinOutcome outcome = spin_until(remote.word, IsSeven{}, policy);
    EXPECT_TRUE(outcome.satisfied);
    EXPECT_EQ(outcome.rounds, 1u);
    EXPECT_EQ(now_ns(), kBegin + 40 + 1);
  });
}

TEST_F(StoreBufferTest, ASpinnerDoesNotWaitForItsStoreToTheSharedGenerator) {
  const SpinPolicy policy{/*rounds_max=*/2, /*delay_units_max=*/0, 50, nullptr, &remote.word};
  run({[this] { remote.word.fetch_add(0); },
       [&] {
         wait_until(kBegin);
         const SpinOutcome outcome = spin_until(near.word, IsSeven{}, policy);
         EXPECT_EQ(outcome.rounds, 2u);
         // First round: poll 22, load of the generator 40, store 1. Second round: poll 1, forwarded
         // load of its own store 1, store 1.
         EXPECT_EQ(now_ns(), kBegin + 22 + 40 + 1 + 1 + 1 + 1);
         EXPECT_EQ(remote.word.value(), 0u) << "the other core has a copy, which the store must take first";
       }});
  EXPECT_EQ(remote.word.value(), next_of_shared_generator(next_of_shared_generator(0)));
}

TEST_F(StoreBufferTest, ASpinnerWhoseBufferIsFullWaits) {
  begin_run(server(1));
  const SpinPolicy policy{/*rounds_max=*/2, /*delay_units_max=*/0, 50, nullptr, &remote.word};
  run({[this] { remote.word.fetch_add(0); },
       [&] {
         wait_until(kBegin);
         spin_until(near.word, IsSeven{}, policy);
         // The first store begins at 62 and takes effect at 102. Then the second one fits into the
         // buffer.
         EXPECT_EQ(now_ns(), kBegin + 102 + 1);
       }});
}

TEST_F(StoreBufferTest, AWordMayGoAwayWhileAStoreToItIsUnderWay) {
  auto gone = std::make_unique<TwoWordLine>();
  run({[&] { gone->word.fetch_add(0); },
       [&] {
         wait_until(kBegin);
         gone->word.store_relaxed(7);
         gone.reset();
         charge(1'000);
       }});
}

// --- order --------------------------------------------------------------------------------------

// Two complexes of two cores, to which threads are assigned alternately. A transfer between
// complexes takes 200.
ServerProfile two_complexes() {
  ServerProfile profile = server();
  profile.cores_per_complex = 2;
  profile.cross_complex_transfer_ps = 200'000;
  return profile;
}

// Two threads each store to their own word and read the other's. Returns whether both missed the
// other's store. Each thread also has an older pending store to a line in the other complex.
bool both_miss_the_other(uint64_t second_begins_later_ns, bool is_sequentially_consistent) {
  begin_run(two_complexes());
  TwoWordLine lines[2], remote[2];
  uint32_t seen[2] = {9, 9};
  const auto body = [&](uint32_t own) {
    return [&, own] {
      lines[own].word.fetch_add(0);
      wait_until(kBegin + own * second_begins_later_ns);
      remote[own].word.store_relaxed(1);
      if (is_sequentially_consistent) {
        lines[own].word.store(1);
      } else {
        lines[own].word.store_release(1);
      }
      seen[own] = lines[1 - own].word.load();
    };
  };
  run({body(0),
       [&remote] {
         for (TwoWordLine& line : remote)
           line.word.fetch_add(0);
       },
       body(1)});
  return seen[0] == 0 && seen[1] == 0;
}

TEST(StoreOrder, AStoreMayBeSeenAfterALaterLoadOfItsThread) {
  EXPECT_TRUE(both_miss_the_other(0, /*is_sequentially_consistent=*/false));
  EXPECT_FALSE(both_miss_the_other(300, false)) << "by then it has taken effect";
}

TEST(StoreOrder, ASequentiallyConsistentOneIsNot) {
  for (uint64_t later_ns = 0; later_ns < 300; ++later_ns)
    EXPECT_FALSE(both_miss_the_other(later_ns, true)) << later_ns;
}

// A thread that sees the flag must see the data, even if the data's line is the remote one.
TEST(StoreOrder, AMessageArrivesBeforeItsFlag) {
  begin_run(two_complexes());
  TwoWordLine data, flag;
  constexpr uint32_t kMessages = 2'000;
  uint32_t reordered = 0, newest = 0;
  run({[&] {
         Random random(1);
         for (uint32_t message = 1; message <= kMessages; ++message) {
           data.word.store_relaxed(message);
           flag.word.store_release(message);
           charge(random.next() % 150);
         }
       },
       [&] {
         Random random(2);
         while (newest < kMessages) {
           data.other.fetch_add(1);  // takes the line away
           charge(random.next() % 200);
         }
       },
       [&] {
         Random random(3);
         while (newest < kMessages) {
           newest = flag.word.load_acquire();
           if (data.word.load_relaxed() < newest) ++reordered;
           charge(random.next() % 100);
         }
       }});
  EXPECT_EQ(reordered, 0u);
}

// A lock released by a plain store, as x86 allows.
TEST(StoreOrder, NoUpdateIsLostUnderALockThatAStoreFrees) {
  ServerProfile profile = server();
  profile.time_slice_ps = 3'000'000;  // more threads than cores
  begin_run(profile);
  TwoWordLine lock, counter;
  constexpr uint32_t kThreads = 6, kRounds = 500;
  const auto body = [&] {
    for (uint32_t round = 0; round < kRounds; ++round) {
      uint32_t expected = 0;
      while (!lock.word.compare_exchange(expected, 1)) {
        expected = 0;
        pause(10);
      }
      counter.word.store_relaxed(counter.word.load_relaxed() + 1);
      lock.word.store_release(0);
    }
  };
  run(std::vector<std::function<void()>>(kThreads, body));
  EXPECT_EQ(counter.word.value(), kThreads * kRounds);
}

// While schedules are explored, stores take effect at once.
struct StoresOnce final : tests::Scenario {
  uint32_t threads() const override { return 2; }
  void run(uint32_t /*thread*/) override {
    line.word.store_release(1);
    tests::require(line.word.value() == 1, "everybody sees it");
  }
  TwoWordLine line;
};

TEST(StoreOrder, ExploredThreadsHaveNoBuffers) {
  tests::expect_holds("a store", tests::scenario<StoresOnce>());
}

// --- the parts ----------------------------------------------------------------------------------

TEST(StoreBufferParts, AStoreThatTookEffectIsNoLongerFoundWhenItsPlaceIsTakenAgain) {
  uint32_t value = 0, under_way = 0;
  StoresUnderWay stores;
  StoreBuffer buffer;
  const StoredWord word{&value, 4, &under_way};
  const uint32_t place = stores.add({word, 5, /*sequence=*/1, /*thread=*/3});
  buffer.add(100, place, 1);
  ASSERT_NE(buffer.newest_to(&value, stores), nullptr);
  EXPECT_EQ(buffer.newest_to(&value, stores)->bits, 5u);
  EXPECT_EQ(stores.commit(place), 3u);
  EXPECT_EQ(value, 5u);
  EXPECT_EQ(under_way, 0u);
  EXPECT_EQ(stores.add({word, 6, 2, 4}), place) << "of another thread";
  EXPECT_EQ(buffer.newest_to(&value, stores), nullptr);
}

TEST(StoreBufferParts, WordsOfEightBytesAreStoredWhole) {
  uint64_t value = 0;
  uint32_t under_way = 0;
  StoresUnderWay stores;
  stores.commit(stores.add({{&value, 8, &under_way}, 0x1234'5678'9abc'def0, 1, 0}));
  EXPECT_EQ(value, 0x1234'5678'9abc'def0u);
}

}  // namespace
}  // namespace latchscope::platform
