// Latch sites and functions of mysql_bin_log.h that several of its files share.
#pragma once

#include "telemetry/telemetry.h"

namespace latchscope::server::binlog {

inline const telemetry::LatchSite kOtherIndex("LOCK_index", "MYSQL_BIN_LOG::find_log_pos");
inline const telemetry::LatchSite kSidRead("sid_locks", "Gtid_state::get_executed_gtids");
inline const telemetry::LatchSite kUpdateCommitGroup("global_tsid_lock", "Gtid_state::update_commit_group");

inline const telemetry::Function kPurgeIndexEntryFrame("MYSQL_BIN_LOG::purge_index_entry");

}  // namespace latchscope::server::binlog
