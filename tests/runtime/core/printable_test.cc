// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/printable.h"

#include <gtest/gtest.h>

namespace linnet {
namespace {

TEST(Printable, TextStaysAsItIs) {
  for (const char* text : {"", "dense/kernel:0", "größe", "名前", "\xf0\x9f\x90\x9f", "a\\b"})
    EXPECT_EQ(Printable(text), text);
}

TEST(Printable, WhatMovesTheTerminalIsEscaped) {
  EXPECT_EQ(Printable("\x1b[31mred\x07\x7f"), "\\x1b[31mred\\x07\\x7f");
  EXPECT_EQ(Printable("a\nb\r\t"), "a\\x0ab\\x0d\\x09");
  EXPECT_EQ(Printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(Printable("\xc2\x9b"
                      "2J"),
            "\\xc2\\x9b2J");  // C1: control sequence
  EXPECT_EQ(Printable("\xe2\x80\xae"
                      "cod.exe"),
            "\\xe2\\x80\\xaecod.exe");  // right to left
  EXPECT_EQ(Printable("\xe2\x81\xa6x"), "\\xe2\\x81\\xa6x");
}

TEST(Printable, WhatIsNoUtf8IsEscaped) {
  EXPECT_EQ(Printable("\xff"), "\\xff");
  EXPECT_EQ(Printable("a\xc3"), "a\\xc3");         // cut off
  EXPECT_EQ(Printable("\xc0\xaf"), "\\xc0\\xaf");  // overlong form
  EXPECT_EQ(Printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // surrogate
  EXPECT_EQ(Printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(Printable("\x80z"), "\\x80z");
}

TEST(Printable, NamesOfTensorsAsFiles) {
  EXPECT_EQ(FileNameOf("serving/default:0"), "serving_default_0");
  EXPECT_EQ(FileNameOf("../a\x1b"), ".._a\\x1b");
}

TEST(Printable, LinesStay) { EXPECT_EQ(PrintableLines("a\nb\x1b\n"), "a\nb\\x1b\n"); }

}  // namespace
}  // namespace linnet
