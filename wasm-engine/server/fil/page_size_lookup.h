// How a reader of an undo record finds the page size of the undo tablespace: the knob
// `undo_page_size_lookup`.
//
//   variant         latch acquired                             source
//   shard_mutex     Fil_shard::m_mutex, once per undo record   MySQL 8.0, 8.4:
//                                                              fil_space_get_page_size
//   shard_rw_lock   the shard's latch as an rw_lock, S         proposed in bug #117533
//   cached          none                                       MySQL 5.7: the rollback segment
//                                                              stores the size
//   yours           Fil_shard::m_mutex, replaced by the        the path of shard_mutex
//                   latch written in the lab
//
// All variants return the same value: undo tablespaces always have the server's page size.
#pragma once

#include <cstdint>

#include "server/db_err.h"
#include "server/fil/fil_system.h"

namespace latchscope::server::fil {

enum class PageSizeLookupVariant : uint8_t { shard_mutex, shard_rw_lock, cached, yours };

// fil_space_get_page_size: sets `page_bytes`, or returns tablespace_missing. `cached_page_bytes` is
// the size that the caller has stored for the variant `cached`.
DbErr fil_space_get_page_size(FilSystem& fil_system, PageSizeLookupVariant variant, uint32_t space_id,
                              uint32_t cached_page_bytes, uint32_t& page_bytes);

// Return latch sites (ids), for exact counts at the end of a phase.
uint32_t page_size_mutex_site();
uint32_t page_size_rw_lock_site();

}  // namespace latchscope::server::fil
