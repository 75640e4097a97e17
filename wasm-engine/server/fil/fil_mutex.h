// The mutex of a FilShard: InnoDB's own, or a latch written in the lab that replaces it
// (lab/your_latch.h).
#pragma once

#include <optional>

#include "lab/your_latch.h"
#include "latch/thread_annotations.h"
#include "latch/ttas_event_mutex.h"

namespace latchscope::server::fil {

class CAPABILITY("mutex") FilMutex {
 public:
  // `place` is null if no latch was written in the lab.
  FilMutex(latch::LatchEnvironment& latches, lab::LatchPlace* place) : own_(latches) {
    if (place != nullptr) yours_.emplace(*place);
  }

  void enter(const telemetry::LatchSite& site) ACQUIRE() NO_THREAD_SAFETY_ANALYSIS {
    if (!yours_) [[likely]]
      return own_.enter(site);
    if (yours_->enter(site)) return;
    own_.enter(site);
    yours_->enter_beside_own();
  }
  void exit() RELEASE() NO_THREAD_SAFETY_ANALYSIS {
    if (!yours_ || !yours_->exit()) own_.exit();
  }

 private:
  latch::TTASEventMutex own_;
  std::optional<lab::YourLatch> yours_;
};

class SCOPED_CAPABILITY FilMutexGuard {
 public:
  FilMutexGuard(FilMutex& mutex, const telemetry::LatchSite& site) ACQUIRE(mutex) : mutex_(mutex) {
    mutex_.enter(site);
  }
  ~FilMutexGuard() RELEASE() { mutex_.exit(); }
  FilMutexGuard(const FilMutexGuard&) = delete;
  FilMutexGuard& operator=(const FilMutexGuard&) = delete;

 private:
  FilMutex& mutex_;
};

}  // namespace latchscope::server::fil
