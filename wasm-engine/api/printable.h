// Text from outside, made fit for a line of a terminal, a log or a page.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace latchscope::api {

inline constexpr size_t kPrintableCharactersMax = 200;

// Escapes bytes that are no UTF-8 (\xff), control characters and what changes the direction of text (\u{202e}); what
// is longer than `characters_max` ends in "...".
std::string printable(std::string_view text, size_t characters_max = kPrintableCharactersMax);

}  // namespace latchscope::api
