// Commit_stage_manager: the queues of ordered commit. Source: MySQL 8.0
// sql/rpl_commit_stage_manager.
//
//   stage         queue's mutex             stage's mutex, held by the leader
//   flush         LOCK_flush_queue          LOCK_log
//   sync          LOCK_sync_queue           LOCK_sync
//   commit        LOCK_commit_queue         LOCK_commit
//   after_commit  LOCK_after_commit_queue   LOCK_after_commit
//
// The first session to enter an empty queue is the leader; the others sleep until they are done.
// Followers of all groups share one condition variable, COND_done under LOCK_done; a leader wakes
// all of them by broadcast. A leader moves its whole group into the next queue. If that queue is
// not empty, the group joins the one ahead and its leader becomes a follower.
//
// Invariants
//   1. A leader enqueues for the next stage before it releases the mutex of the previous one, so
//      groups keep their order.
//   2. A session is signaled exactly once per commit, by the leader of its last stage.
//   3. A session is in one queue at a time. Its link is guarded by that queue's mutex, or owned by
//      the leader that fetched the queue.
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
  // Enters the stage with a group, then releases `leave` (null: none). Returns true if the caller
  // is the leader; it then holds `enter`, acquired at `site`. Otherwise blocks until another leader
  // has done all the work, and returns false.
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
  // Returns all sessions of the stage and empties the queue.
  BinlogSession* fetch_queue(Stage stage);
  // Waits for more sessions in the stage: sleeps delay_us in slices of one tenth, until there are
  // `count` sessions (0: the whole time).
  void wait_count_or_timeout(uint32_t count, uint32_t delay_us, Stage stage);
  void signal_done(BinlogSession* group);
  // Returns the acquisitions of LOCK_done by leaders so far: one per group signaled.
  static uint64_t signals();
  // Returns how often a session or a group has entered the stage.
  static uint64_t entered(Stage stage);

 private:
  static const telemetry::Function kEnrollFor;

  struct Queue {
    latch::MysqlMutex mutex;
    BinlogSession* first GUARDED_BY(mutex) = nullptr;
    BinlogSession* last GUARDED_BY(mutex) = nullptr;
    uint32_t size GUARDED_BY(mutex) = 0;
  };

  // Returns true if the queue was empty.
  bool append(Stage stage, BinlogSession& first);
  // Sleeps until the leader has done the work. `first` is the first session of its group.
  void follow(BinlogSession& first);
  uint32_t size_of(Stage stage);

  Queue queues_[kStages];
  latch::MysqlMutex lock_done_;
  latch::MysqlCond cond_done_{telemetry::ThreadState::following};
};

}  // namespace latchscope::server::binlog
