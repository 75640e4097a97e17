// The five variants of TablespaceLookup. tablespace_lookup.h lists the latches each of them
// acquires.
#pragma once

#include "server/fil/tablespace_lookup.h"

namespace latchscope::server::fil {

// MySQL 5.6: each step looks up the tablespace again under the global mutex.
class GlobalMutexLookup : public TablespaceLookup {
 public:
  explicit GlobalMutexLookup(FilShards& shards) : shards_(shards) {}

  DbErr begin(BlockRead& read) override;
  DbErr admit(BlockRead& read, FilSpace*& pinned_by_page) override;
  FilNode* prepare_io(BlockRead& read) override;
  void complete_io(BlockRead& read, FilNode& node) override;
  void acquire_for_ibuf(BlockRead& read) override;
  void release_for_ibuf(BlockRead& read) override;
  void end(BlockRead& /*read*/) override {}
  void begin_read_ahead(BlockRead& read) override { begin(read); }
  uint32_t size(BlockRead& read) override;
  void begin_drop(FilSpace& space) override;
  bool has_pending_operations(FilSpace& space) override;
  ReadPathCost read_path_cost() const override { return {6, 6, 4, 2, 1, 3}; }
  std::vector<uint32_t> read_path_sites() const override;

 protected:
  FilShard& shard() { return *shards_[0]; }
  // Looks up the tablespace and counts an operation on it.
  void acquire(BlockRead& read, const telemetry::LatchSite& site);

 private:
  FilShards& shards_;
};

// MySQL 5.7 (Bug#19149177): no version tests. Release uses the acquired pointer, but still takes
// the mutex.
class ReleaseByPointerLookup : public GlobalMutexLookup {
 public:
  using GlobalMutexLookup::GlobalMutexLookup;

  DbErr begin(BlockRead& /*read*/) override { return DbErr::success; }
  DbErr admit(BlockRead& /*read*/, FilSpace*& /*pinned_by_page*/) override { return DbErr::success; }
  void acquire_for_ibuf(BlockRead& read) override;
  void release_for_ibuf(BlockRead& read) override;
  void begin_read_ahead(BlockRead& /*read*/) override {}
  uint32_t size(BlockRead& read) override;
  ReadPathCost read_path_cost() const override { return {4, 4, 2, 2, 0, 1}; }
};

// MySQL 8.0: one mutex per shard; pages refer to their tablespace.
class ShardedMutexLookup : public TablespaceLookup {
 public:
  explicit ShardedMutexLookup(FilShards& shards) : shards_(shards) {}

  DbErr begin(BlockRead& /*read*/) override { return DbErr::success; }
  DbErr admit(BlockRead& read, FilSpace*& pinned_by_page) override;
  FilNode* prepare_io(BlockRead& read) override;
  void complete_io(BlockRead& read, FilNode& node) override;
  void acquire_for_ibuf(BlockRead& read) override;
  void release_for_ibuf(BlockRead& read) override;
  void end(BlockRead& /*read*/) override {}
  uint32_t size(BlockRead& read) override;
  void begin_drop(FilSpace& space) override;
  bool has_pending_operations(FilSpace& space) override;
  ReadPathCost read_path_cost() const override { return {5, 3, 3, 2, 0, 2}; }
  std::vector<uint32_t> read_path_sites() const override;
  bool drop_evicts_pages() const override { return false; }
  uint32_t shards() const override { return kDataShards + kUndoShards; }
  uint32_t shard_of(uint32_t space_id) const override;

 private:
  FilShard& shard(uint32_t space_id) { return *shards_[shard_of(space_id)]; }

  FilShards& shards_;
};

// Proposed in the bug report, and used by MariaDB 10.11 (counted). One lookup under the mutex
// counts a reference and returns the pointer. The release does not take the mutex.
class SingleLookupPin : public TablespaceLookup {
 public:
  explicit SingleLookupPin(FilShards& shards) : shards_(shards) {}

  DbErr begin(BlockRead& read) override;
  DbErr admit(BlockRead& read, FilSpace*& pinned_by_page) override;
  FilNode* prepare_io(BlockRead& read) override { return &read.pinned->node; }
  void complete_io(BlockRead& /*read*/, FilNode& /*node*/) override {}
  void acquire_for_ibuf(BlockRead& /*read*/) override {}
  void release_for_ibuf(BlockRead& /*read*/) override {}
  void end(BlockRead& read) override;
  uint32_t size(BlockRead& read) override;
  void begin_drop(FilSpace& space) override;
  bool has_pending_operations(FilSpace& space) override;
  ReadPathCost read_path_cost() const override { return {1, 1, 1, 1, 1, 1}; }
  std::vector<uint32_t> read_path_sites() const override;

 protected:
  FilShard& shard() { return *shards_[0]; }

 private:
  FilShards& shards_;
};

// A design of this project, never shipped: the pin is an atomic addition to the word of the
// tablespace to which the table points. The word is MariaDB's (MDEV-23855), but MariaDB still looks
// up the tablespace under the mutex.
class AtomicWordLookup : public SingleLookupPin {
 public:
  using SingleLookupPin::SingleLookupPin;

  DbErr begin(BlockRead& read) override;
  ReadPathCost read_path_cost() const override { return {0, 0, 0, 0, 0, 0}; }

 private:
  void open_file(FilSpace& space);
};

}  // namespace latchscope::server::fil
