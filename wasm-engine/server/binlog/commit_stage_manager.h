// Commit_stage_manager: the queues of ordered commit (source: MySQL 8.0 sql/rpl_commit_stage_manager).
//
//   stage         queue's mutex             stage's mutex, held by the leader
//   flush         LOCK_flush_queue          LOCK_log
//   sync          LOCK_sync_queue           LOCK_sync
//   commit        LOCK_commit_queue         LOCK_commit
//   after_commit  LOCK_after_commit_queue   LOCK_after_commit
//
// The first session into an empty queue leads; others sleep until they are done. There is one condition
// variable, COND_done under LOCK_done, for the followers of all groups; a leader wakes all of them by
// broadcast. A leader carries its whole group into the next queue; where that queue is not empty, the group
// joins the one ahead and its leader becomes a follower.
//
// Invariants
//   1. A leader enqueues for the next stage before it releases the mutex of the one before, so groups keep
//      their order.
//   2. A session is signalled exactly once per commit, by the leader of its last stage.
//   3. A session is in one queue at a time; its link belongs to that queue's mutex or to the leader that
//      fetched it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "latch/mysql_mutex.h"
#include "server/binlog/session.h"

namespace latchscope::server::binlog {

enum class Stage : uint8_t { flush, sync, commit, after_commit };
inline constexpr uint32_t kStages = 4;

class CommitStageManager {
 public:
  // Enters the stage with a group, then releases `leave` (null: none). Returns true if the caller leads; it
  // then holds `enter`, taken at `site`. Returns false once another leader has done all the work.
  template <class Left, class Entered>
  bool enroll_for(Stage stage, BinlogSession& first, Left* leave, Entered& enter,
                  const telemetry::LatchSite& site) NO_THREAD_SAFETY_ANALYSIS {
    telemetry::Frame frame(kEnrollFor);
    const bool leads = append(stage, first);
    if (leave != nullptr) leave->unlock();
    if (leads) {
      enter.lock(site);
    } else {
      follow(first);
    }
    return leads;
  }
  template <class Entered>
  bool enroll_for(Stage stage, BinlogSession& first, std::nullptr_t, Entered& enter,
                  const telemetry::LatchSite& site) {
    return enroll_for(stage, first, static_cast<latch::MysqlMutex*>(nullptr), enter, site);
  }
  // All sessions of the stage; the queue is empty afterwards.
  BinlogSession* fetch_queue(Stage stage);
  // Waits for more sessions in the stage: delay_us in slices of a tenth, until there are `count` of them (0:
  // the whole time).
  void wait_count_or_timeout(uint32_t count, uint32_t delay_us, Stage stage);
  void signal_done(BinlogSession* group);
  // Acquisitions of LOCK_done by leaders so far, one per group signalled.
  static uint64_t signals();
  // How often a session or a group has entered the stage.
  static uint64_t entered(Stage stage);

 private:
  static const telemetry::Function kEnrollFor;

  struct Queue {
    latch::MysqlMutex mutex;
    BinlogSession* first GUARDED_BY(mutex) = nullptr;
    BinlogSession* last GUARDED_BY(mutex) = nullptr;
    uint32_t size GUARDED_BY(mutex) = 0;
  };

  // True if the queue was empty.
  bool append(Stage stage, BinlogSession& first);
  // Sleeps until the leader has done the work. `first` is the first of its group.
  void follow(BinlogSession& first);
  uint32_t size_of(Stage stage);

  Queue queues_[kStages];
  latch::MysqlMutex lock_done_;
  latch::MysqlCond cond_done_{telemetry::ThreadState::following};
};

}  // namespace latchscope::server::binlog
