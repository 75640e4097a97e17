// What the server's work costs on a modelled server, on a core of 2025 (ServerProfile::work_percent): CPU time that no latch or cache line accounts for. Real threads do
// the work instead of being charged for it, or, like the SQL layer, do without.
//
// Basis: `published` says where, `assumed` is an estimate on which the reported figures hardly depend, `fitted` was
// chosen so that a reported figure comes out (docs/fidelity.md says which one).
#pragma once

#include <cstdint>

#include "platform/platform.h"

namespace latchscope::server::ut {

// C(name, value, basis, meaning): nanoseconds, unless the name says otherwise.
#define LATCHSCOPE_WORK_COSTS(C)                                                                             \
  C(fil_hash_lookup_ns, 60, fitted, "one look-up in a tablespace hash table, under its mutex (#117533)")     \
  C(row_scanned_ns, 216, fitted, "a row read, converted and summed up by a scan (#117533)")                  \
  C(version_built_ns, 450, assumed,                                                                          \
    "parsing the update vector of an undo record, copying the row, applying it")                             \
  C(undo_record_copied_ns, 120, assumed, "reading an undo record and copying it to a heap")                  \
  C(point_select_ns, 10'000, assumed, "parsing, optimizing and answering a select by primary key (#69276)")  \
  C(fil_node_io_ns, 50, assumed, "the rest of what is done under the mutex when an I/O begins or ends")      \
  C(page_checksum_ns, 1'500, published,                                                                      \
    "verifying the checksum of a page that was read: CRC-32C of 16 KiB in one stream (measured)")            \
  C(ibuf_bitmap_ns, 160, assumed, "finding the page's bits in the change buffer's bitmap page")              \
  C(xa_statement_ns, 60'000, assumed, "a statement of oltp_xa.lua: parsing, optimizing, answering")          \
  C(oltp_statement_ns, 385'000, fitted,                                                                      \
    "the same for sysbench 0.5's oltp.lua, to the transactions per second of #104615")                       \
  C(row_read_ns, 300, assumed, "one row of a range select")                                                  \
  C(trx_commit_ns, 2'000, assumed, "trx_commit_for_mysql but for its mutexes and waits")                     \
  C(xa_commit_ns, 335'000, fitted, "what else the leader does under LOCK_commit for one XA COMMIT (#99638)") \
  C(commit_bookkeeping_ns, 200, assumed, "what the leader of the COMMIT stage does per member")              \
  C(event_written_ns_per_kib, 300, assumed, "copying events to the binary log and checksumming them, per KiB")

#define LATCHSCOPE_DECLARE_WORK_COST(name, value, basis, meaning) inline constexpr uint64_t name = value;
namespace work_cost {
LATCHSCOPE_WORK_COSTS(LATCHSCOPE_DECLARE_WORK_COST)
}
#undef LATCHSCOPE_DECLARE_WORK_COST

// Charges for many small pieces of work at a time, because each charge is an event of the model. Whoever holds it pays
// before the next latch.
class ChargeBatch {
 public:
  void add(uint64_t cpu_ns) {
    owed_ns_ += cpu_ns;
    if (owed_ns_ >= kPaidAtNs) pay();
  }
  void pay() {
    platform::charge(owed_ns_);
    owed_ns_ = 0;
  }

 private:
  static constexpr uint64_t kPaidAtNs = 10'000;
  uint64_t owed_ns_ = 0;
};

}  // namespace latchscope::server::ut
