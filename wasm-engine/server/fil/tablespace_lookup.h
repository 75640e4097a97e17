// How a block read finds its tablespace and keeps it from being dropped: the knob `tablespace_lookup`.
//
// The steps of a synchronous read of one page call the methods below in this order. Which latch each variant
// takes in which step (M = fil_system->mutex, S = Fil_shard::m_mutex of the tablespace's shard, - = none):
//
//   step             called by                   global   release_by  sharded  single_lookup  atomic
//                                                _mutex   _pointer    _mutex   _pin           _word
//   begin            buf_read_page               M        -           -        M              -
//   admit            buf_page_init_for_read      M        -           S        -              -
//   prepare_io       fil_io                      M        M           S        -              -
//   complete_io      fil_io                      M        M           S        -              -
//   acquire_for_ibuf buf_page_io_complete        M        M           S leaf   -              -
//   release_for_ibuf buf_page_io_complete        M        M           S leaf   -              -
//   end              buf_read_page               -        -           -        -              -
//   in all                                       6        4           5 or 3   1              0
//
// The change buffer leaves pages 0 and 1 of a tablespace alone, so they are read without the two steps for it. Linear
// read-ahead asks for the size of the tablespace when it looks at an area:
//
//   begin_read_ahead buf_read_ahead_linear       M        -           -        -              -
//   size             buf_read_ahead_linear       M        M M         S S      M              -
//
//   looked at            5.6.27, counted   5.7.37     8.4,     MariaDB      nobody:
//                        in 5.6.24                    9.7.4    10.11, 11.4  ours
//
// Sources: MySQL fil0fil, buf0rea, buf0buf, ibuf0ibuf of these versions; 5.6.24, 9.7.4 and MariaDB were counted on
// running servers, per page read: 6.04, 5.02, and 1.04 in MariaDB 10.11. MariaDB 10.5 takes its mutex twice and is not
// a variant here. atomic_word is a design of ours: the table keeps the pointer, so that nothing is looked up.
//
// yours is the path of global_mutex, but M is a latch that the page's reader has written.
//
// admit is nested inside the page-hash X lock. Lock order: page hash, then M or S.
//
// Invariants (under every variant)
//   1. Between a successful prepare_io and complete_io the tablespace is neither freed nor dropped.
//   2. After begin_drop no new read is admitted; reads under way may finish.
//   3. Every begin that succeeds is followed by exactly one end.
//   4. A page of a dropped tablespace is not served for a later tablespace with the same id.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "latch/latch_environment.h"
#include "server/db_err.h"
#include "server/fil/fil_shard.h"
#include "server/page.h"

namespace latchscope::server::fil {

// A read in progress, and what a variant remembers between its steps.
struct BlockRead {
  PageId page;
  FilSpace* table_space;       // the pointer that the table's dictionary entry keeps
  FilSpace* pinned = nullptr;  // set by variants that keep a pointer
  uint32_t version = 0;
  bool is_leaf = false;  // known once the page has been read
};

using FilShards = std::vector<std::unique_ptr<FilShard>>;

// The sums of the table above, for the check at the end of a run: mutex acquisitions in the steps of one
// read.
struct ReadPathCost {
  uint32_t per_leaf_read;
  uint32_t per_other_read;
  uint32_t per_no_ibuf_read;  // of a page that the change buffer leaves alone
  uint32_t per_read_ahead_check;
  uint32_t per_lost_race;    // another thread had begun to read the page
  uint32_t per_refusal_max;  // the tablespace was missing
};

class TablespaceLookup {
 public:
  virtual ~TablespaceLookup() = default;

  virtual DbErr begin(BlockRead& read) = 0;
  // On success the read may continue. `pinned_by_page` receives the tablespace that the page itself refers
  // to, for variants in which pages do (else null).
  virtual DbErr admit(BlockRead& read, FilSpace*& pinned_by_page) = 0;
  // The file to read from; null if the tablespace is missing.
  virtual FilNode* prepare_io(BlockRead& read) = 0;
  virtual void complete_io(BlockRead& read, FilNode& node) = 0;
  virtual void acquire_for_ibuf(BlockRead& read) = 0;
  virtual void release_for_ibuf(BlockRead& read) = 0;
  virtual void end(BlockRead& read) = 0;

  // Linear read-ahead, before it checks an area, and ...
  virtual void begin_read_ahead(BlockRead& /*read*/) {}
  // ... for its size: pages of the tablespace, 0 if it is missing.
  virtual uint32_t size(BlockRead& read) = 0;

  // Drop: refuse new operations, ...
  virtual void begin_drop(FilSpace& space) = 0;
  // ... wait until none is in progress, ...
  virtual bool has_pending_operations(FilSpace& space) = 0;
  // ... and forget it. True if pages must be evicted before (false: they are recognised by their pointer).
  virtual bool drop_evicts_pages() const { return true; }

  virtual ReadPathCost read_path_cost() const = 0;
  // Latch sites (ids) of the steps of a read.
  virtual std::vector<uint32_t> read_path_sites() const = 0;

  // Shard that the tablespace belongs to, and how many there are.
  virtual uint32_t shards() const { return 1; }
  virtual uint32_t shard_of(uint32_t /*space_id*/) const { return 0; }
};

enum class TablespaceLookupVariant : uint8_t {
  global_mutex,
  release_by_pointer,
  sharded_mutex,
  single_lookup_pin,
  atomic_word,
  yours,
};

std::unique_ptr<TablespaceLookup> make_tablespace_lookup(TablespaceLookupVariant variant, FilShards& shards);

// Number of data shards in MySQL 8.4 (id % 64) and of undo shards behind them (64 + id % 4).
inline constexpr uint32_t kDataShards = 64;
inline constexpr uint32_t kUndoShards = 4;

}  // namespace latchscope::server::fil
