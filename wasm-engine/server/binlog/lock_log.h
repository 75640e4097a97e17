// LOCK_log: a mysql_mutex_t, or a latch written in the lab that replaces it (lab/your_latch.h). The
// knob `lock_log` selects the variant:
//
//   variant       source
//   mysql_mutex   MySQL 8.0: a bare pthread mutex
//   yours         a latch written in the lab
#pragma once

#include <cstdint>
#include <optional>

#include "lab/your_latch.h"
#include "latch/mysql_mutex.h"
#include "latch/thread_annotations.h"

namespace latchscope::server::binlog {

enum class LockLogVariant : uint32_t { mysql_mutex, yours };

class CAPABILITY("mysql_mutex") LockLog {
 public:
  // `place` is null if no latch was written in the lab.
  explicit LockLog(lab::LatchPlace* place) {
    if (place != nullptr) yours_.emplace(*place);
  }

  void lock(const telemetry::LatchSite& site) ACQUIRE() NO_THREAD_SAFETY_ANALYSIS {
    if (!yours_) [[likely]]
      return own_.lock(site);
    if (yours_->enter(site)) return;
    own_.lock(site);
    yours_->enter_beside_own();
  }
  void unlock() RELEASE() NO_THREAD_SAFETY_ANALYSIS {
    if (!yours_ || !yours_->exit()) own_.unlock();
  }

 private:
  latch::MysqlMutex own_;
  std::optional<lab::YourLatch> yours_;
};

}  // namespace latchscope::server::binlog
