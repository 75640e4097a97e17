#include "server/trx/trx_purge.h"

namespace latchscope::server::trx {

using latch::MutexGuard;
using latch::OsMutexGuard;
using telemetry::Counter;
using telemetry::StateScope;
using telemetry::ThreadState;

namespace {

const telemetry::LatchSite kLatchXPurge("purge_sys->latch", "trx_purge");
const telemetry::LatchSite kLatchXStop("purge_sys->latch", "trx_purge_stop");
const telemetry::LatchSite kLatchXRun("purge_sys->latch", "trx_purge_run");
const telemetry::LatchSite kEndLatchXTruncate("purge_sys->end_latch", "trx_purge_truncate_history");
const telemetry::LatchSite kQueueAdd("purge_sys->pq_mutex", "trx_purge_add_update_undo_to_history");
const telemetry::LatchSite kQueueNext("purge_sys->pq_mutex", "TrxUndoRsegsIterator::set_next");
const telemetry::LatchSite kRsegAdd("trx_rseg_t::mutex", "trx_purge_add_update_undo_to_history");
const telemetry::LatchSite kRsegDone("trx_rseg_t::mutex", "trx_purge_rseg_get_next_history_log");
const telemetry::LatchSite kRsegTruncate("trx_rseg_t::mutex", "trx_purge_truncate_rseg_history");
const telemetry::LatchSite kPageSNext("buf_block_t::lock", "trx_purge_get_next_rec");

const telemetry::Function kCoordinator("srv_purge_coordinator_thread");
const telemetry::Function kWorker("srv_worker_thread");
const telemetry::Function kTrxPurge("trx_purge");
const telemetry::Function kCloneOldestView("MVCC::clone_oldest_view");
const telemetry::Function kAttachUndoRecs("trx_purge_attach_undo_recs");
const telemetry::Function kTruncateHistory("trx_purge_truncate_history");
const telemetry::Function kRunThreads("que_run_threads");

// SRV_PURGE_MAX_TIMEOUT: used while the history changes.
constexpr uint64_t kRetryNs = 10'000'000;
constexpr uint64_t kIdleNs = 1'000'000'000;  // period of the master thread, which also wakes purge

}  // namespace

PurgeSys::PurgeSys(latch::LatchEnvironment& latches, TrxSys& trx_sys, UndoSpaces& undo_spaces,
                   buf::BufPool& buffer_pool, PurgeLatchVariant variant, const PurgeConfig& config,
                   std::function<void(const PurgeRecord&)> purge_row, lab::LatchPlace* your_latch)
    : trx_sys_(trx_sys),
      undo_spaces_(undo_spaces),
      buffer_pool_(buffer_pool),
      config_(config),
      purge_row_(std::move(purge_row)),
      latch_(latches, variant, your_latch),
      pq_mutex_(latches) {}

void PurgeSys::add_to_history(std::unique_ptr<UndoLog> log) {
  RollbackSegment& rseg = *log->rseg;
  MutexGuard guard(rseg.mutex, kRsegAdd);
  {
    MutexGuard queue_guard(pq_mutex_, kQueueAdd);
    queue_.push(log.get());
  }
  rseg.history.push_back(std::move(log));
  --rseg.trx_ref_count;
  line_.history_length.fetch_add(1);
}

void PurgeSys::coordinate() {
  telemetry::Frame frame(kCoordinator);
  while (enter()) {
    run_rounds();
    leave();
  }
  OsMutexGuard guard(task_mutex_);
  workers_dismissed_ = true;
  task_given_.broadcast();
}

// Waits while purge is stopped. Returns false if purge must end.
bool PurgeSys::enter() {
  OsMutexGuard guard(control_mutex_);
  while (line_.stopped.load() != 0 && line_.exiting.load() == 0) {
    StateScope state(ThreadState::sleeping);
    control_changed_.wait(control_mutex_);
  }
  running_ = line_.exiting.load() == 0;
  return running_;
}

void PurgeSys::leave() {
  OsMutexGuard guard(control_mutex_);
  running_ = false;
  control_changed_.broadcast();
}

void PurgeSys::run_rounds() {
  uint32_t length_before = 0;
  while (!should_pause()) {
    const uint64_t signal_count = event_.reset();
    const uint32_t length = history_length();
    if (length > 0) {
      while (purge_batch() > 0 && !should_pause()) {
      }
    }
    if (should_pause()) return;
    const uint64_t timeout_ns = length != length_before ? kRetryNs : kIdleNs;
    length_before = length;
    StateScope state(ThreadState::sleeping);
    event_.wait(signal_count, timeout_ns);
  }
}

void PurgeSys::request_exit() {
  {
    OsMutexGuard guard(control_mutex_);
    line_.exiting.store(1);
    control_changed_.broadcast();
  }
  event_.set();
}

void PurgeSys::set_stopped(uint32_t stopped, const telemetry::LatchSite& site) {
  latch_.x_lock(site);
  line_.stopped.store(stopped);
  latch_.x_unlock();
  event_.set();
}

void PurgeSys::stop() {
  set_stopped(1, kLatchXStop);
  OsMutexGuard guard(control_mutex_);
  while (running_)
    control_changed_.wait(control_mutex_);
}

void PurgeSys::run() {
  set_stopped(0, kLatchXRun);
  OsMutexGuard guard(control_mutex_);
  control_changed_.broadcast();
}

uint32_t PurgeSys::clone_site() {
  return kLatchXPurge.id;
}

uint32_t PurgeSys::purge_batch() {
  telemetry::Frame frame(kTrxPurge);
  telemetry::count(Counter::purge_batches);
  clone_oldest_view();
  const uint32_t pages = attach_undo_records();
  if (!batch_.empty()) purge_attached_records();
  note_purged();
  ++batches_;
  if (caught_up_ || batches_ % kTruncateFrequency == 0) truncate_history();
  return pages;
}

void PurgeSys::clone_oldest_view() {
  telemetry::Frame frame(kCloneOldestView);
  latch_.x_lock(kLatchXPurge);
  trx_sys_.clone_oldest_view(view_);
  latch_.x_unlock();
}

// Copies the records of the next undo pages into the batch. Returns the number of pages.
uint32_t PurgeSys::attach_undo_records() {
  telemetry::Frame frame(kAttachUndoRecs);
  batch_.clear();
  progress_.clear();
  uint32_t pages = 0;
  caught_up_ = false;
  while (pages < config_.batch_size_pages) {
    if (current_log_ == nullptr) {
      current_log_ = next_log();
      current_page_ = 0;
    }
    if (current_log_ == nullptr) {
      caught_up_ = true;
      break;
    }
    const size_t records_before = batch_.size();
    read_page(*current_log_, current_log_->pages[current_page_]);
    progress_.push_back({current_log_, static_cast<uint32_t>(batch_.size() - records_before)});
    ++pages;
    if (++current_page_ == current_log_->pages.size()) current_log_ = nullptr;
  }
  return pages;
}

// Returns the undo log with the smallest number, or null if the purge view does not allow it to be
// purged.
UndoLog* PurgeSys::next_log() {
  MutexGuard guard(pq_mutex_, kQueueNext);
  if (queue_.empty() || queue_.top()->trx_no >= view_.low_limit_no()) return nullptr;
  UndoLog* log = queue_.top();
  queue_.pop();
  return log;
}

void PurgeSys::read_page(const UndoLog& log, uint32_t page_no) {
  const PageId id{undo_spaces_.space_id(log.rseg->space.number()), page_no};
  buf::PageLatch page;
  const DbErr outcome = buffer_pool_.get_at(kPageSNext, nullptr, id, page);
  LATCHSCOPE_ASSERT(outcome == DbErr::success, "an undo tablespace with history is not truncated");
  const uint32_t end = read_at<uint16_t>(page.frame(), kUndoPageFree);
  for (uint32_t offset = read_at<uint16_t>(page.frame(), kUndoPageStart); offset < end;
       offset += kUndoRecordBytes) {
    batch_.push_back({log.trx_id, read_undo_record(page.frame(), static_cast<uint16_t>(offset))});
  }
}

void PurgeSys::purge_attached_records() {
  telemetry::Frame frame(kRunThreads);
  {
    OsMutexGuard guard(task_mutex_);
    ++task_generation_;
    tasks_outstanding_ = config_.threads - 1;
    task_given_.broadcast();
  }
  purge_share(0);
  OsMutexGuard guard(task_mutex_);
  while (tasks_outstanding_ > 0) {
    StateScope state(ThreadState::waiting);
    task_done_.wait(task_mutex_);
  }
}

void PurgeSys::work(uint32_t worker) {
  telemetry::Frame frame(kWorker);
  for (uint32_t generation_done = 0;;) {
    {
      OsMutexGuard guard(task_mutex_);
      while (task_generation_ == generation_done && !workers_dismissed_) {
        StateScope state(ThreadState::sleeping);
        task_given_.wait(task_mutex_);
      }
      if (task_generation_ == generation_done) return;
      generation_done = task_generation_;
    }
    purge_share(1 + worker);
    OsMutexGuard guard(task_mutex_);
    if (--tasks_outstanding_ == 0) task_done_.broadcast();
  }
}

void PurgeSys::purge_share(uint32_t share) {
  const size_t begin = batch_.size() * share / config_.threads;
  const size_t end = batch_.size() * (share + 1) / config_.threads;
  for (size_t i = begin; i < end; ++i)
    purge_row_(batch_[i]);
  telemetry::count(Counter::undo_records_purged, end - begin);
}

void PurgeSys::note_purged() {
  for (const Progress& progress : progress_) {
    MutexGuard guard(progress.log->rseg->mutex, kRsegDone);
    progress.log->records_purged += progress.records;
  }
}

void PurgeSys::truncate_history() {
  telemetry::Frame frame(kTruncateHistory);
  const std::vector<std::unique_ptr<UndoLog>> logs = take_purged_logs();
  if (!logs.empty()) {
    latch_.end_x_lock(kEndLatchXTruncate);
    end_view_.copy_from(view_);
    latch_.end_x_unlock();
    for (const auto& log : logs)
      free_log(*log);
  }
  undo_spaces_.truncate_if_possible();
}

// Removes purged undo logs from the oldest end of the history lists and returns them.
std::vector<std::unique_ptr<UndoLog>> PurgeSys::take_purged_logs() {
  std::vector<std::unique_ptr<UndoLog>> taken;
  for (uint32_t number = 1; number <= undo_spaces_.spaces(); ++number) {
    for (const auto& rseg : undo_spaces_.space(number).rsegs()) {
      MutexGuard guard(rseg->mutex, kRsegTruncate);
      while (!rseg->history.empty() && rseg->history.front()->is_purged()) {
        taken.push_back(std::move(rseg->history.front()));
        rseg->history.pop_front();
        line_.history_length.fetch_sub(1);
      }
    }
  }
  return taken;
}

void PurgeSys::free_log(const UndoLog& log) {
  UndoSpace& space = log.rseg->space;
  const uint32_t space_id = undo_spaces_.space_id(space.number());
  for (uint32_t page_no : log.pages) {
    buffer_pool_.discard({space_id, page_no});
    space.free_page(page_no);
  }
  telemetry::count(Counter::undo_pages_freed, log.pages.size());
}

}  // namespace latchscope::server::trx
