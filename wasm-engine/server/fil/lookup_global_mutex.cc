#include "server/fil/tablespace_lookup_variants.h"

namespace latchscope::server::fil {

namespace {

const telemetry::LatchSite kGetVersion("fil_system->mutex", "fil_space_get_version");
const telemetry::LatchSite kDeletedInMem("fil_system->mutex",
                                         "fil_tablespace_deleted_or_being_deleted_in_mem");
const telemetry::LatchSite kPrepareForIo("fil_system->mutex", "fil_mutex_enter_and_prepare_for_io");
const telemetry::LatchSite kCompleteIo("fil_system->mutex", "fil_node_complete_io");
const telemetry::LatchSite kIncPendingOps("fil_system->mutex", "fil_inc_pending_ops");
const telemetry::LatchSite kDecrPendingOps("fil_system->mutex", "fil_decr_pending_ops");
const telemetry::LatchSite kSpaceAcquire("fil_system->mutex", "fil_space_acquire");
const telemetry::LatchSite kSpaceRelease("fil_system->mutex", "fil_space_release");
const telemetry::LatchSite kGetSize("fil_system->mutex", "fil_space_get_size");
const telemetry::LatchSite kCheckPendingOps("fil_system->mutex", "fil_check_pending_operations");

}  // namespace

DbErr GlobalMutexLookup::begin(BlockRead& read) {
  telemetry::Frame frame(kGetVersion);
  FilMutexGuard guard(shard().mutex, kGetVersion);
  const FilSpace* space = shard().find(read.page.space);
  if (space == nullptr) return DbErr::tablespace_missing;
  read.version = space->version;
  return DbErr::success;
}

DbErr GlobalMutexLookup::admit(BlockRead& read, FilSpace*& /*pinned_by_page*/) {
  telemetry::Frame frame(kDeletedInMem);
  FilMutexGuard guard(shard().mutex, kDeletedInMem);
  const FilSpace* space = shard().find(read.page.space);
  const bool usable = space != nullptr && !space->stop_new_ops && space->version == read.version;
  return usable ? DbErr::success : DbErr::tablespace_missing;
}

FilNode* GlobalMutexLookup::prepare_io(BlockRead& read) {
  telemetry::Frame frame(kPrepareForIo);
  FilMutexGuard guard(shard().mutex, kPrepareForIo);
  // fil_mutex_enter_and_prepare_for_io looks up the tablespace; fil_io then looks it up again.
  if (shard().find(read.page.space) == nullptr) return nullptr;
  FilSpace* space = shard().find(read.page.space);
  if (space->stop_new_ops) return nullptr;
  shard().prepare_node(space->node);
  return &space->node;
}

void GlobalMutexLookup::complete_io(BlockRead& /*read*/, FilNode& node) {
  telemetry::Frame frame(kCompleteIo);
  FilMutexGuard guard(shard().mutex, kCompleteIo);
  shard().complete_node(node);
}

void GlobalMutexLookup::acquire(BlockRead& read, const telemetry::LatchSite& site) {
  telemetry::Frame frame(site);
  FilMutexGuard guard(shard().mutex, site);
  FilSpace* space = shard().find(read.page.space);
  if (space == nullptr || space->stop_new_ops) {
    telemetry::count(telemetry::Counter::ibuf_merges_refused);
    return;
  }
  space->add_pending_op();
  read.pinned = space;
}

void GlobalMutexLookup::acquire_for_ibuf(BlockRead& read) {
  acquire(read, kIncPendingOps);
}

void GlobalMutexLookup::release_for_ibuf(BlockRead& read) {
  if (read.pinned == nullptr) return;
  telemetry::Frame frame(kDecrPendingOps);
  FilMutexGuard guard(shard().mutex, kDecrPendingOps);
  FilSpace* space = shard().find(read.page.space);
  LATCHSCOPE_ASSERT(space == read.pinned, "a tablespace with pending operations is not dropped");
  space->remove_pending_op();
  read.pinned = nullptr;
}

uint32_t GlobalMutexLookup::size(BlockRead& read) {
  telemetry::Frame frame(kGetSize);
  FilMutexGuard guard(shard().mutex, kGetSize);
  const FilSpace* space = shard().find(read.page.space);
  return space == nullptr ? 0 : space->node.file->pages();
}

void GlobalMutexLookup::begin_drop(FilSpace& space) {
  FilMutexGuard guard(shard().mutex, kCheckPendingOps);
  space.stop_new_ops = true;
}

bool GlobalMutexLookup::has_pending_operations(FilSpace& space) {
  FilMutexGuard guard(shard().mutex, kCheckPendingOps);
  return space.n_pending_ops > 0 || space.node.n_pending > 0;
}

void ReleaseByPointerLookup::acquire_for_ibuf(BlockRead& read) {
  acquire(read, kSpaceAcquire);
}

void ReleaseByPointerLookup::release_for_ibuf(BlockRead& read) {
  if (read.pinned == nullptr) return;
  telemetry::Frame frame(kSpaceRelease);
  FilMutexGuard guard(shard().mutex, kSpaceRelease);
  read.pinned->remove_pending_op();
  read.pinned = nullptr;
}

uint32_t ReleaseByPointerLookup::size(BlockRead& read) {
  acquire(read, kSpaceAcquire);
  if (read.pinned == nullptr) return 0;
  const uint32_t pages = read.pinned->node.file->pages();
  release_for_ibuf(read);
  return pages;
}

std::vector<uint32_t> GlobalMutexLookup::read_path_sites() const {
  return {kGetVersion.id,     kDeletedInMem.id, kPrepareForIo.id, kCompleteIo.id, kIncPendingOps.id,
          kDecrPendingOps.id, kSpaceAcquire.id, kSpaceRelease.id, kGetSize.id};
}

}  // namespace latchscope::server::fil
