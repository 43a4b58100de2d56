// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace linnet {

// Where a failing call writes one sentence for people, beside the Status for code. Belongs to the
// caller; functions take it as a pointer that may be null.
struct Diagnostic {
  static constexpr int kCapacity = 256;
  char text[kCapacity] = "";
  int64_t bytes_needed = 0;  // when a block was too small

  // The sentence, or `usual` (Status::what) where nobody wrote one.
  const char* TextOr(const char* usual) const { return text[0] != '\0' ? text : usual; }

  // printf into `text`, cut at capacity.
  void Format(const char* format, ...) __attribute__((format(printf, 2, 3)));
};

}  // namespace linnet
