// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/backends/xnnpack/xnn.h"
#include "runtime/ops/op_def.h"

// How one op becomes an XNNPACK operator. Each file in ops/ defines one Lowering and only
// translates an op's attributes and shapes into a struct of xnn.h.
namespace linnet::xnnpack {

struct Lowering {
  // For ops that WhyUnable (support.h) accepts.
  xnn::Params (*describe)(const OpInstance& op);
  bool uses_weights_cache;
};

// A lowering from a function that returns one of the structs.
template <auto Describe>
constexpr Lowering MakeLowering(bool uses_weights_cache = false) {
  return {.describe = [](const OpInstance& op) -> xnn::Params { return Describe(op); },
          .uses_weights_cache = uses_weights_cache};
}

// Of an NHWC tensor.
inline xnn::Image ImageOf(const TensorType& type) {
  const Shape& s = type.shape;
  return {static_cast<size_t>(s[0]), static_cast<size_t>(s[1]), static_cast<size_t>(s[2]),
          static_cast<size_t>(s[3])};
}

// Of rank <= 6. A scalar becomes [1].
inline xnn::Dims DimsOf(const Shape& shape) {
  xnn::Dims dims = {1, {1}};
  if (shape.rank() == 0) return dims;
  dims.rank = static_cast<size_t>(shape.rank());
  for (int i = 0; i < shape.rank(); ++i) dims.extents[i] = static_cast<size_t>(shape[i]);
  return dims;
}

template <typename OutputRange>
xnn::Range RangeOf(const OutputRange& range) {
  return {range.min, range.max};
}

// Stride, dilation and pads of a convolution's attributes, with the filter's extents.
template <typename Attrs>
xnn::Window WindowOf(const Attrs& a, int64_t height, int64_t width) {
  const auto u = [](int64_t v) { return static_cast<uint32_t>(v); };
  return {.height = u(height),
          .width = u(width),
          .stride_h = u(a.stride_h),
          .stride_w = u(a.stride_w),
          .dilation_h = u(a.dilation_h),
          .dilation_w = u(a.dilation_w),
          .pad_top = u(a.pad_top),
          .pad_bottom = u(a.pad_bottom),
          .pad_left = u(a.pad_left),
          .pad_right = u(a.pad_right)};
}

// The values of constant input `i`; null when the op has no such input.
inline const float* ConstantOf(const OpInstance& op, size_t i) {
  return i < op.inputs.size() ? static_cast<const float*>(op.inputs[i].value) : nullptr;
}

#define LINNET_LOWERING(name, file) extern const Lowering k##name##Lowering;
#include "runtime/backends/xnnpack/lowerings.def"
#undef LINNET_LOWERING

// By OpKind, as kLinkedOps is (runtime/ops/linked_ops.h).
extern const Lowering* const kLinkedLowerings[];

// Null where XNNPACK has no such operator, or this program does not contain the op.
const Lowering* FindLowering(OpKind kind);

}  // namespace linnet::xnnpack
