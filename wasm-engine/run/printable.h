// Makes text from outside safe to print on one line of a terminal, a log or a page.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace latchscope::run {

inline constexpr size_t kPrintableCharactersMax = 200;

// Escapes bytes that are not UTF-8 (\xff), control characters and characters that change the
// direction of text (\u{202e}). Text longer than `characters_max` is cut and ends in "...".
std::string printable(std::string_view text, size_t characters_max = kPrintableCharactersMax);

}  // namespace latchscope::run
