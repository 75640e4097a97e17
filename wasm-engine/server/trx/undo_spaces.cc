#include "server/trx/undo_spaces.h"

#include <algorithm>

namespace latchscope::server::trx {

using latch::ExclusiveGuard;
using latch::MutexGuard;
using latch::SharedGuard;
using telemetry::Counter;

namespace {

const telemetry::LatchSite kSpacesXAssign("undo::Tablespaces::m_latch", "get_next_redo_rseg");
const telemetry::LatchSite kSpacesXTruncate("undo::Tablespaces::m_latch", "trx_purge_truncate_undo_spaces");
const telemetry::LatchSite kFspXAllocate("fil_space_t::latch", "fseg_alloc_free_page");
const telemetry::LatchSite kFspXFree("fil_space_t::latch", "fseg_free_page");
const telemetry::LatchSite kFspSSize("fil_space_t::latch", "fil_space_get_size");
const telemetry::LatchSite kRsegAssign("trx_rseg_t::mutex", "get_next_redo_rseg");
const telemetry::LatchSite kRsegTruncateSpaces("trx_rseg_t::mutex", "trx_purge_truncate_undo_spaces");
const telemetry::LatchSite kRsegStatus("trx_rseg_t::mutex", "srv_export_innodb_status");

const telemetry::Function kTruncate("trx_undo_truncate_tablespace");

}  // namespace

UndoSpace::UndoSpace(latch::LatchEnvironment& latches, const UndoSpacesConfig& config, uint32_t number)
    : number_(number), pages_max_(config.pages_max), latch_(latches) {
  for (uint32_t i = 0; i < config.rollback_segments; ++i)
    rsegs_.push_back(std::make_unique<RollbackSegment>(latches, *this));
}

uint32_t UndoSpace::allocate_page() {
  ExclusiveGuard guard(latch_, kFspXAllocate);
  if (!freed_pages_.empty()) {
    const uint32_t page_no = freed_pages_.back();
    freed_pages_.pop_back();
    return page_no;
  }
  return next_page_no_ < pages_max_ ? next_page_no_++ : kFilNull;
}

void UndoSpace::free_page(uint32_t page_no) {
  ExclusiveGuard guard(latch_, kFspXFree);
  freed_pages_.push_back(page_no);
}

uint32_t UndoSpace::free_pages() {
  SharedGuard guard(latch_, kFspSSize);
  return pages_max_ - next_page_no_ + static_cast<uint32_t>(freed_pages_.size());
}

uint32_t UndoSpace::used_pages() {
  SharedGuard guard(latch_, kFspSSize);
  return next_page_no_ - kFirstPageNo - static_cast<uint32_t>(freed_pages_.size());
}

uint32_t UndoSpace::size_pages() {
  SharedGuard guard(latch_, kFspSSize);
  return next_page_no_;
}

UndoSpaces::UndoSpaces(latch::LatchEnvironment& latches, fil::FilSystem& fil_system,
                       buf::BufPool& buffer_pool, platform::Device& device, const UndoSpacesConfig& config)
    : fil_system_(fil_system), buffer_pool_(buffer_pool), device_(device), config_(config), latch_(latches) {
  for (uint32_t number = 1; number <= config.spaces; ++number) {
    spaces_.push_back(std::make_unique<UndoSpace>(latches, config, number));
    create_file(*spaces_.back(), kUndoSpaceIdMax - number);
  }
}

UndoSpaces::~UndoSpaces() {
  for (const auto& space : spaces_)
    drop_file(*space);
}

void UndoSpaces::create_file(UndoSpace& space, uint32_t space_id) {
  const std::string name = "undo_00" + std::to_string(space.number());
  space.fil_space_ = &fil_system_.add(fil_system_.create(space_id, name, device_, config_.pages_max));
  bank_.space_ids[space.number() - 1].store_release(space_id);
}

void UndoSpaces::drop_file(UndoSpace& space) {
  fil_system_.drop(*space.fil_space_, [this](fil::FilSpace& dropped) { buffer_pool_.evict_pages(dropped); });
  fil_system_.release_reference(*space.fil_space_);
  fil_system_.free_deleted();
  space.fil_space_ = nullptr;
}

RollbackSegment* UndoSpaces::assign_rseg(uint32_t pages_needed) {
  ExclusiveGuard guard(latch_, kSpacesXAssign);
  for (uint32_t tried = 0; tried < config_.spaces; ++tried) {
    UndoSpace& space = *spaces_[next_space_];
    next_space_ = (next_space_ + 1) % config_.spaces;
    if (!space.is_active_ || space.free_pages() < pages_needed) continue;
    RollbackSegment& rseg = *space.rsegs_[space.next_rseg_];
    space.next_rseg_ = (space.next_rseg_ + 1) % static_cast<uint32_t>(space.rsegs_.size());
    MutexGuard rseg_guard(rseg.mutex, kRsegAssign);
    ++rseg.trx_ref_count;
    return &rseg;
  }
  return nullptr;
}

bool UndoSpaces::truncate_if_possible() {
  ExclusiveGuard guard(latch_, kSpacesXTruncate);
  mark_one_for_truncation();
  for (const auto& space : spaces_) {
    if (space->is_active_ || !nothing_refers_to(*space)) continue;
    truncate(*space);
    return true;
  }
  return false;
}

void UndoSpaces::mark_one_for_truncation() {
  const auto is_active = [](const auto& space) { return space->is_active_; };
  // Only one tablespace is marked at a time.
  if (!std::all_of(spaces_.begin(), spaces_.end(), is_active)) return;
  for (const auto& space : spaces_) {
    if (space->size_pages() <= config_.truncate_pages) continue;
    space->is_active_ = false;
    return;
  }
}

bool UndoSpaces::nothing_refers_to(UndoSpace& space) {
  return space.used_pages() == 0 &&
         std::all_of(space.rsegs_.begin(), space.rsegs_.end(), [](const auto& rseg) {
           MutexGuard guard(rseg->mutex, kRsegTruncateSpaces);
           return rseg->trx_ref_count == 0 && rseg->history.empty();
         });
}

// trx_undo_truncate_tablespace: creates a new file under a new id. The pages of the old id were
// freed with the history.
void UndoSpaces::truncate(UndoSpace& space) {
  telemetry::Frame frame(kTruncate);
  const uint32_t old_id = space_id(space.number());
  drop_file(space);
  {
    ExclusiveGuard guard(space.latch_, kFspXFree);
    space.next_page_no_ = UndoSpace::kFirstPageNo;
    space.freed_pages_.clear();
  }
  create_file(space, old_id - kUndoSpaceIdStep);
  space.is_active_ = true;
  telemetry::count(Counter::undo_truncations);
}

uint64_t UndoSpaces::history_records() {
  uint64_t records = 0;
  for (const auto& space : spaces_) {
    for (const auto& rseg : space->rsegs_) {
      MutexGuard guard(rseg->mutex, kRsegStatus);
      for (const auto& log : rseg->history)
        records += log->records - log->records_purged;
    }
  }
  return records;
}

uint32_t UndoSpaces::history_pages() {
  size_t pages = 0;
  for (const auto& space : spaces_) {
    for (const auto& rseg : space->rsegs_) {
      MutexGuard guard(rseg->mutex, kRsegStatus);
      for (const auto& log : rseg->history)
        pages += log->pages.size();
    }
  }
  return static_cast<uint32_t>(pages);
}

uint32_t UndoSpaces::used_pages() {
  uint32_t pages = 0;
  for (const auto& space : spaces_)
    pages += space->used_pages();
  return pages;
}

uint32_t UndoSpaces::active_transactions() {
  uint32_t transactions = 0;
  for (const auto& space : spaces_) {
    for (const auto& rseg : space->rsegs_) {
      MutexGuard guard(rseg->mutex, kRsegStatus);
      transactions += rseg->trx_ref_count;
    }
  }
  return transactions;
}

}  // namespace latchscope::server::trx
