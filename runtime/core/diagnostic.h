// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace linnet {

// Where a failing call writes one sentence for people, in addition to the Status, which is for
// code. The caller owns it; functions take a pointer that may be null.
struct Diagnostic {
  static constexpr int kCapacity = 256;
  char text[kCapacity] = "";
  int64_t bytes_needed = 0;  // when a block was too small: the size that suffices

  // The sentence, or `usual` (Status::what) when none was written.
  const char* TextOr(const char* usual) const { return text[0] != '\0' ? text : usual; }

  // Like printf, into `text`; cut off when longer than the capacity.
  void Format(const char* format, ...) __attribute__((format(printf, 2, 3)));
};

}  // namespace linnet
