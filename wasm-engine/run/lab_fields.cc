#include "run/lab_fields.h"

#include <algorithm>
#include <utility>

namespace latchscope::run {

void LabFields::fail(std::string_view name, std::string_view value, std::string allowed) {
  errors_.push_back(FieldError::of(name, value, std::move(allowed)));
}

void LabFields::refuse_others_than(std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : json_.items()) {
    if (std::ranges::find(known, name) == known.end()) fail(name, value.dump(), "no such field");
  }
}

void LabFields::read_number(const char* name, uint64_t min, uint64_t max, uint64_t& number) {
  const Json* value = find(name);
  if (value == nullptr) return;
  if (value->is_number_unsigned() && value->get<uint64_t>() >= min && value->get<uint64_t>() <= max) {
    number = value->get<uint64_t>();
  } else {
    fail(name, value->dump(), "an integer from " + std::to_string(min) + " to " + std::to_string(max));
  }
}

void LabFields::read_number(const char* name, uint32_t min, uint32_t max, uint32_t& number) {
  uint64_t read = number;
  read_number(name, uint64_t{min}, uint64_t{max}, read);
  number = static_cast<uint32_t>(read);
}

void LabFields::read_truth(const char* name, bool& truth) {
  const Json* value = find(name);
  if (value == nullptr) return;
  if (!value->is_boolean()) return fail(name, value->dump(), "true or false");
  truth = value->get<bool>();
}

size_t LabFields::read_choice(const char* name, std::span<const std::string_view> choices, size_t otherwise,
                              std::string allowed) {
  const Json* value = find(name);
  if (value == nullptr) return otherwise;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (*value == choices[i]) return i;
  }
  fail(name, value->is_string() ? value->get<std::string>() : value->dump(), std::move(allowed));
  return otherwise;
}

}  // namespace latchscope::run
