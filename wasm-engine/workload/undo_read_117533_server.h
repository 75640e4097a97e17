// The server of bug #117533: one sbtest table behind a buffer pool, undo tablespaces, read views
// and purge.
#pragma once

#include <cstdint>
#include <vector>

#include "server/buf/buf_pool.h"
#include "server/fil/fil_system.h"
#include "server/row/dict_table.h"
#include "server/trx/trx_purge.h"
#include "server/trx/trx_rec.h"
#include "server/trx/trx_sys.h"
#include "server/trx/undo_spaces.h"
#include "workload/workload.h"

namespace latchscope::workload {

struct UndoReadServer {
  explicit UndoReadServer(const WorkloadConfig& config);
  ~UndoReadServer();
  void load_table(uint64_t seed);
  // Applies a variant of `undo_page_size_lookup`.
  void use(server::fil::PageSizeLookupVariant variant);

  const uint32_t rows;
  latch::LatchEnvironment latches;
  platform::Device device;
  const std::unique_ptr<lab::LatchPlace> your_mutex,
      // Null if no latch was written in the lab.
      your_purge_latch;
  server::fil::FilSystem fil_system;
  server::row::Dictionary dictionary;
  server::buf::BufPool buffer_pool;
  server::trx::TrxSys trx_sys;
  server::trx::UndoSpaces undo_spaces;
  server::trx::PurgeSys purge_sys;
  server::trx::UndoReader undo_reader;
  server::row::DictTable* table = nullptr;
  std::vector<uint32_t> loaded_k;  // by id - 1
};

server::trx::PurgeConfig purge_config(const WorkloadConfig& config);

// Returns errors for wrong combinations of `rows`, the undo tablespaces and the buffer pool.
std::vector<ConfigError> check_undo_read_config(const WorkloadConfig& config);

inline uint32_t undo_pages_of_update(uint32_t rows) {
  return (rows + server::trx::kUndoRecordsPerPage - 1) / server::trx::kUndoRecordsPerPage;
}

}  // namespace latchscope::workload
