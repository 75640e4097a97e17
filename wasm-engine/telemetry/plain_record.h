// Records with plain fields, which the host reads out of the engine's memory between two slices. Each is declared once, as a
// list of F(type, name, meaning), where a type is an unsigned integer or an array of them. From the list come the struct, what
// layout_gen tells the page of it, and its part of the layout hash.
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
  uint32_t bits;   // of one value, unsigned
  uint32_t count;  // of values
};

struct PlainRecord {
  const char* name;  // as the page calls it
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

// Every such record, as this build lays it out.
std::vector<PlainRecord> plain_records();
// What the layout hash would be if they were laid out like this.
uint32_t layout_hash_with(const std::vector<PlainRecord>& records);

}  // namespace latchscope::telemetry
