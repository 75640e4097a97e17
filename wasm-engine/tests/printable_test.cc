#include "run/printable.h"

#include <gtest/gtest.h>

#include <string>

namespace latchscope::run {
namespace {

using namespace std::string_literals;

TEST(Printable, PlainTextStaysAsItIs) {
  EXPECT_EQ(printable("threads: 8 µs, 日本 😀"), "threads: 8 µs, 日本 😀");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, ControlCharactersAreEscaped) {
  EXPECT_EQ(printable("a\0b\x1b[31m\n\x7f"s), R"(a\u{0}b\u{1b}[31m\u{a}\u{7f})");
  EXPECT_EQ(printable("\u009b"), R"(\u{9b})");
}

TEST(Printable, WhatChangesTheDirectionOfTextIsEscaped) {
  EXPECT_EQ(printable("\u202eabc\u2066"), R"(\u{202e}abc\u{2066})");
}

TEST(Printable, BytesThatAreNoUtf8AreEscaped) {
  EXPECT_EQ(printable("a\xff\xc3"s), R"(a\xff\xc3)");
  EXPECT_EQ(printable("\xc0\x80"s), R"(\xc0\x80)") << "longer than need be";
  EXPECT_EQ(printable("\xed\xa0\x80"s), R"(\xed\xa0\x80)") << "half of a pair";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"s), R"(\xf4\x90\x80\x80)") << "beyond the last character";
  EXPECT_EQ(printable("\xe6\x97"s), R"(\xe6\x97)") << "cut off";
}

TEST(Printable, LongTextIsShortenedBetweenCharacters) {
  EXPECT_EQ(printable("12345", 5), "12345");
  EXPECT_EQ(printable("123456", 5), "12...");
  EXPECT_EQ(printable("日本日本日本", 5), "日本...");
  EXPECT_EQ(printable("a\x1b\x1b", 10), R"(a\u{1b}...)") << "the escape counts, not the character";
  EXPECT_LE(printable(std::string(1'000'000, '\xff')).size(), kPrintableCharactersMax);
}

}  // namespace
}  // namespace latchscope::run
