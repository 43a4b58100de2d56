// SPDX-License-Identifier: Apache-2.0
// In the place of format.cc in builds without an operating system, where printf would need a heap,
// and in modules for browsers, which are smaller without it.
#include <cstdint>
#include <cstring>

#include "runtime/core/format.h"

namespace linnet {
namespace {

// Counts all characters, and keeps those that there is room for.
class Text {
 public:
  Text(char* text, size_t bytes) : text_(text), bytes_(bytes) {}

  void Add(const char* from, size_t count) {
    for (; count > 0; --count, ++from, ++length_)
      if (length_ + 1 < bytes_) text_[length_] = *from;
  }

  void AddNumber(uint64_t magnitude, bool negative) {
    char digits[20];
    char* first = digits + sizeof(digits);
    do {
      *--first = static_cast<char>('0' + magnitude % 10);
      magnitude /= 10;
    } while (magnitude != 0);
    if (negative) Add("-", 1);
    Add(first, static_cast<size_t>(digits + sizeof(digits) - first));
  }

  int End() {
    if (bytes_ > 0) text_[length_ < bytes_ ? length_ : bytes_ - 1] = '\0';
    return static_cast<int>(length_);
  }

 private:
  char* text_;
  size_t bytes_;
  size_t length_ = 0;
};

void AddSigned(int64_t value, Text* text) {
  const bool negative = value < 0;
  const auto bits = static_cast<uint64_t>(value);
  text->AddNumber(negative ? 0 - bits : bits, negative);
}

}  // namespace

int FormatArguments(char* to, size_t bytes, const char* format, va_list arguments) {
  Text text(to, bytes);
  while (*format != '\0') {
    const char* begin = format;
    if (*format != '%') {
      format += std::strcspn(format, "%");
      text.Add(begin, static_cast<size_t>(format - begin));
      continue;
    }
    ++format;
    size_t most = SIZE_MAX;  // characters of a string
    if (std::strncmp(format, ".*", 2) == 0) {
      most = static_cast<size_t>(va_arg(arguments, int));
      format += 2;
    } else if (*format == '.') {
      most = 0;
      for (++format; *format >= '0' && *format <= '9'; ++format)
        most = most * 10 + static_cast<size_t>(*format - '0');
    }
    const bool is_long = std::strncmp(format, "ll", 2) == 0;
    if (is_long) format += 2;
    if (*format == 's') {
      const char* string = va_arg(arguments, const char*);
      size_t length = 0;
      while (length < most && string[length] != '\0') ++length;
      text.Add(string, length);
    } else if (*format == 'd') {
      AddSigned(is_long ? va_arg(arguments, long long) : va_arg(arguments, int), &text);
    } else if (*format == 'u') {
      text.AddNumber(is_long ? va_arg(arguments, unsigned long long) : va_arg(arguments, unsigned),
                     false);
    } else {
      text.Add(begin, static_cast<size_t>(format - begin) + (*format != '\0'));
    }
    format += *format != '\0';
  }
  return text.End();
}

int FormatText(char* text, size_t bytes, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = FormatArguments(text, bytes, format, arguments);
  va_end(arguments);
  return length;
}

}  // namespace linnet
