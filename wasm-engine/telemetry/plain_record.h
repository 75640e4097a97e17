// Records with plain fields, which the host reads from the engine's memory between two slices. Each
// is declared once as a list of F(type, name, meaning); a type is an unsigned integer or an array
// of them. The struct, the TypeScript that layout_gen prints and the record's part of the layout
// hash are generated from the list.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace latchscope::telemetry {

#define LATCHSCOPE_DECLARE_PLAIN_FIELD(type, name, meaning) type name;

struct PlainField {
  const char* name;
  uint32_t offset;
  uint32_t bits;   // of one value
  uint32_t count;  // number of values
};

struct PlainRecord {
  const char* name;  // name used by the page
  uint32_t bytes;
  std::vector<PlainField> fields;
};

template <class Value>
constexpr PlainField plain_field(const char* name, size_t offset, const Value* /*unused*/) {
  static_assert(std::is_unsigned_v<Value>);
  return {name, static_cast<uint32_t>(offset), 8 * sizeof(Value), 1};
}

template <class Value, size_t Count>
constexpr PlainField plain_field(const char* name, size_t offset,
                                 const std::array<Value, Count>* /*unused*/) {
  static_assert(std::is_unsigned_v<Value>);
  return {name, static_cast<uint32_t>(offset), 8 * sizeof(Value), Count};
}

// Returns all plain records as laid out in this build.
std::vector<PlainRecord> plain_records();
// Returns the layout hash that a build with these records would have.
uint32_t layout_hash_with(const std::vector<PlainRecord>& records);

}  // namespace latchscope::telemetry
