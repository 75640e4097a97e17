// Hand-computed cases of the scheduler. Costs of the server below, in nanoseconds:
//    load hit 1, local write 8, transfer 40 within a socket, PAUSE 24
//    system call 100, futex bucket 200, waking one thread 900, wake-up 3,000
//    context switch 1,500, time slice 10,000, timer slack 60,000
#include "platform/virtual/machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "platform/platform.h"

namespace latchscope::platform {
namespace {

constexpr uint64_t kWakeLatency = 3'000;  // until a new thread runs

class MachineTest : public testing::Test {
 protected:
  void boot(uint64_t cores) {
    begin_run({.sockets = 1,
               .cores_per_socket = cores,
               .pause_ps = 24'000,
               .load_hit_ps = 1'000,
               .local_rmw_ps = 8'000,
               .same_socket_transfer_ps = 40'000,
               .system_call_ps = 100'000,
               .futex_bucket_hold_ps = 200'000,
               .wake_one_ps = 900'000,
               .wake_latency_ps = kWakeLatency * 1'000,
               .context_switch_ps = 1'500'000,
               .time_slice_ps = 10'000'000,
               .sleep_slack_ps = 60'000'000});
  }
  void join(std::vector<Thread>& threads) {
    for (Thread& thread : threads)
      thread.join();
  }

  struct alignas(64) Line : CacheLine {
    Atomic<uint32_t> word{*this, 0};
    Atomic<uint32_t> other{*this, 0};
  };
};

TEST_F(MachineTest, WorkTakesItsTimeAndAnAccessItsCost) {
  boot(2);
  Line line;
  Thread thread([&] {
    EXPECT_EQ(now_ns(), kWakeLatency);
    charge(1'000);
    EXPECT_EQ(now_ns(), kWakeLatency + 1'000);
    line.word.store(1);  // fetched from memory: shared_load, 22
    EXPECT_EQ(now_ns(), kWakeLatency + 1'022);
    line.other.fetch_add(1);  // the same line is in the core's cache
    EXPECT_EQ(now_ns(), kWakeLatency + 1'030);
    EXPECT_EQ(line.word.load(), 1u);
    EXPECT_EQ(now_ns(), kWakeLatency + 1'031);
    pause(10);
    EXPECT_EQ(now_ns(), kWakeLatency + 1'271);
  });
  thread.join();
}

TEST_F(MachineTest, WorkIsScaledByTheServersSpeed) {
  begin_run({.sockets = 1, .cores_per_socket = 1, .work_percent = 250});
  Thread thread([&] {
    const uint64_t began_ns = now_ns();
    charge(1'000);
    EXPECT_EQ(now_ns() - began_ns, 2'500u);
  });
  thread.join();
}

// Four cores with two hardware threads each: CPUs 0 and 1, 2 and 3, ...
class SiblingsTest : public MachineTest {
 protected:
  void SetUp() override {
    begin_run({.sockets = 1,
               .cores_per_socket = 4,
               .threads_per_core = 2,
               .sibling_work_percent = 150,
               .wake_latency_ps = kWakeLatency * 1'000});
  }
  // Returns how long 1,000 ns of work take in each of `count` threads that start together.
  std::vector<uint64_t> times_of_work(uint32_t count) {
    std::vector<uint64_t> times(count);
    std::vector<Thread> threads;
    for (uint32_t i = 0; i < count; ++i) {
      threads.emplace_back([&times, i] {
        const uint64_t began_ns = now_ns();
        charge(1'000);
        times[i] = now_ns() - began_ns;
      });
    }
    join(threads);
    return times;
  }
};

TEST_F(SiblingsTest, ThreadsGetACoreOfTheirOwnAsLongAsThereAreSome) {
  EXPECT_EQ(times_of_work(4), std::vector<uint64_t>(4, 1'000));
}

TEST_F(SiblingsTest, SiblingsThatBothWorkSlowEachOtherDown) {
  const std::vector<uint64_t> times = times_of_work(8);
  EXPECT_EQ(times, std::vector<uint64_t>(8, 1'500));
}

TEST_F(SiblingsTest, OneOfFiveThreadsHasASibling) {
  const std::vector<uint64_t> times = times_of_work(5);
  EXPECT_EQ(std::count(times.begin(), times.end(), 1'500u), 2);
}

TEST_F(SiblingsTest, ASiblingThatSpinsDoesNotSlowTheOtherDown) {
  begin_run({.sockets = 1, .cores_per_socket = 1, .threads_per_core = 2, .sibling_work_percent = 150});
  Line line;
  Random generator(1);
  uint64_t time_ns = 0;
  std::vector<Thread> threads;
  threads.emplace_back([&] {
    const SpinPolicy policy{1'000, 6, 50, &generator, nullptr};
    struct IsSet {
      bool operator()(uint32_t value) const { return value == 1; }
    };
    EXPECT_TRUE(spin_until(line.word, IsSet{}, policy).satisfied);
  });
  threads.emplace_back([&] {
    charge(2'000);  // the other thread spins by then
    const uint64_t began_ns = now_ns();
    charge(1'000);
    time_ns = now_ns() - began_ns;
    line.word.store(1);
  });
  join(threads);
  EXPECT_EQ(time_ns, 1'000u);
}

TEST_F(SiblingsTest, SiblingsShareTheirCache) {
  begin_run({.sockets = 1, .cores_per_socket = 1, .threads_per_core = 2, .local_rmw_ps = 8'000});
  Line line;
  std::vector<uint64_t> times(2);
  std::vector<Thread> threads;
  for (uint32_t i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      charge(1'000 * (i + 1));
      const uint64_t began_ns = now_ns();
      line.word.fetch_add(1);
      times[i] = now_ns() - began_ns;
    });
  }
  join(threads);
  EXPECT_EQ(times, (std::vector<uint64_t>{22, 8})) << "fetched from memory, then written in place";
}

TEST_F(MachineTest, WritersOfALineFollowEachOther) {
  boot(2);
  Line line;
  std::vector<uint64_t> ended_ns(2);
  std::vector<Thread> threads;
  for (uint32_t i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      charge(100);
      line.word.fetch_add(1);
      ended_ns[i] = now_ns();
    });
  }
  join(threads);
  const uint64_t first = kWakeLatency + 100 + 22;
  EXPECT_EQ(ended_ns[0], first);
  EXPECT_EQ(ended_ns[1], first + 10 + 40) << "the first keeps the line for its residency";
  EXPECT_EQ(line.word.value(), 2u);
}

TEST_F(MachineTest, ThreadsShareACoreInSlices) {
  boot(1);
  std::vector<uint64_t> ended_ns(2);
  std::vector<Thread> threads;
  for (uint32_t i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      charge(15'000);
      ended_ns[i] = now_ns();
    });
  }
  join(threads);
  // The first thread runs a slice of 10,000, then 5,000 more after the second one's slice. Each
  // change costs a context switch of 1,500.
  EXPECT_EQ(ended_ns[0], kWakeLatency + 10'000 + 1'500 + 10'000 + 1'500 + 5'000);
  EXPECT_EQ(ended_ns[1], ended_ns[0] + 1'500 + 5'000);
  EXPECT_EQ(model_totals().context_switches, 3u);
}

TEST_F(MachineTest, CpuTimeIsWhatAThreadHadACoreFor) {
  boot(1);
  EXPECT_EQ(thread_cpu_ns(), 0u) << "beside the server nothing costs anything";
  std::vector<uint64_t> cpu_ns(2);
  std::vector<Thread> threads;
  for (uint32_t i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      charge(15'000);  // in slices, while the other thread waits for the core
      cpu_ns[i] = thread_cpu_ns();
      sleep_ns(1'000'000);
      EXPECT_EQ(thread_cpu_ns(), cpu_ns[i] + 100) << "a sleep costs its system call";
      pause(10);
      EXPECT_EQ(thread_cpu_ns(), cpu_ns[i] + 100 + 240) << "spinning is CPU time";
    });
  }
  join(threads);
  EXPECT_EQ(cpu_ns, (std::vector<uint64_t>{15'000, 15'000}));
  EXPECT_EQ(thread_cpu_ns(), 0u) << "nor later";
}

TEST_F(MachineTest, AThreadAloneOnItsCoreIsNotInterrupted) {
  boot(1);
  Thread thread([&] {
    charge(95'000);
    EXPECT_EQ(now_ns(), kWakeLatency + 95'000);
  });
  thread.join();
  EXPECT_EQ(model_totals().busy_ps, 95'000u * kPsPerNs);
}

TEST_F(MachineTest, ASleepIsLateByTheTimersSlack) {
  boot(1);
  Thread thread([&] {
    sleep_ns(1'000'000);
    EXPECT_EQ(now_ns(), kWakeLatency + 100 + 1'000'000 + 60'000);
  });
  thread.join();
}

TEST_F(MachineTest, AWakeUpCostsTheWakerAndTakesTheSleeperAWhile) {
  boot(2);
  Line line;
  std::vector<Thread> threads;
  threads.emplace_back([&] {
    EXPECT_TRUE(futex_wait(line.word, 0));
    // The waker calls at 10,000: system call 100, bucket 200, waking one thread 900. Then the
    // wake-up latency follows.
    EXPECT_EQ(now_ns(), kWakeLatency + 10'000 + 100 + 200 + 900 + kWakeLatency);
  });
  threads.emplace_back([&] {
    charge(10'000);
    EXPECT_EQ(futex_wake(line.word, 1), 1u);
    EXPECT_EQ(now_ns(), kWakeLatency + 10'000 + 100 + 200 + 900);
  });
  join(threads);
  EXPECT_EQ(model_totals().futex_waits, 1u);
  EXPECT_EQ(model_totals().futex_wakes, 1u);
}

TEST_F(MachineTest, AWakerThatFindsNoSleeperDoesNotTakeTheBucket) {
  boot(1);
  Line line;
  Thread thread([&] {
    EXPECT_EQ(futex_wake(line.word, kWakeAll), 0u);
    EXPECT_EQ(now_ns(), kWakeLatency + 100);
  });
  thread.join();
}

TEST_F(MachineTest, ABucketServesOneCallerAtATime) {
  boot(4);
  Line line;
  std::vector<Thread> threads;
  for (uint32_t i = 0; i < 4; ++i)
    // The word is 0, so no thread sleeps.
    threads.emplace_back([&] { EXPECT_TRUE(futex_wait(line.word, 1)); });
  join(threads);
  EXPECT_EQ(model_totals().bucket_spin_ps, (200u + 400u + 600u) * kPsPerNs);
}

TEST_F(MachineTest, ATimeoutEndsAWait) {
  boot(1);
  Line line;
  Thread thread([&] {
    EXPECT_FALSE(futex_wait(line.word, 0, 5'000));
    EXPECT_EQ(now_ns(), kWakeLatency + 100 + 200 + 5'000 + 60'000);
  });
  thread.join();
}

TEST_F(MachineTest, ASpinnerSeesTheWordChangeAndReadsItsOwnCopyUntilThen) {
  boot(2);
  Line line;
  Random generator(1);
  std::vector<Thread> threads;
  threads.emplace_back([&] {
    const SpinPolicy policy{1'000'000, 0, 50, &generator, nullptr};  // no delay between polls
    const SpinOutcome outcome = spin_until(line.word, [](uint32_t word) { return word == 1; }, policy);
    EXPECT_TRUE(outcome.satisfied);
    // The first poll fetches the line (22). The write begins at 5,000 and invalidates the copy. The
    // next poll waits for the writer (40) and its residency (10), then fetches the line (40). Until
    // then there is one poll per ns.
    EXPECT_EQ(now_ns(), kWakeLatency + 5'000 + 40 + 10 + 40);
    EXPECT_NEAR(outcome.rounds, 5'000 - 22, 3);
  });
  threads.emplace_back([&] {
    charge(5'000);
    line.word.store(1);
  });
  join(threads);
}

TEST_F(MachineTest, AFrozenThreadKeepsWhatItHoldsUntilItIsThawed) {
  boot(2);
  Line line;
  Thread thread([&] {
    for (int i = 0; i < 100; ++i) {
      charge(1'000);
      line.word.fetch_add(1);
    }
  });
  sleep_ns(20'000);
  thread.freeze();
  sleep_ns(5'000);
  const uint32_t frozen_at = line.word.load();
  sleep_ns(50'000);
  EXPECT_EQ(line.word.load(), frozen_at);
  EXPECT_LT(frozen_at, 100u);
  thread.thaw();
  thread.join();
  EXPECT_EQ(line.word.load(), 100u);
}

// Returns the totals of two threads and a watcher. The events must be the same wherever the slices
// end.
ModelTotals totals_with_slices_of(uint64_t events, uint64_t step_ns = ~uint64_t{0} / 2) {
  begin_run({});
  struct alignas(64) Line : CacheLine {
    Atomic<uint32_t> word{*this, 0};
  } line, stored;
  ModelTotals totals;
  Thread watcher = Thread::beside_the_server([&] {
    std::vector<Thread> threads;
    for (uint32_t i = 0; i < 2; ++i) {
      threads.emplace_back([&line, &stored] {
        for (uint32_t round = 0; round < 500; ++round) {
          line.word.fetch_add(1);
          stored.word.store_relaxed(round);
          charge(70);
        }
      });
    }
    for (Thread& thread : threads)
      thread.join();
    totals = model_totals();
    machine().return_to_host();
  });
  for (uint64_t until_ns = step_ns; run_slice(events, until_ns);)
    if (now_ns() >= until_ns) until_ns += step_ns;
  run_slice(events);  // the watcher ends
  watcher.join();
  return totals;
}

// Also holds for a thread that always runs next.
TEST(MachineSlices, ASliceHasAsManyEventsAsAskedFor) {
  begin_run({});
  struct alignas(64) Line : CacheLine {
    Atomic<uint32_t> word{*this, 0};
  } line;
  Thread watcher = Thread::beside_the_server([&line] {
    Thread alone([&line] {
      for (int round = 0; round < 100; ++round)
        line.word.fetch_add(1);
    });
    alone.join();
    machine().return_to_host();
  });
  run_slice(5);
  for (uint64_t events : {1u, 1u, 7u}) {
    const uint64_t before = model_totals().events;
    EXPECT_TRUE(run_slice(events));
    EXPECT_EQ(model_totals().events - before, events);
  }
  while (run_slice(1'000)) {
  }
  run_slice(1'000);  // the watcher ends
  watcher.join();
  EXPECT_EQ(line.word.load(), 100u);
}

TEST(MachineSlices, ASliceUntilATimeEndsThereWithTheClockAtIt) {
  begin_run({});
  uint64_t woke_ns = 0;
  Thread watcher = Thread::beside_the_server([&woke_ns] {
    Thread sleeper([&woke_ns] {
      sleep_ns(10'000);
      woke_ns = now_ns();
    });
    sleeper.join();
    machine().return_to_host();
  });
  EXPECT_TRUE(run_slice(1'000'000, 5'000));
  EXPECT_EQ(now_ns(), 5'000u);
  EXPECT_EQ(woke_ns, 0u);
  const uint64_t events = model_totals().events;
  EXPECT_TRUE(run_slice(1'000'000, 4'000)) << "a time that is over";
  EXPECT_EQ(now_ns(), 5'000u);
  EXPECT_EQ(model_totals().events, events);
  EXPECT_FALSE(run_slice(1'000'000));
  EXPECT_GE(woke_ns, 10'000u);
  run_slice(1'000);  // the watcher ends
  watcher.join();
}

TEST(MachineSlices, TheHostLooksWhereItIsLet) {
  begin_run({});
  int steps = 0;
  Thread watcher = Thread::beside_the_server([&steps] {
    steps = 1;
    let_host_look();
    sleep_ns(1'000);
    steps = 2;
    machine().return_to_host();
  });
  EXPECT_TRUE(run_slice(1'000'000));
  EXPECT_EQ(steps, 1);
  EXPECT_FALSE(run_slice(1'000'000));
  EXPECT_EQ(steps, 2);
  run_slice(1'000);
  watcher.join();
}

// The coordinator of a page never ends. If its process then starts another run, it remains at the
// end of its last slice.
TEST(MachineSlices, WhoeverIsLeftInASliceDoesNotHoldUpTheNextRun) {
  begin_run({});
  Thread::beside_the_server([] {
    for (;;)
      machine().return_to_host();
  });
  EXPECT_FALSE(run_slice(1'000));
  begin_run({});
  bool has_run = false;
  Thread next = Thread::beside_the_server([&has_run] { has_run = true; });
  run_slice(1'000);
  EXPECT_TRUE(has_run);
  next.join();
}

TEST(MachineSlices, WhereASliceEndsChangesNothing) {
  const ModelTotals whole = totals_with_slices_of(1'000'000);
  EXPECT_GT(whole.events, 1'000u);
  for (uint64_t events : {1u, 7u, 100u}) {
    const ModelTotals sliced = totals_with_slices_of(events);
    EXPECT_EQ(sliced.events, whole.events);
    EXPECT_EQ(sliced.hash, whole.hash);
    EXPECT_EQ(sliced.time_ps, whole.time_ps);
  }
  for (uint64_t step_ns : {1u, 90u, 2'500u}) {
    const ModelTotals sliced = totals_with_slices_of(1'000'000, step_ns);
    EXPECT_EQ(sliced.events, whole.events);
    EXPECT_EQ(sliced.hash, whole.hash);
    EXPECT_EQ(sliced.time_ps, whole.time_ps);
  }
}

}  // namespace
}  // namespace latchscope::platform
