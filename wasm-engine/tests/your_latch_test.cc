// A latch written in the lab that replaces one of the server's latches. Whatever it does, no two
// threads are inside at the same time and every thread makes progress.
#include "lab/your_latch.h"

#include <gtest/gtest.h>

#include "latch/latch_environment.h"
#include "server/fil/fil_mutex.h"
#include "server/trx/purge_latch.h"
#include "tests/lab_mutexes.h"
#include "tests/test_threads.h"

namespace latchscope {

namespace {

using lab::Program;
using server::fil::FilMutex;
using server::trx::PurgeLatch;
using server::trx::PurgeLatchVariant;

const telemetry::LatchSite kSite("fil_system->mutex", "fil_space_get_version");

constexpr uint32_t kThreads = 4;
constexpr uint64_t kPatienceOfRightOnesNs = 200'000'000'000;
constexpr uint64_t kShortPatienceNs = 30'000'000;
constexpr uint64_t kLookNs = 500'000;

lab::YourLatchSpec spec_of(Program program, uint64_t patience_ns) {
  return {std::make_shared<const Program>(std::move(program)), kThreads, patience_ns};
}

// Threads that count under a latch, while the coordinator watches its place and may act on it.
class PlaceTest : public testing::Test {
 protected:
  void SetUp() override { telemetry::reset(); }

  // Runs `body(ordinal)` on kThreads threads. One more thread acts as the coordinator and calls
  // `meanwhile` until all have ended.
  template <class Body, class Meanwhile>
  void run(lab::LatchPlace& place, Body body, Meanwhile meanwhile) {
    ended_.count.store(0);
    tests::run_threads(kThreads + 1, [&](uint32_t ordinal) {
      if (ordinal < kThreads) {
        body(ordinal);
        ended_.count.fetch_add(1);
        return;
      }
      while (ended_.count.load() < kThreads) {
        meanwhile();
        times_told_ += place.look() ? 1 : 0;
        platform::sleep_ns(kLookNs);
      }
    });
    EXPECT_TRUE(place.is_left());
  }

  template <class Meanwhile>
  void count_under(lab::LatchPlace& place, Meanwhile meanwhile, uint32_t rounds = 4'000) {
    latch::LatchEnvironment latches(platform::threads_max());
    FilMutex mutex(latches, &place);
    uint64_t counter = 0;  // plain: only the latch prevents races
    const uint32_t times = tests::stress_rounds(rounds);
    run(
        place,
        [&](uint32_t) {
          for (uint32_t round = 0; round < times; ++round) {
            const server::fil::FilMutexGuard guard(mutex, kSite);
            const uint64_t before = counter;
            if (round % 64 == 0) platform::yield();  // lets other threads contend for the latch
            platform::pause(1);
            counter = before + 1;
          }
        },
        meanwhile);
    EXPECT_EQ(counter, uint64_t{kThreads} * times);
    EXPECT_EQ(telemetry::latch_site_total(kSite.id).acquisitions, uint64_t{kThreads} * times);
  }

  uint32_t times_told_ = 0;

 private:
  struct alignas(64) Ended : platform::CacheLine {
    platform::Atomic<uint32_t> count{*this, 0};
  };
  Ended ended_;
};

class AWrongLatch : public PlaceTest {
 protected:
  void expect_stopped(Program program, const std::string& why) {
    lab::LatchPlace place(spec_of(std::move(program), kShortPatienceNs), "a_knob");
    place.put_in_force(true);
    count_under(place, [] {});
    while (!place.is_stopped())  // the last thread may end before the coordinator's next check
      times_told_ += place.look() ? 1 : 0;
    times_told_ += place.look() ? 1 : 0;
    EXPECT_EQ(times_told_, 1u);
    EXPECT_NE(place.why_stopped().find(why), std::string::npos) << place.why_stopped();
    place.put_in_force(true);
    EXPECT_FALSE(place.is_in_force());
  }
};

}  // namespace

TEST_F(PlaceTest, ARightLatchIsCarriedOutAndNothingElse) {
  lab::LatchPlace place(spec_of(tests::futex_mutex(), kPatienceOfRightOnesNs), "a_knob");
  place.put_in_force(true);
  count_under(place, [] {});
  EXPECT_FALSE(place.is_stopped()) << place.why_stopped();
}

TEST_F(PlaceTest, IsPutInForceAndOutOfForceWhileThreadsComeAndGo) {
  lab::LatchPlace place(spec_of(tests::ticket(), kPatienceOfRightOnesNs), "a_knob");
  bool is_in_force = false;
  count_under(place, [&] { place.put_in_force(is_in_force = !is_in_force); }, 20'000);
  EXPECT_FALSE(place.is_stopped()) << place.why_stopped();
}

TEST_F(PlaceTest, OutOfForceTheEnginesOwnLatchServes) {
  lab::LatchPlace place(spec_of(tests::open_door(), kPatienceOfRightOnesNs), "a_knob");
  count_under(place, [] {});
  EXPECT_FALSE(place.is_stopped());
  EXPECT_FALSE(place.was_in_force());
}

TEST_F(PlaceTest, AThreadBeyondItsNumberTakesTheEnginesOwn) {
  lab::LatchPlace place(spec_of(tests::open_door(), kPatienceOfRightOnesNs), "a_knob");
  latch::LatchEnvironment latches(platform::threads_max());
  FilMutex mutex(latches, &place);
  place.put_in_force(true);
  // the test's own thread has no client number
  const server::fil::FilMutexGuard guard(mutex, kSite);
  EXPECT_TRUE(place.is_left());
}

TEST_F(AWrongLatch, ThatLetsTwoInIsStopped) {
  expect_stopped(tests::open_door(), " got in while thread ");
}

TEST_F(AWrongLatch, ThatLosesAWakeUpIsStopped) {
  expect_stopped(tests::never_wakes(), "nobody got in for ");
}

TEST_F(AWrongLatch, ThatServesNobodyIsStopped) {
  expect_stopped(tests::ticket(/*serves_the_next=*/false), "waited in it");
}

TEST_F(AWrongLatch, ThatCannotGoOnIsStoppedWithItsLine) {
  expect_stopped(tests::beyond_its_words(), "could not go on in line 2: ");
}

namespace {

// Two words that belong together: a writer changes both, a reader compares them.
class PurgeLatchPlaceTest : public PlaceTest {
 protected:
  template <class Meanwhile>
  void read_and_write_under(lab::LatchPlace& place, Meanwhile meanwhile) {
    latch::LatchEnvironment latches(platform::threads_max());
    PurgeLatch purge_latch(latches, PurgeLatchVariant::yours, &place);
    uint64_t one = 0, other = 0;
    const uint32_t times = tests::stress_rounds(4'000);
    run(
        place,
        [&](uint32_t ordinal) {
          for (uint32_t round = 0; round < times; ++round) {
            if (ordinal == 0) {
              purge_latch.x_lock(kSite);
              ++one;
              platform::yield();
              ++other;
              purge_latch.x_unlock();
              platform::charge(1'000);  // lets readers in meanwhile
            } else {
              const uint32_t shard = purge_latch.s_lock();
              const uint64_t before = one;
              if (round % 8 == 0) platform::yield();
              platform::charge(300);
              EXPECT_EQ(before, other);
              purge_latch.s_unlock(shard);
            }
          }
        },
        meanwhile);
    EXPECT_EQ(one, times);
    EXPECT_TRUE(purge_latch.is_free());
  }
};

}  // namespace

TEST_F(PurgeLatchPlaceTest, ARightRwLatchServesReadersAndWriters) {
  lab::LatchPlace place(spec_of(tests::rw_spin_latch(), kPatienceOfRightOnesNs), "a_knob");
  read_and_write_under(place, [] {});
  EXPECT_FALSE(place.is_stopped()) << place.why_stopped();
}

TEST_F(PurgeLatchPlaceTest, OneThatLetsAWriterInBesideReadersIsStopped) {
  lab::LatchPlace place(
      spec_of(tests::rw_spin_latch(tests::RwMistake::writers_see_no_readers), kPatienceOfRightOnesNs),
      "a_knob");
  while (!place.is_stopped())  // possibly no reader has met the writer yet
    read_and_write_under(place, [] {});
}

TEST_F(PurgeLatchPlaceTest, IsPutInForceAndOutOfForceWhileThreadsComeAndGo) {
  lab::LatchPlace place(spec_of(tests::rw_spin_latch(), kPatienceOfRightOnesNs), "a_knob");
  bool is_in_force = true;
  read_and_write_under(place, [&] { place.put_in_force(is_in_force = !is_in_force); });
  EXPECT_FALSE(place.is_stopped()) << place.why_stopped();
}

}  // namespace latchscope
