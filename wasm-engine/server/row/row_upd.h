// UPDATE and its purge on the clustered index (sources: MySQL 8.4 row0upd, btr0cur, row0purge).
#pragma once

#include "server/buf/buf_pool.h"
#include "server/db_err.h"
#include "server/row/dict_table.h"
#include "server/trx/trx.h"

namespace latchscope::server::row {

// UPDATE sbtest SET k = k + 1, all rows in key order, as a part of `trx`. For each row: its leaf page X, the
// undo record (undo page X, released), then the row in place.
DbErr update_k_of_all_rows(buf::BufPool& pool, DictTable& table, trx::Trx& trx);

// row_purge: finds the row of a purged undo record. There is no secondary index whose old entries it would
// remove. The row was last changed by the undo record's transaction or a later one.
void row_purge(buf::BufPool& pool, DictTable& table, const trx::PurgeRecord& record);

}  // namespace latchscope::server::row
