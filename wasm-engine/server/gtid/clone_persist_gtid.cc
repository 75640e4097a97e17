#include "server/gtid/clone_persist_gtid.h"

#include <algorithm>

#include "telemetry/run_log.h"
#include "telemetry/telemetry.h"

namespace latchscope::server::gtid {

using latch::MutexGuard;
using latch::MysqlMutexGuard;
using telemetry::Counter;

namespace {

const telemetry::LatchSite kRequestFlush("trx_sys->mutex", "Clone_persist_gtid::request_immediate_flush");
const telemetry::LatchSite kFlushGtids("trx_sys->mutex", "Clone_persist_gtid::flush_gtids");
const telemetry::LatchSite kFlushedWait("gtid_flushed_mutex", "Clone_persist_gtid::wait_flush");
const telemetry::LatchSite kFlushedCond("gtid_flushed_cond", "Clone_persist_gtid::wait_flush");
const telemetry::LatchSite kFlushedSignal("gtid_flushed_mutex", "Clone_persist_gtid::flush_gtids");

const telemetry::Function kWaitFlushFrame("Clone_persist_gtid::wait_flush");
const telemetry::Function kWaitThreadFrame("Clone_persist_gtid::wait_thread");
const telemetry::Function kCloneSysWaitFrame("Clone_Sys::wait");
const telemetry::Function kPeriodicWriteFrame("Clone_persist_gtid::periodic_write");
const telemetry::Function kFlushGtidsFrame("Clone_persist_gtid::flush_gtids");

}  // namespace

uint64_t ClonePersistGtid::add(TrxSys& trx_sys, uint64_t gno) {
  LATCHSCOPE_ASSERT(&trx_sys == &trx_sys_, "GTIDs are added under the mutex of the persister's own trx_sys");
  const uint64_t number = numbers_.active.load();
  lists_[number & 1].push_back(gno);
  const uint64_t in_memory = numbers_.num_gtid_mem.fetch_add(1) + 1;
  telemetry::count(Counter::gtids_added);
  if (in_memory >= kGtidThreshold) event_.set();
  return number;
}

uint64_t ClonePersistGtid::request_immediate_flush(bool compress) {
  MutexGuard guard(trx_sys_.mutex, kRequestFlush);
  uint64_t number = numbers_.active.load();
  if (numbers_.num_gtid_mem.load() == 0) --number;
  if (compress) numbers_.compress.store(1);
  numbers_.flush_request.store(std::max(number, numbers_.flush_request.load()));
  return number;
}

void ClonePersistGtid::request_flush_of(uint64_t list_number) {
  MutexGuard guard(trx_sys_.mutex, kRequestFlush);
  numbers_.flush_request.store(std::max(list_number, numbers_.flush_request.load()));
}

void ClonePersistGtid::wait_for(uint64_t list_number, WaitKind kind) {
  telemetry::Frame frame(kWaitFlushFrame);
  telemetry::count(Counter::gtid_flush_waits);
  const uint64_t cpu_before_ns = platform::thread_cpu_ns();
  if (kind == WaitKind::condition_variable) {
    wait_on_condition(list_number);
  } else {
    wait_thread(list_number, kind, kTimeoutPolls, /*counts_as_xa_wait=*/true);
  }
  telemetry::count(Counter::gtid_wait_cpu_ns, platform::thread_cpu_ns() - cpu_before_ns);
}

void ClonePersistGtid::wait_flush(bool compress) {
  telemetry::Frame frame(kWaitFlushFrame);
  const uint64_t number = request_immediate_flush(compress);
  wait_thread(number, WaitKind::poll_1ms, kEarlyTimeoutPolls, /*counts_as_xa_wait=*/false);
}

void ClonePersistGtid::wait_thread(uint64_t list_number, WaitKind kind, uint64_t polls_max,
                                   bool counts_as_xa_wait) {
  telemetry::Frame frame(kWaitThreadFrame);
  clone_sys_wait(list_number, kind, polls_max, counts_as_xa_wait);
}

// Alert and timeout count polls, however long a poll takes. With ut_delay the "five minutes"
// therefore shrink to seconds. After the timeout MySQL continues and may lose the prepare GTID.
// Here an XA COMMIT logs a warning and continues to wait.
void ClonePersistGtid::clone_sys_wait(uint64_t list_number, WaitKind kind, uint64_t polls_max,
                                      bool counts_as_xa_wait) {
  telemetry::Frame frame(kCloneSysWaitFrame);
  for (uint64_t polls = 1; !check_flushed(list_number); ++polls) {
    event_.set();
    if (kind == WaitKind::spin) {
      platform::pause(kUtDelayUnits * latches_.spin.pauses_per_unit);
    } else {
      telemetry::sleep_ns(kPollSleepNs);
    }
    if (counts_as_xa_wait) telemetry::count(Counter::gtid_wait_polls);
    if (polls % kAlertPolls == 0) telemetry::log_entry("[Note] [InnoDB] Waiting for Clone GTID thread");
    if (polls < polls_max) continue;
    if (!counts_as_xa_wait || numbers_.stop.load() != 0) return;
    if (polls == polls_max) telemetry::log_entry("[Warning] [InnoDB] Timeout waiting for Clone GTID thread");
  }
}

void ClonePersistGtid::wait_on_condition(uint64_t list_number) {
  telemetry::Frame frame(kWaitThreadFrame);
  if (check_flushed(list_number)) return;
  event_.set();
  MysqlMutexGuard guard(flushed_mutex_, kFlushedWait);
  while (!check_flushed(list_number))
    flushed_cond_.wait(flushed_mutex_, kFlushedCond);
}

void ClonePersistGtid::run() {
  telemetry::Frame frame(kPeriodicWriteFrame);
  uint64_t signal_count = event_.reset();
  while (numbers_.stop.load() == 0) {
    if (!flush_is_requested()) {
      telemetry::StateScope state(telemetry::ThreadState::sleeping);
      event_.wait(signal_count, kThreadWaitNs);
    }
    // Reset before the flush: an event set after this either precedes the flush or wakes the thread
    // again.
    signal_count = event_.reset();
    flush_gtids();
  }
  flush_gtids();
}

void ClonePersistGtid::request_stop() {
  numbers_.stop.store(1);
  event_.set();
}

void ClonePersistGtid::flush_gtids() {
  telemetry::Frame frame(kFlushGtidsFrame);
  uint64_t oldest_trx_no;
  uint64_t flush_number = 0;
  {
    MutexGuard guard(trx_sys_.mutex, kFlushGtids);
    oldest_trx_no =
        trx_sys_.serialisation_list.empty() ? trx_sys_.next_id : *trx_sys_.serialisation_list.begin();
    if (numbers_.num_gtid_mem.load() > 0) {
      flush_number = numbers_.active.load();
      LATCHSCOPE_ASSERT(lists_[(flush_number + 1) & 1].empty(), "at most two lists of GTIDs exist");
      numbers_.active.store(flush_number + 1);
      numbers_.num_gtid_mem.store(0);
    }
  }
  crash_may_follow("lists switched");
  if (flush_number != 0) {
    std::vector<uint64_t>& list = lists_[flush_number & 1];
    binlog::GtidSet gtids;
    for (uint64_t gno : list)
      gtids.add(gno);
    table_.insert(gtids);
    crash_may_follow("rows inserted");
    table_.commit();
    crash_may_follow("rows committed");
    telemetry::count(Counter::gtids_persisted, list.size());
    telemetry::count(Counter::gtid_flushes);
    list.clear();
    publish_flushed(flush_number);
    ++flushes_since_compression_;
  }
  numbers_.gtid_trx_no.store(oldest_trx_no);
  crash_may_follow("flush published");
  compress_if_due();
}

void ClonePersistGtid::publish_flushed(uint64_t list_number) {
  LATCHSCOPE_ASSERT(numbers_.flush.load() < list_number, "m_flush_number only grows");
  numbers_.flush.store(list_number);
  MysqlMutexGuard guard(flushed_mutex_, kFlushedSignal);
  flushed_cond_.broadcast();
}

void ClonePersistGtid::compress_if_due() {
  const bool asked_for = numbers_.compress.exchange(0) != 0;
  if (!asked_for && flushes_since_compression_ < kCompressionThreshold) return;
  flushes_since_compression_ = 0;
  table_.compress();
  telemetry::count(Counter::gtid_compressions);
  crash_may_follow("compressed");
}

uint64_t ClonePersistGtid::active_number() const {
  return numbers_.active.load();
}

bool ClonePersistGtid::all_lists_are_empty() {
  MutexGuard guard(trx_sys_.mutex, kFlushGtids);
  return lists_[0].empty() && lists_[1].empty();
}

}  // namespace latchscope::server::gtid
