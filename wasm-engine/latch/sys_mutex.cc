#include "latch/sys_mutex.h"

namespace latchscope::latch {

namespace {

const telemetry::Function kLockWait("__lll_lock_wait");

}  // namespace

void SysMutex::enter_slowly(const telemetry::LatchSite& site, telemetry::ThreadRecorder& recorder) {
  telemetry::Frame frame(kLockWait);
  recorder.latch_contended(site, number_);
  while (mutex_.line_.word.exchange(OsMutex::kLockedWithSleepers) != OsMutex::kFree) {
    recorder.latch_wait_begins(site);
    platform::futex_wait(mutex_.line_.word, OsMutex::kLockedWithSleepers);
    recorder.latch_wait_ends(site);
  }
  recorder.latch_contention_ends();
}

}  // namespace latchscope::latch
