// nlohmann/json without exceptions, and with keys in insertion order, so that equal runs print
// equal bytes.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace latchscope::run {

using Json = nlohmann::ordered_json;

// Deeper input is rejected: copying and printing a value needs stack for each level.
inline constexpr int kJsonDepthMax = 16;

// Returns nothing if the text is not JSON, or is nested too deeply.
inline std::optional<Json> read_json(std::string_view text) {
  bool is_too_deep = false;
  const auto keep = [&](int depth, Json::parse_event_t /*event*/, Json& /*value*/) {
    is_too_deep |= depth > kJsonDepthMax;
    return depth <= kJsonDepthMax;
  };
  Json json = Json::parse(text, keep, /*allow_exceptions=*/false);
  if (is_too_deep || json.is_discarded()) return std::nullopt;
  return json;
}

// Returns whether the field exists and has the requested type: has(json, "name", &Json::is_string).
using IsOfType = bool (Json::*)() const noexcept;
inline bool has(const Json& json, const char* field, IsOfType is_of_type) {
  return json.contains(field) && (json[field].*is_of_type)();
}

}  // namespace latchscope::run
