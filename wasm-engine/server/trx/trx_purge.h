// purge_sys: removes versions that no read view can need any more. Sources: MySQL 8.4 trx0purge,
// srv0srv; the end view: MariaDB MDEV-34515.
//
// The coordinator repeats these steps:
//   - Clone the oldest view under the purge latch X, once per batch.
//   - Take undo logs in the order of their numbers, up to innodb_purge_batch_size undo pages.
//   - Distribute the records to the workers and process a share itself.
//   - When it has caught up, or every 128 batches: free the purged undo logs and truncate undo
//     tablespaces.
//
// Invariants
//   1. An undo log is freed only if its transaction's number is below the purge view's
//      low_limit_no. Every open view then sees its changes, so no consistent read follows a roll
//      pointer into it.
//   2. A reader that asks for such a record nevertheless gets missing_history. From the point of
//      view of purge, it tests the purge view (or the end view) and secures the page in one step.
//      See purge_latch.h.
//   3. Undo logs are purged in commit order of their transactions.
//   4. While purge is stopped, neither view changes and nothing is freed.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "latch/os_event.h"
#include "latch/ttas_event_mutex.h"
#include "server/buf/buf_pool.h"
#include "server/trx/purge_latch.h"
#include "server/trx/trx_sys.h"
#include "server/trx/undo_page.h"
#include "server/trx/undo_spaces.h"

namespace latchscope::server::trx {

struct PurgeConfig {
  uint32_t threads;           // innodb_purge_threads: the coordinator and threads - 1 workers
  uint32_t batch_size_pages;  // innodb_purge_batch_size
};

struct PurgeRecord {
  TrxId modifier;  // the transaction that wrote the undo record
  UndoRecord undo;
};

class PurgeSys {
 public:
  static constexpr uint32_t kTruncateFrequency = 128;  // innodb_purge_rseg_truncate_frequency

  // The coordinator and the workers call `purge_row` (row_purge) for each undo record. `your_latch`
  // is the place of the rw-latch written in the lab, or null.
  PurgeSys(latch::LatchEnvironment& latches, TrxSys& trx_sys, UndoSpaces& undo_spaces,
           buf::BufPool& buffer_pool, PurgeLatchVariant variant, const PurgeConfig& config,
           std::function<void(const PurgeRecord&)> purge_row, lab::LatchPlace* your_latch = nullptr);

  PurgeLatch& latch() { return latch_; }
  // Returns true if the undo record of a version that `id` wrote may be gone.
  // REQUIRES: the calling reader holds its purge latch.
  bool history_may_be_gone(TrxId id) const {
    return latch_.guards_end_view() ? end_view_.changes_visible(id) : view_.changes_visible(id);
  }

  // trx_purge_add_update_undo_to_history: called by the committing transaction.
  void add_to_history(std::unique_ptr<UndoLog> log);
  // Returns the number of undo logs in all history lists (trx_sys->rseg_history_len).
  uint32_t history_length() const { return line_.history_length.load(); }
  // srv_wake_purge_thread: called when undo may have become purgeable.
  void wake() { event_.set(); }

  // Thread bodies. The workers end after the coordinator.
  void coordinate();
  void work(uint32_t worker);
  void request_exit();

  // trx_purge_stop, trx_purge_run. When stop() returns, purge is between two batches.
  void stop();
  void run();

  // trx_purge: runs one batch and returns the number of undo pages processed. Called by the
  // coordinator, or by a test without threads.
  uint32_t purge_batch();

  // Returns the latch site (id) of the X lock around the clone of the oldest view.
  static uint32_t clone_site();

 private:
  struct Later {
    bool operator()(const UndoLog* a, const UndoLog* b) const { return a->trx_no > b->trx_no; }
  };

  bool enter();
  void leave();
  bool should_pause() const { return line_.stopped.load() != 0 || line_.exiting.load() != 0; }
  void run_rounds();

  void clone_oldest_view();
  uint32_t attach_undo_records();
  UndoLog* next_log();
  void read_page(const UndoLog& log, uint32_t page_no);
  void purge_attached_records();
  void purge_share(uint32_t share);
  void note_purged();
  void truncate_history();
  std::vector<std::unique_ptr<UndoLog>> take_purged_logs();
  void free_log(const UndoLog& log);
  void set_stopped(uint32_t stopped, const telemetry::LatchSite& site);

  TrxSys& trx_sys_;
  UndoSpaces& undo_spaces_;
  buf::BufPool& buffer_pool_;
  const PurgeConfig config_;
  const std::function<void(const PurgeRecord&)> purge_row_;

  PurgeLatch latch_;
  ReadView view_;  // under latch_
  // Guarded by the end latch of latch_ in variants that have one; otherwise unused by readers.
  ReadView end_view_;

  latch::TTASEventMutex pq_mutex_;
  std::priority_queue<UndoLog*, std::vector<UndoLog*>, Later> queue_ GUARDED_BY(pq_mutex_);

  // Owned by the coordinator.
  UndoLog* current_log_ = nullptr;
  uint32_t current_page_ = 0;
  bool caught_up_ = false;
  uint32_t batches_ = 0;
  struct Progress {
    UndoLog* log;
    uint32_t records;
  };
  std::vector<Progress> progress_;  // of the current batch
  std::vector<PurgeRecord> batch_;  // read by workers while tasks are outstanding

  latch::OsEvent event_;
  latch::OsMutex control_mutex_;
  latch::OsCondition control_changed_;
  bool running_ GUARDED_BY(control_mutex_) = false;

  latch::OsMutex task_mutex_;
  latch::OsCondition task_given_;
  latch::OsCondition task_done_;
  uint32_t task_generation_ GUARDED_BY(task_mutex_) = 0;
  uint32_t tasks_outstanding_ GUARDED_BY(task_mutex_) = 0;
  bool workers_dismissed_ GUARDED_BY(task_mutex_) = false;

  struct alignas(64) Line : platform::CacheLine {
    platform::Atomic<uint32_t> history_length{*this, 0};
    platform::Atomic<uint32_t> stopped{*this, 0};
    platform::Atomic<uint32_t> exiting{*this, 0};
  };
  Line line_;
};

}  // namespace latchscope::server::trx
