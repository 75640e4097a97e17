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

}  // namespace latchscope::api
