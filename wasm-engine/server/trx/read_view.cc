#include "server/trx/read_view.h"

#include <algorithm>

namespace latchscope::server::trx {

bool ReadView::changes_visible(TrxId id) const {
  if (id < up_limit_id_) return true;
  if (id >= low_limit_id_) return false;
  return !std::binary_search(ids_.begin(), ids_.end(), id);
}

void ReadView::copy_from(const ReadView& other) {
  up_limit_id_ = other.up_limit_id_;
  low_limit_id_ = other.low_limit_id_;
  low_limit_no_ = other.low_limit_no_;
  committed_before_ = other.committed_before_;
  ids_ = other.ids_;
}

}  // namespace latchscope::server::trx
