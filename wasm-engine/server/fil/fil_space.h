// A tablespace and its file. Sources: MySQL 5.6 and 8.0 fil0fil, MariaDB 10.5.7
// fil_space_t::n_pending.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "platform/platform.h"
#include "server/page.h"
#include "server/ut/intrusive_list.h"

namespace latchscope::server::fil {

// The bytes of one file on a device. Tables are written when they are loaded. Afterwards only the
// buffer pool writes a page, and only while the pool contains it, so no thread reads that page here
// concurrently.
class File {
 public:
  File(platform::Device& device, uint32_t pages)
      : device_(device), pages_(pages), bytes_(new uint8_t[size_t{pages} * kPageBytes]()) {}

  uint32_t pages() const { return pages_; }
  platform::Device& device() const { return device_; }
  uint8_t* page(uint32_t page_no) { return bytes_.get() + size_t{page_no} * kPageBytes; }
  const uint8_t* page(uint32_t page_no) const { return bytes_.get() + size_t{page_no} * kPageBytes; }

 private:
  platform::Device& device_;
  uint32_t pages_;
  std::unique_ptr<uint8_t[]> bytes_;
};

struct FilSpace;

// fil_node_t; one per tablespace. Guarded by the mutex of the space's shard, unless a variant of
// TablespaceLookup says otherwise.
struct FilNode {
  FilNode(platform::Device& device, uint32_t pages) : file(std::make_unique<File>(device, pages)) {}

  std::unique_ptr<File> file;
  FilSpace* space = nullptr;
  bool is_open = false;
  uint32_t n_pending = 0;  // pending reads and writes; the file stays open meanwhile
  platform::DataLine line;
  ut::ListLink<FilNode> lru;
};

// fil_space_t.
struct FilSpace {
  FilSpace(uint32_t space_id, std::string space_name, uint32_t space_version, platform::Device& device,
           uint32_t pages)
      : id(space_id), name(std::move(space_name)), version(space_version), node(device, pages) {
    node.space = this;
  }

  // The atomic word of MariaDB (commit 45ed9dd957, 10.5.7):
  //
  //    bit 31       STOPPING   being dropped: acquire fails
  //    bit 30       CLOSING    the file is closed or about to be: acquire opens it first
  //    bits 0..29   pending operations
  //
  // Flags and count share one word, so that no acquire can happen between "count is 0" and "flag is
  // set".
  static constexpr uint32_t kStopping = 1u << 31;
  static constexpr uint32_t kClosing = 1u << 30;
  static constexpr uint32_t kCountMask = kClosing - 1;

  const uint32_t id;
  const std::string name;
  const uint32_t page_bytes = kPageBytes;  // the page size in FSP_FLAGS
  // Distinguishes the tablespace from an earlier one with the same id.
  const uint32_t version;
  FilNode node;

  void add_pending_op() {
    line.write();
    ++n_pending_ops;
  }
  void remove_pending_op() {
    line.write();
    --n_pending_ops;
  }

  // Guarded by the shard's mutex.
  bool stop_new_ops = false;
  uint32_t n_pending_ops = 0;
  platform::DataLine line;

  struct alignas(64) PendingLine : platform::CacheLine {
    platform::Atomic<uint32_t> word{*this, kClosing};
  };
  PendingLine pending;

  struct alignas(64) ReferenceLine : platform::CacheLine {
    // Counts the owners of pointers to this object: the dictionary's table and, in 8.0, each page
    // in the buffer pool.
    platform::Atomic<uint32_t> n_ref_count{*this, 0};
    platform::Atomic<uint32_t> is_deleted{*this, 0};
  };
  ReferenceLine references;
};

}  // namespace latchscope::server::fil
