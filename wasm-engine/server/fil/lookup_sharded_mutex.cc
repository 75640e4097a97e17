#include "server/fil/tablespace_lookup_variants.h"

namespace latchscope::server::fil {

namespace {

constexpr const char* kShardMutex = "Fil_shard::m_mutex";
const telemetry::LatchSite kSpaceGet(kShardMutex, "fil_space_get");
const telemetry::LatchSite kShardDoIo(kShardMutex, "Fil_shard::do_io");
const telemetry::LatchSite kShardCompleteIo(kShardMutex, "Fil_shard::complete_io");
const telemetry::LatchSite kSpaceAcquireSilent(kShardMutex, "fil_space_acquire_silent");
const telemetry::LatchSite kShardSpaceRelease(kShardMutex, "fil_space_release");
const telemetry::LatchSite kShardCheckPendingOps(kShardMutex, "Fil_shard::space_check_pending_operations");

// Undo tablespaces have the highest ids, counting down from 0xFFFFFFEF.
constexpr uint32_t kFirstUndoSpaceId = 0xff000000;

}  // namespace

uint32_t ShardedMutexLookup::shard_of(uint32_t space_id) const {
  if (space_id >= kFirstUndoSpaceId) return kDataShards + space_id % kUndoShards;
  return space_id % kDataShards;
}

DbErr ShardedMutexLookup::admit(BlockRead& read, FilSpace*& pinned_by_page) {
  telemetry::Frame frame(kSpaceGet);
  FilShard& own_shard = shard(read.page.space);
  FilMutexGuard guard(own_shard.mutex, kSpaceGet);
  FilSpace* space = own_shard.find(read.page.space);
  if (space == nullptr || space->stop_new_ops) return DbErr::tablespace_missing;
  space->references.n_ref_count.fetch_add(1);
  pinned_by_page = space;
  return DbErr::success;
}

FilNode* ShardedMutexLookup::prepare_io(BlockRead& read) {
  telemetry::Frame frame(kShardDoIo);
  FilShard& own_shard = shard(read.page.space);
  FilMutexGuard guard(own_shard.mutex, kShardDoIo);
  FilSpace* space = own_shard.find(read.page.space);
  if (space == nullptr || space->stop_new_ops) return nullptr;
  own_shard.prepare_node(space->node);
  return &space->node;
}

void ShardedMutexLookup::complete_io(BlockRead& read, FilNode& node) {
  telemetry::Frame frame(kShardCompleteIo);
  FilShard& own_shard = shard(read.page.space);
  FilMutexGuard guard(own_shard.mutex, kShardCompleteIo);
  own_shard.complete_node(node);
}

void ShardedMutexLookup::acquire_for_ibuf(BlockRead& read) {
  if (!read.is_leaf) return;
  telemetry::Frame frame(kSpaceAcquireSilent);
  FilShard& own_shard = shard(read.page.space);
  FilMutexGuard guard(own_shard.mutex, kSpaceAcquireSilent);
  FilSpace* space = own_shard.find(read.page.space);
  if (space == nullptr || space->stop_new_ops) {
    telemetry::count(telemetry::Counter::ibuf_merges_refused);
    return;
  }
  space->add_pending_op();
  read.pinned = space;
}

void ShardedMutexLookup::release_for_ibuf(BlockRead& read) {
  if (read.pinned == nullptr) return;
  telemetry::Frame frame(kShardSpaceRelease);
  FilMutexGuard guard(shard(read.page.space).mutex, kShardSpaceRelease);
  read.pinned->remove_pending_op();
  read.pinned = nullptr;
}

// fil_space_acquire_silent and fil_space_release, as the change buffer calls them for a leaf page.
uint32_t ShardedMutexLookup::size(BlockRead& read) {
  read.is_leaf = true;
  acquire_for_ibuf(read);
  if (read.pinned == nullptr) return 0;
  const uint32_t pages = read.pinned->node.file->pages();
  release_for_ibuf(read);
  return pages;
}

void ShardedMutexLookup::begin_drop(FilSpace& space) {
  FilMutexGuard guard(shard(space.id).mutex, kShardCheckPendingOps);
  space.stop_new_ops = true;
}

bool ShardedMutexLookup::has_pending_operations(FilSpace& space) {
  FilMutexGuard guard(shard(space.id).mutex, kShardCheckPendingOps);
  return space.n_pending_ops > 0 || space.node.n_pending > 0;
}

std::vector<uint32_t> ShardedMutexLookup::read_path_sites() const {
  return {kSpaceGet.id, kShardDoIo.id, kShardCompleteIo.id, kSpaceAcquireSilent.id, kShardSpaceRelease.id};
}

}  // namespace latchscope::server::fil
