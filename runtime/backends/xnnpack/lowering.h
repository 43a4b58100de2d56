// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "runtime/backends/xnnpack/slices.h"
#include "runtime/backends/xnnpack/xnn.h"
#include "runtime/ops/op_def.h"

// How one op becomes an XNNPACK operator. Files in ops/ define one Lowering each and do nothing but
// translate attributes and shapes into the structs of xnn.h.
namespace linnet::xnnpack {

// A struct of xnn.h, whichever the op needs.
struct alignas(8) Params {
  std::byte bytes[176];
};

template <typename Struct>
const Struct& Get(const Params& params) {
  return *std::launder(reinterpret_cast<const Struct*>(params.bytes));
}

struct Lowering {
  void (*describe)(const OpInstance& op, Params* params);
  // The calls of xnn.h on what `describe` made.
  xnn_status (*create)(const Params& params, xnn::WeightsCache cache, xnn::Operator* out);
  xnn_status (*reshape)(const Params& params, const xnn::Operator& op, pthreadpool_t pool,
                        size_t* workspace_bytes);
  xnn_status (*setup)(const Params& params, const xnn::Operator& op, const xnn::Addresses& at,
                      pthreadpool_t pool);
  // The calls of slices.h on it; `params` of the part go to the four calls above.
  xnn::Cutting (*cutting)(const Params& whole, int wanted);
  void (*cut)(const Params& whole, xnn::Cutting cutting, int part, Params* params,
              xnn::Offsets* offsets);
  bool uses_weights_cache;
};

// A lowering from the function that fills in the struct.
template <auto Describe>
constexpr Lowering MakeLowering(bool uses_weights_cache = false) {
  using Struct = decltype(Describe(std::declval<const OpInstance&>()));
  static_assert(sizeof(Struct) <= sizeof(Params) && std::is_trivially_copyable_v<Struct>);
  static_assert(alignof(Struct) <= alignof(Params));
  return {
      .describe = [](const OpInstance& op,
                     Params* params) { new (params->bytes) Struct(Describe(op)); },
      .create = [](const Params& params, xnn::WeightsCache cache,
                   xnn::Operator* out) { return xnn::Create(Get<Struct>(params), cache, out); },
      .reshape =
          [](const Params& params, const xnn::Operator& op, pthreadpool_t pool,
             size_t* workspace_bytes) {
            return xnn::Reshape(Get<Struct>(params), op, pool, workspace_bytes);
          },
      .setup = [](const Params& params, const xnn::Operator& op, const xnn::Addresses& at,
                  pthreadpool_t pool) { return xnn::Setup(Get<Struct>(params), op, at, pool); },
      .cutting = [](const Params& whole,
                    int wanted) { return xnn::CuttingOf(Get<Struct>(whole), wanted); },
      .cut =
          [](const Params& whole, xnn::Cutting cutting, int part, Params* params,
             xnn::Offsets* offsets) {
            const auto cut = xnn::Cut(Get<Struct>(whole), cutting, part);
            new (params->bytes) Struct(cut.params);
            *offsets = cut.offsets;
          },
      .uses_weights_cache = uses_weights_cache,
  };
}

// Image of an NHWC tensor.
inline xnn::Image ImageOf(const TensorType& type) {
  const Shape& s = type.shape;
  return {static_cast<size_t>(s[0]), static_cast<size_t>(s[1]), static_cast<size_t>(s[2]),
          static_cast<size_t>(s[3])};
}

// Of rank <= 6; a scalar becomes [1].
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

inline const float* ConstantOf(const OpInstance& op, size_t i) {
  return i < op.inputs.size() ? static_cast<const float*>(op.inputs[i].value) : nullptr;
}

extern const Lowering kConv2DLowering;
extern const Lowering kDepthwiseConv2DLowering;
extern const Lowering kTransposeConv2DLowering;
extern const Lowering kFullyConnectedLowering;
extern const Lowering kPool2DLowering;
extern const Lowering kUnaryLowering;
extern const Lowering kBinaryLowering;
extern const Lowering kClampLowering;
extern const Lowering kPreluLowering;
extern const Lowering kSoftmaxLowering;
extern const Lowering kResizeLowering;
extern const Lowering kPadLowering;
extern const Lowering kDepthToSpaceLowering;
extern const Lowering kSpaceToDepthLowering;
extern const Lowering kReduceLowering;
extern const Lowering kTransposeLowering;
extern const Lowering kBatchMatMulLowering;

const Lowering* FindLowering(OpKind kind);  // null where XNNPACK has no such operator

}  // namespace linnet::xnnpack
