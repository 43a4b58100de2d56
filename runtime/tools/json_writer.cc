// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/json_writer.h"

#include <cmath>
#include <cstdio>

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
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", c);
      text_ += escape;
    } else {
      text_ += c;
    }
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
