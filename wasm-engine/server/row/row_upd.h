// UPDATE and its purge on the clustered index. Sources: MySQL 8.4 row0upd, btr0cur, row0purge.
#pragma once

#include "server/buf/buf_pool.h"
#include "server/db_err.h"
#include "server/row/dict_table.h"
#include "server/trx/trx.h"

namespace latchscope::server::row {

// UPDATE sbtest SET k = k + 1, all rows in key order, as part of `trx`. For each row: latches its
// leaf page X, writes the undo record (undo page X, then released), then changes the row in place.
DbErr update_k_of_all_rows(buf::BufPool& pool, DictTable& table, trx::Trx& trx);

// row_purge: finds the row of a purged undo record and asserts that this record's transaction or a
// later one changed it last. There is no secondary index, so there are no old entries to remove.
void row_purge(buf::BufPool& pool, DictTable& table, const trx::PurgeRecord& record);

}  // namespace latchscope::server::row
