#include "workload/fil_mutex_69276_checks.h"

#include <cinttypes>
#include <cstdio>

namespace latchscope::workload {

using telemetry::Counter;

// Uses the latch sites of the current variant.
ReadPathTotals FilMutexChecks::totals() const {
  ReadPathTotals totals;
  for (uint32_t site : fil_system_.lookup().read_path_sites())
    totals.acquisitions += acquisitions_at(site);
  const uint64_t reads = telemetry::counter_total(Counter::block_reads);
  totals.leaf_reads = telemetry::counter_total(Counter::block_reads_leaf);
  totals.no_ibuf_reads = telemetry::counter_total(Counter::block_reads_no_ibuf);
  totals.other_reads = reads - totals.leaf_reads - totals.no_ibuf_reads;
  totals.read_ahead_checks = telemetry::counter_total(Counter::read_ahead_linear_checks);
  totals.lost_races = telemetry::counter_total(Counter::block_reads_lost_race);
  totals.refusals = telemetry::counter_total(Counter::block_reads_refused);
  totals.ibuf_refusals = telemetry::counter_total(Counter::ibuf_merges_refused);
  return totals;
}

// Compares with the table in tablespace_lookup.h.
void FilMutexChecks::check_lock_path(const ReadPathTotals& phase) {
  const server::fil::ReadPathCost cost = fil_system_.lookup().read_path_cost();
  const uint64_t expected = cost.per_leaf_read * phase.leaf_reads + cost.per_other_read * phase.other_reads +
                            cost.per_no_ibuf_read * phase.no_ibuf_reads +
                            cost.per_read_ahead_check * phase.read_ahead_checks +
                            cost.per_lost_race * phase.lost_races;
  const bool ok = phase.acquisitions + phase.ibuf_refusals >= expected &&
                  phase.acquisitions <= expected + cost.per_refusal_max * phase.refusals;
  char detail[256];
  snprintf(detail, sizeof detail,
           "%" PRIu64 " acquisitions in %" PRIu64 " block reads (%" PRIu64
           " of leaf pages); expected %" PRIu64 "%s",
           phase.acquisitions, phase.leaf_reads + phase.other_reads + phase.no_ibuf_reads, phase.leaf_reads,
           expected, phase.refusals + phase.ibuf_refusals == 0 ? "" : ", give or take reads refused by DROP");
  const auto variant = static_cast<size_t>(fil_system_.variant());
  expect("lock path of " + variant_name(manifest_, "tablespace_lookup", variant), ok, detail);
}

void FilMutexChecks::check_end() {
  const uint64_t verified = telemetry::counter_total(Counter::rows_verified);
  const uint64_t wrong = telemetry::counter_total(Counter::rows_wrong);
  const uint64_t missing = telemetry::counter_total(Counter::tablespace_missing);
  const uint64_t transactions = telemetry::counter_total(Counter::transactions);
  expect("every look-up returned the right row, or said that the tablespace is missing",
         wrong == 0 && verified + missing == transactions,
         std::to_string(verified) + " right, " + std::to_string(wrong) + " wrong, " +
             std::to_string(missing) + " missing, of " + std::to_string(transactions));
  expect("no tablespace has operations pending", fil_system_.nothing_is_pending());
  expect("every frame of the buffer pool is in one list, and none is fixed or latched",
         buffer_pool_.is_consistent());
}

}  // namespace latchscope::workload
