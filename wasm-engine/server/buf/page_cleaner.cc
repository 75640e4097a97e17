#include "server/buf/page_cleaner.h"

#include "telemetry/telemetry.h"

namespace latchscope::server::buf {

namespace {

const telemetry::Function kPageCleaner("buf_flush_page_cleaner_thread");

}  // namespace

void PageCleaner::run() {
  telemetry::Frame frame(kPageCleaner);
  while (stop_.is_requested.load() == 0) {
    pool_.refill_free_lists();
    const uint64_t signal_count = pool_.cleaner_event().reset();
    if (stop_.is_requested.load() != 0) return;
    telemetry::StateScope state(telemetry::ThreadState::sleeping);
    pool_.cleaner_event().wait(signal_count, period_ns_);
  }
}

void PageCleaner::request_stop() {
  stop_.is_requested.store(1);
  pool_.cleaner_event().set();
}

}  // namespace latchscope::server::buf
