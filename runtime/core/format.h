// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdarg>
#include <cstddef>

namespace linnet {

// As snprintf and vsnprintf. In builds without an operating system (LINNET_FREESTANDING) and for
// browsers only what messages of the runtime on CPUs need: %s with a precision, %d, %u and %lld,
// %llu; other conversions are written as they stand in the format.
int FormatText(char* text, size_t bytes, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
int FormatArguments(char* text, size_t bytes, const char* format, va_list arguments);

}  // namespace linnet
