#include "run/printable.h"

#include <cstdint>
#include <cstdio>
#include <utility>

namespace latchscope::run {

namespace {

constexpr std::string_view kEllipsis = "...";

// One UTF-8 character, or one byte that starts none.
struct Character {
  size_t bytes = 1;
  bool is_valid = false;
  uint32_t code_point = 0;
};

bool continues(char byte) {
  return (static_cast<uint8_t>(byte) & 0xc0) == 0x80;
}

Character first_character(std::string_view text) {
  const auto lead = static_cast<uint8_t>(text[0]);
  if (lead < 0x80) return {1, true, lead};
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  uint32_t code_point = lead & (0xffu >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    if (!continues(text[i])) return {};
    code_point = code_point << 6 | (static_cast<uint8_t>(text[i]) & 0x3fu);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
  if (code_point < kSmallest[bytes] || code_point > 0x10ffff || is_surrogate) return {};
  return {bytes, true, code_point};
}

bool is_control(uint32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7f && code_point <= 0x9f);
}

// Direction marks and overrides, line and paragraph separators, the byte order mark.
bool is_invisible(uint32_t code_point) {
  return code_point == 0x61c || (code_point >= 0x200b && code_point <= 0x200f) ||
         (code_point >= 0x2028 && code_point <= 0x202e) || (code_point >= 0x2060 && code_point <= 0x206f) ||
         code_point == 0xfeff;
}

std::string escaped(const char* format, uint32_t number) {
  char text[16];
  snprintf(text, sizeof text, format, number);
  return text;
}

// Returns the escaped form, and its number of characters.
std::pair<std::string, size_t> shown(std::string_view bytes, const Character& character) {
  const bool is_shown_as_it_is =
      character.is_valid && !is_control(character.code_point) && !is_invisible(character.code_point);
  if (is_shown_as_it_is) return {std::string(bytes), 1};
  std::string text = character.is_valid ? escaped("\\u{%x}", character.code_point)
                                        : escaped("\\x%02x", static_cast<uint8_t>(bytes[0]));
  const size_t characters = text.size();
  return {std::move(text), characters};
}

}  // namespace

std::string printable(std::string_view text, size_t characters_max) {
  std::string result;
  size_t bytes_that_fit = 0;  // together with the ellipsis
  size_t characters = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    const auto [piece, width] = shown(text.substr(0, character.bytes), character);
    characters += width;
    if (characters > characters_max) return result.substr(0, bytes_that_fit).append(kEllipsis);
    result += piece;
    if (characters + kEllipsis.size() <= characters_max) bytes_that_fit = result.size();
    text.remove_prefix(character.bytes);
  }
  return result;
}

}  // namespace latchscope::run
