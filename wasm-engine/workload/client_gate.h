// The gate that clients pass between two transactions. Closing it stops all of them at a
// transaction boundary, so that the coordinator can change the server's design. No work is lost,
// because no transaction is in progress. A workload may also let a client park inside a transaction,
// where it holds no latch and would sleep otherwise.
//
// Invariants
//   1. A client that runs has seen the gate open since it last parked.
//   2. When close() returns, every client is parked and remains so until open() or stop().
#pragma once

#include <cstdint>
#include <functional>

#include "platform/platform.h"

namespace latchscope::workload {

class ClientGate {
 public:
  explicit ClientGate(uint32_t clients) : clients_(clients) {}

  // Called by each client where it may park, at least before each transaction. Returns false when the run is over.
  bool pass() {
    if (line_.command.load_acquire() == kOpen) return true;
    return park();
  }

  // Called by the coordinator. Blocks until every client is parked. A transaction may take a long
  // time to end, so `meanwhile` is called every few milliseconds. `also_at_once`: before that, too.
  void close(const std::function<void()>& meanwhile = nullptr, bool also_at_once = false);
  void open() { command(kOpen); }
  void stop() { command(kStop); }
  bool is_open() const { return line_.command.load() == kOpen; }

 private:
  static constexpr uint32_t kClosed = 0;
  static constexpr uint32_t kOpen = 1;
  static constexpr uint32_t kStop = 2;

  bool park();
  void command(uint32_t command);

  struct alignas(64) CommandLine : platform::CacheLine {
    platform::Atomic<uint32_t> command{*this, kClosed};
  };
  struct alignas(64) ParkedLine : platform::CacheLine {
    platform::Atomic<uint32_t> parked{*this, 0};
  };
  CommandLine line_;
  ParkedLine parked_line_;
  const uint32_t clients_;
};

}  // namespace latchscope::workload
