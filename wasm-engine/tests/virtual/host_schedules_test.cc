// The parts between host, coordinator and clients, over many schedules (explorer.h): the gate, the
// mailbox and the run log.
#include <gtest/gtest.h>

#include "telemetry/run_log.h"
#include "telemetry/telemetry.h"
#include "tests/virtual/explorer.h"
#include "wasm/mailbox.h"
#include "workload/client_gate.h"

namespace latchscope {
namespace {

using tests::expect_found;
using tests::expect_holds;
using tests::kStuck;
using tests::require;
using tests::scenario;

struct alignas(64) Line : platform::CacheLine {
  platform::Atomic<uint32_t> word{*this, 0};
};

// --- the gate -----------------------------------------------------------------------------------

constexpr uint32_t kClients = 2;
constexpr uint32_t kTransactionsBeforeYield = 3;
constexpr const char* kUnderWay = "nothing is under way while the gate is closed";

enum class GateFault { none, does_not_look_again, wakes_before_it_counts, commands_without_waking };

template <GateFault fault>
class GateTwin {
 public:
  explicit GateTwin(uint32_t clients) : clients_(clients) {}

  bool pass() {
    for (;;) {
      const uint32_t command = command_.word.load();
      if (command != kClosed) return command == kOpen;
      if (fault == GateFault::wakes_before_it_counts) platform::futex_wake(parked_.word, 1);
      parked_.word.fetch_add(1);
      if (fault != GateFault::wakes_before_it_counts) platform::futex_wake(parked_.word, 1);
      while (command_.word.load() == kClosed)
        platform::futex_wait(command_.word, kClosed);
      parked_.word.fetch_sub(1);
      if (fault == GateFault::does_not_look_again) return command_.word.load() != kStop;
    }
  }
  void close() {
    set_command(kClosed);
    for (uint32_t parked; (parked = parked_.word.load()) != clients_;)
      platform::futex_wait(parked_.word, parked);
  }
  void open() { set_command(kOpen); }
  void stop() { set_command(kStop); }

 private:
  static constexpr uint32_t kClosed = 0, kOpen = 1, kStop = 2;
  void set_command(uint32_t command) {
    command_.word.store(command);
    if (fault != GateFault::commands_without_waking) platform::futex_wake(command_.word, platform::kWakeAll);
  }

  Line command_;
  Line parked_;
  const uint32_t clients_;
};

// Clients pass until the run is over. The coordinator opens and closes the gate twice and checks
// the clients in between.
template <class Gate>
class GateWorld final : public tests::Scenario {
 public:
  uint32_t threads() const override { return kClients + 1; }
  void run(uint32_t thread) override {
    if (thread == kClients) return coordinate();
    while (gate_.pass()) {
      ++under_way_;
      line_.word.load();
      --under_way_;
      // Yields after a few transactions, so that schedules end.
      if (++transactions_[thread] >= kTransactionsBeforeYield) platform::yield();
    }
  }

 private:
  void coordinate() {
    for (int round = 0; round < 2; ++round) {
      gate_.open();
      gate_.close();
      require(under_way_ == 0, kUnderWay);
      line_.word.load();
      require(under_way_ == 0, kUnderWay);
    }
    gate_.stop();
  }

  Gate gate_{kClients};
  Line line_;
  uint32_t under_way_ = 0;
  uint32_t transactions_[kClients] = {};
};

// A coordinator that passes `meanwhile` must not depend on the timeout of its wait.
class LookingOnWorld final : public tests::Scenario {
 public:
  uint32_t threads() const override { return kClients + 1; }
  void run(uint32_t thread) override {
    if (thread < kClients) {
      while (gate_.pass())
        platform::yield();
      return;
    }
    gate_.open();
    gate_.close([] {});
    gate_.stop();
  }

 private:
  workload::ClientGate gate_{kClients};
};

TEST(Schedules, ClientGate) {
  expect_holds("ClientGate", scenario<GateWorld<workload::ClientGate>>());
}
TEST(Schedules, ClientGateWhoseCloserLooksOn) {
  expect_holds("ClientGate, closer looks on", scenario<LookingOnWorld>());
  expect_holds("ClientGate, closer looks on, no timeouts", scenario<LookingOnWorld>(),
               tests::Timeouts::never);
}
TEST(Schedules, TheGateTwinWithoutAFault) {
  expect_holds("ClientGate, twin", scenario<GateWorld<GateTwin<GateFault::none>>>());
}
TEST(BrokenTwin, ClientGateWhoseClientDoesNotLookAgain) {
  expect_found("ClientGate, client does not look again", kUnderWay,
               scenario<GateWorld<GateTwin<GateFault::does_not_look_again>>>());
}
TEST(BrokenTwin, ClientGateWhoseClientWakesBeforeItCounts) {
  expect_found("ClientGate, client wakes before it counts", kStuck,
               scenario<GateWorld<GateTwin<GateFault::wakes_before_it_counts>>>());
}
TEST(BrokenTwin, ClientGateThatCommandsWithoutWaking) {
  expect_found("ClientGate, commands without waking", kStuck,
               scenario<GateWorld<GateTwin<GateFault::commands_without_waking>>>());
}

// --- the mailbox --------------------------------------------------------------------------------

enum class MailboxFault { none, counts_before_it_writes, wakes_before_it_counts };

template <MailboxFault fault>
class MailboxTwin {
 public:
  using Command = std::function<void(run::Engine&)>;

  bool post(Command command) {
    const uint32_t posted = posted_.word.load();
    if (fault == MailboxFault::counts_before_it_writes) posted_.word.store(posted + 1);
    if (fault != MailboxFault::none) platform::futex_wake(posted_.word, 1);
    commands_[posted % 4] = std::move(command);
    if (fault != MailboxFault::counts_before_it_writes) posted_.word.store(posted + 1);
    if (fault == MailboxFault::none) platform::futex_wake(posted_.word, 1);
    return true;
  }
  std::optional<Command> take(uint64_t timeout_ns) {
    if (posted_.word.load() == taken_) platform::futex_wait(posted_.word, taken_, timeout_ns);
    if (posted_.word.load() == taken_) return std::nullopt;
    return std::move(commands_[taken_++ % 4]);
  }

 private:
  Line posted_;
  uint32_t taken_ = 0;
  std::array<Command, 4> commands_;
};

template <class Mailbox>
class MailboxWorld final : public tests::Scenario {
 public:
  uint32_t threads() const override { return 2; }
  void run(uint32_t thread) override {
    if (thread == 0) {
      for (uint32_t i = 0; i < kCommands; ++i)
        require(mailbox_.post([](run::Engine&) {}), "the mailbox has room");
      return;
    }
    for (uint32_t taken = 0; taken < kCommands;) {
      const auto command = mailbox_.take(platform::kForeverNs);
      if (!command) continue;
      require(static_cast<bool>(*command), "a taken entry is a command");
      ++taken;
    }
  }

 private:
  static constexpr uint32_t kCommands = 3;
  Mailbox mailbox_;
};

TEST(Schedules, Mailbox) {
  expect_holds("Mailbox", scenario<MailboxWorld<wasm::Mailbox>>());
}
TEST(Schedules, TheMailboxTwinWithoutAFault) {
  expect_holds("Mailbox, twin", scenario<MailboxWorld<MailboxTwin<MailboxFault::none>>>());
}
TEST(BrokenTwin, MailboxThatCountsBeforeItWrites) {
  expect_found("Mailbox, counts before it writes", "is a command",
               scenario<MailboxWorld<MailboxTwin<MailboxFault::counts_before_it_writes>>>());
}
TEST(BrokenTwin, MailboxThatWakesBeforeItCounts) {
  expect_found("Mailbox, wakes before it counts", kStuck,
               scenario<MailboxWorld<MailboxTwin<MailboxFault::wakes_before_it_counts>>>());
}

// --- the run log --------------------------------------------------------------------------------

// Two threads write entries of two lines each; a third takes them.
template <bool as_one_entry>
class RunLogWorld final : public tests::Scenario {
 public:
  RunLogWorld() { telemetry::clear_run_log(); }

  uint32_t threads() const override { return 3; }
  void run(uint32_t thread) override {
    if (thread == 2) return take();
    const std::string name(1, static_cast<char>('a' + thread));
    if constexpr (as_one_entry) {
      telemetry::log_entry(name + "\n" + name);
    } else {
      telemetry::log_entry(name);
      telemetry::log_entry(name);
    }
  }
  void check() override {
    take();
    require(lines_.size() == 4, "every line is taken once");
    require(lines_[0] == lines_[1] && lines_[2] == lines_[3], "the lines of an entry stay together");
  }

 private:
  void take() {
    for (std::string& line : telemetry::take_log_lines())
      lines_.push_back(std::move(line));
  }
  std::vector<std::string> lines_;
};

TEST(Schedules, RunLog) {
  expect_holds("run log", scenario<RunLogWorld</*as_one_entry=*/true>>());
}
TEST(BrokenTwin, RunLogWhoseLinesAreEntriesOfTheirOwn) {
  expect_found("run log, two entries", "stay together", scenario<RunLogWorld</*as_one_entry=*/false>>());
}

}  // namespace
}  // namespace latchscope
