// The dictionary: which tables exist and how many sessions have them open (dict_sys, dict_table_t).
//
// Invariants
//   1. A table object lives until it is dropped and no session has it open.
//   2. The tablespace that a table points to is not freed before the table object.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "latch/rw_lock.h"
#include "latch/ttas_event_mutex.h"
#include "server/fil/fil_system.h"
#include "server/row/sbtest_row.h"

namespace latchscope::server::row {

struct DictTable {
  DictTable(latch::LatchEnvironment& latches, const RowSource& row_source, fil::FilSpace& table_space,
            uint32_t root_page_no)
      : source(row_source), space(&table_space), root(root_page_no), index_lock(latches) {}

  const RowSource source;
  fil::FilSpace* const space;
  const uint32_t root;
  latch::RwLock index_lock;  // dict_index_t::lock of the clustered index
  uint32_t n_ref_count = 0;  // sessions that have it open; guarded by dict_sys->mutex
};

class Dictionary {
 public:
  Dictionary(latch::LatchEnvironment& latches, fil::FilSystem& fil_system)
      : mutex_(latches), fil_system_(fil_system) {}

  // Returns null if the table does not exist. Each successful call is balanced by close().
  DictTable* open(uint32_t table_no);
  void close(DictTable& table);

  void add(std::unique_ptr<DictTable> table);
  // Removes the table from the dictionary. Returns its tablespace, which the caller must drop, or
  // null.
  fil::FilSpace* remove(uint32_t table_no);
  // Frees removed tables that no session has open, and their references to tablespaces.
  void free_removed();

 private:
  latch::TTASEventMutex mutex_;
  fil::FilSystem& fil_system_;
  std::vector<std::unique_ptr<DictTable>> tables_ GUARDED_BY(mutex_);  // by table_no
  std::vector<std::unique_ptr<DictTable>> removed_ GUARDED_BY(mutex_);
};

// The tables that one session has open, by number. Each MySQL connection caches them, so that a
// statement need not query the dictionary.
class OpenTables {
 public:
  OpenTables(Dictionary& dictionary, uint32_t tables) : dictionary_(dictionary), tables_(tables, nullptr) {}
  OpenTables(const OpenTables&) = delete;
  OpenTables& operator=(const OpenTables&) = delete;
  ~OpenTables() {
    for (uint32_t table_no = 0; table_no < tables_.size(); ++table_no)
      close(table_no);
  }

  // Returns null if the table does not exist.
  DictTable* get(uint32_t table_no) {
    DictTable*& table = tables_[table_no];
    if (table == nullptr) table = dictionary_.open(table_no);
    return table;
  }

  void close(uint32_t table_no) {
    if (DictTable* table = std::exchange(tables_[table_no], nullptr)) dictionary_.close(*table);
  }

 private:
  Dictionary& dictionary_;
  std::vector<DictTable*> tables_;
};

}  // namespace latchscope::server::row
