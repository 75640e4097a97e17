#include "run/json.h"

#include <utility>

namespace latchscope::run {

std::optional<Json> read_json(std::string_view text) {
  bool is_too_deep = false;
  const auto keep = [&](int depth, Json::parse_event_t /*event*/, Json& /*value*/) {
    is_too_deep |= depth > kJsonDepthMax;
    return depth <= kJsonDepthMax;
  };
  Json json = Json::parse(text, keep, /*allow_exceptions=*/false);
  if (is_too_deep || json.is_discarded()) return std::nullopt;
  return json;
}

}  // namespace latchscope::run
