// SPDX-License-Identifier: Apache-2.0
// xnn.h on the interface of 2024-11: create packs, reshape takes extents, setup addresses.
#include "runtime/backends/xnnpack/xnn.h"

namespace linnet::xnnpack::xnn {
namespace {

// Results of XNNPACK's reshape functions that are not needed: the output's extents, which the shape
// rules have already determined, and the alignment of the workspace, which is at most the 64 bytes
// that every workspace has.
struct Unread {
  size_t height, width, channels, alignment;
};

xnn_status CreateUnary(xnn_unary_operator type, const xnn_unary_params* params,
                       xnn_operator_t* op) {
  return xnn_create_unary_elementwise_nc(type, xnn_datatype_fp32, xnn_datatype_fp32, params,
                                         /*input_quantization=*/nullptr,
                                         /*output_quantization=*/nullptr, /*flags=*/0, op);
}

// One channel per row, rows without gaps: XNNPACK then treats all elements as one long vector.
xnn_status ReshapeUnary(xnn_operator_t op, size_t elements, pthreadpool_t pool) {
  return xnn_reshape_unary_elementwise_nc(op, elements, 1, 1, 1, pool);
}

xnn_status CreateClamp(const Range& range, xnn_operator_t* op) {
  const xnn_unary_params params = {.clamp = {range.min, range.max}};
  return CreateUnary(xnn_unary_clamp, &params, op);
}

// ---- Conv2D, DepthwiseConv2D

xnn_status DoCreate(const Convolution& conv, WeightsCache cache, Operator* op) {
  const Window& w = conv.window;
  return xnn_create_convolution2d_nhwc_f32(
      w.pad_top, w.pad_right, w.pad_bottom, w.pad_left, w.height, w.width, w.stride_h, w.stride_w,
      w.dilation_h, w.dilation_w, conv.groups, conv.group_input_channels,
      conv.group_output_channels, conv.groups * conv.group_input_channels, conv.output_pixel_stride,
      conv.filter, conv.bias, conv.range.min, conv.range.max,
      conv.depthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0, /*code_cache=*/nullptr, cache, &op->op);
}

xnn_status DoReshape(const Convolution& conv, const Operator& op, pthreadpool_t pool,
                     size_t* workspace_bytes) {
  Unread unread;
  return xnn_reshape_convolution2d_nhwc_f32(op.op, conv.input.batch, conv.input.height,
                                            conv.input.width, workspace_bytes, &unread.alignment,
                                            &unread.height, &unread.width, pool);
}

xnn_status DoSetup(const Convolution&, const Operator& op, const Addresses& at) {
  return xnn_setup_convolution2d_nhwc_f32(op.op, at.workspace, at.input, at.output);
}

// ---- TransposeConv2D

xnn_status DoCreate(const Deconvolution& conv, WeightsCache cache, Operator* op) {
  const Window& w = conv.window;
  return xnn_create_deconvolution2d_nhwc_f32(
      w.pad_top, w.pad_right, w.pad_bottom, w.pad_left, w.height, w.width, w.stride_h, w.stride_w,
      w.dilation_h, w.dilation_w, /*groups=*/1, conv.input.channels, conv.output_channels,
      conv.input.channels, conv.output_pixel_stride, conv.filter, conv.bias, conv.range.min,
      conv.range.max, /*flags=*/0, /*code_cache=*/nullptr, cache, &op->op);
}

xnn_status DoReshape(const Deconvolution& conv, const Operator& op, pthreadpool_t pool, size_t*) {
  Unread unread;
  return xnn_reshape_deconvolution2d_nhwc_f32(
      op.op, conv.input.batch, conv.input.height, conv.input.width, conv.adjustment_h,
      conv.adjustment_w, &unread.height, &unread.width, pool);
}

xnn_status DoSetup(const Deconvolution&, const Operator& op, const Addresses& at) {
  return xnn_setup_deconvolution2d_nhwc_f32(op.op, at.input, at.output);
}

// ---- FullyConnected

xnn_status DoCreate(const FullyConnected& fc, WeightsCache cache, Operator* op) {
  return xnn_create_fully_connected_nc_f32(fc.input_channels, fc.output_channels, fc.input_channels,
                                           fc.output_pixel_stride, fc.filter, fc.bias, fc.range.min,
                                           fc.range.max, /*flags=*/0,
                                           /*code_cache=*/nullptr, cache, &op->op);
}

xnn_status DoReshape(const FullyConnected& fc, const Operator& op, pthreadpool_t pool, size_t*) {
  return xnn_reshape_fully_connected_nc_f32(op.op, fc.batch, pool);
}

xnn_status DoSetup(const FullyConnected&, const Operator& op, const Addresses& at) {
  return xnn_setup_fully_connected_nc_f32(op.op, at.input, at.output);
}

// ---- Pool2D

xnn_status DoCreate(const Pool& pooling, WeightsCache, Operator* op) {
  const Window& w = pooling.window;
  if (pooling.average)
    return xnn_create_average_pooling2d_nhwc_f32(
        w.pad_top, w.pad_right, w.pad_bottom, w.pad_left, w.height, w.width, w.stride_h, w.stride_w,
        pooling.range.min, pooling.range.max, /*flags=*/0, &op->op);
  return xnn_create_max_pooling2d_nhwc_f32(
      w.pad_top, w.pad_right, w.pad_bottom, w.pad_left, w.height, w.width, w.stride_h, w.stride_w,
      w.dilation_h, w.dilation_w, pooling.range.min, pooling.range.max, /*flags=*/0, &op->op);
}

xnn_status DoReshape(const Pool& pooling, const Operator& op, pthreadpool_t pool,
                     size_t* workspace_bytes) {
  Unread unread;
  const Image& in = pooling.input;
  if (pooling.average)
    return xnn_reshape_average_pooling2d_nhwc_f32(
        op.op, in.batch, in.height, in.width, in.channels, in.channels, in.channels,
        workspace_bytes, &unread.alignment, &unread.height, &unread.width, pool);
  return xnn_reshape_max_pooling2d_nhwc_f32(op.op, in.batch, in.height, in.width, in.channels,
                                            in.channels, in.channels, &unread.height, &unread.width,
                                            pool);
}

xnn_status DoSetup(const Pool& pooling, const Operator& op, const Addresses& at) {
  if (pooling.average)
    return xnn_setup_average_pooling2d_nhwc_f32(op.op, at.workspace, at.input, at.output);
  return xnn_setup_max_pooling2d_nhwc_f32(op.op, at.input, at.output);
}

// ---- Unary, Clamp

xnn_unary_operator TypeOf(UnaryKind kind) {
  switch (kind) {
    case UnaryKind::kNone:
      break;
    case UnaryKind::kClamp:
      return xnn_unary_clamp;
    case UnaryKind::kAbs:
      return xnn_unary_abs;
    case UnaryKind::kNegate:
      return xnn_unary_negate;
    case UnaryKind::kSquare:
      return xnn_unary_square;
    case UnaryKind::kFloor:
      return xnn_unary_floor;
    case UnaryKind::kCeiling:
      return xnn_unary_ceiling;
    case UnaryKind::kRoundToEven:
      return xnn_unary_bankers_rounding;
    case UnaryKind::kSigmoid:
      return xnn_unary_sigmoid;
    case UnaryKind::kHardSwish:
      return xnn_unary_hardswish;
    case UnaryKind::kElu:
      return xnn_unary_elu;
    case UnaryKind::kLeakyRelu:
      return xnn_unary_leaky_relu;
    case UnaryKind::kExp:
      return xnn_unary_exp;
    case UnaryKind::kTanh:
      return xnn_unary_tanh;
    case UnaryKind::kGelu:
      return xnn_unary_gelu;
  }
  return xnn_unary_invalid;
}

xnn_status DoCreate(const Unary& unary, WeightsCache, Operator* op) {
  if (unary.kind == UnaryKind::kNone) return xnn_status_unsupported_parameter;
  xnn_unary_params params = {};
  if (unary.kind == UnaryKind::kClamp) return CreateClamp(unary.range, &op->op);
  if (unary.kind == UnaryKind::kElu) params.elu.alpha = unary.alpha;
  if (unary.kind == UnaryKind::kLeakyRelu) params.leaky_relu.negative_slope = unary.alpha;
  return CreateUnary(TypeOf(unary.kind), &params, &op->op);
}

xnn_status DoReshape(const Unary& unary, const Operator& op, pthreadpool_t pool, size_t*) {
  return ReshapeUnary(op.op, unary.elements, pool);
}

xnn_status DoSetup(const Unary&, const Operator& op, const Addresses& at) {
  return xnn_setup_unary_elementwise_nc(op.op, at.input, at.output);
}

// ---- Binary

xnn_binary_operator TypeOf(BinaryKind kind) {
  switch (kind) {
    case BinaryKind::kAdd:
      return xnn_binary_add;
    case BinaryKind::kSubtract:
      return xnn_binary_subtract;
    case BinaryKind::kMultiply:
      return xnn_binary_multiply;
    case BinaryKind::kDivide:
      return xnn_binary_divide;
    case BinaryKind::kMaximum:
      return xnn_binary_maximum;
    case BinaryKind::kMinimum:
      return xnn_binary_minimum;
    case BinaryKind::kSquaredDifference:
      return xnn_binary_squared_difference;
    case BinaryKind::kPrelu:
      return xnn_binary_prelu;
  }
  return xnn_binary_invalid;
}

xnn_status DoCreate(const Binary& binary, WeightsCache, Operator* op) {
  const xnn_status status = xnn_create_binary_elementwise_nd(
      TypeOf(binary.kind), xnn_datatype_fp32, /*input1_quantization=*/nullptr,
      /*input2_quantization=*/nullptr, /*output_quantization=*/nullptr, /*flags=*/0, &op->op);
  if (status != xnn_status_success || !binary.bounded) return status;
  return CreateClamp(binary.range, &op->clamp);
}

xnn_status DoReshape(const Binary& binary, const Operator& op, pthreadpool_t pool, size_t*) {
  const xnn_status status = xnn_reshape_binary_elementwise_nd(
      op.op, binary.a.rank, binary.a.extents, binary.b.rank, binary.b.extents, pool);
  if (status != xnn_status_success || op.clamp == nullptr) return status;
  return ReshapeUnary(op.clamp, binary.output_elements, pool);
}

xnn_status DoSetup(const Binary&, const Operator& op, const Addresses& at) {
  const xnn_status status = xnn_setup_binary_elementwise_nd(op.op, at.input, at.input2, at.output);
  if (status != xnn_status_success || op.clamp == nullptr) return status;
  return xnn_setup_unary_elementwise_nc(op.clamp, at.output, at.output);
}

// ---- Softmax

xnn_status DoCreate(const Softmax&, WeightsCache, Operator* op) {
  return xnn_create_softmax_nc_f32(/*flags=*/0, &op->op);
}

xnn_status DoReshape(const Softmax& softmax, const Operator& op, pthreadpool_t pool, size_t*) {
  return xnn_reshape_softmax_nc_f32(op.op, softmax.channels, softmax.channels, softmax.channels,
                                    softmax.rows, pool);
}

xnn_status DoSetup(const Softmax&, const Operator& op, const Addresses& at) {
  return xnn_setup_softmax_nc_f32(op.op, at.input, at.output);
}

// ---- Resize

xnn_status DoCreate(const ResizeBilinear& resize, WeightsCache, Operator* op) {
  return xnn_create_resize_bilinear2d_nhwc_f32(resize.output_height, resize.output_width,
                                               resize.flags, &op->op);
}

xnn_status DoReshape(const ResizeBilinear& resize, const Operator& op, pthreadpool_t pool,
                     size_t* workspace_bytes) {
  Unread unread;
  const Image& in = resize.input;
  return xnn_reshape_resize_bilinear2d_nhwc_f32(op.op, in.batch, in.height, in.width, in.channels,
                                                resize.pixel_stride, resize.pixel_stride,
                                                workspace_bytes, &unread.alignment, pool);
}

xnn_status DoSetup(const ResizeBilinear&, const Operator& op, const Addresses& at) {
  return xnn_setup_resize_bilinear2d_nhwc_f32(op.op, at.workspace, at.input, at.output);
}

// ---- Reduce

xnn_status DoCreate(const Reduce& reduce, WeightsCache, Operator* op) {
  return xnn_create_reduce_nd(reduce.mean ? xnn_reduce_mean : xnn_reduce_sum, xnn_datatype_fp32,
                              /*input_quantization=*/nullptr, /*output_quantization=*/nullptr,
                              /*flags=*/0, &op->op);
}

xnn_status DoReshape(const Reduce& reduce, const Operator& op, pthreadpool_t pool, size_t*) {
  // Only types that accumulate in a wider type need the workspace. With f32 it must be null;
  // otherwise XNNPACK calls a conversion that it does not have.
  size_t unread_bytes;
  Unread unread;
  const int64_t axis = 1;
  const size_t dims[] = {reduce.batch, reduce.reduced, reduce.channels};
  return xnn_reshape_reduce_nd(op.op, 1, &axis, reduce.channels == 1 ? 2 : 3, dims, &unread_bytes,
                               &unread.alignment, pool);
}

xnn_status DoSetup(const Reduce&, const Operator& op, const Addresses& at) {
  return xnn_setup_reduce_nd(op.op, /*workspace=*/nullptr, at.input, at.output);
}

// ---- BatchMatMul

xnn_status DoCreate(const BatchMatMul& matmul, WeightsCache, Operator* op) {
  return xnn_create_batch_matrix_multiply_nc_f32(matmul.transpose_b ? XNN_FLAG_TRANSPOSE_B : 0,
                                                 &op->op);
}

xnn_status DoReshape(const BatchMatMul& matmul, const Operator& op, pthreadpool_t pool,
                     size_t* workspace_bytes) {
  Unread unread;
  return xnn_reshape_batch_matrix_multiply_nc_f32(
      op.op, matmul.batch_a.rank, matmul.batch_a.extents, matmul.batch_b.extents, matmul.m,
      matmul.k, matmul.n, workspace_bytes, &unread.alignment, pool);
}

xnn_status DoSetup(const BatchMatMul&, const Operator& op, const Addresses& at) {
  return xnn_setup_batch_matrix_multiply_nc_f32(op.op, at.workspace, at.input, at.input2,
                                                at.output);
}

// ---- Pad

xnn_status DoCreate(const ConstantPad& pad, WeightsCache, Operator* op) {
  return xnn_create_constant_pad_nd_x32(&pad.value, /*flags=*/0, &op->op);
}

xnn_status DoReshape(const ConstantPad& pad, const Operator& op, pthreadpool_t pool, size_t*) {
  return xnn_reshape_constant_pad_nd_x32(op.op, pad.input.rank, pad.input.extents, pad.before,
                                         pad.after, pool);
}

xnn_status DoSetup(const ConstantPad&, const Operator& op, const Addresses& at) {
  return xnn_setup_constant_pad_nd_x32(op.op, at.input, at.output);
}

// ---- DepthToSpace, SpaceToDepth

xnn_status DoCreate(const DepthToSpace& d2s, WeightsCache, Operator* op) {
  return xnn_create_depth_to_space_nhwc_x32(d2s.block, /*flags=*/0, &op->op);
}

xnn_status DoReshape(const DepthToSpace& d2s, const Operator& op, pthreadpool_t pool, size_t*) {
  Unread unread;
  return xnn_reshape_depth_to_space_nhwc_x32(op.op, d2s.input.batch, d2s.input.height,
                                             d2s.input.width, d2s.input.channels, &unread.height,
                                             &unread.width, &unread.channels, pool);
}

xnn_status DoSetup(const DepthToSpace&, const Operator& op, const Addresses& at) {
  return xnn_setup_depth_to_space_nhwc_x32(op.op, at.input, at.output);
}

xnn_status DoCreate(const SpaceToDepth& s2d, WeightsCache, Operator* op) {
  return xnn_create_space_to_depth_nhwc_x32(s2d.block, /*flags=*/0, &op->op);
}

xnn_status DoReshape(const SpaceToDepth& s2d, const Operator& op, pthreadpool_t pool, size_t*) {
  Unread unread;
  return xnn_reshape_space_to_depth_nhwc_x32(op.op, s2d.input.batch, s2d.input.height,
                                             s2d.input.width, s2d.input.channels, &unread.height,
                                             &unread.width, &unread.channels, pool);
}

xnn_status DoSetup(const SpaceToDepth&, const Operator& op, const Addresses& at) {
  return xnn_setup_space_to_depth_nhwc_x32(op.op, at.input, at.output);
}

// ---- Transpose

xnn_status DoCreate(const Transpose&, WeightsCache, Operator* op) {
  return xnn_create_transpose_nd_x32(/*flags=*/0, &op->op);
}

xnn_status DoReshape(const Transpose& transpose, const Operator& op, pthreadpool_t pool, size_t*) {
  return xnn_reshape_transpose_nd_x32(op.op, transpose.input.rank, transpose.input.extents,
                                      transpose.perm, pool);
}

xnn_status DoSetup(const Transpose&, const Operator& op, const Addresses& at) {
  return xnn_setup_transpose_nd_x32(op.op, at.input, at.output);
}

// ---- Not in this generation, where Prelu is a Binary. ops/prelu.cc never asks for it.

xnn_status DoCreate(const ChannelPrelu&, WeightsCache, Operator*) {
  return xnn_status_unsupported_parameter;
}

xnn_status DoReshape(const ChannelPrelu&, const Operator&, pthreadpool_t, size_t*) {
  return xnn_status_unsupported_parameter;
}

xnn_status DoSetup(const ChannelPrelu&, const Operator&, const Addresses&) {
  return xnn_status_unsupported_parameter;
}

}  // namespace

xnn_status Create(const Params& params, WeightsCache cache, Operator* op) {
  return std::visit([&](const auto& p) { return DoCreate(p, cache, op); }, params);
}

xnn_status Reshape(const Params& params, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes) {
  *workspace_bytes = 0;
  return std::visit([&](const auto& p) { return DoReshape(p, op, pool, workspace_bytes); }, params);
}

xnn_status Setup(const Params& params, const Operator& op, const Addresses& at, pthreadpool_t) {
  return std::visit([&](const auto& p) { return DoSetup(p, op, at); }, params);
}

}  // namespace linnet::xnnpack::xnn
