#include "latch/mysql_mutex.h"

namespace latchscope::latch {

void MysqlMutex::lock_slowly(const telemetry::LatchSite& site) {
  telemetry::ThreadRecorder& recorder = telemetry::recorder();
  recorder.latch_contended(site, number_);
  recorder.latch_wait_begins(site);
  mutex_.lock();
  recorder.latch_wait_ends(site);
  recorder.latch_contention_ends();
}

bool MysqlCond::wait(MysqlMutex& mutex, const telemetry::LatchSite& site, uint64_t timeout_ns) {
  telemetry::ThreadRecorder& recorder = telemetry::recorder();
  recorder.latch_released(mutex.number_);  // stalls of this release count for the site of the wait
  recorder.latch_contended(site, number_);
  telemetry::thread_waits_for_event(number_, mutex.number_);
  recorder.latch_wait_begins(site, asleep_);
  const bool in_time = condition_.wait(mutex.mutex_, timeout_ns);
  recorder.latch_wait_ends(site);
  recorder.latch_contention_ends();
  recorder.latch_acquired(site, mutex.number_);
  return in_time;
}

}  // namespace latchscope::latch
