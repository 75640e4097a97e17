#include "server/gtid/gtid_executed_table.h"

#include "server/ut/crc32c.h"
#include "server/ut/work_costs.h"
#include "telemetry/telemetry.h"

namespace latchscope::server::gtid {

namespace {

const telemetry::Function kWriteFrame("Gtid_table_persistor::save");
const telemetry::Function kCompressFrame("Gtid_table_persistor::compress");

uint32_t checksum_of(binlog::GnoInterval interval) {
  return ut::crc32c(reinterpret_cast<const uint8_t*>(&interval), sizeof interval);
}

}  // namespace

void GtidExecutedTable::insert_row(binlog::GnoInterval interval) {
  rows_[interval.first] = {interval.last, checksum_of(interval)};
  ++rows_written_;
}

void GtidExecutedTable::insert(const binlog::GtidSet& gtids) {
  telemetry::Frame frame(kWriteFrame);
  for (const binlog::GnoInterval& interval : gtids.intervals()) {
    auto behind = rows_.upper_bound(interval.last);
    const bool overlaps = behind != rows_.begin() && std::prev(behind)->second.last >= interval.first;
    if (overlaps) ++duplicates_;
    insert_row(interval);
  }
  uncommitted_.add(gtids);
}

void GtidExecutedTable::commit() {
  telemetry::Frame frame(kWriteFrame);
  ut::pay(ut::work_cost::gtid_table_write_ns);
  telemetry::io(device_, rows_written_ * kRowBytes);
  rows_written_ = 0;
  durable_.add(uncommitted_);
  uncommitted_ = {};
}

void GtidExecutedTable::compress() {
  telemetry::Frame frame(kCompressFrame);
  for (auto row = rows_.begin(); row != rows_.end(); ++row) {
    LATCHSCOPE_ASSERT(row->second.checksum == checksum_of({row->first, row->second.last}),
                      "a row of mysql.gtid_executed is unchanged since it was written");
    bool grew = false;
    for (auto next = std::next(row); next != rows_.end() && next->first == row->second.last + 1;
         next = rows_.erase(next)) {
      row->second.last = next->second.last;
      ++rows_written_;
      grew = true;
    }
    if (grew) row->second.checksum = checksum_of({row->first, row->second.last});
  }
  telemetry::io(device_, rows_written_ * kRowBytes);
  rows_written_ = 0;
}

binlog::GtidSet GtidExecutedTable::contents() const {
  binlog::GtidSet gtids;
  for (const auto& [first, row] : rows_)
    gtids.add(binlog::GnoInterval{first, row.last});
  return gtids;
}

void GtidExecutedTable::load(const binlog::GtidSet& durable) {
  rows_.clear();
  for (const binlog::GnoInterval& interval : durable.intervals())
    insert_row(interval);
  rows_written_ = 0;
  durable_ = durable;
}

}  // namespace latchscope::server::gtid
