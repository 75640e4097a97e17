#include "latch/ttas_event_mutex.h"

namespace latchscope::latch {

namespace {

const telemetry::Function kMutexEnter("mutex_enter_func");
const telemetry::Function kMutexSpinWait("mutex_spin_wait");

}  // namespace

void TTASEventMutex::enter_slowly(const telemetry::LatchSite& site, telemetry::ThreadRecorder& recorder) {
  telemetry::Frame enter_frame(kMutexEnter);
  telemetry::Frame spin_frame(kMutexSpinWait);
  recorder.latch_contended(site, number_);
  while (!spin(site, recorder)) {
    platform::yield();
    if (sleep_unless_free(site, recorder)) break;
  }
  recorder.latch_contention_ends();
}

// Returns true once it has taken the mutex, false when all rounds are used up.
bool TTASEventMutex::spin(const telemetry::LatchSite& site, telemetry::ThreadRecorder& recorder) {
  uint32_t rounds_left = environment_.spin.rounds_max;
  while (rounds_left > 0) {
    const platform::SpinOutcome outcome = platform::spin_until(
        line_.lock_word, [](uint32_t word) { return word == kFree; },
        environment_.spin_policy(recorder.random(), rounds_left));
    recorder.latch_polled(site, outcome.rounds);
    if (!outcome.satisfied) return false;
    if (try_lock_word()) return true;
    rounds_left -= outcome.rounds;
  }
  return false;
}

// Returns true if it took the mutex instead of sleeping.
bool TTASEventMutex::sleep_unless_free(const telemetry::LatchSite& site,
                                       telemetry::ThreadRecorder& recorder) {
  const SyncArray::Cell cell = environment_.sync_array.reserve(event_);
  line_.waiters.store(1);
  for (int i = 0; i < kTriesBeforeSleep; ++i) {
    if (try_lock_word()) {
      environment_.sync_array.free(cell);
      return true;
    }
  }
  recorder.latch_wait_begins(site);
  environment_.sync_array.wait(cell);
  recorder.latch_wait_ends(site);
  return false;
}

void TTASEventMutex::wake_waiters() {
  line_.waiters.store(0);
  event_.set();
}

}  // namespace latchscope::latch
