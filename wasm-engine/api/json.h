// nlohmann/json, without exceptions and with keys in the order of insertion, so that equal runs print equal
// bytes.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace latchscope::api {

using Json = nlohmann::ordered_json;

// What comes from outside is not read deeper than this: copying and printing a value needs stack for each level.
inline constexpr int kJsonDepthMax = 16;

// Nothing if the text is no JSON, or nested too deep.
std::optional<Json> read_json(std::string_view text);

}  // namespace latchscope::api
