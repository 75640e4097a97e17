// The GTID persister and its two lists over many schedules (explorer.h). Only wake-ups end waits
// with a timeout: a persister that needs its 100 ms has missed a wake-up.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "server/gtid/clone_persist_gtid.h"
#include "tests/virtual/explorer.h"

namespace latchscope::server::gtid {
namespace {

using latch::MutexGuard;
using tests::expect_found;
using tests::expect_holds;
using tests::kStuck;
using tests::require;
using tests::scenario;
using tests::Timeouts;

const telemetry::LatchSite kAdd("trx_sys->mutex", "gtid_schedules_test");

constexpr uint32_t kClients = 2;
constexpr uint32_t kGtidsPerClient = 2;

platform::Device& ram() {
  static platform::Device device(platform::kRamDevice);
  return device;
}

// Each client adds a GTID and waits until it is in the table, twice, while the persister runs.
class PersisterWorld final : public tests::Scenario {
 public:
  // `knows_its_list`: the client waits for the list with its GTID, instead of for the active list.
  PersisterWorld(WaitKind kind, bool knows_its_list) : kind_(kind), knows_its_list_(knows_its_list) {
    latches_.spin = {1, 0, 0};
  }

  uint32_t threads() const override { return kClients + 1; }
  void run(uint32_t thread) override {
    if (thread == kClients) return persister_.run();
    for (uint32_t i = 0; i < kGtidsPerClient; ++i)
      add_and_wait(1 + thread * kGtidsPerClient + i);
    if (++clients_done_ == kClients) persister_.request_stop();
  }
  void check() override {
    require(persister_.all_lists_are_empty(), "no list is left unwritten");
    require(table_.duplicates() == 0, "a GTID is written once");
    require(table_.durable().count() == kClients * kGtidsPerClient, "every GTID is in the table");
  }

 private:
  void add_and_wait(uint64_t gno) {
    uint64_t own_list;
    {
      MutexGuard guard(trx_sys_.mutex, kAdd);
      own_list = persister_.add(trx_sys_, gno);
    }
    uint64_t wanted = own_list;
    if (knows_its_list_) {
      persister_.request_flush_of(own_list);
    } else {
      wanted = persister_.request_immediate_flush(/*compress=*/false);
    }
    persister_.wait_for(wanted, kind_);
    require(persister_.check_flushed(own_list) && table_.durable().contains(gno),
            "who has waited finds its GTID in the table");
  }

  const WaitKind kind_;
  const bool knows_its_list_;
  latch::LatchEnvironment latches_{kClients + 1};
  TrxSys trx_sys_{latches_};
  GtidExecutedTable table_{ram()};
  ClonePersistGtid persister_{latches_, trx_sys_, table_};
  uint32_t clients_done_ = 0;
};

tests::BuildScenario persister(WaitKind kind, bool knows_its_list) {
  return [=] { return std::make_unique<PersisterWorld>(kind, knows_its_list); };
}

TEST(Schedules, PersisterPoll) {
  expect_holds("persister, poll_1ms", persister(WaitKind::poll_1ms, false), Timeouts::never);
}
TEST(Schedules, PersisterSpin) {
  expect_holds("persister, spin", persister(WaitKind::spin, false), Timeouts::never);
}
TEST(Schedules, PersisterConditionVariable) {
  expect_holds("persister, condition_variable", persister(WaitKind::condition_variable, false),
               Timeouts::never);
}
TEST(Schedules, PersisterOwnListNumber) {
  expect_holds("persister, own_list_number", persister(WaitKind::poll_1ms, true), Timeouts::never);
}
TEST(Schedules, PersisterOwnListNumberAndConditionVariable) {
  expect_holds("persister, own list, condition_variable", persister(WaitKind::condition_variable, true),
               Timeouts::never);
}
TEST(Schedules, PersisterWithItsTimeout) {
  expect_holds("persister, condition_variable, timeouts", persister(WaitKind::condition_variable, false));
}

// --- twins: lists, numbers and the event --------------------------------------------------------

enum class PersisterFault {
  none,
  event_reset_after_the_look,  // a request in between waits for the timeout
  // No fault: requests are numbers, which are checked before the next sleep.
  event_reset_after_the_flush,
  // A GTID is added to a list that was already written.
  lists_switched_without_the_mutex,
  // A waiter continues too early.
  number_published_before_the_write,
  // A waiter that has checked, but does not sleep yet, is not woken.
  broadcast_without_the_mutex,
};

template <PersisterFault fault>
class PersisterTwin {
 public:
  uint64_t add(uint64_t gno) {
    latch::OsMutexGuard guard(mutex_);
    const uint64_t number = line_.active.load();
    lists_[number & 1].push_back(gno);
    line_.in_memory.fetch_add(1);
    return number;
  }

  void wait_for(uint64_t number) {
    request(number);
    event_.set();
    latch::OsMutexGuard guard(flushed_mutex_);
    while (line_.flushed.load() < number)
      flushed_cond_.wait(flushed_mutex_);
  }

  void run() {
    uint64_t signal_count = event_.reset();
    while (line_.stop.load() == 0) {
      if (line_.requested.load() <= line_.flushed.load()) {
        if (fault == PersisterFault::event_reset_after_the_look) signal_count = event_.reset();
        event_.wait(signal_count, ClonePersistGtid::kThreadWaitNs);
      }
      if (fault != PersisterFault::event_reset_after_the_flush) signal_count = event_.reset();
      flush();
      if (fault == PersisterFault::event_reset_after_the_flush) signal_count = event_.reset();
    }
    flush();
  }
  void request_stop() {
    line_.stop.store(1);
    event_.set();
  }

  const std::vector<uint64_t>& table() const { return table_; }

 private:
  void request(uint64_t number) {
    latch::OsMutexGuard guard(mutex_);
    line_.requested.store(std::max(number, line_.requested.load()));
  }
  uint64_t switch_lists() {
    if (line_.in_memory.load() == 0) return 0;
    const uint64_t number = line_.active.load();
    line_.active.store(number + 1);
    line_.in_memory.store(0);
    return number;
  }
  uint64_t switch_lists_with_the_mutex() {
    latch::OsMutexGuard guard(mutex_);
    return switch_lists();
  }
  void flush() {
    const uint64_t number = fault == PersisterFault::lists_switched_without_the_mutex
                                ? switch_lists()
                                : switch_lists_with_the_mutex();
    if (number == 0) return;
    if (fault == PersisterFault::number_published_before_the_write) publish(number);
    std::vector<uint64_t>& list = lists_[number & 1];
    table_.insert(table_.end(), list.begin(), list.end());
    list.clear();
    if (fault != PersisterFault::number_published_before_the_write) publish(number);
  }
  void publish(uint64_t number) {
    line_.flushed.store(number);
    if (fault == PersisterFault::broadcast_without_the_mutex) return flushed_cond_.broadcast();
    latch::OsMutexGuard guard(flushed_mutex_);
    flushed_cond_.broadcast();
  }

  struct alignas(64) Line : platform::CacheLine {
    platform::Atomic<uint64_t> active{*this, 1};
    platform::Atomic<uint64_t> flushed{*this, 0};
    platform::Atomic<uint64_t> requested{*this, 0};
    platform::Atomic<uint64_t> in_memory{*this, 0};
    platform::Atomic<uint32_t> stop{*this, 0};
  };
  Line line_;
  latch::OsMutex mutex_;
  latch::OsEvent event_;
  latch::OsMutex flushed_mutex_;
  latch::OsCondition flushed_cond_;
  std::vector<uint64_t> lists_[2];
  std::vector<uint64_t> table_;
};

template <PersisterFault fault>
struct PersisterTwinWorld final : tests::Scenario {
  uint32_t threads() const override { return kClients + 1; }
  void run(uint32_t thread) override {
    if (thread == kClients) return persister.run();
    for (uint32_t i = 0; i < kGtidsPerClient; ++i) {
      const uint64_t gno = 1 + thread * kGtidsPerClient + i;
      persister.wait_for(persister.add(gno));
      const auto& table = persister.table();
      require(std::find(table.begin(), table.end(), gno) != table.end(),
              "who has waited finds its GTID in the table");
    }
    if (++clients_done == kClients) persister.request_stop();
  }

  PersisterTwin<fault> persister;
  uint32_t clients_done = 0;
};

TEST(Schedules, ThePersisterTwinWithoutAFault) {
  expect_holds("persister, twin", scenario<PersisterTwinWorld<PersisterFault::none>>(), Timeouts::never);
}
TEST(Schedules, ThePersisterTwinThatResetsItsEventAfterTheFlush) {
  expect_holds("persister, event reset after the flush",
               scenario<PersisterTwinWorld<PersisterFault::event_reset_after_the_flush>>(), Timeouts::never);
}
TEST(BrokenTwin, PersisterThatResetsItsEventAfterItsLook) {
  expect_found("persister, event reset after the look", kStuck,
               scenario<PersisterTwinWorld<PersisterFault::event_reset_after_the_look>>(), Timeouts::never);
}
// The same fault, hidden: the timeout saves every request.
TEST(Schedules, ThePersisterTwinThatLivesOnItsTimeout) {
  expect_holds("persister, event reset after the look, timeouts",
               scenario<PersisterTwinWorld<PersisterFault::event_reset_after_the_look>>());
}
TEST(BrokenTwin, PersisterThatSwitchesListsWithoutTheMutex) {
  expect_found("persister, lists switched without the mutex", tests::kNoEnd,
               scenario<PersisterTwinWorld<PersisterFault::lists_switched_without_the_mutex>>(),
               Timeouts::never);
}
TEST(BrokenTwin, PersisterThatPublishesBeforeItHasWritten) {
  expect_found("persister, published before the write", "finds its GTID",
               scenario<PersisterTwinWorld<PersisterFault::number_published_before_the_write>>(),
               Timeouts::never);
}
TEST(BrokenTwin, PersisterThatBroadcastsWithoutTheMutex) {
  expect_found("persister, broadcast without the mutex", kStuck,
               scenario<PersisterTwinWorld<PersisterFault::broadcast_without_the_mutex>>(), Timeouts::never);
}

}  // namespace
}  // namespace latchscope::server::gtid
