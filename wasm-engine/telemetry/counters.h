// Counters, declared once. Names are snake_case with the unit last; tools generate the TypeScript list and
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
  COUNTER(errors, "transactions that ended with an error that sysbench would ignore and count")            \
  COUNTER(rows_verified, "rows whose key, contents and checksum were what the load had stored")            \
  COUNTER(rows_wrong, "rows that were not: must stay 0")                                                   \
  COUNTER(tablespace_missing, "look-ups refused because the tablespace was dropped or is being dropped")   \
  COUNTER(page_gets, "pages asked of the buffer pool")                                                     \
  COUNTER(block_reads, "pages read from a device into the buffer pool")                                    \
  COUNTER(block_reads_leaf, "of these, leaf pages of an index")                                            \
  COUNTER(block_reads_no_ibuf, "of these, pages that the change buffer leaves alone: pages 0 and 1 of a tablespace") \
  COUNTER(block_reads_lost_race, "reads given up because another thread had begun to read the same page")  \
  COUNTER(block_reads_refused, "reads refused because the tablespace was missing")                         \
  COUNTER(ibuf_merges_refused, "reads that skipped the change-buffer step because the tablespace was being dropped") \
  COUNTER(pages_evicted, "pages taken out of the buffer pool to free a frame")                             \
  COUNTER(pages_evicted_by_clients, "of these, by a client that found no free frame")                      \
  COUNTER(page_cleaner_rounds, "times the page cleaner refilled free lists")                               \
  COUNTER(latency_samples, "transactions whose latency was timed") \
  COUNTER(rows_scanned, "rows that a consistent scan returned") \
  COUNTER(scans_verified, "scans of the whole table whose every row was the one of the read view, and whose sum was right") \
  COUNTER(read_views_opened, "read views opened by clients") \
  COUNTER(undo_reads, "undo records read for consistent reads") \
  COUNTER(versions_built, "older versions of rows built for consistent reads") \
  COUNTER(history_missing, "selects that ended because purge may have removed an undo record they needed") \
  COUNTER(rows_updated, "rows changed by UPDATE") \
  COUNTER(update_us, "microseconds from the begin of UPDATE statements to the end of their COMMIT, in all") \
  COUNTER(undo_records_written, "undo records written by UPDATE") \
  COUNTER(undo_records_purged, "undo records that purge has dealt with") \
  COUNTER(undo_pages_freed, "undo pages given back to their tablespace") \
  COUNTER(undo_truncations, "undo tablespaces that were empty and created anew") \
  COUNTER(purge_batches, "batches of purge, each with one clone of the oldest read view") \
  COUNTER(pages_flushed, "dirty pages written to their file before they were evicted")                        \
  COUNTER(read_ahead_checks, "times random read-ahead looked whether an area is worth reading")            \
  COUNTER(read_aheads, "of these, areas whose missing pages were then asked for in one batch")             \
  COUNTER(read_ahead_linear_checks, "times linear read-ahead looked at an area, one of whose two border pages was read") \
  COUNTER(aio_reads_posted, "asynchronous page reads put into a slot of an AIO array")                     \
  COUNTER(aio_reads_completed, "of these, reads whose page was completed by an I/O handler thread")        \
  COUNTER(aio_groups, "groups of consecutive pages that a handler read after one selection")               \
  COUNTER(aio_calls, "calls to a device by handlers: one for each page, or one for each group")            \
  COUNTER(aio_slots_scanned, "slots looked at while holding an AIO array mutex")                           \
  COUNTER(handler_wake_rounds, "times a poster woke handlers: at the end of a batch, or because the array was full") \
  COUNTER(handler_wake_calls, "segments that a poster locked and scanned in order to wake their handler")  \
  COUNTER(handler_events_set, "of these, segments with a reserved slot, whose event was then set")         \
  COUNTER(handler_wakeups, "times an I/O handler thread came back from its event")                         \
  COUNTER(handler_wakeups_empty, "of these, times it found nothing to do")                                 \
  COUNTER(handler_idle_rounds, "times an I/O handler thread found nothing to do and reset its event")      \
  COUNTER(slot_waits, "times a poster went to sleep because every slot of the AIO array was reserved")     \
  COUNTER(slot_waits_in_vain, "of these, times it woke and found the array full again")                    \
  COUNTER(warm_ups, "times the buffer pool came from cold to warm: 7/8 of its frames, or of the data, read") \
  COUNTER(warm_up_us, "microseconds from the first look-up in a cold buffer pool until it was warm, in all")  \
  COUNTER(commits, "transactions that went through ordered commit, XA PREPARE and XA COMMIT included")     \
  COUNTER(commit_groups, "groups of them, by the leaders of the COMMIT stage")                             \
  COUNTER(commit_gap_ms_max, "longest time in which a COMMIT waited and none ended, milliseconds")         \
  COUNTER(slow_commits, "COMMITs longer than long_query_time, each with a slow log entry")                 \
  COUNTER(binlog_bytes_written, "bytes of events written to binary logs")                                  \
  COUNTER(binlog_files_rotated, "rotations to a new binary log")                                           \
  COUNTER(binlog_rotations_deferred, "rotations put off because LOCK_index was busy")                      \
  COUNTER(binlog_rotations_blocked, "rotations that waited for LOCK_index, holding LOCK_log")              \
  COUNTER(binlog_sync_us_max, "longest fsync of a binary log by a commit group, microseconds")             \
  COUNTER(binlog_purges, "times a purge looked for expired binary logs under LOCK_index")                  \
  COUNTER(binlog_files_purged, "binary logs deleted")                                                      \
  COUNTER(binlog_bytes_not_kept, "bytes that count in the size of binary logs but are not kept in memory") \
  COUNTER(xa_prepares, "XA PREPARE statements")                                                            \
  COUNTER(xa_commits, "XA COMMIT statements")                                                              \
  COUNTER(gtids_added, "GTIDs handed to the persister")                                                    \
  COUNTER(gtids_persisted, "GTIDs written to mysql.gtid_executed")                                         \
  COUNTER(gtid_flushes, "times the persister wrote its list to mysql.gtid_executed")                       \
  COUNTER(gtid_flush_waits, "waits of XA COMMIT for the persister")                                        \
  COUNTER(gtid_wait_polls, "sleeps or spins in those waits")                                               \
  COUNTER(gtid_wait_cpu_ns, "CPU time in those waits, nanoseconds; 0 in a browser, where none knows")      \
  COUNTER(gtid_compressions, "compressions of mysql.gtid_executed")
// clang-format on

#define LATCHSCOPE_DECLARE_COUNTER(name, meaning) name,
enum class Counter : uint32_t { LATCHSCOPE_COUNTERS(LATCHSCOPE_DECLARE_COUNTER) count_ };
#undef LATCHSCOPE_DECLARE_COUNTER
static_assert(static_cast<uint32_t>(Counter::count_) <= kCountersMax);

}  // namespace latchscope::telemetry
