#include "server/buf/buf_read_ahead.h"

#include <algorithm>
#include <bit>

#include "server/ut/work_costs.h"
#include "telemetry/telemetry.h"

namespace latchscope::server::buf {

using latch::SharedGuard;
using telemetry::Counter;

namespace {

const telemetry::LatchSite kHashSReadAhead("buf_pool->page_hash", "buf_read_ahead_random");

const telemetry::Function kReadAheadRandom("buf_read_ahead_random");
const telemetry::Function kReadAheadPageLow("buf_read_page_low");
const telemetry::Function kFilIoAsync("fil_io");
const telemetry::Function kIoHandlerThread("io_handler_thread");
const telemetry::Function kFilAioWait("fil_aio_wait");

}  // namespace

uint32_t read_ahead_area_pages(uint32_t frames) {
  return std::min(kReadAheadPagesMax, std::bit_ceil(std::max(1u, frames / kReadAheadPoolShare)));
}

uint32_t read_ahead_threshold(uint32_t area_pages) {
  return kReadAheadThresholdBase + area_pages / kReadAheadThresholdShare;
}

BufReadAhead::BufReadAhead(BufPool& pool, fil::FilSystem& fil_system, aio::OsAio& os_aio, bool enabled)
    : pool_(pool), fil_system_(fil_system), os_aio_(os_aio), line_(enabled) {
  LATCHSCOPE_ASSERT(fil_system.variant() == fil::TablespaceLookupVariant::sharded_mutex,
                    "asynchronous reads look up their tablespace as in 8.0");
}

void BufReadAhead::random(fil::FilSpace* table_space, PageId id) {
  if (!is_enabled() || is_ibuf_bitmap_page(id.page_no)) return;
  telemetry::Frame frame(kReadAheadRandom);
  telemetry::count(Counter::read_ahead_checks);
  BufPool::Instance& instance = pool_.instance_of(id);
  const auto frames = static_cast<uint32_t>(instance.blocks.size());
  const Area area = area_of(instance, table_space, id);
  if (instance.reads.n_pend_reads.load_relaxed() > frames / kReadAheadPendingLimit) return;
  const uint32_t threshold = read_ahead_threshold(read_ahead_area_pages(frames));
  if (!is_worth_reading(instance, id.space, area, threshold)) return;

  telemetry::count(Counter::read_aheads);
  aio::AioBatch batch(os_aio_, os_aio_.reads());
  for (uint32_t page_no = area.low; page_no < area.high; ++page_no) {
    // The thread that completes a read may wait for the bitmap page.
    if (is_ibuf_bitmap_page(page_no)) continue;
    if (post_page(instance, table_space, {id.space, page_no}, batch) != DbErr::success) break;
  }
  batch.end();
}

BufReadAhead::Area BufReadAhead::area_of(BufPool::Instance& instance, fil::FilSpace* table_space, PageId id) {
  fil::BlockRead size_query{.page = id, .table_space = table_space};
  const uint32_t space_pages = fil_system_.lookup().size(size_query);
  if (space_pages == 0) return {0, 0};
  const uint32_t area_pages = read_ahead_area_pages(static_cast<uint32_t>(instance.blocks.size()));
  const uint32_t low = id.page_no / area_pages * area_pages;
  return {low, std::min(low + area_pages, space_pages)};
}

bool BufReadAhead::is_worth_reading(BufPool::Instance& instance, uint32_t space_id, Area area,
                                    uint32_t threshold) {
  uint32_t recent = 0;
  for (uint32_t page_no = area.low; page_no < area.high && recent < threshold; ++page_no) {
    const PageId id{space_id, page_no};
    PageHashCell& cell = instance.cell_of(id);
    SharedGuard guard(cell.lock, kHashSReadAhead);
    const BufBlock* block = cell.find(id);
    if (block == nullptr) continue;
    if (block->line.first_access.load_relaxed() != 0 && pool_.is_young(instance, *block)) ++recent;
  }
  return recent >= threshold;
}

// buf_read_page_low, asynchronous and without waking a handler. Also succeeds if the page is
// already in the pool.
DbErr BufReadAhead::post_page(BufPool::Instance& instance, fil::FilSpace* table_space, PageId id,
                              aio::AioBatch& batch) {
  telemetry::Frame frame(kReadAheadPageLow);
  fil::BlockRead read{.page = id, .table_space = table_space};
  DbErr outcome = DbErr::success;
  BufBlock* block = pool_.init_for_read(instance, read, outcome, &batch);
  if (block == nullptr) return outcome;

  telemetry::Frame fil_io_frame(kFilIoAsync);
  ut::pay(ut::work_cost::page_read_ns);
  fil::FilNode* node = fil_system_.lookup().prepare_io(read);
  if (node == nullptr) {
    pool_.give_up_read(instance, *block);
    return DbErr::tablespace_missing;
  }
  batch.post({aio::IoType::read, node, uint64_t{id.page_no} * kPageBytes, block->frame, block});
  return DbErr::success;
}

void BufReadAhead::io_handler_thread(uint32_t global_segment) {
  telemetry::Frame frame(kIoHandlerThread);
  while (fil_aio_wait(global_segment)) {
  }
}

// The slot is already free. The request carries everything that the completion needs.
bool BufReadAhead::fil_aio_wait(uint32_t global_segment) {
  telemetry::Frame frame(kFilAioWait);
  const std::optional<aio::IoRequest> request = os_aio_.simulated_handler(global_segment);
  if (!request) return false;
  BufBlock& block = *request->block;
  fil::BlockRead read{.page = block.id, .table_space = request->node->space};
  fil_system_.lookup().complete_io(read, *request->node);
  pool_.io_complete(pool_.instance_of(block.id), block, read);
  telemetry::count(Counter::aio_reads_completed);
  return true;
}

}  // namespace latchscope::server::buf
