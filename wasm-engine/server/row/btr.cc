#include "server/row/btr.h"

#include <cstring>
#include <string>
#include <vector>

namespace latchscope::server::row {

using telemetry::Counter;

namespace {

const telemetry::LatchSite kIndexSearch("dict_index_t::lock", "btr_cur_search_to_nth_level");
const telemetry::Function kSearchForMysql("row_search_for_mysql");
const telemetry::Function kCursorOpen("btr_pcur_open_with_no_init_func");
const telemetry::Function kSearchToNthLevel("btr_cur_search_to_nth_level");
const telemetry::Function kMoveToNextPage("btr_pcur_move_to_next_page");

constexpr uint32_t kFirstTreePage = 2;
constexpr uint32_t kNodePointerBytes = 8;
constexpr uint32_t kBodyBytes = kPageBytes - kPageBody - kFilTrailerBytes;
// A bulk load fills pages to 15/16 (MERGE_THRESHOLD leaves 1/16 free).
constexpr uint32_t kRowsPerLeaf = kBodyBytes / kRowBytes * 15 / 16;
constexpr uint32_t kPointersPerNode = kBodyBytes / kNodePointerBytes * 15 / 16;

struct ChildPointer {
  uint32_t smallest_key;
  uint32_t page_no;
};

// Appends finished pages to a new file.
class BulkLoader {
 public:
  BulkLoader(fil::FilSpace& space, uint32_t first_page_no) : space_(space), next_page_no_(first_page_no) {}

  // Page 0 has no user, but read-ahead reads it like any other page. The bits of page 1 say that
  // the change buffer has no entries for any page.
  void write_system_pages() {
    write_system_page(0, kFilPageTypeFspHdr);
    write_system_page(kIbufBitmapOffset, kFilPageTypeIbufBitmap);
  }

  std::vector<ChildPointer> write_leaves(const RowSource& source) {
    std::vector<ChildPointer> level;
    for (uint32_t first_id = 1; first_id <= source.rows; first_id += kRowsPerLeaf) {
      const uint32_t records = std::min(kRowsPerLeaf, source.rows - first_id + 1);
      const bool is_last = first_id + kRowsPerLeaf > source.rows;
      uint8_t* page = begin_page(0, records, first_id == 1, is_last);
      for (uint32_t i = 0; i < records; ++i) {
        write_row(page + kPageBody + i * kRowBytes, source, first_id + i);
      }
      level.push_back({first_id, finish_page(page)});
    }
    return level;
  }

  std::vector<ChildPointer> write_nodes(const std::vector<ChildPointer>& children, uint16_t level_no) {
    std::vector<ChildPointer> level;
    for (size_t first = 0; first < children.size(); first += kPointersPerNode) {
      const uint32_t records =
          static_cast<uint32_t>(std::min<size_t>(kPointersPerNode, children.size() - first));
      uint8_t* page = begin_page(level_no, records, first == 0, first + kPointersPerNode >= children.size());
      for (uint32_t i = 0; i < records; ++i) {
        write_at(page, kPageBody + i * kNodePointerBytes, children[first + i].smallest_key);
        write_at(page, kPageBody + i * kNodePointerBytes + 4, children[first + i].page_no);
      }
      level.push_back({children[first].smallest_key, finish_page(page)});
    }
    return level;
  }

 private:
  void write_system_page(uint32_t page_no, uint16_t type) {
    uint8_t* page = space_.node.file->page(page_no);
    write_at<uint32_t>(page, kFilPageNo, page_no);
    write_at<uint16_t>(page, kFilType, type);
    write_at<uint32_t>(page, kFilSpace, space_.id);
    seal_page(page);
  }

  uint8_t* begin_page(uint16_t level_no, uint32_t records, bool is_first, bool is_last) {
    uint8_t* page = space_.node.file->page(next_page_no_);
    write_at<uint32_t>(page, kFilPageNo, next_page_no_);
    write_at<uint32_t>(page, kFilPrev, is_first ? kFilNull : next_page_no_ - 1);
    write_at<uint32_t>(page, kFilNext, is_last ? kFilNull : next_page_no_ + 1);
    write_at<uint16_t>(page, kFilType, kFilPageTypeIndex);
    write_at<uint32_t>(page, kFilSpace, space_.id);
    write_at<uint16_t>(page, kPageRecords, static_cast<uint16_t>(records));
    write_at<uint16_t>(page, kPageLevel, level_no);
    return page;
  }

  uint32_t finish_page(uint8_t* page) {
    seal_page(page);
    return next_page_no_++;
  }

  fil::FilSpace& space_;
  uint32_t next_page_no_;
};

// Returns the last of `records` entries whose leading u32 key is at most `key`, or 0 if none is.
uint32_t last_not_above(const uint8_t* page, uint32_t records, uint32_t entry_bytes, uint32_t key) {
  uint32_t low = 0;
  uint32_t high = records;
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    if (read_at<uint32_t>(page, kPageBody + middle * entry_bytes) <= key) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

// Descends from the root; on success `leaf` is latched. The index lock is held until then, and each
// page until its child is latched.
DbErr search_to_leaf(buf::BufPool& pool, DictTable& table, uint32_t key, buf::PageLatch& leaf) {
  telemetry::Frame frame(kSearchToNthLevel);
  latch::SharedGuard index_guard(table.index_lock, kIndexSearch);
  uint32_t page_no = table.root;
  for (;;) {
    buf::PageLatch page;
    const DbErr outcome = pool.get(table.space, {table.space->id, page_no}, page);
    if (outcome != DbErr::success) return outcome;
    leaf = std::move(page);
    const uint8_t* frame_bytes = leaf.frame();
    if (page_is_leaf(frame_bytes)) return DbErr::success;
    const uint32_t records = read_at<uint16_t>(frame_bytes, kPageRecords);
    const uint32_t entry = last_not_above(frame_bytes, records, kNodePointerBytes, key);
    page_no = read_at<uint32_t>(frame_bytes, kPageBody + entry * kNodePointerBytes + 4);
  }
}

}  // namespace

uint32_t pages_for_rows(uint32_t rows) {
  uint32_t level = (rows + kRowsPerLeaf - 1) / kRowsPerLeaf;
  uint32_t pages = kFirstTreePage + level;
  while (level > 1) {
    level = (level + kPointersPerNode - 1) / kPointersPerNode;
    pages += level;
  }
  return pages;
}

std::unique_ptr<DictTable> create_table(latch::LatchEnvironment& latches, fil::FilSystem& fil_system,
                                        platform::Device& device, uint32_t space_id,
                                        const RowSource& source) {
  const std::string name = "sbtest/sbtest" + std::to_string(source.table_no + 1);
  std::unique_ptr<fil::FilSpace> space =
      fil_system.create(space_id, name, device, pages_for_rows(source.rows));
  BulkLoader loader(*space, kFirstTreePage);
  loader.write_system_pages();
  std::vector<ChildPointer> level = loader.write_leaves(source);
  for (uint16_t level_no = 1; level.size() > 1; ++level_no)
    level = loader.write_nodes(level, level_no);
  const uint32_t root = level.front().page_no;
  return std::make_unique<DictTable>(latches, source, fil_system.add(std::move(space)), root);
}

DbErr select_by_primary_key(buf::BufPool& pool, DictTable& table, uint32_t id, uint8_t* record) {
  telemetry::Frame frame(kSearchForMysql);
  buf::PageLatch leaf;
  {
    telemetry::Frame cursor_frame(kCursorOpen);
    const DbErr outcome = search_to_leaf(pool, table, id, leaf);
    if (outcome != DbErr::success) return outcome;
  }
  const uint32_t records = read_at<uint16_t>(leaf.frame(), kPageRecords);
  const uint32_t entry = last_not_above(leaf.frame(), records, kRowBytes, id);
  memcpy(record, leaf.frame() + kPageBody + entry * kRowBytes, kRowBytes);
  leaf.release();
  if (read_at<uint32_t>(record, kRowId) != id) return DbErr::record_not_found;
  telemetry::count(row_is_right(record, table.source, id) ? Counter::rows_verified : Counter::rows_wrong);
  return DbErr::success;
}

DbErr open_leaf(buf::BufPool& pool, DictTable& table, uint32_t id, buf::PageLatch& leaf) {
  return search_to_leaf(pool, table, id, leaf);
}

DbErr move_to_next_leaf(buf::BufPool& pool, DictTable& table, buf::PageLatch& leaf) {
  telemetry::Frame frame(kMoveToNextPage);
  const uint32_t page_no = read_at<uint32_t>(leaf.frame(), kFilNext);
  if (page_no == kFilNull) return DbErr::record_not_found;
  buf::PageLatch next;
  const DbErr outcome = pool.get(table.space, {table.space->id, page_no}, next);
  if (outcome == DbErr::success) leaf = std::move(next);
  return outcome;
}

uint32_t leaf_rows(const uint8_t* page) {
  return read_at<uint16_t>(page, kPageRecords);
}
uint32_t leaf_row_offset(uint32_t position) {
  return kPageBody + position * kRowBytes;
}
uint32_t leaf_position_of(const uint8_t* page, uint32_t id) {
  return last_not_above(page, leaf_rows(page), kRowBytes, id);
}

}  // namespace latchscope::server::row
