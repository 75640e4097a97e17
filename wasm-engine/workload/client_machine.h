// The clients' machine and its network: how a session receives its statements.
#pragma once

#include <cstdint>

#include "platform/platform.h"
#include "telemetry/telemetry.h"

namespace latchscope::workload {

class ClientMachine {
 public:
  // `gap_us` is the time between a response and the session's next statement; 0: none.
  explicit ClientMachine(uint32_t gap_us);

  // Waits in my_net_read until the session's next statement arrives.
  void wait_for_statement();

 private:
  platform::Device gap_;
};

// A statement of a session, from its arrival on. While the object lives, the session is in
// dispatch_command, mysql_parse and mysql_execute_command.
class Statement {
 public:
  // `cpu_ns` is its cost without latches and cache lines (server/ut/work_costs.h).
  Statement(ClientMachine& client, uint64_t cpu_ns);

 private:
  struct Arrived {
    explicit Arrived(ClientMachine& client) { client.wait_for_statement(); }
  };
  [[no_unique_address]] Arrived arrived_;
  telemetry::Frame dispatch_, parse_, execute_;
};

}  // namespace latchscope::workload
