// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/printable.h"

namespace linnet {
namespace {

struct CodeRange {
  char32_t first, last;
};
// Control characters of ASCII and Latin-1; characters that change the direction of text; line and
// paragraph separators; the byte order mark.
constexpr CodeRange kUnprintable[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},     {0x61c, 0x61c},   {0x200e, 0x200f},
    {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfeff, 0xfeff},
};

std::string Escape(std::string_view text, bool keep_lines) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character character(text);
    const std::string_view bytes = text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
    if (character.IsPrintable() || (keep_lines && bytes == "\n")) {
      out += bytes;
      continue;
    }
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return out;
}

}  // namespace

Utf8Character::Utf8Character(std::string_view text)
    : code(static_cast<unsigned char>(text[0])), bytes(1), valid(code < 0x80) {
  if (valid) return;
  const size_t length = code >= 0xf0 ? 4 : code >= 0xe0 ? 3 : 2;
  if (code < 0xc2 || code > 0xf4 || text.size() < length) return;
  char32_t value = code & (0x7f >> length);
  for (size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) return;
    value = value << 6 | (next & 0x3f);
  }
  // Overlong encodings, surrogates and values beyond Unicode are invalid.
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kLeast[length] || (value >= 0xd800 && value < 0xe000) || value > 0x10ffff) return;
  code = value;
  bytes = length;
  valid = true;
}

bool Utf8Character::IsPrintable() const {
  if (!valid) return false;
  for (const CodeRange& range : kUnprintable)
    if (code >= range.first && code <= range.last) return false;
  return true;
}

std::string Printable(std::string_view text) { return Escape(text, /*keep_lines=*/false); }
std::string PrintableLines(std::string_view text) { return Escape(text, /*keep_lines=*/true); }

std::string FileNameOf(std::string_view tensor) {
  std::string name = Printable(tensor);
  for (char& c : name)
    if (c == '/' || c == ':') c = '_';
  return name;
}

}  // namespace linnet
