// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/backends/vulkan/abi/unary.h"
#include "runtime/backends/vulkan/lowering.h"

namespace linnet::vulkan {

// Adds an execution of a shader of abi/unary.h, from input 0 to output 0, which have one shape.
inline void AddElementwise(Shader shader, const OpInstance& op, uint kind, float alpha,
                           Dispatches& dispatches) {
  const Rows rows = RowsOf(op.output(0));
  Dispatch& dispatch = dispatches.Add(shader, rows.count * rows.quads);
  dispatch.Bind(Input(0));
  dispatch.Bind(Output(0));
  dispatch.Specialise(kind);
  dispatch.Specialise(op.output(0).dtype == DType::kUint8 ? 1 : 0);
  dispatch.Push(UnaryPush{.quads = static_cast<uint>(rows.count * rows.quads),
                          .row_quads = static_cast<uint>(rows.quads),
                          .columns = static_cast<uint>(rows.columns),
                          .alpha = alpha});
}

}  // namespace linnet::vulkan
