// The tables that one session has open, by number. Each MySQL connection caches them, so that a
// statement need not query the dictionary.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "server/row/dict_table.h"

namespace latchscope::server::row {

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
