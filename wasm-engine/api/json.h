// nlohmann/json, without exceptions and with keys in the order of insertion, so that equal runs print equal
// bytes.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace latchscope::api {

using Json = nlohmann::ordered_json;

// Deeper input is refused: copying and printing a value needs stack for each level.
inline constexpr int kJsonDepthMax = 16;

// Nothing if the text is not JSON, or is nested too deeply.
std::optional<Json> read_json(std::string_view text);

// Whether there is such a field, of the type that is asked for: has(json, "name", &Json::is_string).
using IsOfType = bool (Json::*)() const noexcept;
inline bool has(const Json& json, const char* field, IsOfType is_of_type) {
  return json.contains(field) && (json[field].*is_of_type)();
}

}  // namespace latchscope::api
