#include "workload/undo_read_117533_checks.h"

#include <cinttypes>
#include <cstdio>

#include "server/fil/page_size_lookup.h"
#include "server/row/btr.h"
#include "server/row/row_sel.h"
#include "workload/gen/scenario_enums.h"

namespace latchscope::workload {

using namespace undo_read_117533;
using server::DbErr;
using server::fil::PageSizeLookupVariant;
using server::trx::PurgeLatchVariant;
using telemetry::Counter;

UndoReadTotals UndoReadChecks::totals() const {
  return {.undo_reads = telemetry::counter_total(Counter::undo_reads),
          .refused = telemetry::counter_total(Counter::history_missing),
          .purge_latch_s = acquisitions_at(server::trx::PurgeLatch::reader_site()),
          .end_latch_s = acquisitions_at(server::trx::PurgeLatch::reader_end_site()),
          .shard_mutex = acquisitions_at(server::fil::page_size_mutex_site()),
          .shard_rw_lock_s = acquisitions_at(server::fil::page_size_rw_lock_site()),
          .undo_page_s = acquisitions_at(server::trx::UndoReader::undo_page_site()),
          .purge_batches = telemetry::counter_total(Counter::purge_batches),
          .purge_latch_x = acquisitions_at(server::trx::PurgeSys::clone_site())};
}

void UndoReadChecks::expect_count(const std::string& what, uint64_t count, uint64_t expected_min,
                                  uint64_t expected_max, const std::string& of) {
  char detail[200];
  snprintf(detail, sizeof detail, "%" PRIu64 " acquisitions for %s; expected %" PRIu64, count, of.c_str(),
           expected_min);
  expect(what, count >= expected_min && count <= expected_max, detail);
}

// Compares with the tables in trx_rec.h and purge_latch.h.
void UndoReadChecks::check_lock_path(const UndoReadTotals& phase) {
  const PageSizeLookupVariant lookup = server_.undo_reader.page_size_lookup();
  const PurgeLatchVariant latch = server_.purge_sys.latch().variant();
  const std::string in = " under " + variant_name(manifest_, undo_page_size_lookup, lookup) + " + " +
                         variant_name(manifest_, purge_latch, latch);
  const std::string reads = std::to_string(phase.undo_reads) + " undo reads";
  const uint64_t tested = phase.undo_reads + phase.refused;

  const bool guard = server_.purge_sys.latch().guards_end_view();
  const bool mutex = lookup == PageSizeLookupVariant::shard_mutex || lookup == PageSizeLookupVariant::yours;
  const bool rw_lock = lookup == PageSizeLookupVariant::shard_rw_lock;
  const auto exactly = [&](const char* what, uint64_t count, uint64_t expected) {
    expect_count(what + in, count, expected, expected, reads);
  };
  exactly("purge_sys->latch S", phase.purge_latch_s, guard ? 0 : tested);
  exactly("purge_sys->end_latch S", phase.end_latch_s, guard ? tested : 0);
  // A refused read stops at the purge latch, or finds its tablespace missing.
  expect_count("Fil_shard::m_mutex in fil_space_get_page_size" + in, phase.shard_mutex,
               mutex ? phase.undo_reads : 0, mutex ? tested : 0, reads);
  expect_count("Fil_shard::m_rw_lock in fil_space_get_page_size" + in, phase.shard_rw_lock_s,
               rw_lock ? phase.undo_reads : 0, rw_lock ? tested : 0, reads);
  exactly("buf_block_t::lock S of the undo page", phase.undo_page_s, guard ? 0 : phase.undo_reads);
  const uint64_t x = phase.purge_batches * server_.purge_sys.latch().latches_per_x();
  expect_count("purge_sys->latch X" + in, phase.purge_latch_x, x, x,
               std::to_string(phase.purge_batches) + " purge batches");
}

void UndoReadChecks::check_end() {
  check_reads();
  check_purge();
  check_what_is_left();
}

void UndoReadChecks::check_reads() {
  const uint64_t verified = telemetry::counter_total(Counter::scans_verified);
  const uint64_t wrong = telemetry::counter_total(Counter::rows_wrong);
  const uint64_t errors = telemetry::counter_total(Counter::errors);
  const uint64_t transactions = telemetry::counter_total(Counter::transactions);
  expect("every select returned sum(id) and, row by row, the k of its read view",
         wrong == 0 && verified + errors == transactions,
         std::to_string(verified) + " selects right, " + std::to_string(wrong) + " rows wrong, " +
             std::to_string(errors) + " errors, of " + std::to_string(transactions));
  const uint64_t missing = telemetry::counter_total(Counter::history_missing);
  expect("no open read view missed history: purge stayed behind the oldest view", missing == 0,
         std::to_string(missing) + " selects missed history");
  const std::string table = verify_table();
  expect("every row in the table has its checksum and all updates", table.empty(), table);
}

void UndoReadChecks::check_purge() {
  const uint64_t written = telemetry::counter_total(Counter::undo_records_written);
  const uint64_t purged = telemetry::counter_total(Counter::undo_records_purged);
  const uint64_t in_history = server_.undo_spaces.history_records();
  expect("undo records written = purged + in the history", written == purged + in_history,
         std::to_string(written) + " = " + std::to_string(purged) + " + " + std::to_string(in_history));
  const uint64_t used = server_.undo_spaces.used_pages();
  const uint64_t of_history = server_.undo_spaces.history_pages();
  expect("every undo page belongs to one undo log of the history, or is free", used == of_history,
         std::to_string(used) + " pages used, " + std::to_string(of_history) + " in the history");
  const std::string ids = verify_space_ids();
  expect("each undo-space number names one tablespace that exists", ids.empty(),
         ids.empty() ? std::to_string(telemetry::counter_total(Counter::undo_truncations)) + " truncations"
                     : ids);
  const std::string probe = probe_purged_history();
  expect("reading history that is gone returns DB_MISSING_HISTORY", probe.empty(), probe);
}

void UndoReadChecks::check_what_is_left() {
  expect("no transaction and no read view is left over", server_.trx_sys.active_transactions() == 0 &&
                                                             server_.trx_sys.open_views() == 0 &&
                                                             server_.undo_spaces.active_transactions() == 0);
  expect("the purge latches are free: each S and X was released, none was taken twice",
         server_.purge_sys.latch().is_free());
  expect("no tablespace has operations pending", server_.fil_system.nothing_is_pending());
  expect("every frame of the buffer pool is in one list, and none is fixed or latched",
         server_.buffer_pool.is_consistent());
}

// Returns a description of the first error in the table, or "".
// REQUIRES: the clients have ended.
std::string UndoReadChecks::verify_table() {
  const uint64_t updates = telemetry::counter_total(Counter::queries_write);
  server::trx::ReadView view;
  server_.trx_sys.open(view);
  server::row::ConsistentScan scan(server_.buffer_pool, *server_.table, server_.undo_reader, view);
  const uint8_t* row = nullptr;
  uint32_t rows = 0;
  std::string problem;
  while (problem.empty() && scan.next(row) == DbErr::success) {
    ++rows;
    const bool is_right =
        scan.is_newest_version() && server::row::row_is_right(row, server_.table->source, rows) &&
        server::read_at<uint32_t>(row, server::row::kRowK) == server_.loaded_k[rows - 1] + updates;
    if (!is_right) problem = "row " + std::to_string(rows) + " is wrong";
  }
  server_.trx_sys.close(view);
  if (problem.empty() && rows != server_.rows) problem = std::to_string(rows) + " rows";
  return problem;
}

std::string UndoReadChecks::verify_space_ids() {
  for (uint32_t number = 1; number <= server_.undo_spaces.spaces(); ++number) {
    const uint32_t id = server_.undo_spaces.space_id(number);
    const bool is_of_number =
        (server::trx::kUndoSpaceIdMax - number - id) % server::trx::kUndoSpaceIdStep == 0;
    if (!is_of_number || server_.fil_system.find(id) == nullptr)
      return "undo tablespace " + std::to_string(number);
  }
  return "";
}

// Follows the roll pointer of a row whose last change is visible to purge. Returns a description of
// a wrong answer, or "".
std::string UndoReadChecks::probe_purged_history() {
  server::buf::PageLatch leaf;
  if (server::row::open_leaf(server_.buffer_pool, *server_.table, 0, leaf) != DbErr::success)
    return "the table cannot be read";
  const uint8_t* row = leaf.frame() + server::row::leaf_row_offset(0);
  const server::trx::TrxId trx_id = server::trx::read_trx_id(row + server::row::kRowTrxId);
  if (trx_id == 0 || !server_.purge_sys.history_may_be_gone(trx_id)) return "";
  server::trx::UndoRecord record;
  const DbErr outcome = server_.undo_reader.get_undo_rec(
      server::trx::read_roll_ptr(row + server::row::kRowRollPtr), trx_id, record);
  return outcome == DbErr::missing_history ? "" : "the purged undo record of the first row could be read";
}

}  // namespace latchscope::workload
