// Helpers for the files of a binary log: file names, lists of names (the index and the registers),
// and the GTIDs recorded in a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/binlog/binlog_event.h"
#include "server/binlog/gtid_set.h"
#include "telemetry/telemetry.h"

namespace latchscope::server::binlog {

// FileStat::modified_ns counts nanoseconds.
inline constexpr int64_t kFileTimeNsPerSecond = 1'000'000'000;

std::string file_name(uint32_t number);
bool is_binlog_file(const std::string& name);
uint32_t file_number(const std::string& name);

// Convert between names and text, one name per line. An incomplete last line, left by a crash, is
// ignored.
std::vector<std::string> lines_of(const std::string& text);
std::string text_of(const std::vector<std::string>& lines);

// The header's Previous_gtids, and the GTIDs of the events whose bytes are stored.
struct FileGtids {
  GtidSet previous;
  GtidSet own;
  bool is_sound;  // true if magic number, checksums and event order are correct
};
FileGtids read_gtids(const Bytes& bytes);

// Latch sites and functions of mysql_bin_log.h that several of its files share.
inline const telemetry::LatchSite kOtherIndex("LOCK_index", "MYSQL_BIN_LOG::find_log_pos");
inline const telemetry::LatchSite kSidRead("sid_locks", "Gtid_state::get_executed_gtids");
inline const telemetry::LatchSite kUpdateCommitGroup("global_tsid_lock", "Gtid_state::update_commit_group");

inline const telemetry::Function kPurgeIndexEntryFrame("MYSQL_BIN_LOG::purge_index_entry");

}  // namespace latchscope::server::binlog
