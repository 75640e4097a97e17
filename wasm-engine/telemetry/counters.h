// All counters. Names are snake_case with the unit last; tools generate the TypeScript list and
// the table in docs/reference/telemetry.md from COUNTER(name, meaning).
#pragma once

#include <cstdint>

#include "telemetry/layout.h"

namespace latchscope::telemetry {

// clang-format off
#define LATCHSCOPE_COUNTERS(COUNTER)                                                                       \
  COUNTER(transactions, "transactions that ended, whatever their outcome")                                 \
  COUNTER(queries_read, "SELECT statements")                                                               \
  COUNTER(queries_write, "INSERT, UPDATE and DELETE statements")                                           \
  COUNTER(queries_other, "BEGIN, COMMIT and the like")                                                     \
  COUNTER(errors, "transactions that ended with an error that sysbench ignores and counts")                \
  COUNTER(rows_verified, "rows whose key, contents and checksum matched the loaded ones")                  \
  COUNTER(rows_wrong, "rows that did not match: must stay 0")                                              \
  COUNTER(tablespace_missing, "look-ups refused because the tablespace is being or was dropped")           \
  COUNTER(page_gets, "pages asked of the buffer pool")                                                     \
  COUNTER(block_reads, "pages read from a device into the buffer pool")                                    \
  COUNTER(block_reads_leaf, "of these, leaf pages of an index")                                            \
  COUNTER(block_reads_no_ibuf, "of these, pages without change buffering: pages 0 and 1")                  \
  COUNTER(block_reads_lost_race, "reads abandoned because another thread was reading the same page")       \
  COUNTER(block_reads_refused, "reads refused because the tablespace was missing")                         \
  COUNTER(ibuf_merges_refused, "reads without the change-buffer step because of a tablespace being dropped") \
  COUNTER(pages_evicted, "pages evicted from the buffer pool to free a frame")                             \
  COUNTER(pages_evicted_by_clients, "of these, by a client that found no free frame")                      \
  COUNTER(page_cleaner_rounds, "times the page cleaner refilled free lists")                               \
  COUNTER(latency_samples, "transactions whose latency was timed")                                         \
  COUNTER(rows_scanned, "rows that a consistent scan returned")                                            \
  COUNTER(scans_verified, "full scans whose rows and sum matched the read view")                           \
  COUNTER(read_views_opened, "read views opened by clients")                                               \
  COUNTER(undo_reads, "undo records read for consistent reads")                                            \
  COUNTER(versions_built, "older versions of rows built for consistent reads")                             \
  COUNTER(history_missing, "selects that ended because purge may have removed their undo record")          \
  COUNTER(rows_updated, "rows changed by UPDATE")                                                          \
  COUNTER(update_us, "total microseconds from begin of UPDATE to end of COMMIT")                           \
  COUNTER(undo_records_written, "undo records written by UPDATE")                                          \
  COUNTER(undo_records_purged, "undo records that purge has processed")                                    \
  COUNTER(undo_pages_freed, "undo pages returned to their tablespace")                                     \
  COUNTER(undo_truncations, "empty undo tablespaces that were created again")                              \
  COUNTER(purge_batches, "batches of purge, each with one clone of the oldest read view")                  \
  COUNTER(pages_flushed, "dirty pages written to their file before they were evicted")                     \
  COUNTER(read_ahead_checks, "areas that random read-ahead checked")                                       \
  COUNTER(read_aheads, "of these, areas whose missing pages were then read in one batch")                  \
  COUNTER(read_ahead_linear_checks, "areas that linear read-ahead checked after a read of a border page")  \
  COUNTER(aio_reads_posted, "asynchronous page reads put into a slot of an AIO array")                     \
  COUNTER(aio_reads_completed, "of these, reads whose page was completed by an I/O handler thread")        \
  COUNTER(aio_groups, "groups of consecutive pages that a handler read together")                          \
  COUNTER(aio_calls, "device calls by handlers: one per page or per group")                                \
  COUNTER(aio_slots_scanned, "slots scanned under an AIO array mutex")                                     \
  COUNTER(handler_wake_rounds, "times a poster woke handlers: end of batch, or array full")                \
  COUNTER(handler_wake_calls, "segments that a poster locked and scanned to wake their handler")           \
  COUNTER(handler_events_set, "of these, segments with a reserved slot, whose event was set")              \
  COUNTER(handler_wakeups, "times an I/O handler thread returned from its event")                          \
  COUNTER(handler_wakeups_empty, "of these, times it found no work")                                       \
  COUNTER(handler_idle_rounds, "times an I/O handler found no work and reset its event")                   \
  COUNTER(slot_waits, "times a poster slept because all AIO array slots were reserved")                    \
  COUNTER(slot_waits_in_vain, "of these, times it woke to a full array")                                   \
  COUNTER(warm_ups, "times the buffer pool warmed up: 7/8 of frames or data read")                         \
  COUNTER(warm_up_us, "total microseconds from the first look-up to a warm buffer pool")                   \
  COUNTER(commits, "transactions through ordered commit, including XA PREPARE and XA COMMIT")              \
  COUNTER(commit_groups, "commit groups, by leaders of the COMMIT stage")                                  \
  COUNTER(commit_gap_ms_max, "longest time with a waiting COMMIT and none ended, milliseconds")            \
  COUNTER(slow_commits, "COMMITs longer than long_query_time, each with a slow log entry")                 \
  COUNTER(binlog_bytes_written, "bytes of events written to binary logs")                                  \
  COUNTER(binlog_files_rotated, "rotations to a new binary log")                                           \
  COUNTER(binlog_rotations_deferred, "rotations deferred because LOCK_index was busy")                     \
  COUNTER(binlog_rotations_blocked, "rotations that waited for LOCK_index while holding LOCK_log")         \
  COUNTER(binlog_sync_us_max, "longest fsync of a binary log by a commit group, microseconds")             \
  COUNTER(binlog_purges, "searches for expired binary logs under LOCK_index")                              \
  COUNTER(binlog_files_purged, "binary logs deleted")                                                      \
  COUNTER(binlog_bytes_not_kept, "bytes counted in binary log sizes but not stored in memory")             \
  COUNTER(xa_prepares, "XA PREPARE statements")                                                            \
  COUNTER(xa_commits, "XA COMMIT statements")                                                              \
  COUNTER(gtids_added, "GTIDs handed to the persister")                                                    \
  COUNTER(gtids_persisted, "GTIDs written to mysql.gtid_executed")                                         \
  COUNTER(gtid_flushes, "times the persister wrote its list to mysql.gtid_executed")                       \
  COUNTER(gtid_flush_waits, "waits of XA COMMIT for the persister")                                        \
  COUNTER(gtid_wait_polls, "sleeps or spins in those waits")                                               \
  COUNTER(gtid_wait_cpu_ns, "CPU time in those waits, nanoseconds; 0 in a browser")                        \
  COUNTER(gtid_compressions, "compressions of mysql.gtid_executed")
// clang-format on

#define LATCHSCOPE_DECLARE_COUNTER(name, meaning) name,
enum class Counter : uint32_t { LATCHSCOPE_COUNTERS(LATCHSCOPE_DECLARE_COUNTER) count_ };
#undef LATCHSCOPE_DECLARE_COUNTER
// The next counters belong to the workload file of the run.
inline constexpr uint32_t kCountersOfScript = 16;
inline constexpr uint32_t kFirstCounterOfScript = static_cast<uint32_t>(Counter::count_);
static_assert(kFirstCounterOfScript + kCountersOfScript <= kCountersMax);

}  // namespace latchscope::telemetry
