// nlohmann/json, without exceptions and with keys in the order of insertion, so that equal runs print equal
// bytes.
#pragma once

#include <nlohmann/json.hpp>

namespace latchscope::api {

using Json = nlohmann::ordered_json;

}  // namespace latchscope::api
