#include "server/row/dict_table.h"

#include <algorithm>

namespace latchscope::server::row {

using latch::MutexGuard;

namespace {

const telemetry::LatchSite kOpen("dict_sys->mutex", "dict_table_open_on_name");
const telemetry::LatchSite kClose("dict_sys->mutex", "dict_table_close");
const telemetry::LatchSite kAdd("dict_sys->mutex", "dict_table_add_to_cache");
const telemetry::LatchSite kRemove("dict_sys->mutex", "dict_table_remove_from_cache");

}  // namespace

DictTable* Dictionary::open(uint32_t table_no) {
  MutexGuard guard(mutex_, kOpen);
  if (table_no >= tables_.size() || tables_[table_no] == nullptr) return nullptr;
  ++tables_[table_no]->n_ref_count;
  return tables_[table_no].get();
}

void Dictionary::close(DictTable& table) {
  MutexGuard guard(mutex_, kClose);
  LATCHSCOPE_ASSERT(table.n_ref_count > 0, "each close() matches an open()");
  --table.n_ref_count;
}

void Dictionary::add(std::unique_ptr<DictTable> table) {
  MutexGuard guard(mutex_, kAdd);
  const uint32_t table_no = table->source.table_no;
  if (table_no >= tables_.size()) tables_.resize(table_no + 1);
  LATCHSCOPE_ASSERT(tables_[table_no] == nullptr, "a table is added at most once");
  tables_[table_no] = std::move(table);
}

fil::FilSpace* Dictionary::remove(uint32_t table_no) {
  MutexGuard guard(mutex_, kRemove);
  if (table_no >= tables_.size() || tables_[table_no] == nullptr) return nullptr;
  removed_.push_back(std::move(tables_[table_no]));
  return removed_.back()->space;
}

void Dictionary::free_removed() {
  MutexGuard guard(mutex_, kRemove);
  std::erase_if(removed_, [&](const std::unique_ptr<DictTable>& table) {
    if (table->n_ref_count > 0) return false;
    fil_system_.release_reference(*table->space);
    return true;
  });
}

}  // namespace latchscope::server::row
