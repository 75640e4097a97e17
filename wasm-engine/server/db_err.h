// Outcomes of server operations; corresponds to InnoDB's dberr_t.
#pragma once

#include <cstdint>

namespace latchscope::server {

enum class DbErr : uint8_t {
  success,
  // DB_TABLESPACE_DELETED: the tablespace was dropped, is being dropped or never existed.
  tablespace_missing,
  record_not_found,  // DB_RECORD_NOT_FOUND
  missing_history,   // DB_MISSING_HISTORY: the undo record may have been purged
};

}  // namespace latchscope::server
