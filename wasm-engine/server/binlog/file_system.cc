#include "server/binlog/file_system.h"

#include <algorithm>
#include <utility>

#include "telemetry/telemetry.h"

namespace latchscope::server::binlog {

using latch::OsMutexGuard;

namespace {

constexpr uint64_t kWhole = ~uint64_t{0};

}  // namespace

FileSystem::FileSystem(platform::Device& device, UnlinkCost unlink_cost, const DiskImage& image,
                       BytesKept kept)
    : FileSystem(device, unlink_cost, kept) {
  OsMutexGuard guard(mutex_);
  for (const auto& [name, inode] : image)
    directory_[name] = std::make_shared<Inode>(inode);
  durable_directory_ = directory_;
}

void FileSystem::operation_begins() {
  ++operations_;
  if (!crash_point_ || crash_point_->operation != operations_) return;
  Directory left = durable_directory_;
  for (size_t i = 0; i < std::min(crash_point_->journal_kept, journal_.size()); ++i) {
    if (journal_[i].inode == nullptr) {
      left.erase(journal_[i].name);
    } else {
      left[journal_[i].name] = journal_[i].inode;
    }
  }
  crash_image_.emplace();
  for (const auto& [name, inode] : left) {
    Inode copy = *inode;
    if (!crash_point_->unsynced_bytes_kept) {
      copy.size = copy.synced_size;
      copy.head.resize(static_cast<size_t>(std::min<uint64_t>(copy.head.size(), copy.size)));
      copy.tail.clear();
      copy.tail_bytes = 0;
    }
    copy.synced_size = copy.size;
    crash_image_->emplace(name, std::move(copy));
  }
}

void FileSystem::change_name(const std::string& name, std::shared_ptr<Inode> inode) {
  journal_.push_back({name, inode});
  if (inode == nullptr) {
    directory_.erase(name);
  } else {
    directory_[name] = std::move(inode);
  }
}

void FileSystem::commit_journal() {
  for (JournalEntry& entry : journal_) {
    if (entry.inode == nullptr) {
      durable_directory_.erase(entry.name);
    } else {
      durable_directory_[entry.name] = std::move(entry.inode);
    }
  }
  journal_.clear();
}

const FileSystem::Inode* FileSystem::find(const std::string& name) const {
  const auto found = directory_.find(name);
  return found == directory_.end() ? nullptr : found->second.get();
}

FileSystem::Inode& FileSystem::inode_of(const std::string& name) {
  const auto found = directory_.find(name);
  LATCHSCOPE_ASSERT(found != directory_.end(), "only an existing file is written to");
  return *found->second;
}

void FileSystem::create(const std::string& name, bool keep_whole) {
  OsMutexGuard guard(mutex_);
  operation_begins();
  auto inode = std::make_shared<Inode>();
  inode->kept = keep_whole ? BytesKept{kWhole, 0} : kept_;
  inode->modified_ns = static_cast<int64_t>(platform::now_ns());
  change_name(name, std::move(inode));
}

void FileSystem::append(const std::string& name, const std::vector<uint8_t>& bytes) {
  OsMutexGuard guard(mutex_);
  operation_begins();
  Inode& inode = inode_of(name);
  const bool head_is_whole = inode.head.size() == inode.size;
  if (head_is_whole && inode.size + bytes.size() <= inode.kept.head_bytes_max) {
    inode.head.insert(inode.head.end(), bytes.begin(), bytes.end());
  } else {
    inode.tail.push_back(bytes);
    inode.tail_bytes += bytes.size();
    drop_tail_over(inode, inode.kept.tail_bytes_max);
  }
  inode.size += bytes.size();
  inode.modified_ns = static_cast<int64_t>(platform::now_ns());
}

void FileSystem::append(const std::string& name, const std::string& text) {
  append(name, std::vector<uint8_t>(text.begin(), text.end()));
}

// Never drops the last append.
void FileSystem::drop_tail_over(Inode& inode, uint64_t bytes_max) {
  while (inode.tail.size() > 1 && inode.tail_bytes > bytes_max) {
    inode.tail_bytes -= inode.tail.front().size();
    bytes_not_kept_ += inode.tail.front().size();
    inode.tail.pop_front();
  }
}

void FileSystem::fsync(const std::string& name) {
  uint64_t size;
  uint64_t bytes;
  {
    OsMutexGuard guard(mutex_);
    operation_begins();
    const Inode& inode = inode_of(name);
    size = inode.size;
    bytes = size - inode.synced_size;
  }
  telemetry::io(device_, bytes);
  OsMutexGuard guard(mutex_);
  Inode& inode = inode_of(name);
  inode.synced_size = std::max(inode.synced_size, size);
  commit_journal();
}

void FileSystem::rename(const std::string& from, const std::string& to) {
  OsMutexGuard guard(mutex_);
  operation_begins();
  const auto found = directory_.find(from);
  LATCHSCOPE_ASSERT(found != directory_.end(), "only an existing file is renamed");
  std::shared_ptr<Inode> inode = found->second;
  // A single journal entry on a real file system. There are two here; a crash between them leaves
  // both names.
  change_name(to, std::move(inode));
  change_name(from, nullptr);
}

bool FileSystem::unlink(const std::string& name) {
  uint64_t size;
  bool has_extents;
  {
    OsMutexGuard guard(mutex_);
    const Inode* inode = find(name);
    if (inode == nullptr) return false;
    operation_begins();
    size = inode->size;
    has_extents = inode->kept.head_bytes_max != kWhole;
    change_name(name, nullptr);
  }
  if (has_extents) free_extents(size);
  return true;
}

void FileSystem::free_extents(uint64_t bytes) {
  while (bytes > 0 && unlink_cost_.ns_per_gib > 0 && unlinks_at_once_.read() == 0) {
    const uint64_t extent = std::min(bytes, unlink_cost_.extent_bytes);
    const uint64_t took_ns = (extent >> 10) * unlink_cost_.ns_per_gib >> 20;
    const uint64_t device_ns = took_ns * unlink_cost_.device_percent / 100;
    if (device_ns > 0) telemetry::occupy(device_, device_ns);
    if (took_ns > device_ns) telemetry::occupy(own_work_, took_ns - device_ns);
    bytes -= extent;
  }
}

std::optional<FileStat> FileSystem::stat(const std::string& name) const {
  OsMutexGuard guard(mutex_);
  const Inode* inode = find(name);
  if (inode == nullptr) return std::nullopt;
  return FileStat{inode->size, inode->modified_ns};
}

std::vector<uint8_t> FileSystem::read_head(const std::string& name) const {
  OsMutexGuard guard(mutex_);
  const Inode* inode = find(name);
  return inode == nullptr ? std::vector<uint8_t>{} : inode->head;
}

std::vector<uint8_t> FileSystem::read_tail(const std::string& name) const {
  OsMutexGuard guard(mutex_);
  const Inode* inode = find(name);
  std::vector<uint8_t> bytes;
  if (inode == nullptr) return bytes;
  for (const auto& chunk : inode->tail)
    bytes.insert(bytes.end(), chunk.begin(), chunk.end());
  return bytes;
}

std::string FileSystem::read_text(const std::string& name) const {
  const std::vector<uint8_t> bytes = read_head(name);
  return std::string(bytes.begin(), bytes.end());
}

std::vector<std::string> FileSystem::list() const {
  OsMutexGuard guard(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, inode] : directory_)
    names.push_back(name);
  return names;
}

void FileSystem::trim(const std::string& name) {
  OsMutexGuard guard(mutex_);
  drop_tail_over(inode_of(name), 0);
}

void FileSystem::make_old(const std::string& name, uint64_t size, int64_t modified_ns) {
  OsMutexGuard guard(mutex_);
  Inode& inode = inode_of(name);
  LATCHSCOPE_ASSERT(size >= inode.size, "a file is made older and larger, never smaller");
  bytes_not_kept_ += size - inode.size;
  inode.size = inode.synced_size = size;
  inode.modified_ns = modified_ns;
  commit_journal();
}

void FileSystem::account_for(const std::string& name, uint64_t bytes) {
  OsMutexGuard guard(mutex_);
  Inode& inode = inode_of(name);
  bytes_not_kept_ += bytes;
  inode.size += bytes;
  inode.synced_size = inode.size;
}

uint64_t FileSystem::bytes_not_kept() const {
  OsMutexGuard guard(mutex_);
  return bytes_not_kept_;
}

uint64_t FileSystem::operations() const {
  OsMutexGuard guard(mutex_);
  return operations_;
}

void FileSystem::capture_crash(const CrashPoint& point) {
  OsMutexGuard guard(mutex_);
  crash_point_ = point;
}

}  // namespace latchscope::server::binlog
