#include "server/fil/fil_system.h"

#include <algorithm>

#include "server/fil/tablespace_lookup.h"
#include "server/fil/tablespace_lookup_variants.h"

namespace latchscope::server::fil {

using latch::ExclusiveGuard;

namespace {

const telemetry::LatchSite kSpaceCreate("fil_system->mutex", "fil_space_create");
const telemetry::LatchSite kSpaceDetach("fil_system->mutex", "fil_space_detach");
const telemetry::LatchSite kShardSpaceCreate("Fil_shard::m_mutex", "Fil_shard::space_create");
const telemetry::LatchSite kShardSpaceDetach("Fil_shard::m_mutex", "Fil_shard::space_detach");
const telemetry::LatchSite kShardRwSpaceCreate("Fil_shard::m_rw_lock", "Fil_shard::space_create");
const telemetry::LatchSite kShardRwSpaceDetach("Fil_shard::m_rw_lock", "Fil_shard::space_detach");

constexpr uint64_t kDropPollNs = 20'000'000;  // same value as fil_check_pending_operations

}  // namespace

FilSystem::FilSystem(latch::LatchEnvironment& latches, TablespaceLookupVariant variant,
                     uint32_t open_files_max, lab::LatchPlace* your_mutex)
    : latches_(latches), open_files_max_(open_files_max), your_mutex_(your_mutex), variant_(variant) {
  lookup_ = make_tablespace_lookup(variant_, shards_);
  build_shards();
}

FilSystem::~FilSystem() = default;

void FilSystem::build_shards() {
  shards_.clear();
  const uint32_t shards = lookup_->shards();
  for (uint32_t i = 0; i < shards; ++i) {
    shards_.push_back(
        std::make_unique<FilShard>(latches_, std::max(1u, open_files_max_ / shards), your_mutex_));
  }
}

void FilSystem::insert(FilSpace& space) {
  FilShard& shard = *shards_[lookup_->shard_of(space.id)];
  FilMutexGuard guard(shard.mutex, shards_.size() == 1 ? kSpaceCreate : kShardSpaceCreate);
  ExclusiveGuard rw_guard(shard.rw_lock, kShardRwSpaceCreate);
  const bool inserted = shard.spaces.emplace(space.id, &space).second;
  LATCHSCOPE_ASSERT(inserted, "a tablespace id is unique");
  if (!space.node.is_open) shard.open_node(space.node);
}

std::unique_ptr<FilSpace> FilSystem::create(uint32_t space_id, std::string name, platform::Device& device,
                                            uint32_t pages) {
  return std::make_unique<FilSpace>(space_id, std::move(name), ++last_version_, device, pages);
}

FilSpace& FilSystem::add(std::unique_ptr<FilSpace> space) {
  spaces_.push_back(std::move(space));
  FilSpace& added = *spaces_.back();
  added.references.n_ref_count.fetch_add(1);
  insert(added);
  return added;
}

void FilSystem::drop(FilSpace& space, const std::function<void(FilSpace&)>& evict_pages) {
  lookup_->begin_drop(space);
  while (lookup_->has_pending_operations(space))
    telemetry::sleep_ns(kDropPollNs);
  if (lookup_->drop_evicts_pages()) evict_pages(space);

  FilShard& shard = *shards_[lookup_->shard_of(space.id)];
  {
    FilMutexGuard guard(shard.mutex, shards_.size() == 1 ? kSpaceDetach : kShardSpaceDetach);
    ExclusiveGuard rw_guard(shard.rw_lock, kShardRwSpaceDetach);
    if (space.node.is_open) shard.close_node(space.node);
    shard.spaces.erase(space.id);
  }
  space.references.is_deleted.store(1);

  const auto owner = std::find_if(spaces_.begin(), spaces_.end(),
                                  [&](const auto& candidate) { return candidate.get() == &space; });
  LATCHSCOPE_ASSERT(owner != spaces_.end(), "a tablespace is dropped at most once");
  deleted_.push_back(std::move(*owner));
  spaces_.erase(owner);
}

FilSpace* FilSystem::find(uint32_t space_id) {
  for (const auto& space : spaces_) {
    if (space->id == space_id) return space.get();
  }
  return nullptr;
}

void FilSystem::release_reference(FilSpace& space) {
  const uint32_t before = space.references.n_ref_count.fetch_sub(1);
  LATCHSCOPE_ASSERT(before > 0, "each reference to a tablespace is released once");
}

void FilSystem::free_deleted() {
  std::erase_if(deleted_, [](const auto& space) { return space->references.n_ref_count.load() == 0; });
}

void FilSystem::use(TablespaceLookupVariant variant) {
  LATCHSCOPE_ASSERT(nothing_is_pending(), "the lookup variant changes only while no read is pending");
  variant_ = variant;
  lookup_ = make_tablespace_lookup(variant_, shards_);
  for (const auto& space : spaces_) {
    space->node.lru = {};
    space->node.is_open = false;
    space->pending.word.fetch_or(FilSpace::kClosing);
  }
  build_shards();
  for (const auto& space : spaces_)
    insert(*space);
}

bool FilSystem::nothing_is_pending() {
  return std::all_of(spaces_.begin(), spaces_.end(), [](const auto& space) {
    return space->n_pending_ops == 0 && space->node.n_pending == 0 &&
           (space->pending.word.load() & FilSpace::kCountMask) == 0;
  });
}

std::unique_ptr<TablespaceLookup> make_tablespace_lookup(TablespaceLookupVariant variant, FilShards& shards) {
  switch (variant) {
    case TablespaceLookupVariant::global_mutex:
    case TablespaceLookupVariant::yours:
      return std::make_unique<GlobalMutexLookup>(shards);
    case TablespaceLookupVariant::release_by_pointer:
      return std::make_unique<ReleaseByPointerLookup>(shards);
    case TablespaceLookupVariant::sharded_mutex:
      return std::make_unique<ShardedMutexLookup>(shards);
    case TablespaceLookupVariant::single_lookup_pin:
      return std::make_unique<SingleLookupPin>(shards);
    case TablespaceLookupVariant::atomic_word:
      return std::make_unique<AtomicWordLookup>(shards);
  }
  LATCHSCOPE_ASSERT(false, "every variant of tablespace_lookup has a class");
}

}  // namespace latchscope::server::fil
