// SPDX-License-Identifier: Apache-2.0
// The formatter of builds without an operating system, beside the C library's. It has the names of
// format.cc, which this program also contains, so it gets others here.
#define FormatText SmallFormatText
#define FormatArguments SmallFormatArguments
#include "runtime/core/small_format.cc"  // NOLINT(bugprone-suspicious-include)
#undef FormatText
#undef FormatArguments

#include <gtest/gtest.h>

#include <climits>
#include <cstdio>

namespace linnet {
namespace {

// `volatile` keeps compilers from warning of texts that are cut off.
#define EXPECT_AS_PRINTF(bytes, ...)                            \
  do {                                                          \
    char got[80] = "former", want[80] = "former";               \
    const volatile size_t room = bytes;                         \
    const int length = SmallFormatText(got, room, __VA_ARGS__); \
    EXPECT_EQ(length, std::snprintf(want, room, __VA_ARGS__));  \
    EXPECT_STREQ(got, want);                                    \
  } while (false)

TEST(SmallFormat, WritesWhatPrintfWrites) {
  EXPECT_AS_PRINTF(80, "no argument");
  EXPECT_AS_PRINTF(80, "step %d '%s' (%s): %s", 12, "a/b", "Conv2D", "bad");
  EXPECT_AS_PRINTF(80, "%d %d %d %u", 0, INT_MIN, INT_MAX, UINT_MAX);
  EXPECT_AS_PRINTF(80, "%lld %lld %llu", LLONG_MIN, LLONG_MAX, ULLONG_MAX);
  EXPECT_AS_PRINTF(80, "%.3s|%.0s|%.9s|%.*s", "abcdef", "gone", "short", 2, "xyz");
}

TEST(SmallFormat, CutsOffWhatDoesNotFit) {
  EXPECT_AS_PRINTF(1, "%s", "abc");
  EXPECT_AS_PRINTF(3, "%s", "abc");
  EXPECT_AS_PRINTF(4, "%s", "abc");
  EXPECT_AS_PRINTF(5, "%d bytes", 123456);
  EXPECT_EQ(SmallFormatText(nullptr, 0, "%s", "abc"), 3);
}

TEST(SmallFormat, KeepsWhatItDoesNotKnow) {
  char text[40];
  const char* const format = "%x and %";
  va_list none = {};
  EXPECT_EQ(SmallFormatArguments(text, sizeof(text), format, none), 8);
  EXPECT_STREQ(text, format);
}

}  // namespace
}  // namespace linnet
