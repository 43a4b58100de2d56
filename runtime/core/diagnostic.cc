// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/diagnostic.h"

#include <cstdarg>

#include "runtime/core/format.h"

namespace linnet {

void Diagnostic::Format(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  FormatArguments(text, sizeof(text), format, arguments);
  va_end(arguments);
}

}  // namespace linnet
