// A small in-memory file system for the binary log, with the durability rules that a crash-safe
// program must handle.
//
// Contents: real bytes up to a budget. Each file stores its first `head_bytes_max` bytes and its
// last `tail_bytes_max`; bytes in between count in its size but are not stored. 28 GiB of binary
// logs therefore fit into a few megabytes. Text files (the index, the registers) are created with
// keep_whole and store every byte.
//
// Durability (ext4, data=ordered): appended bytes survive a crash only up to the last fsync of
// their file. Directory changes (create, rename, unlink) go through a journal that reaches the disk
// in order. Any prefix of the changes since the last commit may have survived. An fsync of any file
// commits the whole journal.
//
// Costs: fsync transfers the bytes written since the last fsync to `device`. unlink frees the
// extents of the file's accounted size, one by one (UnlinkCost). For a share of that time the
// journal and the device are busy, so a concurrent fsync waits; the rest delays only the caller.
// Freeing a text file costs nothing. Both block the caller outside the file system's own mutex, as
// in Linux, where only names are changed under the directory's lock.
//
// Crash simulation: every call that changes something is one numbered operation. capture_crash()
// records the disk as a crash just before operation n would leave it. A FileSystem constructed from
// that image is what the restarted server finds.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "latch/os_mutex.h"
#include "platform/platform.h"

namespace latchscope::server::binlog {

struct BytesKept {
  uint64_t head_bytes_max = 4'096;
  uint64_t tail_bytes_max = 65'536;
};

struct UnlinkCost {
  uint64_t ns_per_gib = 0;
  uint64_t extent_bytes = uint64_t{128} << 20;  // ext4: at most 32,768 blocks of 4 KiB
  // Share of the time in which `device` serves no other request.
  uint32_t device_percent = 0;
};

struct FileStat {
  uint64_t size;
  int64_t modified_ns;  // on platform::now_ns()'s clock; negative for files older than the server
};

struct CrashPoint {
  uint64_t operation;        // 1 is the first operation after construction
  size_t journal_kept;       // number of pending directory changes that survive
  bool unsynced_bytes_kept;  // true if appended bytes that were not fsynced survive
};

class FileSystem {
  struct Inode {
    std::vector<uint8_t> head;
    std::deque<std::vector<uint8_t>> tail;  // one element per append, so that it starts at an event
    uint64_t tail_bytes = 0;
    uint64_t size = 0;
    uint64_t synced_size = 0;
    int64_t modified_ns = 0;
    BytesKept kept;
  };
  using Directory = std::map<std::string, std::shared_ptr<Inode>>;

 public:
  // The contents of the disk after a crash.
  using DiskImage = std::map<std::string, Inode>;

  explicit FileSystem(platform::Device& device, UnlinkCost unlink_cost = {}, BytesKept kept = {})
      : device_(device), unlink_cost_(unlink_cost), kept_(kept) {}
  FileSystem(platform::Device& device, UnlinkCost unlink_cost, const DiskImage& image, BytesKept kept = {});

  // Creates an empty file. Replaces a file that already has this name.
  void create(const std::string& name, bool keep_whole = false);
  void append(const std::string& name, const std::vector<uint8_t>& bytes);
  void append(const std::string& name, const std::string& text);
  void fsync(const std::string& name);
  void rename(const std::string& from, const std::string& to);
  // Returns false if the file does not exist.
  bool unlink(const std::string& name);

  bool exists(const std::string& name) const { return stat(name).has_value(); }
  std::optional<FileStat> stat(const std::string& name) const;
  // Returns the first stored bytes: all bytes unless the file outgrew its budget.
  std::vector<uint8_t> read_head(const std::string& name) const;
  // Returns the last stored bytes, starting at an append; empty while the head contains everything.
  std::vector<uint8_t> read_tail(const std::string& name) const;
  std::string read_text(const std::string& name) const;
  std::vector<std::string> list() const;

  // Called when the file is complete. Drops all stored bytes except its head and its last append.
  void trim(const std::string& name);
  // Gives a file this age and accounted size, and makes it durable. It represents a file from an
  // earlier run of the server.
  void make_old(const std::string& name, uint64_t size, int64_t modified_ns);
  // Adds to the durable size of a file without writing bytes. They represent its earlier content.
  void account_for(const std::string& name, uint64_t bytes);

  // From now on freeing an extent takes no time. The coordinator calls this while other threads
  // remove files.
  void unlink_at_once() { unlinks_at_once_.set(1); }

  uint64_t bytes_not_kept() const;
  uint64_t operations() const;

  void capture_crash(const CrashPoint& point);
  // Returns null if the operation was not reached.
  const DiskImage* crash_image() const { return crash_image_ ? &*crash_image_ : nullptr; }

 private:
  struct JournalEntry {
    std::string name;
    std::shared_ptr<Inode> inode;  // null: the name is removed
  };

  void free_extents(uint64_t bytes);
  void operation_begins() REQUIRES(mutex_);
  void change_name(const std::string& name, std::shared_ptr<Inode> inode) REQUIRES(mutex_);
  void commit_journal() REQUIRES(mutex_);
  void drop_tail_over(Inode& inode, uint64_t bytes_max) REQUIRES(mutex_);
  Inode& inode_of(const std::string& name) REQUIRES(mutex_);
  const Inode* find(const std::string& name) const REQUIRES(mutex_);

  platform::Device& device_;
  platform::Device own_work_{{"unlink", 0, 0, 1}};  // one thread deletes at a time
  const UnlinkCost unlink_cost_;
  const BytesKept kept_;
  platform::Published<uint32_t> unlinks_at_once_;

  mutable latch::OsMutex mutex_;
  Directory directory_ GUARDED_BY(mutex_);
  Directory durable_directory_ GUARDED_BY(mutex_);
  std::vector<JournalEntry> journal_ GUARDED_BY(mutex_);
  uint64_t operations_ GUARDED_BY(mutex_) = 0;
  uint64_t bytes_not_kept_ GUARDED_BY(mutex_) = 0;
  std::optional<CrashPoint> crash_point_ GUARDED_BY(mutex_);
  std::optional<DiskImage> crash_image_;
};

}  // namespace latchscope::server::binlog
