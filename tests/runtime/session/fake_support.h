// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// What the test device cannot run: everything but Unary and Binary on f32. It has the form of a
// backend's support.cc.
inline const char* WhyUnsupportedByFake(const OpInstance& op) {
  if (op.kind != OpKind::kUnary && op.kind != OpKind::kBinary) return "no kernel";
  return op.outputs[0].dtype == DType::kFloat32 ? nullptr : "f32 only";
}

}  // namespace linnet
