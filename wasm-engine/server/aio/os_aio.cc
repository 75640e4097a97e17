#include "server/aio/os_aio.h"

#include <algorithm>

#include "telemetry/telemetry.h"

namespace latchscope::server::aio {

namespace {

const telemetry::Function kOsAio("os_aio_func");
const telemetry::Function kWakeAll("os_aio_simulated_wake_handler_threads");

constexpr uint64_t kIdlePollNs = 100'000;

}  // namespace

OsAio::OsAio(const OsAioConfig& config)
    : handler_wakeup_(config.handler_wakeup),
      slot_wait_(config.slot_wait),
      ibuf_(1, config.slots_per_segment, config.slot_wait, config.groups_in_one_call),
      log_(1, config.slots_per_segment, config.slot_wait, config.groups_in_one_call),
      reads_(config.read_io_threads, config.slots_per_segment, config.slot_wait, config.groups_in_one_call),
      writes_(config.write_io_threads, config.slots_per_segment, config.slot_wait,
              config.groups_in_one_call) {}

uint32_t OsAio::segments() const {
  uint32_t segments = 0;
  for (const AIO* array : arrays_)
    segments += array->segments();
  return segments;
}

void OsAio::post(AIO& array, const IoRequest& request) {
  telemetry::Frame frame(kOsAio);
  AioBatch batch(*this, array);
  batch.post(request);
  batch.wake_touched();
}

void OsAio::simulated_wake_handler_threads() {
  telemetry::Frame frame(kWakeAll);
  telemetry::count(telemetry::Counter::handler_wake_rounds);
  for (AIO* array : arrays_) {
    for (uint32_t segment = 0; segment < array->segments(); ++segment)
      array->wake_simulated_handler_thread(segment);
  }
}

std::optional<IoRequest> OsAio::simulated_handler(uint32_t global_segment) {
  uint32_t segment = global_segment;
  for (AIO* array : arrays_) {
    if (segment < array->segments()) return array->simulated_handler(segment);
    segment -= array->segments();
  }
  LATCHSCOPE_ASSERT(false, "a global segment number belongs to one of the arrays");
}

void OsAio::request_stop() {
  for (AIO* array : arrays_)
    array->request_stop();
}

bool OsAio::wait_until_idle(uint64_t timeout_ns) {
  for (AIO* array : arrays_) {
    if (!array->wait_until_empty(timeout_ns)) return false;
  }
  const auto all_idle = [this] {
    return std::all_of(arrays_.begin(), arrays_.end(), [](AIO* array) { return array->is_idle(); });
  };
  while (!all_idle())
    telemetry::sleep_ns(kIdlePollNs);
  return true;
}

void OsAio::set_slot_wait(SlotWait slot_wait) {
  slot_wait_ = slot_wait;
  for (AIO* array : arrays_)
    array->set_slot_wait(slot_wait);
}

void AioBatch::wake(uint32_t segment) {
  unwoken_ &= ~(uint64_t{1} << segment);
  array_.wake_simulated_handler_thread(segment);
}

void AioBatch::wake_touched() {
  if (unwoken_ != 0) telemetry::count(telemetry::Counter::handler_wake_rounds);
  for (uint32_t segment = 0; unwoken_ != 0; ++segment) {
    if ((unwoken_ >> segment & 1) != 0) wake(segment);
  }
}

void AioBatch::end() {
  if (os_aio_.handler_wakeup() == HandlerWakeup::wake_touched_segments) {
    wake_touched();
  } else {
    os_aio_.simulated_wake_handler_threads();
    unwoken_ = 0;
  }
}

void AioBatch::array_is_full(uint32_t preferred_segment) {
  if (os_aio_.handler_wakeup() == HandlerWakeup::wake_preferred_segment) {
    telemetry::count(telemetry::Counter::handler_wake_rounds);
    wake(preferred_segment);
  } else {
    end();
  }
}

}  // namespace latchscope::server::aio
