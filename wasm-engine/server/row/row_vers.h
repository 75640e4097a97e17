// Older versions of a clustered-index row. Sources: MySQL 8.4 row0vers, trx0rec.
#pragma once

#include <cstdint>

#include "server/db_err.h"
#include "server/row/sbtest_row.h"
#include "server/trx/read_view.h"
#include "server/trx/trx_rec.h"

namespace latchscope::server::row {

// row_vers_build_for_consistent_read: builds in `version` (kRowBytes) the newest version of
// `record` that the view sees, going back as many versions as needed. Returns missing_history if
// purge may have removed one of the undo records. Returns record_not_found if the row did not exist
// for the view.
// REQUIRES: the caller holds the leaf page of `record` S.
//
// The checksum in `version` remains that of the newest version: it protects rows in pages, not
// copies.
DbErr row_vers_build_for_consistent_read(trx::UndoReader& undo, const trx::ReadView& view,
                                         const uint8_t* record, uint8_t* version);

}  // namespace latchscope::server::row
