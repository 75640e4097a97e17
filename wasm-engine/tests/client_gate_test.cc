#include "workload/client_gate.h"

#include <gtest/gtest.h>

#include "telemetry/telemetry.h"
#include "tests/test_threads.h"

namespace latchscope::workload {
namespace {

// While the gate is closed no transaction is in progress. Between openings every client makes
// progress.
TEST(ClientGate, NoTransactionIsUnderWayWhileItIsClosed) {
  constexpr uint32_t kClients = 6;
  ClientGate gate(kClients);
  struct alignas(64) Line : platform::CacheLine {
    platform::Atomic<uint32_t> under_way{*this, 0};
    platform::Atomic<uint32_t> done{*this, 0};
  };
  Line line;
  const uint32_t rounds = tests::stress_rounds(2'000);
  tests::run_threads(kClients + 1, [&](uint32_t ordinal) {
    if (ordinal < kClients) {
      while (gate.pass()) {
        line.under_way.fetch_add(1);
        line.done.fetch_add(1);
        line.under_way.fetch_sub(1);
      }
      return;
    }
    gate.close();
    EXPECT_EQ(line.done.load(), 0u);
    for (uint32_t i = 0; i < rounds; ++i) {
      const uint32_t done_before = line.done.load();
      gate.open();
      if (i % 2 == 0) {
        while (line.done.load() == done_before)
          platform::yield();
      }
      gate.close();
      ASSERT_EQ(line.under_way.load(), 0u);
    }
    gate.stop();
  });
  EXPECT_GE(line.done.load(), rounds / 2);
}

TEST(ClientGate, WhileALongTransactionEndsItsCloserLooksOn) {
  ClientGate gate(1);
  struct alignas(64) Line : platform::CacheLine {
    platform::Atomic<uint32_t> under_way{*this, 0};
    platform::Atomic<uint32_t> looks{*this, 0};
  };
  Line line;
  gate.open();
  tests::run_threads(2, [&](uint32_t ordinal) {
    if (ordinal == 0) {
      while (gate.pass()) {  // its transaction lasts until `meanwhile` has been called twice
        line.under_way.store(1);
        while (line.looks.load() < 2)
          platform::yield();
      }
    } else {
      while (line.under_way.load() == 0)
        platform::yield();
      gate.close([&] { line.looks.fetch_add(1); });
      EXPECT_GE(line.looks.load(), 2u);
      gate.stop();
    }
  });
}

TEST(ClientGate, StopLetsParkedClientsGo) {
  ClientGate gate(3);
  tests::run_threads(4, [&](uint32_t ordinal) {
    if (ordinal < 3) {
      EXPECT_FALSE(gate.pass());
    } else {
      gate.close();
      gate.stop();
    }
  });
}

}  // namespace
}  // namespace latchscope::workload
