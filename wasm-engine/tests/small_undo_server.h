// A small server with undo for tests: one table of sbtest rows, undo tablespaces, and purge without
// its own threads.
#pragma once

#include <memory>
#include <optional>

#include "server/buf/buf_pool.h"
#include "server/fil/fil_system.h"
#include "server/row/btr.h"
#include "server/row/dict_table.h"
#include "server/row/row_sel.h"
#include "server/row/row_upd.h"
#include "server/trx/trx.h"
#include "server/trx/trx_purge.h"
#include "server/trx/trx_rec.h"
#include "server/trx/trx_sys.h"
#include "server/trx/undo_spaces.h"

namespace latchscope::tests {

struct SmallUndoServer {
  static constexpr uint32_t kTableSpaceId = 10;

  struct Options {
    uint32_t rows = 1'000;
    uint32_t frames = 256;
    uint32_t undo_pages = 64;
    uint32_t truncate_pages = 1'000;  // more than the file has: never
    uint32_t batch_size_pages = 300;
    server::fil::PageSizeLookupVariant page_size_lookup = server::fil::PageSizeLookupVariant::shard_mutex;
    server::trx::PurgeLatchVariant purge_latch = server::trx::PurgeLatchVariant::rw_lock;
  };

  SmallUndoServer() : SmallUndoServer(Options{}) {}
  explicit SmallUndoServer(const Options& given)
      : options(given),
        fil_system(latches, server::fil::TablespaceLookupVariant::sharded_mutex),
        dictionary(latches, fil_system),
        buffer_pool(latches, fil_system, {given.frames, 1}),
        trx_sys(latches),
        undo_spaces(latches, fil_system, buffer_pool, device,
                    {.spaces = 2,
                     .rollback_segments = 2,
                     .pages_max = given.undo_pages,
                     .truncate_pages = given.truncate_pages}),
        purge_sys(latches, trx_sys, undo_spaces, buffer_pool, given.purge_latch,
                  {.threads = 1, .batch_size_pages = given.batch_size_pages},
                  [this](const server::trx::PurgeRecord& record) {
                    server::row::row_purge(buffer_pool, *table, record);
                  }),
        undo_reader(fil_system, buffer_pool, undo_spaces, purge_sys, given.page_size_lookup) {
    dictionary.add(server::row::create_table(latches, fil_system, device, kTableSpaceId, source()));
    table = dictionary.open(0);
  }

  ~SmallUndoServer() {
    dictionary.close(*table);
    fil_system.drop(*dictionary.remove(0), [](server::fil::FilSpace&) {});
    dictionary.free_removed();
  }

  server::row::RowSource source() const { return {0, options.rows, /*seed=*/1}; }

  std::unique_ptr<server::trx::Trx> begin() {
    server::trx::RollbackSegment* rseg =
        undo_spaces.assign_rseg(options.rows / server::trx::kUndoRecordsPerPage + 1);
    if (rseg == nullptr) return nullptr;
    auto trx = std::make_unique<server::trx::Trx>(trx_sys, undo_spaces, purge_sys, buffer_pool, *rseg);
    trx->start();
    return trx;
  }

  // UPDATE sbtest1 SET k=k+1. Returns false if no undo tablespace has enough free pages.
  bool update() {
    const std::unique_ptr<server::trx::Trx> trx = begin();
    if (trx == nullptr) return false;
    if (server::row::update_k_of_all_rows(buffer_pool, *table, *trx) != server::DbErr::success) return false;
    trx->commit();
    return true;
  }

  // Returns how much larger every k that the view sees is than the loaded one. Returns no value if
  // rows differ in this or are missing.
  std::optional<uint32_t> updates_seen(const server::trx::ReadView& view) {
    server::row::ConsistentScan scan(buffer_pool, *table, undo_reader, view);
    const uint8_t* row = nullptr;
    std::optional<uint32_t> seen;
    uint32_t rows = 0;
    while (scan.next(row) == server::DbErr::success) {
      const auto id = server::read_at<uint32_t>(row, server::row::kRowId);
      const uint32_t delta =
          server::read_at<uint32_t>(row, server::row::kRowK) - server::row::loaded_k(source(), id);
      if (id != ++rows || delta != seen.value_or(delta)) return std::nullopt;
      seen = delta;
    }
    return rows == options.rows ? seen : std::nullopt;
  }

  // Returns roll pointer and transaction of the newest version of the first row.
  std::pair<server::trx::RollPtr, server::trx::TrxId> first_row() {
    server::buf::PageLatch leaf;
    if (server::row::open_leaf(buffer_pool, *table, 0, leaf) != server::DbErr::success) return {};
    const uint8_t* row = leaf.frame() + server::row::leaf_row_offset(0);
    return {server::trx::read_roll_ptr(row + server::row::kRowRollPtr),
            server::trx::read_trx_id(row + server::row::kRowTrxId)};
  }

  void purge_everything() {
    while (purge_sys.purge_batch() > 0) {
    }
  }

  const Options options;
  latch::LatchEnvironment latches{160};
  platform::Device device{platform::kRamDevice};
  server::fil::FilSystem fil_system;
  server::row::Dictionary dictionary;
  server::buf::BufPool buffer_pool;
  server::trx::TrxSys trx_sys;
  server::trx::UndoSpaces undo_spaces;
  server::trx::PurgeSys purge_sys;
  server::trx::UndoReader undo_reader;
  server::row::DictTable* table = nullptr;
};

}  // namespace latchscope::tests
