#include "server/binlog/binlog_event.h"

#include <cstring>

#include "platform/platform.h"
#include "server/ut/crc32c.h"

namespace latchscope::server::binlog {

namespace {

constexpr uint32_t kServerId = 6324;  // the port in the bug report
constexpr uint8_t kSourceId[16] = {0x4c, 0x61, 0x74, 0x63, 0x68, 0x73, 0x63, 0x6f,
                                   0x70, 0x65, 0x10, 0x46, 0x15, 0x99, 0x63, 0x80};
constexpr uint64_t kNsPerSecond = 1'000'000'000;

template <class T>
void put(Bytes& log, T value) {
  const size_t at = log.size();
  log.resize(at + sizeof value);
  memcpy(log.data() + at, &value, sizeof value);
}
void put_bytes(Bytes& log, const void* bytes, size_t count) {
  const auto* first = static_cast<const uint8_t*>(bytes);
  log.insert(log.end(), first, first + count);
}
void put_text(Bytes& log, std::string_view text) {
  put_bytes(log, text.data(), text.size());
}
void put_low_bytes(Bytes& log, uint64_t value, uint32_t count) {
  put_bytes(log, &value, count);
}

template <class T>
T get(const uint8_t* bytes) {
  T value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

// Writes a common header now, and the event's size when the scope ends.
class EventScope {
 public:
  EventScope(Bytes& log, EventType type) : log_(log), begin_(log.size()) {
    put<uint32_t>(log_, static_cast<uint32_t>(platform::now_ns() / kNsPerSecond));
    put<uint8_t>(log_, static_cast<uint8_t>(type));
    put<uint32_t>(log_, kServerId);
    put<uint32_t>(log_, 0);
    put<uint32_t>(log_, 0);
    put<uint16_t>(log_, 0);
  }
  ~EventScope() {
    put<uint32_t>(log_, 0);
    const auto size = static_cast<uint32_t>(log_.size() - begin_);
    memcpy(log_.data() + begin_ + 9, &size, sizeof size);
  }
  EventScope(const EventScope&) = delete;
  EventScope& operator=(const EventScope&) = delete;

 private:
  Bytes& log_;
  const size_t begin_;
};

}  // namespace

void append_query(Bytes& log, std::string_view sql) {
  EventScope event(log, EventType::query);
  put<uint32_t>(log, 1);  // thread id
  put<uint32_t>(log, 0);  // execution time
  put<uint8_t>(log, 6);   // length of the schema name
  put<uint16_t>(log, 0);  // error code
  put<uint16_t>(log, 0);  // length of the status variables
  put_text(log, "sbtest");
  put<uint8_t>(log, 0);
  put_text(log, sql);
}

void append_xid(Bytes& log, uint64_t xid) {
  EventScope event(log, EventType::xid);
  put<uint64_t>(log, xid);
}

void append_xa_prepare(Bytes& log, std::string_view xid) {
  EventScope event(log, EventType::xa_prepare);
  put<uint8_t>(log, 0);   // two-phase
  put<uint32_t>(log, 1);  // format id
  put<uint32_t>(log, static_cast<uint32_t>(xid.size()));
  put<uint32_t>(log, 0);  // length of the branch qualifier
  put_text(log, xid);
}

void append_table_map(Bytes& log, uint64_t table_id, std::string_view table) {
  constexpr uint8_t kColumnTypes[] = {3, 3, 254, 254};  // LONG, LONG, STRING, STRING
  // length, then type and length of each STRING
  constexpr uint8_t kMetadata[] = {4, 0xfe, 120, 0xfe, 60};
  EventScope event(log, EventType::table_map);
  put_low_bytes(log, table_id, 6);
  put<uint16_t>(log, 1);
  put<uint8_t>(log, 6);
  put_text(log, "sbtest");
  put<uint8_t>(log, 0);
  put<uint8_t>(log, static_cast<uint8_t>(table.size()));
  put_text(log, table);
  put<uint8_t>(log, 0);
  put<uint8_t>(log, sizeof kColumnTypes);
  put_bytes(log, kColumnTypes, sizeof kColumnTypes);
  put_bytes(log, kMetadata, sizeof kMetadata);
  put<uint8_t>(log, 0);  // no column is nullable
}

void append_rows(Bytes& log, EventType type, uint64_t table_id, const uint8_t* before, const uint8_t* after,
                 size_t row_bytes) {
  EventScope event(log, type);
  put_low_bytes(log, table_id, 6);
  put<uint16_t>(log, 1);  // end of statement
  put<uint16_t>(log, 2);  // length of the extra data, including this field
  put<uint8_t>(log, 4);   // columns
  for (const uint8_t* image : {before, after}) {
    if (image != nullptr) put<uint8_t>(log, 0x0f);  // all columns are present
  }
  for (const uint8_t* image : {before, after}) {
    if (image == nullptr) continue;
    put<uint8_t>(log, 0);  // no column is null
    put_bytes(log, image, row_bytes);
  }
}

void append_gtid(Bytes& log, uint64_t gno, LogicalClock clock, uint64_t commit_time_us) {
  EventScope event(log, EventType::gtid);
  put<uint8_t>(log, 1);  // may contain only rows events
  put_bytes(log, kSourceId, sizeof kSourceId);
  put<uint64_t>(log, gno);
  put<uint8_t>(log, 2);  // a logical clock follows
  put<uint64_t>(log, clock.last_committed);
  put<uint64_t>(log, clock.sequence_number);
  put_low_bytes(log, commit_time_us, 7);
}

void append_format_description(Bytes& log) {
  constexpr uint32_t kVersionBytes = 50;
  constexpr char kVersion[kVersionBytes] = "8.0.26-latchscope-log";
  EventScope event(log, EventType::format_description);
  put<uint16_t>(log, 4);
  put_bytes(log, kVersion, sizeof kVersion);
  put<uint32_t>(log, 0);
  put<uint8_t>(log, kEventHeaderBytes);
  put<uint8_t>(log, 1);  // events have checksums
}

void append_previous_gtids(Bytes& log, const GtidSet& gtids) {
  EventScope event(log, EventType::previous_gtids);
  put<uint64_t>(log, gtids.empty() ? 0 : 1);
  if (gtids.empty()) return;
  put_bytes(log, kSourceId, sizeof kSourceId);
  put<uint64_t>(log, gtids.intervals().size());
  for (const GnoInterval& interval : gtids.intervals()) {
    put<uint64_t>(log, interval.first);
    put<uint64_t>(log, interval.last + 1);
  }
}

void append_rotate(Bytes& log, std::string_view next_file) {
  EventScope event(log, EventType::rotate);
  put<uint64_t>(log, kBinlogMagic.size());
  put_text(log, next_file);
}

void stamp_events(Bytes& log, size_t from, uint64_t position) {
  while (from < log.size()) {
    uint8_t* event = log.data() + from;
    const auto size = get<uint32_t>(event + 9);
    position += size;
    const auto end_position = static_cast<uint32_t>(position);
    memcpy(event + 13, &end_position, sizeof end_position);
    const uint32_t checksum = ut::crc32c(event, size - kEventChecksumBytes);
    memcpy(event + size - kEventChecksumBytes, &checksum, sizeof checksum);
    from += size;
  }
}

std::optional<EventView> EventReader::next() {
  const size_t left = bytes_.size() - at_;
  if (left < kEventHeaderBytes + kEventChecksumBytes) return std::nullopt;
  const uint8_t* event = bytes_.data() + at_;
  const auto size = get<uint32_t>(event + 9);
  if (size < kEventHeaderBytes + kEventChecksumBytes || size > left) return std::nullopt;
  const uint32_t checksum = ut::crc32c(event, size - kEventChecksumBytes);
  if (get<uint32_t>(event + size - kEventChecksumBytes) != checksum) return std::nullopt;
  at_ += size;
  return EventView{static_cast<EventType>(event[4]), event + kEventHeaderBytes,
                   size - kEventHeaderBytes - kEventChecksumBytes, get<uint32_t>(event + 13), size};
}

uint64_t gno_of(const EventView& gtid_event) {
  return get<uint64_t>(gtid_event.body + (kGtidGnoOffset - kEventHeaderBytes));
}

GtidSet gtids_of(const EventView& event) {
  GtidSet gtids;
  if (get<uint64_t>(event.body) == 0) return gtids;
  const uint8_t* at = event.body + 8 + sizeof kSourceId;
  const auto intervals = get<uint64_t>(at);
  for (uint64_t i = 0; i < intervals; ++i) {
    const uint8_t* interval = at + 8 + i * 16;
    gtids.add({get<uint64_t>(interval), get<uint64_t>(interval + 8) - 1});
  }
  return gtids;
}

}  // namespace latchscope::server::binlog
