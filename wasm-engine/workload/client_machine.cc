#include "workload/client_machine.h"

#include "server/ut/work_costs.h"

namespace latchscope::workload {

namespace {

const telemetry::Function kNetRead("my_net_read");
const telemetry::Function kDispatch("dispatch_command");
const telemetry::Function kParse("mysql_parse");
const telemetry::Function kExecute("mysql_execute_command");

platform::DeviceProfile profile_of(uint32_t gap_us) {
  return {"client", gap_us * 1000, 0, platform::kThreadsMax};
}

}  // namespace

ClientMachine::ClientMachine(uint32_t gap_us) : gap_(profile_of(gap_us)) {}

void ClientMachine::wait_for_statement() {
  if (gap_.profile().latency_ns == 0) return;
  telemetry::Frame frame(kNetRead);
  telemetry::StateScope state(telemetry::ThreadState::sleeping);
  platform::io(gap_, 0);
}

Statement::Statement(ClientMachine& client, uint64_t cpu_ns)
    : arrived_(client), dispatch_(kDispatch), parse_(kParse), execute_(kExecute) {
  server::ut::pay(cpu_ns);
}

}  // namespace latchscope::workload
