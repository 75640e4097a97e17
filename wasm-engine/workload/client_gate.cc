#include "workload/client_gate.h"

#include "telemetry/telemetry.h"
#include "workload/workload.h"

namespace latchscope::workload {

namespace {

constexpr uint64_t kMeanwhilePeriodNs = 5'000'000;

}  // namespace

bool ClientGate::park() {
  telemetry::StateScope state(telemetry::ThreadState::parked);
  for (;;) {
    const uint32_t command = line_.command.load();
    if (command == kOpen) return true;
    if (command == kStop) return false;
    parked_line_.parked.fetch_add(1);
    platform::futex_wake(parked_line_.parked, 1);
    while (line_.command.load() == kClosed)
      platform::futex_wait(line_.command, kClosed);
    parked_line_.parked.fetch_sub(1);
    // The gate may have been closed before this thread stopped counting as parked, so check again.
  }
}

bool Client::comes_to_transaction(ClientGate& gate) {
  return gate.pass();
}

void ClientGate::close(const std::function<void()>& meanwhile, bool also_at_once) {
  command(kClosed);
  if (also_at_once) meanwhile();
  for (;;) {
    const uint32_t parked = parked_line_.parked.load();
    if (parked == clients_) return;
    const bool is_woken = platform::futex_wait(parked_line_.parked, parked,
                                               meanwhile ? kMeanwhilePeriodNs : platform::kForeverNs);
    if (!is_woken) meanwhile();
  }
}

void ClientGate::command(uint32_t command) {
  line_.command.store(command);
  platform::futex_wake(line_.command, platform::kWakeAll);
}

}  // namespace latchscope::workload
