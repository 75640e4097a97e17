// Outcomes of server operations, after InnoDB's dberr_t.
#pragma once

#include <cstdint>

namespace latchscope::server {

enum class DbErr : uint8_t {
  success,
  tablespace_missing,  // DB_TABLESPACE_DELETED: dropped, being dropped, or never there
  record_not_found,    // DB_RECORD_NOT_FOUND
  missing_history,     // DB_MISSING_HISTORY: the undo record may have been purged
};

}  // namespace latchscope::server
