// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

// Names in plans and models are untrusted bytes: on a terminal they could move the cursor, hide
// what was printed or reverse the direction of text, and they need not be UTF-8.
namespace linnet {

// The first character of `text`, which must not be empty. An invalid byte counts as a character.
struct Utf8Character {
  explicit Utf8Character(std::string_view text);
  char32_t code;
  size_t bytes;  // >= 1
  bool valid;
  // False for control characters, characters that set the direction of text or separate lines, and
  // invalid bytes.
  bool IsPrintable() const;
};

// `text` as one line that is safe to print, with bytes that are not printable as \xNN.
std::string Printable(std::string_view text);
// The same, but keeps line feeds.
std::string PrintableLines(std::string_view text);
// A file name, without folder and extension, for the tensor of this name: printable, with '_' for
// '/' and ':'. Different tensors may get the same file name.
std::string FileNameOf(std::string_view tensor);

}  // namespace linnet
