// mysql.gtid_executed: the table that GTIDs end up in (source: MySQL 8.0 sql/rpl_gtid_persist). Rows are
// intervals, sorted by their first GNO; a transaction that has written rows is durable once the device has
// taken them.
//
// Called by one thread at a time: the persister, or its owner while the persister is stopped.
#pragma once

#include <cstdint>
#include <map>

#include "platform/platform.h"
#include "server/binlog/gtid_set.h"

namespace latchscope::server::gtid {

class GtidExecutedTable {
 public:
  static constexpr uint32_t kRowBytes = 36 + 8 + 8 + 23;  // source uuid, interval, hidden columns

  explicit GtidExecutedTable(platform::Device& device) : device_(device) {}

  // Writes the set in a transaction of its own. Counts GTIDs that are already there in duplicates(), which
  // stays 0 if the persister works correctly. Durable only after commit().
  void insert(const binlog::GtidSet& gtids);
  void commit();
  // Joins neighbouring rows, in a transaction of its own.
  void compress();

  // What a restarted server finds: the rows of committed transactions.
  const binlog::GtidSet& durable() const { return durable_; }
  binlog::GtidSet contents() const;
  size_t rows() const { return rows_.size(); }
  uint64_t duplicates() const { return duplicates_; }
  // Restart: takes over what the crashed server had made durable.
  void load(const binlog::GtidSet& durable);

 private:
  struct Row {
    uint64_t last;
    uint32_t checksum;
  };
  void insert_row(binlog::GnoInterval interval);

  platform::Device& device_;
  std::map<uint64_t, Row> rows_;  // by the interval's first GNO, as the clustered index orders them
  binlog::GtidSet uncommitted_;
  binlog::GtidSet durable_;
  uint64_t rows_written_ = 0;  // of the open transaction
  uint64_t duplicates_ = 0;
};

}  // namespace latchscope::server::gtid
