// Undo tablespaces and their rollback segments. Sources: MySQL 8.4 trx0purge (undo::Tablespaces),
// trx0rseg, fsp0fsp.
//
// Undo tablespace number n (from 1) starts as tablespace 0xFFFFFFF0 - n. The first, undo_001, is
// 0xFFFFFFEF in shard 67 of fil_system (undo_002: shard 66). A truncation creates a tablespace
// again under an id smaller by 127, which moves it to the next shard, modulo 4.
//
// Latch order: m_latch of the list, rollback segment, fil_space_t::latch, buffer pool.
//
// Invariants
//   1. A transaction has one rollback segment, so all its undo records are in one tablespace.
//   2. The mapping from number to tablespace id is stable while any history, transaction or page
//      refers to the tablespace; only truncate() changes it.
//   3. A page is in exactly one undo log, or free.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "latch/rw_lock.h"
#include "latch/ttas_event_mutex.h"
#include "server/buf/buf_pool.h"
#include "server/fil/fil_system.h"
#include "server/trx/trx_types.h"

namespace latchscope::server::trx {

inline constexpr uint32_t kUndoSpacesMax = 4;          // innodb_undo_tablespaces; InnoDB allows 127
inline constexpr uint32_t kRollbackSegmentsMax = 128;  // innodb_rollback_segments
inline constexpr uint32_t kUndoSpaceIdMax = 0xfffffff0;
inline constexpr uint32_t kUndoSpaceIdStep = 127;

class UndoSpace;
struct RollbackSegment;

// The undo records of one transaction. The transaction owns and writes it; after the commit, purge
// owns it.
struct UndoLog {
  RollbackSegment* rseg = nullptr;
  TrxId trx_id = 0;
  uint64_t trx_no = 0;  // given at commit
  std::vector<uint32_t> pages;
  uint32_t records = 0;
  // Guarded by the rollback segment's mutex once the log is in its history.
  uint32_t records_purged = 0;

  bool is_purged() const { return records_purged == records; }
};

// trx_rseg_t.
struct RollbackSegment {
  RollbackSegment(latch::LatchEnvironment& latches, UndoSpace& undo_space)
      : mutex(latches), space(undo_space) {}

  latch::TTASEventMutex mutex;
  UndoSpace& space;
  uint32_t trx_ref_count GUARDED_BY(mutex) = 0;                    // active transactions
  std::deque<std::unique_ptr<UndoLog>> history GUARDED_BY(mutex);  // committed, oldest first
};

struct UndoSpacesConfig {
  uint32_t spaces;             // innodb_undo_tablespaces
  uint32_t rollback_segments;  // per tablespace
  uint32_t pages_max;          // size of each file
  // innodb_max_undo_log_size: a larger tablespace is truncated.
  uint32_t truncate_pages;
};

class UndoSpace {
 public:
  UndoSpace(latch::LatchEnvironment& latches, const UndoSpacesConfig& config, uint32_t number);

  uint32_t number() const { return number_; }
  const std::vector<std::unique_ptr<RollbackSegment>>& rsegs() const { return rsegs_; }

  // fseg_alloc_free_page: returns kFilNull if the file is full.
  uint32_t allocate_page();
  void free_page(uint32_t page_no);
  uint32_t free_pages();
  uint32_t used_pages();
  // Returns the end of the pages ever used since the file was created, as a page number.
  uint32_t size_pages();

 private:
  friend class UndoSpaces;
  static constexpr uint32_t kFirstPageNo = 1;  // page 0 is the file header

  const uint32_t number_;
  const uint32_t pages_max_;
  latch::RwLock latch_;  // fil_space_t::latch
  uint32_t next_page_no_ GUARDED_BY(latch_) = kFirstPageNo;
  std::vector<uint32_t> freed_pages_ GUARDED_BY(latch_);
  std::vector<std::unique_ptr<RollbackSegment>> rsegs_;
  fil::FilSpace* fil_space_ = nullptr;  // changed only by truncate()
  // Guarded by UndoSpaces::latch_. False: marked for truncation.
  bool is_active_ = true;
  uint32_t next_rseg_ = 0;  // guarded by UndoSpaces::latch_
};

class UndoSpaces {
 public:
  UndoSpaces(latch::LatchEnvironment& latches, fil::FilSystem& fil_system, buf::BufPool& buffer_pool,
             platform::Device& device, const UndoSpacesConfig& config);
  ~UndoSpaces();

  const UndoSpacesConfig& config() const { return config_; }
  uint32_t spaces() const { return config_.spaces; }
  UndoSpace& space(uint32_t number) { return *spaces_[number - 1]; }

  // trx_rseg_id_to_space_id: one atomic load, no latch.
  uint32_t space_id(uint32_t number) const { return bank_.space_ids[number - 1].load_acquire(); }

  // get_next_redo_rseg: returns the next rollback segment, round-robin, of an active tablespace
  // with this many free pages. Counts one more transaction for it. Returns null if no tablespace
  // has enough free pages.
  RollbackSegment* assign_rseg(uint32_t pages_needed);

  // Called by the purge coordinator. Marks a tablespace that exceeds the size limit, if all
  // tablespaces are active. Truncates the marked one once nothing refers to it. Returns true if it
  // truncated one.
  bool truncate_if_possible();

  uint64_t history_records();
  uint32_t history_pages();
  uint32_t used_pages();
  uint32_t active_transactions();

 private:
  void create_file(UndoSpace& space, uint32_t space_id);
  void drop_file(UndoSpace& space);
  void mark_one_for_truncation() REQUIRES(latch_);
  bool nothing_refers_to(UndoSpace& space);
  void truncate(UndoSpace& space) REQUIRES(latch_);

  fil::FilSystem& fil_system_;
  buf::BufPool& buffer_pool_;
  platform::Device& device_;
  const UndoSpacesConfig config_;
  latch::RwLock latch_;  // undo::Tablespaces::m_latch
  std::vector<std::unique_ptr<UndoSpace>> spaces_;
  uint32_t next_space_ GUARDED_BY(latch_) = 0;

  // Written only by truncation.
  struct alignas(64) Bank : platform::CacheLine {
    platform::Atomic<uint32_t> space_ids[kUndoSpacesMax] = {{*this, 0}, {*this, 0}, {*this, 0}, {*this, 0}};
  };
  Bank bank_;
};

}  // namespace latchscope::server::trx
