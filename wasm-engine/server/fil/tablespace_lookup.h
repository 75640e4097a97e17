// How a block read finds its tablespace and protects it from being dropped: the knob
// `tablespace_lookup`.
//
// A synchronous read of one page calls the methods below in this order. Each variant acquires these
// latches in each step (M = fil_system->mutex, S = Fil_shard::m_mutex of the tablespace's shard,
// "-" = none):
//
//    step             called by               global   release_by  sharded  single_lookup  atomic
//                                             _mutex   _pointer    _mutex   _pin           _word
//    begin            buf_read_page           M        -           -        M              -
//    admit            buf_page_init_for_read  M        -           S        -              -
//    prepare_io       fil_io                  M        M           S        -              -
//    complete_io      fil_io                  M        M           S        -              -
//    acquire_for_ibuf buf_page_io_complete    M        M           S leaf   -              -
//    release_for_ibuf buf_page_io_complete    M        M           S leaf   -              -
//    end              buf_read_page           -        -           -        -              -
//    total                                    6        4           5 or 3   1              0
//
// The change buffer ignores pages 0 and 1 of a tablespace, so reading them skips its two steps.
// Linear read-ahead queries the size of the tablespace when it checks an area:
//
//    begin_read_ahead buf_read_ahead_linear   M        -           -        -              -
//    size             buf_read_ahead_linear   M        M M         S S      M              -
//
//    source version                          5.6.27*  5.7.37      8.4,     MariaDB        none
//                                                                     9.7.4    10.11, 11.4
//
// Sources: MySQL fil0fil, buf0rea, buf0buf, ibuf0ibuf of these versions (*: counted in 5.6.24).
// 5.6.24, 9.7.4 and MariaDB were counted on running servers, per page read: 6.04, 5.02, and 1.04 in
// MariaDB 10.11. MariaDB 10.5 takes its mutex twice and is not a variant here. atomic_word is a
// design of this project: the table stores the pointer, so there is no lookup.
//
// yours follows the path of global_mutex, with M replaced by a latch written in the lab.
//
// admit is nested inside the page-hash X lock. Lock order: page hash, then M or S.
//
// Invariants (under every variant)
//   1. Between a successful prepare_io and complete_io the tablespace is neither freed nor dropped.
//   2. After begin_drop no new read is admitted; pending reads may finish.
//   3. Every begin that succeeds is followed by exactly one end.
//   4. A page of a dropped tablespace is not used for a later tablespace with the same id.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "latch/latch_environment.h"
#include "server/db_err.h"
#include "server/fil/fil_shard.h"
#include "server/page.h"

namespace latchscope::server::fil {

// A pending read, and the state that a variant carries between its steps.
struct BlockRead {
  PageId page;
  FilSpace* table_space;       // the pointer stored in the table's dictionary entry
  FilSpace* pinned = nullptr;  // set by variants that hold a pointer
  uint32_t version = 0;
  bool is_leaf = false;  // known once the page has been read
};

using FilShards = std::vector<std::unique_ptr<FilShard>>;

// The totals of the table above: mutex acquisitions in the steps of one read. The check at the end
// of a run uses them.
struct ReadPathCost {
  uint32_t per_leaf_read;
  uint32_t per_other_read;
  uint32_t per_no_ibuf_read;  // a page that the change buffer ignores
  uint32_t per_read_ahead_check;
  uint32_t per_lost_race;    // another thread had started to read the page
  uint32_t per_refusal_max;  // the tablespace was missing
};

class TablespaceLookup {
 public:
  virtual ~TablespaceLookup() = default;

  virtual DbErr begin(BlockRead& read) = 0;
  // On success the read may continue. `pinned_by_page` receives the tablespace to which the page
  // itself refers, in variants in which pages do so (else null).
  virtual DbErr admit(BlockRead& read, FilSpace*& pinned_by_page) = 0;
  // Returns the file to read from, or null if the tablespace is missing.
  virtual FilNode* prepare_io(BlockRead& read) = 0;
  virtual void complete_io(BlockRead& read, FilNode& node) = 0;
  virtual void acquire_for_ibuf(BlockRead& read) = 0;
  virtual void release_for_ibuf(BlockRead& read) = 0;
  virtual void end(BlockRead& read) = 0;

  // Linear read-ahead calls this before it checks an area.
  virtual void begin_read_ahead(BlockRead& /*read*/) {}
  // Linear read-ahead calls this for the size of the tablespace in pages. Returns 0 if it is
  // missing.
  virtual uint32_t size(BlockRead& read) = 0;

  // First step of a drop: refuse new operations.
  virtual void begin_drop(FilSpace& space) = 0;
  // Second step of a drop: wait until this returns false.
  virtual bool has_pending_operations(FilSpace& space) = 0;
  // Last step of a drop: forget the tablespace. Returns true if its pages must be evicted before;
  // false if their pointer identifies them as stale.
  virtual bool drop_evicts_pages() const { return true; }

  virtual ReadPathCost read_path_cost() const = 0;
  // Returns the latch sites (ids) of the steps of a read.
  virtual std::vector<uint32_t> read_path_sites() const = 0;

  // Return the number of shards, and the shard of a tablespace.
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

// Number of data shards in MySQL 8.4 (id % 64), and of the undo shards after them (64 + id % 4).
inline constexpr uint32_t kDataShards = 64;
inline constexpr uint32_t kUndoShards = 4;

}  // namespace latchscope::server::fil
