#include "workload/aio_wakeup_95491_checks.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "workload/gen/scenario_enums.h"

namespace latchscope::workload {

using namespace aio_wakeup_95491;

using server::aio::AIO;
using server::aio::HandlerWakeup;
using server::aio::SlotWait;
using telemetry::Counter;

namespace {

uint64_t acquisitions(const char* latch, const char* function) {
  for (uint32_t site = 0; site < telemetry::latch_sites_count(); ++site) {
    if (std::string_view(latch) == telemetry::latch_name_of_site(site) &&
        std::string_view(function) == telemetry::function_name_of_site(site)) {
      return acquisitions_at(site);
    }
  }
  LATCHSCOPE_ASSERT(false, "a latch site that is counted exists");
}

AIO::Check check_of_all(server::aio::OsAio& os_aio) {
  AIO::Check all{};
  all.free_slots_are_announced = true;
  for (AIO* array : os_aio.arrays()) {
    const AIO::Check check = array->check();
    all.reserved_ever += check.reserved_ever;
    all.done_ever += check.done_ever;
    all.freed_ever += check.freed_ever;
    all.reserved_now += check.reserved_now;
    all.posters_waiting += check.posters_waiting;
    all.resets_with_requests += check.resets_with_requests;
    all.overtaken += check.overtaken;
    all.waited_ns_max = std::max(all.waited_ns_max, check.waited_ns_max);
    all.free_slots_are_announced &= check.free_slots_are_announced;
  }
  return all;
}

}  // namespace

AioPathTotals AioWakeupChecks::totals() const {
  AioPathTotals totals;
  totals.reserve = acquisitions("AIO::m_mutex", "AIO::reserve_slot");
  totals.wake = acquisitions("AIO::m_mutex", "AIO::wake_simulated_handler_thread");
  totals.handler = acquisitions("AIO::m_mutex", "os_aio_simulated_handler");
  for (const char* function : {"fil_space_get", "Fil_shard::do_io", "Fil_shard::complete_io",
                               "fil_space_acquire_silent", "fil_space_release"}) {
    totals.shard += acquisitions("Fil_shard::m_mutex", function);
  }
  totals.posted = telemetry::counter_total(Counter::aio_reads_posted);
  totals.completed = telemetry::counter_total(Counter::aio_reads_completed);
  totals.groups = telemetry::counter_total(Counter::aio_groups);
  totals.idle_rounds = telemetry::counter_total(Counter::handler_idle_rounds);
  totals.slot_waits = telemetry::counter_total(Counter::slot_waits);
  totals.leaf_reads = telemetry::counter_total(Counter::block_reads_leaf);
  totals.other_reads = telemetry::counter_total(Counter::block_reads) - totals.leaf_reads;
  totals.read_ahead_checks = telemetry::counter_total(Counter::read_ahead_checks);
  totals.read_aheads = telemetry::counter_total(Counter::read_aheads);
  return totals;
}

// Compares with the tables in os_aio.h, aio_array.h and buf_read_ahead.h.
// REQUIRES: no request is pending.
void AioWakeupChecks::check_lock_path(const AioPathTotals& phase) {
  const bool retries_under_mutex = os_aio_.slot_wait() == SlotWait::event_broadcast;
  const uint64_t reserve_expected = phase.posted + (retries_under_mutex ? phase.slot_waits : 0);
  const uint64_t handler_expected = phase.completed + phase.groups + phase.idle_rounds;
  const uint64_t shard_expected = 5 * phase.leaf_reads + 3 * phase.other_reads + 2 * phase.read_ahead_checks;
  const std::string design = variant_name(manifest_, handler_wakeup, os_aio_.handler_wakeup()) + ", " +
                             variant_name(manifest_, slot_wait, os_aio_.slot_wait());
  char detail[320];
  snprintf(detail, sizeof detail,
           "AIO::m_mutex: reserve %" PRIu64 " of %" PRIu64 " expected, handler %" PRIu64 " of %" PRIu64
           ", wake %" PRIu64 ", in %" PRIu64 " batches of %" PRIu64 " asynchronous reads and %" PRIu64
           " waits for a slot; Fil_shard::m_mutex %" PRIu64 " of %" PRIu64,
           phase.reserve, reserve_expected, phase.handler, handler_expected, phase.wake, phase.read_aheads,
           phase.posted, phase.slot_waits, phase.shard, shard_expected);
  expect("lock path of " + design,
         phase.reserve == reserve_expected && woke_whom_it_should(phase) &&
             phase.handler == handler_expected && phase.shard == shard_expected &&
             phase.posted == phase.completed,
         detail);
}

// A poster that finds no free frame wakes handlers as at the end of a batch. The checks are
// therefore inequalities.
bool AioWakeupChecks::woke_whom_it_should(const AioPathTotals& phase) const {
  const uint64_t segments = os_aio_.segments();
  switch (os_aio_.handler_wakeup()) {
    case HandlerWakeup::wake_all:
      return phase.wake % segments == 0 && phase.wake >= segments * (phase.read_aheads + phase.slot_waits);
    case HandlerWakeup::wake_preferred_segment:
      return phase.wake >= segments * phase.read_aheads + phase.slot_waits;
    case HandlerWakeup::wake_touched_segments:
      return phase.wake <= phase.posted;
  }
  LATCHSCOPE_ASSERT(false, "every variant of handler_wakeup is checked");
}

void AioWakeupChecks::check_end() {
  check_requests();
  check_pages_and_rows();
}

void AioWakeupChecks::check_requests() {
  const AIO::Check all = check_of_all(os_aio_);
  const auto text = [](uint64_t number) { return std::to_string(number); };
  expect("each request went through free, reserved, done, free exactly once",
         all.reserved_ever == all.done_ever && all.done_ever == all.freed_ever && all.reserved_now == 0 &&
             telemetry::counter_total(Counter::aio_reads_posted) ==
                 telemetry::counter_total(Counter::aio_reads_completed),
         text(all.reserved_ever) + " reserved, " + text(all.done_ever) + " done, " + text(all.freed_ever) +
             " freed");
  expect("a handler's event was reset only when its segment had nothing to do", all.resets_with_requests == 0,
         text(all.resets_with_requests) + " resets while it had a request");
  expect(
      "every freed slot was announced, and nobody waits for one",
      all.posters_waiting == 0 && all.free_slots_are_announced,
      text(telemetry::counter_total(Counter::slot_waits)) + " waits, " + text(all.posters_waiting) + " left");
  expect("no request was left without a wake-up", drains_with_forgotten_requests_ == 0,
         text(drains_with_forgotten_requests_) + " times a request was found asleep");
  expect("no request of 2 s or older was passed over", all.overtaken == 0,
         text(all.overtaken) + " passed over; the longest wait for a handler was " +
             text(all.waited_ns_max / 1000) + " us");
}

void AioWakeupChecks::check_pages_and_rows() {
  const uint64_t verified = telemetry::counter_total(Counter::rows_verified);
  const uint64_t transactions = telemetry::counter_total(Counter::transactions);
  expect("every page latch was released by the completion of its read; every frame is in one list",
         buffer_pool_.is_consistent() && buffer_pool_.pending_reads() == 0);
  expect("every look-up returned the right row",
         telemetry::counter_total(Counter::rows_wrong) == 0 && verified == transactions,
         std::to_string(verified) + " right of " + std::to_string(transactions));
  expect("no tablespace has operations pending", fil_system_.nothing_is_pending());
}

}  // namespace latchscope::workload
