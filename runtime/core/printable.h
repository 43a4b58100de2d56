// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

// Names in plans and models are untrusted bytes: on a terminal they could move the cursor, hide
// what was printed or turn the direction of text round, and they need not be UTF-8.
namespace linnet {

// The first character of `text`, which is not empty. An invalid byte stands for itself.
struct Utf8Character {
  explicit Utf8Character(std::string_view text);
  char32_t code;
  size_t bytes;  // >= 1
  bool valid;
  // False for control characters, those that direct or separate text, and invalid bytes.
  bool IsPrintable() const;
};

// `text` in one line that is safe to print: each byte of what is not printable as \xNN.
std::string Printable(std::string_view text);
// The same for text of several lines: line feeds stay.
std::string PrintableLines(std::string_view text);
// What the file of a tensor is called, without folder and ending: printable, '/' and ':' as '_'.
// Two names may share one.
std::string FileNameOf(std::string_view tensor);

}  // namespace linnet
