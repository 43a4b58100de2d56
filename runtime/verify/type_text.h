// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/format.h"
#include "runtime/core/shape.h"

namespace linnet {

// "f32[1,224,224,3]"
struct TypeText {
  char text[96];
  explicit TypeText(const TensorType& type) {
    int at = FormatText(text, sizeof(text), "%s[", DTypeName(type.dtype));
    for (int i = 0; i < type.shape.rank() && at < static_cast<int>(sizeof(text)); ++i)
      at += FormatText(text + at, sizeof(text) - at, i == 0 ? "%lld" : ",%lld",
                       static_cast<long long>(type.shape[i]));
    if (at < static_cast<int>(sizeof(text))) FormatText(text + at, sizeof(text) - at, "]");
  }
};

}  // namespace linnet
