// The fields of what is asked of the lab, one after the other: each fault names the field, the value and what is allowed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/json.h"
#include "api/run_spec.h"

namespace latchscope::api {

class LabFields {
 public:
  // An object.
  explicit LabFields(const Json& json) : json_(json) {}

  void refuse_others_than(std::initializer_list<std::string_view> known);
  // Absent: it stays as it is.
  void read_number(const char* name, uint64_t min, uint64_t max, uint64_t& number);
  void read_number(const char* name, uint32_t min, uint32_t max, uint32_t& number);
  void read_truth(const char* name, bool& truth);
  // Which of the texts it is; `otherwise` if it is absent or none of them, which `allowed` names.
  size_t read_choice(const char* name, std::span<const std::string_view> choices, size_t otherwise,
                     std::string allowed);

  std::vector<FieldError> take_errors() { return std::move(errors_); }

 private:
  const Json* find(const char* name) const { return json_.contains(name) ? &json_[name] : nullptr; }
  void fail(std::string_view name, std::string_view value, std::string allowed);

  const Json& json_;
  std::vector<FieldError> errors_;
};

}  // namespace latchscope::api
