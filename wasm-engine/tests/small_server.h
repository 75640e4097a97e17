// A small server for tests: tablespaces on RAM, a buffer pool, tables of sbtest rows.
#pragma once

#include <cstdint>
#include <memory>

#include "server/buf/buf_pool.h"
#include "server/fil/fil_system.h"
#include "server/row/btr.h"
#include "server/row/dict_table.h"
#include "workload/gen/scenario_enums.h"
#include "workload/scenario_manifest.h"

namespace latchscope::tests {

inline constexpr server::fil::TablespaceLookupVariant kAllVariants[] = {
    server::fil::TablespaceLookupVariant::global_mutex,
    server::fil::TablespaceLookupVariant::release_by_pointer,
    server::fil::TablespaceLookupVariant::sharded_mutex,
    server::fil::TablespaceLookupVariant::single_lookup_pin,
    server::fil::TablespaceLookupVariant::atomic_word,
};

inline std::string variant_name(server::fil::TablespaceLookupVariant variant) {
  return workload::variant_name(*workload::find_scenario("fil-mutex-69276"),
                                workload::fil_mutex_69276::tablespace_lookup, variant);
}

struct SmallServer {
  static constexpr uint32_t kFirstSpaceId = 10;
  static constexpr uint32_t kRows = 2'000;

  explicit SmallServer(
      server::fil::TablespaceLookupVariant variant, uint32_t frames = 32,
      uint32_t open_files_max = server::fil::FilSystem::kOpenFilesMaxDefault,
      server::buf::PoolMutexVariant pool_mutexes = server::buf::PoolMutexVariant::split_mutexes)
      : fil_system(latches, variant, open_files_max),
        dictionary(latches, fil_system),
        buffer_pool(latches, fil_system, {frames, 1}, pool_mutexes) {}

  ~SmallServer() {
    for (uint32_t table_no = 0; table_no < 16; ++table_no)
      drop(table_no);
  }

  void create(uint32_t table_no, uint32_t rows = kRows) {
    dictionary.add(server::row::create_table(latches, fil_system, device, kFirstSpaceId + table_no,
                                             {table_no, rows, /*seed=*/1}));
  }

  bool drop(uint32_t table_no) {
    server::fil::FilSpace* space = dictionary.remove(table_no);
    if (space == nullptr) return false;
    fil_system.drop(*space, [this](server::fil::FilSpace& dropped) { buffer_pool.evict_pages(dropped); });
    free_dropped();
    return true;
  }

  void free_dropped() {
    dictionary.free_removed();
    fil_system.free_deleted();
  }

  server::DbErr select(server::row::DictTable& table, uint32_t id) {
    uint8_t record[server::row::kRowBytes];
    return server::row::select_by_primary_key(buffer_pool, table, id, record);
  }

  latch::LatchEnvironment latches{64};
  platform::Device device{platform::kRamDevice};
  server::fil::FilSystem fil_system;
  server::row::Dictionary dictionary;
  server::buf::BufPool buffer_pool;
};

}  // namespace latchscope::tests
