// How long threads stall on the cache lines of latches, hand-computed. Costs of the server below,
// in nanoseconds:
//    load hit 1, local write 8, the first access to a line 22, transfer 40, residency 10, PAUSE 24
#include <gtest/gtest.h>

#include "latch/mysql_mutex.h"
#include "latch/rw_lock.h"
#include "latch/ttas_event_mutex.h"
#include "telemetry/telemetry.h"
#include "tests/test_threads.h"

namespace latchscope {
namespace {

const telemetry::LatchSite kFirst("stalled latch", "first_function");
const telemetry::LatchSite kSecond("stalled latch", "second_function");
constexpr uint64_t kFirstTouchStall = 22 - 8;
constexpr uint64_t kTransferStall = 40 - 8;

class LineStall : public testing::Test {
 protected:
  void SetUp() override {
    telemetry::reset();
    platform::begin_run({.sockets = 1,
                         .cores_per_socket = 2,
                         .pause_ps = 24'000,
                         .load_hit_ps = 1'000,
                         .local_rmw_ps = 8'000,
                         .same_socket_transfer_ps = 40'000});
  }
  static telemetry::LatchSiteSum at(const telemetry::LatchSite& site) {
    return telemetry::latch_site_total(site.id);
  }

  latch::LatchEnvironment environment_{4};
};

// Runs on the second of two threads, at a time when the first one's core has the line.
void try_mutex_later(latch::TTASEventMutex& mutex) {
  platform::charge(1'000);
  if (mutex.try_enter(kSecond)) mutex.exit();
}

TEST_F(LineStall, IsCountedWhereTheLatchIsTriedAndItsReleaseWhereItWasTaken) {
  latch::TTASEventMutex mutex(environment_);
  tests::run_threads(2, [&](uint32_t thread) {
    if (thread == 1) return try_mutex_later(mutex);
    mutex.enter(kFirst);
    platform::charge(2'000);
    mutex.exit();
  });
  EXPECT_EQ(at(kSecond).acquisitions, 0u);
  EXPECT_EQ(at(kSecond).line_stall_ns, kTransferStall) << "the try fetches the line although it fails";
  EXPECT_EQ(at(kFirst).line_stall_ns, kFirstTouchStall + kTransferStall) << "the release fetches it back";
}

TEST_F(LineStall, OfReadersIsThereAlthoughNoneFindsTheLatchTaken) {
  environment_.rw_lock_bookkeeping = latch::RwLockBookkeeping::none;
  latch::RwLock lock(environment_);
  constexpr uint64_t kRounds = 100;
  tests::run_threads(2, [&](uint32_t thread) NO_THREAD_SAFETY_ANALYSIS {
    for (uint64_t i = 0; i < kRounds; ++i) {
      lock.s_lock(thread == 0 ? kFirst : kSecond);
      platform::charge(100);
      lock.s_unlock();
    }
  });
  for (const telemetry::LatchSite* site : {&kFirst, &kSecond}) {
    EXPECT_EQ(at(*site).acquisitions, kRounds);
    EXPECT_EQ(at(*site).contended, 0u);
    EXPECT_EQ(at(*site).waits, 0u);
    EXPECT_GT(at(*site).line_stall_ns, kRounds * kTransferStall) << "more than a transfer each time";
  }
}

TEST_F(LineStall, IsNoMoreThanTheFirstTouchForAThreadThatIsAlone) {
  latch::RwLock lock(environment_);
  tests::run_threads(1, [&](uint32_t) NO_THREAD_SAFETY_ANALYSIS {
    for (int i = 0; i < 100; ++i) {
      lock.x_lock(kFirst);
      lock.x_unlock();
      lock.s_lock(kFirst);
      lock.s_unlock();
    }
  });
  EXPECT_EQ(at(kFirst).line_stall_ns, 22u - 1u) << "the first access is a load";
}

TEST_F(LineStall, OfAnXLockForAnotherThreadGoesToWhoeverTookIt) {
  latch::RwLock lock(environment_);
  tests::run_threads(2, [&](uint32_t thread) NO_THREAD_SAFETY_ANALYSIS {
    if (thread == 0) return lock.x_lock_for_other(kFirst);
    platform::charge(1'000);
    lock.x_unlock_by_other();
  });
  EXPECT_GE(at(kFirst).line_stall_ns, kTransferStall);
  telemetry::reset();
  tests::run_threads(1, [&](uint32_t) NO_THREAD_SAFETY_ANALYSIS {
    lock.s_lock(kSecond);
    lock.s_unlock();
  });
  EXPECT_EQ(at(kFirst).line_stall_ns, 0u) << "nothing of it is left over";
}

TEST_F(LineStall, OfPollsIsCounted) {
  latch::TTASEventMutex mutex(environment_);
  tests::run_threads(2, [&](uint32_t thread) {
    if (thread == 0) {
      mutex.enter(kFirst);
      platform::charge(300);
      mutex.exit();
      return;
    }
    platform::charge(100);
    mutex.enter(kSecond);
    mutex.exit();
  });
  // The thread fetches the line three times: for the failed compare-exchange, for the poll that
  // finds the mutex free, and for the successful compare-exchange. The poll leaves the first thread
  // a copy.
  EXPECT_EQ(at(kSecond).contended, 1u);
  EXPECT_EQ(at(kSecond).waits, 0u);
  EXPECT_EQ(at(kSecond).line_stall_ns, kTransferStall + (40 - 1) + kTransferStall);
}

TEST_F(LineStall, OfTheServersMutexesIsCountedToo) {
  latch::MysqlMutex mutex;
  tests::run_threads(2, [&](uint32_t thread) {
    if (thread == 1) platform::charge(1'000);
    mutex.lock(thread == 0 ? kFirst : kSecond);
    mutex.unlock();
  });
  EXPECT_EQ(at(kFirst).line_stall_ns, kFirstTouchStall);
  EXPECT_EQ(at(kSecond).line_stall_ns, kTransferStall);
}

}  // namespace
}  // namespace latchscope
