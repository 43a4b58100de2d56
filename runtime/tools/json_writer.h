// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace linnet::tools {

// Builds one JSON text with keys and values in the order of the calls. The result is valid UTF-8
// and safe to print for any strings: invalid bytes become U+FFFD.
class JsonWriter {
 public:
  JsonWriter& BeginObject() { return Open('{'); }
  JsonWriter& EndObject() { return Close('}'); }
  JsonWriter& BeginArray() { return Open('['); }
  JsonWriter& EndArray() { return Close(']'); }
  JsonWriter& Key(std::string_view key);
  JsonWriter& Value(std::string_view text);
  JsonWriter& Value(const char* text) { return Value(std::string_view(text)); }
  JsonWriter& Value(int64_t number);
  JsonWriter& Value(int number) { return Value(static_cast<int64_t>(number)); }
  JsonWriter& Value(double number);  // six significant digits
  const std::string& text() const { return text_; }

 private:
  JsonWriter& Open(char bracket);
  JsonWriter& Close(char bracket);
  void Separate();
  void Quote(std::string_view text);

  std::string text_;
  bool first_ = true;  // nothing in the current object or array yet
};

}  // namespace linnet::tools
