// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/format.h"

#include <cstdio>

namespace linnet {

int FormatArguments(char* text, size_t bytes, const char* format, va_list arguments) {
  return std::vsnprintf(text, bytes, format, arguments);
}

int FormatText(char* text, size_t bytes, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(text, bytes, format, arguments);
  va_end(arguments);
  return length;
}

}  // namespace linnet
