#include "server/fil/tablespace_lookup_variants.h"

namespace latchscope::server::fil {

namespace {

const telemetry::LatchSite kSpaceAcquireForIo("fil_system->mutex", "fil_space_acquire_for_io");
const telemetry::LatchSite kOpenFile("fil_system->mutex", "fil_space_t::prepare_acquired");
const telemetry::LatchSite kStopNewOps("fil_system->mutex", "fil_space_t::set_stopping");

}  // namespace

DbErr SingleLookupPin::begin(BlockRead& read) {
  telemetry::Frame frame(kSpaceAcquireForIo);
  FilMutexGuard guard(shard().mutex, kSpaceAcquireForIo);
  FilSpace* space = shard().find(read.page.space);
  if (space == nullptr || space->stop_new_ops) return DbErr::tablespace_missing;
  if (!space->node.is_open) shard().open_node(space->node);
  space->pending.word.fetch_add(1);
  read.pinned = space;
  read.version = space->version;
  return DbErr::success;
}

DbErr SingleLookupPin::admit(BlockRead& read, FilSpace*& /*pinned_by_page*/) {
  const bool stopping = (read.pinned->pending.word.load() & FilSpace::kStopping) != 0;
  return stopping ? DbErr::tablespace_missing : DbErr::success;
}

void SingleLookupPin::end(BlockRead& read) {
  const uint32_t before = read.pinned->pending.word.fetch_sub(1);
  LATCHSCOPE_ASSERT((before & FilSpace::kCountMask) != 0, "each release matches an acquire");
  read.pinned = nullptr;
}

uint32_t SingleLookupPin::size(BlockRead& read) {
  if (begin(read) != DbErr::success) return 0;
  const uint32_t pages = read.pinned->node.file->pages();
  end(read);
  return pages;
}

void SingleLookupPin::begin_drop(FilSpace& space) {
  FilMutexGuard guard(shard().mutex, kStopNewOps);
  space.stop_new_ops = true;
  space.pending.word.fetch_or(FilSpace::kStopping);
}

bool SingleLookupPin::has_pending_operations(FilSpace& space) {
  return (space.pending.word.load() & FilSpace::kCountMask) != 0;
}

DbErr AtomicWordLookup::begin(BlockRead& read) {
  FilSpace* space = read.table_space;
  const uint32_t before = space->pending.word.fetch_add(1);
  read.pinned = space;
  if ((before & FilSpace::kStopping) != 0) {
    end(read);
    return DbErr::tablespace_missing;
  }
  if ((before & FilSpace::kClosing) != 0) open_file(*space);
  read.version = space->version;
  return DbErr::success;
}

void AtomicWordLookup::open_file(FilSpace& space) {
  telemetry::Frame frame(kOpenFile);
  FilMutexGuard guard(shard().mutex, kOpenFile);
  if (!space.node.is_open) shard().open_node(space.node);
}

std::vector<uint32_t> SingleLookupPin::read_path_sites() const {
  return {kSpaceAcquireForIo.id};
}

}  // namespace latchscope::server::fil
