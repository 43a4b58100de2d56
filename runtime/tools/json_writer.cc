// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/json_writer.h"

#include <cmath>
#include <cstdio>

#include "runtime/core/printable.h"

namespace linnet::tools {

void JsonWriter::Separate() {
  if (!first_) text_ += ", ";
  first_ = false;
}

JsonWriter& JsonWriter::Open(char bracket) {
  Separate();
  text_ += bracket;
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::Close(char bracket) {
  text_ += bracket;
  first_ = false;
  return *this;
}

void JsonWriter::Quote(std::string_view text) {
  text_ += '"';
  while (!text.empty()) {
    const Utf8Character character(text);
    if (character.IsPrintable()) {
      if (text[0] == '"' || text[0] == '\\') text_ += '\\';
      text_ += text.substr(0, character.bytes);
    } else {
      constexpr unsigned kReplacement =
          0xfffd;  // all characters that are not printable have four digits
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x",
                    character.valid ? static_cast<unsigned>(character.code) : kReplacement);
      text_ += escape;
    }
    text.remove_prefix(character.bytes);
  }
  text_ += '"';
}

JsonWriter& JsonWriter::Key(std::string_view key) {
  Separate();
  Quote(key);
  text_ += ": ";
  first_ = true;  // the value follows without a comma
  return *this;
}

JsonWriter& JsonWriter::Value(std::string_view text) {
  Separate();
  Quote(text);
  return *this;
}

JsonWriter& JsonWriter::Value(int64_t number) {
  Separate();
  text_ += std::to_string(number);
  return *this;
}

JsonWriter& JsonWriter::Value(double number) {
  Separate();
  char digits[32];
  std::snprintf(digits, sizeof(digits), "%.6g", number);
  text_ += std::isfinite(number) ? digits : "null";
  return *this;
}

}  // namespace linnet::tools
