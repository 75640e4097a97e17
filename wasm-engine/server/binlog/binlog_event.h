// Binary log events as real bytes in MySQL's v4 format, little-endian. Source: MySQL 8.0
// libbinlogevents.
//
//    offset  bytes  common header
//    0       4      timestamp, seconds
//    4       1      event type
//    5       4      server id
//    9       4      event size, including header and checksum
//    13      4      position after the event in its file, modulo 2^32
//    17      2      flags
//    19      ...    body
//    size-4  4      checksum: CRC-32C here (MySQL: CRC-32) of everything before
//
// A session's cache contains events without position and checksum. Both are written when the events
// are copied into the log, because the position is known only then. This work is done under
// LOCK_log.
//
// Bodies: GTID has flags, source id, GNO, logical clock and commit time (MySQL adds the
// transaction's length and server version). Rows events have table id, flags, column count, bitmaps
// and row images of sbtest. The optional metadata of TABLE_MAP is omitted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "server/binlog/gtid_set.h"

namespace latchscope::server::binlog {

enum class EventType : uint8_t {
  query = 2,
  rotate = 4,
  format_description = 15,
  xid = 16,
  table_map = 19,
  write_rows = 30,
  update_rows = 31,
  delete_rows = 32,
  gtid = 33,
  previous_gtids = 35,
  xa_prepare = 38,
};

using Bytes = std::vector<uint8_t>;

inline constexpr uint32_t kEventHeaderBytes = 19;
inline constexpr uint32_t kEventChecksumBytes = 4;
inline constexpr uint32_t kGtidGnoOffset = kEventHeaderBytes + 17;  // in a GTID event
inline constexpr std::string_view kBinlogMagic{
    "\xfe"
    "bin",
    4};

struct LogicalClock {
  uint64_t last_committed;
  uint64_t sequence_number;
};

// Append an event to the log, without position and checksum.
void append_query(Bytes& log, std::string_view sql);
void append_xid(Bytes& log, uint64_t xid);
void append_xa_prepare(Bytes& log, std::string_view xid);
void append_table_map(Bytes& log, uint64_t table_id, std::string_view table);
void append_rows(Bytes& log, EventType type, uint64_t table_id, const uint8_t* before, const uint8_t* after,
                 size_t row_bytes);  // null: the image is omitted
void append_gtid(Bytes& log, uint64_t gno, LogicalClock clock, uint64_t commit_time_us);
void append_format_description(Bytes& log);
void append_previous_gtids(Bytes& log, const GtidSet& gtids);
void append_rotate(Bytes& log, std::string_view next_file);

// Writes the checksums of the events in [from, end of log) and their positions, starting at
// `position`.
void stamp_events(Bytes& log, size_t from, uint64_t position);

struct EventView {
  EventType type;
  const uint8_t* body;
  uint32_t body_bytes;
  uint32_t end_position;
  uint32_t size;
};

// Reads events in order. Stops at a truncated event or a wrong checksum.
class EventReader {
 public:
  EventReader(const Bytes& bytes, size_t from) : bytes_(bytes), at_(from) {}
  std::optional<EventView> next();
  // Returns false if the remaining bytes do not start with a valid event.
  bool at_end() const { return at_ == bytes_.size(); }
  size_t offset() const { return at_; }

 private:
  const Bytes& bytes_;
  size_t at_;
};

uint64_t gno_of(const EventView& gtid_event);
GtidSet gtids_of(const EventView& previous_gtids_event);

}  // namespace latchscope::server::binlog
