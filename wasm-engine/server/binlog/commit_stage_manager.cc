#include "server/binlog/commit_stage_manager.h"

#include <algorithm>

namespace latchscope::server::binlog {

using latch::MysqlMutexGuard;

namespace {

const telemetry::LatchSite kQueueAppend[kStages] = {
    {"LOCK_flush_queue", "Mutex_queue::append"},
    {"LOCK_sync_queue", "Mutex_queue::append"},
    {"LOCK_commit_queue", "Mutex_queue::append"},
    {"LOCK_after_commit_queue", "Mutex_queue::append"},
};
const telemetry::LatchSite kQueueFetch[kStages] = {
    {"LOCK_flush_queue", "Mutex_queue::fetch_and_empty"},
    {"LOCK_sync_queue", "Mutex_queue::fetch_and_empty"},
    {"LOCK_commit_queue", "Mutex_queue::fetch_and_empty"},
    {"LOCK_after_commit_queue", "Mutex_queue::fetch_and_empty"},
};
const telemetry::LatchSite kDoneWait("LOCK_done", "Commit_stage_manager::enroll_for");
const telemetry::LatchSite kCondDone("COND_done", "Commit_stage_manager::enroll_for");
const telemetry::LatchSite kSignalDone("LOCK_done", "Commit_stage_manager::signal_done");

}  // namespace

const telemetry::Function CommitStageManager::kEnrollFor("Commit_stage_manager::enroll_for");

namespace {

const telemetry::Function kWaitCount("Commit_stage_manager::wait_count_or_timeout");

}  // namespace

bool CommitStageManager::append(Stage stage, BinlogSession& first) {
  const auto index = static_cast<uint32_t>(stage);
  Queue& queue = queues_[index];
  MysqlMutexGuard guard(queue.mutex, kQueueAppend[index]);
  const bool was_empty = queue.first == nullptr;
  (was_empty ? queue.first : queue.last->next_in_stage) = &first;
  first.thread = telemetry::recorder().thread_number();
  for (BinlogSession* session = &first; session != nullptr; session = session->next_in_stage) {
    ++queue.size;
    queue.last = session;
    if (!was_empty) telemetry::thread_is_led_by(session->thread, queue.first->thread);
  }
  return was_empty;
}

void CommitStageManager::follow(BinlogSession& first) {
  MysqlMutexGuard guard(lock_done_, kDoneWait);
  while (first.pending)
    cond_done_.wait(lock_done_, kCondDone);
}

BinlogSession* CommitStageManager::fetch_queue(Stage stage) {
  const auto index = static_cast<uint32_t>(stage);
  Queue& queue = queues_[index];
  MysqlMutexGuard guard(queue.mutex, kQueueFetch[index]);
  BinlogSession* first = queue.first;
  LATCHSCOPE_ASSERT(first != nullptr, "a leader finds at least itself in its stage");
  queue.first = queue.last = nullptr;
  queue.size = 0;
  return first;
}

uint32_t CommitStageManager::size_of(Stage stage) {
  const auto index = static_cast<uint32_t>(stage);
  MysqlMutexGuard guard(queues_[index].mutex, kQueueFetch[index]);
  return queues_[index].size;
}

void CommitStageManager::wait_count_or_timeout(uint32_t count, uint32_t delay_us, Stage stage) {
  if (delay_us == 0) return;
  telemetry::Frame frame(kWaitCount);
  const uint32_t slice_us = std::max(1u, delay_us / 10);
  uint32_t left_us = delay_us;
  while (left_us > 0 && (count == 0 || size_of(stage) < count)) {
    const uint32_t wait_us = std::min(slice_us, left_us);
    telemetry::sleep_ns(uint64_t{wait_us} * 1000);
    left_us -= wait_us;
  }
}

void CommitStageManager::signal_done(BinlogSession* group) {
  MysqlMutexGuard guard(lock_done_, kSignalDone);
  while (group != nullptr) {
    // A session may be destroyed as soon as LOCK_done is released.
    BinlogSession* next = group->next_in_stage;
    LATCHSCOPE_ASSERT(group->pending, "a session is signaled once");
    group->pending = false;
    telemetry::thread_is_led_by(group->thread, 0);
    group = next;
  }
  cond_done_.broadcast();
}

uint64_t CommitStageManager::entered(Stage stage) {
  return telemetry::latch_site_total(kQueueAppend[static_cast<uint32_t>(stage)].id).acquisitions;
}

uint64_t CommitStageManager::signals() {
  return telemetry::latch_site_total(kSignalDone.id).acquisitions;
}

}  // namespace latchscope::server::binlog
