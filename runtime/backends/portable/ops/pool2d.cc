// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/pool2d.h"

#include <limits>

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/backends/portable/portable_op.h"
#include "runtime/ops/pool2d.h"
#include "runtime/ops/window.h"

namespace linnet::portable {
namespace {

template <typename T>
void RunMax(const kernels::Pool2DShape& shape, const KernelContext& context) {
  kernels::MaxPool2D<T>(shape, context.inputs[0].as<const T>(), std::numeric_limits<T>::min(),
                        std::numeric_limits<T>::max(), context.outputs[0].as<T>(),
                        context.parallel);
}

void RunFloat(const kernels::Pool2DShape& shape, const KernelContext& context) {
  const auto& attrs = context.as<Pool2DAttrs>();
  const auto* in = context.inputs[0].as<const float>();
  auto* out = context.outputs[0].as<float>();
  if (attrs.kind == schema::PoolKind::Max) {
    kernels::MaxPool2D(shape, in, attrs.range.min, attrs.range.max, out, context.parallel);
  } else {
    kernels::AveragePool2D(shape, in, attrs.range.min, attrs.range.max, out, context.parallel);
  }
}

Status Run(const KernelContext& context) {
  const auto& given = context.as<Pool2DAttrs>();
  const Shape& in = context.inputs[0].shape();
  const Pool2DAttrs attrs = WithPads(given, in[1], in[2], given.window_h, given.window_w);
  const Shape& out = context.outputs[0].shape();
  const kernels::Pool2DShape shape = {.batch = in[0],
                                      .in_h = in[1],
                                      .in_w = in[2],
                                      .channels = in[3],
                                      .out_h = out[1],
                                      .out_w = out[2],
                                      .window_h = attrs.window_h,
                                      .window_w = attrs.window_w,
                                      .stride_h = attrs.stride_h,
                                      .stride_w = attrs.stride_w,
                                      .pad_top = attrs.pad_top,
                                      .pad_left = attrs.pad_left};
  switch (context.inputs[0].dtype()) {
    case DType::kFloat32:
      RunFloat(shape, context);
      break;
    case DType::kInt32:
      RunMax<int32_t>(shape, context);
      break;
    case DType::kInt64:
      RunMax<int64_t>(shape, context);
      break;
    case DType::kUint8:
      RunMax<uint8_t>(shape, context);
      break;
    default:
      RunMax<int8_t>(shape, context);
      break;
  }
  return {};
}

}  // namespace

const PortableOp kPool2DKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
