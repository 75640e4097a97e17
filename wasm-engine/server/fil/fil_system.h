// fil_system: all tablespaces of the server, and the current lookup variant.
//
// Latching: each shard's mutex guards its tablespaces. One thread at a time (the coordinator, or a
// test) calls create(), add(), drop(), use() and free_deleted(). It calls use() only while no read
// is pending.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "latch/latch_environment.h"
#include "server/fil/tablespace_lookup.h"

namespace latchscope::server::fil {

class FilSystem {
 public:
  static constexpr uint32_t kOpenFilesMaxDefault = 300;  // innodb_open_files of 5.6

  // `your_mutex` is the place of a latch written in the lab, which replaces each shard's mutex
  // while it is in force; or null.
  FilSystem(latch::LatchEnvironment& latches, TablespaceLookupVariant variant,
            uint32_t open_files_max = kOpenFilesMaxDefault, lab::LatchPlace* your_mutex = nullptr);
  ~FilSystem();

  TablespaceLookupVariant variant() const { return variant_; }
  TablespaceLookup& lookup() { return *lookup_; }

  // Creates a tablespace that is not yet visible, so that its pages can be written.
  std::unique_ptr<FilSpace> create(uint32_t space_id, std::string name, platform::Device& device,
                                   uint32_t pages);
  // Makes the tablespace visible, with one reference for the caller's dictionary entry.
  // REQUIRES: its id is free.
  FilSpace& add(std::unique_ptr<FilSpace> space);

  // Drops a tablespace. Stops new operations, waits for pending ones, calls `evict_pages` if the
  // variant needs it, and removes the tablespace from the system. It is freed once nothing refers
  // to it.
  void drop(FilSpace& space, const std::function<void(FilSpace&)>& evict_pages);

  // Returns null if there is no such tablespace.
  FilSpace* find(uint32_t space_id);

  // Returns the part of the cache that contains this tablespace.
  FilShard& shard_of(uint32_t space_id) { return *shards_[lookup_->shard_of(space_id)]; }

  // Releases the reference that add() returned.
  void release_reference(FilSpace& space);

  // Frees dropped tablespaces to which nothing refers.
  void free_deleted();
  size_t deleted_but_referenced() const { return deleted_.size(); }

  // Changes the variant.
  // REQUIRES: no read is pending.
  void use(TablespaceLookupVariant variant);

  // Returns true if no operation, I/O or pin is pending on any tablespace. Used by end-of-run
  // checks.
  bool nothing_is_pending();

 private:
  void build_shards();
  void insert(FilSpace& space);

  latch::LatchEnvironment& latches_;
  const uint32_t open_files_max_;
  lab::LatchPlace* const your_mutex_;
  TablespaceLookupVariant variant_;
  uint32_t last_version_ = 0;
  FilShards shards_;
  std::unique_ptr<TablespaceLookup> lookup_;
  std::vector<std::unique_ptr<FilSpace>> spaces_;
  std::vector<std::unique_ptr<FilSpace>> deleted_;
};

}  // namespace latchscope::server::fil
