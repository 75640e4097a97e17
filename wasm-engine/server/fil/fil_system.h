// fil_system: all tablespaces of the server, and the variant of look-up in force.
//
// Latching: each shard's mutex guards its tablespaces. create(), add(), drop(), use() and free_deleted() are
// called by one thread at a time (the coordinator, or a test); use() only while no read is under way.
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

  // `your_mutex`: the place of a reader's latch, which each shard's mutex is while it is in force; or null.
  FilSystem(latch::LatchEnvironment& latches, TablespaceLookupVariant variant,
            uint32_t open_files_max = kOpenFilesMaxDefault, lab::LatchPlace* your_mutex = nullptr);
  ~FilSystem();

  TablespaceLookupVariant variant() const { return variant_; }
  TablespaceLookup& lookup() { return *lookup_; }

  // A tablespace that is not yet visible, so that its pages can be written.
  std::unique_ptr<FilSpace> create(uint32_t space_id, std::string name, platform::Device& device,
                                   uint32_t pages);
  // Makes it visible, with one reference for the caller's dictionary entry. The id must be free.
  FilSpace& add(std::unique_ptr<FilSpace> space);

  // Stops new operations, waits for those in progress, calls `evict_pages` if the variant needs it, and
  // removes the tablespace from the system. It is freed once nothing refers to it.
  void drop(FilSpace& space, const std::function<void(FilSpace&)>& evict_pages);

  // Null if there is none.
  FilSpace* find(uint32_t space_id);

  // The part of the cache that a tablespace belongs to.
  FilShard& shard_of(uint32_t space_id) { return *shards_[lookup_->shard_of(space_id)]; }

  // Gives up a reference that add() gave.
  void release_reference(FilSpace& space);

  // Frees dropped tablespaces that nothing refers to any more.
  void free_deleted();
  size_t deleted_but_referenced() const { return deleted_.size(); }

  // Changes the variant. No read may be under way.
  void use(TablespaceLookupVariant variant);

  // Acquisitions per tablespace_lookup.h and the state of every counter: nothing pending. For end-of-run
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
