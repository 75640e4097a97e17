// Clustered B+ trees of sbtest rows: bulk load and point lookup. Sources: MySQL btr0bulk, btr0cur,
// row0sel.
//
// Leaf pages contain fixed-length rows in key order from kPageBody on. Pages above contain node
// pointers (key u32, child page u32); the key is the smallest one in the child. Page 0 is the file
// header, page 1 the change buffer's bitmap. The root is the last page.
#pragma once

#include <cstdint>
#include <memory>

#include "server/buf/buf_pool.h"
#include "server/db_err.h"
#include "server/row/dict_table.h"

namespace latchscope::server::row {

// Creates tablespace `space_id`, loads rows 1..source.rows into it, and returns the table.
std::unique_ptr<DictTable> create_table(latch::LatchEnvironment& latches, fil::FilSystem& fil_system,
                                        platform::Device& device, uint32_t space_id, const RowSource& source);

// Returns the number of pages of a loaded table, for sizing.
uint32_t pages_for_rows(uint32_t rows);

// SELECT ... WHERE id = ?: finds the row, verifies it and copies it to `record` (kRowBytes). Wrong
// rows are counted in rows_wrong.
DbErr select_by_primary_key(buf::BufPool& pool, DictTable& table, uint32_t id, uint8_t* record);

// Descends to the leaf page that contains `id`, or would contain it. On success `leaf` is
// S-latched.
DbErr open_leaf(buf::BufPool& pool, DictTable& table, uint32_t id, buf::PageLatch& leaf);
// Moves to the next leaf and latches it before releasing the old one. Returns record_not_found
// after the last leaf.
DbErr move_to_next_leaf(buf::BufPool& pool, DictTable& table, buf::PageLatch& leaf);

// Rows of a leaf page, by position.
uint32_t leaf_rows(const uint8_t* page);
uint32_t leaf_row_offset(uint32_t position);
// Returns the position of the last row whose id is at most `id`, or 0.
uint32_t leaf_position_of(const uint8_t* page, uint32_t id);

}  // namespace latchscope::server::row
