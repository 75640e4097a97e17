#include "server/trx/trx_sys.h"

#include <algorithm>

namespace latchscope::server::trx {

using latch::MutexGuard;

namespace {

const telemetry::LatchSite kStart("trx_sys->mutex", "trx_start_low");
const telemetry::LatchSite kAssignNumber("trx_sys->mutex", "trx_add_to_serialisation_list");
const telemetry::LatchSite kErase("trx_sys->mutex", "trx_erase_lists");
const telemetry::LatchSite kViewOpen("trx_sys->mutex", "MVCC::view_open");
const telemetry::LatchSite kViewClose("trx_sys->mutex", "MVCC::view_close");
const telemetry::LatchSite kCloneOldest("trx_sys->mutex", "MVCC::clone_oldest_view");
const telemetry::LatchSite kStatus("trx_sys->mutex", "srv_export_innodb_status");

void erase_value(std::vector<uint64_t>& values, uint64_t value) {
  const auto found = std::find(values.begin(), values.end(), value);
  LATCHSCOPE_ASSERT(found != values.end(), "each transaction ends exactly once");
  values.erase(found);
}

}  // namespace

TrxId TrxSys::begin() {
  MutexGuard guard(mutex_, kStart);
  const TrxId id = next_id_or_no_++;
  rw_trx_ids_.push_back(id);
  return id;
}

uint64_t TrxSys::assign_number() {
  MutexGuard guard(mutex_, kAssignNumber);
  const uint64_t number = next_id_or_no_++;
  serialisation_list_.push_back(number);
  return number;
}

void TrxSys::commit(TrxId id, uint64_t number) {
  MutexGuard guard(mutex_, kErase);
  erase_value(rw_trx_ids_, id);
  erase_value(serialisation_list_, number);
  ++committed_;
}

void TrxSys::prepare(ReadView& view) {
  view.low_limit_id_ = next_id_or_no_;
  view.up_limit_id_ = rw_trx_ids_.empty() ? next_id_or_no_ : rw_trx_ids_.front();
  view.low_limit_no_ = serialisation_list_.empty() ? next_id_or_no_ : serialisation_list_.front();
  view.ids_ = rw_trx_ids_;
  view.committed_before_ = committed_;
}

void TrxSys::open(ReadView& view) {
  MutexGuard guard(mutex_, kViewOpen);
  prepare(view);
  view.is_open_ = true;
  views_.push_front(view);
}

void TrxSys::close(ReadView& view) {
  MutexGuard guard(mutex_, kViewClose);
  views_.remove(view);
  view.is_open_ = false;
}

void TrxSys::clone_oldest_view(ReadView& view) {
  MutexGuard guard(mutex_, kCloneOldest);
  if (const ReadView* oldest = views_.last()) {
    view.copy_from(*oldest);
  } else {
    prepare(view);
  }
}

uint32_t TrxSys::open_views() {
  MutexGuard guard(mutex_, kStatus);
  return static_cast<uint32_t>(views_.size());
}

uint32_t TrxSys::active_transactions() {
  MutexGuard guard(mutex_, kStatus);
  return static_cast<uint32_t>(rw_trx_ids_.size());
}

}  // namespace latchscope::server::trx
