// CPU time that the server's work costs on the virtual server, on a core of 2025
// (ServerProfile::work_percent). Latches and cache lines are not included. One table serves all
// scenarios. Real threads do the work itself, but faster than a real server and without the SQL
// layer. A run may therefore add this cost (parameter work_costs_percent).
//
// Basis: `measured` is the median of three real servers (research/reproduce/work-costs.mjs has the
// formulas, `npm test` compares them). `published` is a figure from the literature. `assumed` is an
// estimate on which the reported figures hardly depend. `fitted` was chosen so that a reported
// figure comes out (docs/fidelity.md says which one).
#pragma once

#include <cstdint>

#include "platform/platform.h"

namespace latchscope::server::ut {

// C(name, value, basis, meaning). Values are nanoseconds unless the name says otherwise.
#define LATCHSCOPE_WORK_COSTS(C)                                                                            \
  C(statement_ns, 3'900, measured, "a statement that does no work, such as BEGIN or XA END")                \
  C(point_select_ns, 24'000, measured, "a text select by primary key, pages in the buffer pool")            \
  C(row_read_ns, 720, measured, "each further row of a range select, read and sent")                        \
  C(handler_read_ns, 16'000, measured, "the same look-up by HANDLER READ, as in #69276")                    \
  C(update_index_ns, 84'000, measured, "an UPDATE of an indexed column by primary key, without its commit") \
  C(update_non_index_ns, 46'000, measured, "the same for a column without an index")                        \
  C(insert_ns, 27'000, measured, "an INSERT without its commit; assumed for a DELETE, too")                 \
  C(commit_ns, 19'000, measured, "COMMIT with the binary log, in the session, without trx_commit_ns")       \
  C(xa_commit_ns, 82'000, measured, "XA PREPARE or XA COMMIT, in the session, without trx_commit_ns")       \
  C(gtid_table_write_ns, 32'000, measured,                                                                  \
    "the persister's insert into mysql.gtid_executed, with commit, no binary log")                          \
  C(trx_commit_ns, 2'000, assumed, "trx_commit_for_mysql without its mutexes and waits, under LOCK_commit") \
  C(commit_bookkeeping_ns, 200, assumed, "work of the COMMIT stage's leader per member")                    \
  C(event_written_ns_per_kib, 300, assumed,                                                                 \
    "copying events to the binary log and checksumming them, per KiB")                                      \
  C(row_scanned_ns, 210, measured, "a row read, converted and summed up by a scan")                         \
  C(version_built_ns, 180, measured, "applying an undo record's update vector to a copy of the row")        \
  C(undo_record_copied_ns, 44, measured, "reading an undo record and copying it to a heap")                 \
  C(page_read_ns, 16'000, measured, "a page read from the system's cache: victim, system call, page hash")  \
  C(page_checksum_ns, 1'500, published, "verifying a page's checksum: CRC-32C of 16 KiB in one stream")     \
  C(ibuf_bitmap_ns, 160, assumed, "finding the page's bits in the change buffer's bitmap page")             \
  C(fil_hash_lookup_ns, 60, fitted, "one look-up in a tablespace hash table, under its mutex (#117533)")    \
  C(fil_node_io_ns, 50, assumed, "other work under the mutex when an I/O begins or ends")

#define LATCHSCOPE_DECLARE_WORK_COST(name, value, basis, meaning) inline constexpr uint64_t name = value;
namespace work_cost {
LATCHSCOPE_WORK_COSTS(LATCHSCOPE_DECLARE_WORK_COST)
}
#undef LATCHSCOPE_DECLARE_WORK_COST

// Sets the share of these costs that is charged. Default: 100 on the virtual server, 0 on real
// threads.
// REQUIRES: no engine thread is working.
void set_work_costs_percent(uint32_t percent);

// Charges this CPU time to the calling thread.
void pay(uint64_t cpu_ns);

// Collects the charges of many small pieces of work, because each charge is an event of the model.
// REQUIRES: the thread calls pay() before it acquires its next latch.
class ChargeBatch {
 public:
  void add(uint64_t cpu_ns) {
    owed_ns_ += cpu_ns;
    if (owed_ns_ >= kPaidAtNs) pay();
  }
  void pay() {
    ut::pay(owed_ns_);
    owed_ns_ = 0;
  }

 private:
  static constexpr uint64_t kPaidAtNs = 10'000;
  uint64_t owed_ns_ = 0;
};

}  // namespace latchscope::server::ut
