// Reads the fields of a request to the lab one by one. Each error names the field, the value and
// what is allowed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "run/json.h"
#include "run/run_spec.h"

namespace latchscope::run {

class LabFields {
 public:
  // REQUIRES: `json` is an object.
  explicit LabFields(const Json& json) : json_(json) {}

  void refuse_others_than(std::initializer_list<std::string_view> known);
  // Each leaves its result unchanged if the field is absent.
  void read_number(const char* name, uint64_t min, uint64_t max, uint64_t& number);
  void read_number(const char* name, uint32_t min, uint32_t max, uint32_t& number);
  void read_truth(const char* name, bool& truth);
  // Returns the index of the text among `choices`; `otherwise` if it is absent, or after an error
  // with `allowed`.
  size_t read_choice(const char* name, std::span<const std::string_view> choices, size_t otherwise,
                     std::string allowed);

  std::vector<FieldError> take_errors() { return std::move(errors_); }

 private:
  const Json* find(const char* name) const { return json_.contains(name) ? &json_[name] : nullptr; }
  void fail(std::string_view name, std::string_view value, std::string allowed);

  const Json& json_;
  std::vector<FieldError> errors_;
};

}  // namespace latchscope::run
