#include "workload/undo_read_117533_server.h"

#include <string>

#include "server/fil/page_size_lookup.h"
#include "server/row/btr.h"
#include "server/row/row_upd.h"
#include "workload/gen/scenario_enums.h"
#include "workload/sbtest_config.h"

namespace latchscope::workload {

using namespace undo_read_117533;
using server::fil::PageSizeLookupVariant;
using server::trx::PurgeLatchVariant;

namespace {

constexpr uint32_t kPagesPerMib = 1024 * 1024 / server::kPageBytes;
// Any data tablespace works; this one is in shard 48.
constexpr uint32_t kTableSpaceId = 1072;
// Held by one thread: two leaves while it moves, or a leaf and an undo page; and one page being
// read.
constexpr uint32_t kPagesHeldMax = 3;

server::trx::UndoSpacesConfig undo_spaces_config(const WorkloadConfig& config) {
  return {.spaces = static_cast<uint32_t>(config.parameter("undo_tablespaces")),
          .rollback_segments = static_cast<uint32_t>(config.parameter("rollback_segments")),
          .pages_max = static_cast<uint32_t>(config.parameter("undo_tablespace_mib")) * kPagesPerMib,
          .truncate_pages = static_cast<uint32_t>(config.parameter("max_undo_log_mib")) * kPagesPerMib};
}

// Any thread may need a frame of an instance while it holds other frames of the same instance.
uint32_t frames_per_instance_min_of(const WorkloadConfig& config) {
  const uint32_t threads = config.clients + 1 + purge_config(config).threads;
  return kPagesHeldMax * threads + 1;
}

}  // namespace

server::trx::PurgeConfig purge_config(const WorkloadConfig& config) {
  return {.threads = static_cast<uint32_t>(config.parameter("purge_threads")),
          .batch_size_pages = static_cast<uint32_t>(config.parameter("purge_batch_size"))};
}

UndoReadServer::UndoReadServer(const WorkloadConfig& config)
    : rows(static_cast<uint32_t>(config.parameter("rows"))),
      latches(platform::threads_max()),
      device(platform::kRamDevice),
      your_mutex(config.latch_place("undo_page_size_lookup")),
      your_purge_latch(config.latch_place("purge_latch")),
      fil_system(latches, server::fil::TablespaceLookupVariant::sharded_mutex,
                 server::fil::FilSystem::kOpenFilesMaxDefault, your_mutex.get()),
      dictionary(latches, fil_system),
      buffer_pool(latches, fil_system, buffer_pool_size(config)),
      trx_sys(latches),
      undo_spaces(latches, fil_system, buffer_pool, device, undo_spaces_config(config)),
      purge_sys(
          latches, trx_sys, undo_spaces, buffer_pool,
          purge_latch_of<PurgeLatchVariant>(config.design[purge_latch]), purge_config(config),
          [this](const server::trx::PurgeRecord& record) {
            server::row::row_purge(buffer_pool, *table, record);
          },
          your_purge_latch.get()),
      undo_reader(fil_system, buffer_pool, undo_spaces, purge_sys,
                  undo_page_size_lookup_of<PageSizeLookupVariant>(config.design[undo_page_size_lookup])) {
  use(undo_page_size_lookup_of<PageSizeLookupVariant>(config.design[undo_page_size_lookup]));
}

void UndoReadServer::use(PageSizeLookupVariant variant) {
  undo_reader.use(variant);
  if (your_mutex) your_mutex->put_in_force(variant == PageSizeLookupVariant::yours);
}

UndoReadServer::~UndoReadServer() {
  if (table != nullptr) dictionary.close(*table);
  if (server::fil::FilSpace* space = dictionary.remove(0)) {
    fil_system.drop(*space, [](server::fil::FilSpace&) {});
  }
  dictionary.free_removed();
}

void UndoReadServer::load_table(uint64_t seed) {
  const server::row::RowSource source{0, rows, seed};
  dictionary.add(server::row::create_table(latches, fil_system, device, kTableSpaceId, source));
  table = dictionary.open(0);
  loaded_k.reserve(rows);
  for (uint32_t id = 1; id <= rows; ++id)
    loaded_k.push_back(server::row::loaded_k(source, id));
}

std::vector<ConfigError> check_undo_read_config(const WorkloadConfig& config) {
  std::vector<ConfigError> errors;
  const int64_t rows = config.parameter("rows");
  const int64_t mib = config.parameter("undo_tablespace_mib");
  const uint32_t pages = undo_pages_of_update(static_cast<uint32_t>(rows));
  const uint32_t mib_min = pages / kPagesPerMib + 1;
  if (mib < mib_min) {
    errors.push_back({"parameters.undo_tablespace_mib", std::to_string(mib),
                      "at least " + std::to_string(mib_min) + " with " + std::to_string(rows) +
                          " rows (the undo records of one UPDATE are in one tablespace)"});
  }
  const auto pool_error =
      check_buffer_pool(config, frames_per_instance_min_of(config),
                        "with " + std::to_string(config.clients) + " threads, " +
                            std::to_string(config.parameter("purge_threads")) + " purge threads");
  if (pool_error) errors.push_back(*pool_error);
  return errors;
}

}  // namespace latchscope::workload
