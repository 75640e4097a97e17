// mysql.gtid_executed, the table in which GTIDs are finally stored. Source: MySQL 8.0
// sql/rpl_gtid_persist. Rows are intervals, sorted by their first GNO. A transaction that wrote
// rows is durable once the device has stored them.
//
// One thread at a time calls it: the persister, or its owner while the persister is stopped.
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

  // Writes the set in its own transaction; durable only after commit(). duplicates() counts GTIDs
  // that are already in the table; it stays 0 if the persister works correctly.
  void insert(const binlog::GtidSet& gtids);
  void commit();
  // Joins adjacent rows, in its own transaction.
  void compress();

  // Returns the rows of committed transactions, which a restarted server finds.
  const binlog::GtidSet& durable() const { return durable_; }
  binlog::GtidSet contents() const;
  size_t rows() const { return rows_.size(); }
  uint64_t duplicates() const { return duplicates_; }
  // Called at a restart: loads the set that the crashed server had made durable.
  void load(const binlog::GtidSet& durable);

 private:
  struct Row {
    uint64_t last;
    uint32_t checksum;
  };
  void insert_row(binlog::GnoInterval interval);

  platform::Device& device_;
  std::map<uint64_t, Row> rows_;  // by the interval's first GNO, the order of the clustered index
  binlog::GtidSet uncommitted_;
  binlog::GtidSet durable_;
  uint64_t rows_written_ = 0;  // by the open transaction
  uint64_t duplicates_ = 0;
};

}  // namespace latchscope::server::gtid
