#include "latch/rw_lock.h"

#include <gtest/gtest.h>

#include "tests/test_threads.h"

namespace latchscope::latch {
namespace {

const telemetry::LatchSite kS("test rw_lock", "s_lock_test");
const telemetry::LatchSite kSx("test rw_lock", "sx_lock_test");
const telemetry::LatchSite kX("test rw_lock", "x_lock_test");

// The tests check lock states on the word. The analysis cannot follow a lock through them.
#define NO_ANALYSIS NO_THREAD_SAFETY_ANALYSIS

class RwLockTest : public testing::Test {
 protected:
  static bool other_thread_gets_s(RwLock& lock) {
    bool got = false;
    tests::run_threads(1, [&](uint32_t) NO_ANALYSIS {
      got = lock.try_s_lock(kS);
      if (got) lock.s_unlock();
    });
    return got;
  }
  static bool other_thread_gets_x(RwLock& lock) {
    bool got = false;
    tests::run_threads(1, [&](uint32_t) NO_ANALYSIS {
      got = lock.try_x_lock(kX);
      if (got) lock.x_unlock();
    });
    return got;
  }

  // Blocks until a thread has used up its spin rounds at this site and sleeps, or is about to
  // sleep.
  static void wait_until_asleep_at(const telemetry::LatchSite& site) {
    while (telemetry::latch_site_total(site.id).waits == 0)
      platform::yield();
  }

  LatchEnvironment environment_{16};
  RwLock lock_{environment_};
};

TEST_F(RwLockTest, AnXLockForAnotherThreadIsHeldByNobodyAndReleasedThere) {
  [this]() NO_ANALYSIS {
    telemetry::reset();
    lock_.x_lock_for_other(kX);
    EXPECT_EQ(lock_.lock_word(), 0);
    EXPECT_EQ(telemetry::recorder().slot().held_count[0].read(), 0u);
    EXPECT_EQ(telemetry::latch_site_total(kX.id).acquisitions, 1u);
    EXPECT_FALSE(lock_.try_x_lock(kX)) << "not even the thread that took it may take it again";
    EXPECT_FALSE(other_thread_gets_s(lock_));
    tests::run_threads(1, [&](uint32_t) NO_ANALYSIS { lock_.x_unlock_by_other(); });
    EXPECT_EQ(lock_.lock_word(), RwLock::kXLockDecr);
    EXPECT_TRUE(other_thread_gets_x(lock_));
  }();
}

TEST_F(RwLockTest, WhoWaitsForAnXLockOfAnotherThreadIsWoken) {
  [this]() NO_ANALYSIS {
    telemetry::reset();
    lock_.x_lock_for_other(kX);
    tests::run_threads(2, [&](uint32_t ordinal) NO_ANALYSIS {
      if (ordinal == 0) {
        lock_.s_lock(kS);
        lock_.s_unlock();
        return;
      }
      while (telemetry::latch_site_total(kS.id).waits == 0)
        platform::yield();
      lock_.x_unlock_by_other();
    });
    EXPECT_EQ(lock_.lock_word(), RwLock::kXLockDecr);
  }();
}

TEST_F(RwLockTest, TheWordFollowsItsArithmetic) {
  [this]() NO_ANALYSIS {
    EXPECT_EQ(lock_.lock_word(), RwLock::kXLockDecr);
    lock_.s_lock(kS);
    EXPECT_EQ(lock_.lock_word(), RwLock::kXLockDecr - 1);
    lock_.s_unlock();
    lock_.sx_lock(kSx);
    EXPECT_EQ(lock_.lock_word(), RwLock::kXLockHalfDecr);
    lock_.sx_unlock();
    lock_.x_lock(kX);
    EXPECT_EQ(lock_.lock_word(), 0);
    lock_.x_lock(kX);
    EXPECT_EQ(lock_.lock_word(), -RwLock::kXLockDecr);
    lock_.x_lock(kX);
    EXPECT_EQ(lock_.lock_word(), -RwLock::kXLockDecr - 1);
    lock_.x_unlock();
    lock_.x_unlock();
    EXPECT_EQ(lock_.lock_word(), 0);
    lock_.x_unlock();
    EXPECT_EQ(lock_.lock_word(), RwLock::kXLockDecr);
  }();
}

TEST_F(RwLockTest, SIsCompatibleWithSAndSxButNotWithX) {
  [this]() NO_ANALYSIS {
    lock_.s_lock(kS);
    EXPECT_TRUE(other_thread_gets_s(lock_));
    EXPECT_FALSE(other_thread_gets_x(lock_));
    lock_.s_unlock();

    lock_.sx_lock(kSx);
    EXPECT_TRUE(other_thread_gets_s(lock_));
    EXPECT_FALSE(other_thread_gets_x(lock_));
    lock_.sx_unlock();

    lock_.x_lock(kX);
    EXPECT_FALSE(other_thread_gets_s(lock_));
    EXPECT_FALSE(other_thread_gets_x(lock_));
    lock_.x_unlock();
    EXPECT_TRUE(other_thread_gets_x(lock_));
  }();
}

TEST_F(RwLockTest, AReservingWriterBlocksNewReadersAndGetsTheLockWhenTheOldOnesLeave) {
  telemetry::reset();
  [this]() NO_ANALYSIS { lock_.s_lock(kS); }();
  bool written = false;
  tests::run_threads(2, [&](uint32_t ordinal) NO_ANALYSIS {
    if (ordinal == 0) {
      lock_.x_lock(kX);
      written = true;
      lock_.x_unlock();
    } else {
      wait_until_asleep_at(kX);
      EXPECT_EQ(lock_.lock_word(), -1);
      EXPECT_FALSE(lock_.try_s_lock(kS));
      lock_.s_unlock();  // acquired by the test's thread
    }
  });
  EXPECT_TRUE(written);
  EXPECT_EQ(lock_.lock_word(), RwLock::kXLockDecr);
}

TEST_F(RwLockTest, WhoeverSleepsIsWokenWhenXIsReleased) {
  telemetry::reset();
  [this]() NO_ANALYSIS { lock_.x_lock_for_other(kX); }();
  tests::run_threads(3, [&](uint32_t ordinal) NO_ANALYSIS {
    if (ordinal == 0) {
      lock_.s_lock(kS);
      lock_.s_unlock();
    } else if (ordinal == 1) {
      lock_.sx_lock(kSx);
      lock_.sx_unlock();
    } else {
      wait_until_asleep_at(kS);
      wait_until_asleep_at(kSx);
      lock_.x_unlock_by_other();
    }
  });
  EXPECT_EQ(lock_.lock_word(), RwLock::kXLockDecr);
}

struct RwLockParameters {
  const char* name;
  RwLockBookkeeping bookkeeping;
  SpinSettings spin;
};

class RwLockStress : public testing::TestWithParam<RwLockParameters> {};

// Writers keep two numbers equal; readers must never see them differ. SX holders exclude each
// other.
TEST_P(RwLockStress, ReadersNeverSeeAHalfWrittenPair) {
  LatchEnvironment environment(16);
  environment.rw_lock_bookkeeping = GetParam().bookkeeping;
  environment.spin = GetParam().spin;
  RwLock lock(environment);
  uint64_t first = 0;
  uint64_t second = 0;
  uint64_t by_sx_holders = 0;
  const uint32_t rounds = tests::stress_rounds(10'000);
  tests::run_threads(8, [&](uint32_t ordinal) NO_ANALYSIS {
    for (uint32_t i = 0; i < rounds; ++i) {
      if (ordinal < 5) {
        lock.s_lock(kS);
        ASSERT_EQ(first, second);
        lock.s_unlock();
      } else if (ordinal < 7) {
        lock.x_lock(kX);
        ++first;
        ++second;
        lock.x_unlock();
      } else {
        lock.sx_lock(kSx);
        ++by_sx_holders;
        lock.sx_unlock();
      }
      if (i % 256 == 0) platform::yield();
    }
  });
  EXPECT_EQ(first, uint64_t{2} * rounds);
  EXPECT_EQ(second, first);
  EXPECT_EQ(by_sx_holders, rounds);
  EXPECT_EQ(lock.lock_word(), RwLock::kXLockDecr);
}

INSTANTIATE_TEST_SUITE_P(
    Versions, RwLockStress,
    testing::Values(
        RwLockParameters{"InnoDB56", RwLockBookkeeping::last_s_file, {30, 6, 50, SpinDelayGenerator::global}},
        RwLockParameters{"InnoDB8026", RwLockBookkeeping::last_s_file_and_reader_thread, {}},
        RwLockParameters{"SleepAtOnce", RwLockBookkeeping::last_s_file, {1, 0, 0}}),
    [](const auto& parameters) { return std::string(parameters.param.name); });

}  // namespace
}  // namespace latchscope::latch
