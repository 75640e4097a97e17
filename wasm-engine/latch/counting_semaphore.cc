#include "latch/counting_semaphore.h"

namespace latchscope::latch {

void CountingSemaphore::sleep_while_empty(const telemetry::LatchSite& site) {
  telemetry::ThreadRecorder& recorder = telemetry::recorder();
  line_.waiters.fetch_add(1);
  recorder.latch_contended(site, number_);
  telemetry::thread_waits_for_event(number_);
  recorder.latch_wait_begins(site);
  platform::futex_wait(line_.count, 0);
  recorder.latch_wait_ends(site);
  recorder.latch_contention_ends();
  line_.waiters.fetch_sub(1);
}

}  // namespace latchscope::latch
