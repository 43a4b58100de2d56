// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "fmt/format.h"

namespace linnet::converter {

// What all written sources begin with.
inline constexpr std::string_view kIncludesLibrary = "#include <linnet/linnet.h>";

// `text` as a string literal of C, C++ and the assembler. Names of files may contain anything.
inline std::string SourceLiteral(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '?')
      literal += c;
    else
      literal += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return literal + "\"";
}

}  // namespace linnet::converter
