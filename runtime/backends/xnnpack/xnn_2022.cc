// SPDX-License-Identifier: Apache-2.0
// xnn.h on the interface of 2022-02: create takes strides and packs, setup takes extents and
// addresses at once. Reshape is a setup with made-up addresses: it allocates the indirection
// buffer, and the setup that follows only moves it.
#include <type_traits>

#include "runtime/backends/xnnpack/xnn.h"

namespace linnet::xnnpack::xnn {
namespace {

// ---- Conv2D, DepthwiseConv2D

xnn_status DoCreate(const Convolution& conv, WeightsCache, Operator* op) {
  const Window& w = conv.window;
  return xnn_create_convolution2d_nhwc_f32(
      w.pad_top, w.pad_right, w.pad_bottom, w.pad_left, w.height, w.width, w.stride_h, w.stride_w,
      w.dilation_h, w.dilation_w, conv.groups, conv.group_input_channels,
      conv.group_output_channels, conv.groups * conv.group_input_channels, conv.output_pixel_stride,
      conv.filter, conv.bias, conv.range.min, conv.range.max,
      conv.depthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0, &op->op);
}

xnn_status DoSetup(const Convolution& conv, const Operator& op, const Addresses& at,
                   pthreadpool_t pool) {
  return xnn_setup_convolution2d_nhwc_f32(op.op, conv.input.batch, conv.input.height,
                                          conv.input.width, at.input, at.output, pool);
}

// ---- TransposeConv2D

xnn_status DoCreate(const Deconvolution& conv, WeightsCache, Operator* op) {
  const Window& w = conv.window;
  return xnn_create_deconvolution2d_nhwc_f32(
      w.pad_top, w.pad_right, w.pad_bottom, w.pad_left, w.height, w.width, w.stride_h, w.stride_w,
      w.dilation_h, w.dilation_w, /*groups=*/1, conv.input.channels, conv.output_channels,
      conv.input.channels, conv.output_pixel_stride, conv.filter, conv.bias, conv.range.min,
      conv.range.max, /*flags=*/0, &op->op);
}

xnn_status DoSetup(const Deconvolution& conv, const Operator& op, const Addresses& at,
                   pthreadpool_t pool) {
  return xnn_setup_deconvolution2d_nhwc_f32(op.op, conv.input.batch, conv.input.height,
                                            conv.input.width, conv.adjustment_h, conv.adjustment_w,
                                            at.input, at.output, pool);
}

// ---- FullyConnected

xnn_status DoCreate(const FullyConnected& fc, WeightsCache, Operator* op) {
  return xnn_create_fully_connected_nc_f32(fc.input_channels, fc.output_channels, fc.input_channels,
                                           fc.output_pixel_stride, fc.filter, fc.bias, fc.range.min,
                                           fc.range.max, /*flags=*/0, &op->op);
}

xnn_status DoSetup(const FullyConnected& fc, const Operator& op, const Addresses& at,
                   pthreadpool_t pool) {
  return xnn_setup_fully_connected_nc_f32(op.op, fc.batch, at.input, at.output, pool);
}

// ---- Pool2D

xnn_status DoCreate(const Pool& pooling, WeightsCache, Operator* op) {
  const Window& w = pooling.window;
  const size_t channels = pooling.input.channels;
  if (pooling.average)
    return xnn_create_average_pooling2d_nhwc_f32(
        w.pad_top, w.pad_right, w.pad_bottom, w.pad_left, w.height, w.width, w.stride_h, w.stride_w,
        channels, channels, channels, pooling.range.min, pooling.range.max, /*flags=*/0, &op->op);
  return xnn_create_max_pooling2d_nhwc_f32(
      w.pad_top, w.pad_right, w.pad_bottom, w.pad_left, w.height, w.width, w.stride_h, w.stride_w,
      w.dilation_h, w.dilation_w, channels, channels, channels, pooling.range.min,
      pooling.range.max, /*flags=*/0, &op->op);
}

xnn_status DoSetup(const Pool& pooling, const Operator& op, const Addresses& at,
                   pthreadpool_t pool) {
  const auto setup =
      pooling.average ? xnn_setup_average_pooling2d_nhwc_f32 : xnn_setup_max_pooling2d_nhwc_f32;
  return setup(op.op, pooling.input.batch, pooling.input.height, pooling.input.width, at.input,
               at.output, pool);
}

// ---- Unary, Clamp

// One channel per row, rows without gaps: XNNPACK then treats all elements as one long vector.
constexpr size_t kOne = 1;

using CreatePlain = xnn_status (*)(size_t, size_t, size_t, uint32_t, xnn_operator_t*);
using SetupUnary = xnn_status (*)(xnn_operator_t, size_t, const float*, float*, pthreadpool_t);

struct UnaryRow {
  UnaryKind kind;
  CreatePlain create;  // null where XNNPACK's create function takes more parameters
  SetupUnary setup;
};
constexpr UnaryRow kUnaryRows[] = {
    {UnaryKind::kClamp, nullptr, xnn_setup_clamp_nc_f32},
    {UnaryKind::kAbs, xnn_create_abs_nc_f32, xnn_setup_abs_nc_f32},
    {UnaryKind::kNegate, xnn_create_negate_nc_f32, xnn_setup_negate_nc_f32},
    {UnaryKind::kSquare, xnn_create_square_nc_f32, xnn_setup_square_nc_f32},
    {UnaryKind::kFloor, xnn_create_floor_nc_f32, xnn_setup_floor_nc_f32},
    {UnaryKind::kCeiling, xnn_create_ceiling_nc_f32, xnn_setup_ceiling_nc_f32},
    {UnaryKind::kRoundToEven, xnn_create_bankers_rounding_nc_f32,
     xnn_setup_bankers_rounding_nc_f32},
    {UnaryKind::kSigmoid, xnn_create_sigmoid_nc_f32, xnn_setup_sigmoid_nc_f32},
    {UnaryKind::kHardSwish, xnn_create_hardswish_nc_f32, xnn_setup_hardswish_nc_f32},
    {UnaryKind::kElu, nullptr, xnn_setup_elu_nc_f32},
    {UnaryKind::kLeakyRelu, nullptr, xnn_setup_leaky_relu_nc_f32},
};

const UnaryRow* Find(UnaryKind kind) {
  for (const UnaryRow& row : kUnaryRows)
    if (row.kind == kind) return &row;
  return nullptr;
}

xnn_status DoCreate(const Unary& unary, WeightsCache, Operator* op) {
  const UnaryRow* row = Find(unary.kind);
  if (row == nullptr) return xnn_status_unsupported_parameter;
  switch (unary.kind) {
    case UnaryKind::kClamp:
      return xnn_create_clamp_nc_f32(kOne, kOne, kOne, unary.range.min, unary.range.max, 0,
                                     &op->op);
    case UnaryKind::kElu:
      return xnn_create_elu_nc_f32(kOne, kOne, kOne, unary.alpha, 0, &op->op);
    case UnaryKind::kLeakyRelu:
      return xnn_create_leaky_relu_nc_f32(kOne, kOne, kOne, unary.alpha, 0, &op->op);
    default:
      return row->create(kOne, kOne, kOne, 0, &op->op);
  }
}

xnn_status DoSetup(const Unary& unary, const Operator& op, const Addresses& at,
                   pthreadpool_t pool) {
  return Find(unary.kind)->setup(op.op, unary.elements, at.input, at.output, pool);
}

// ---- Binary

using CreateBounded = xnn_status (*)(float, float, uint32_t, xnn_operator_t*);
using CreateUnbounded = xnn_status (*)(uint32_t, xnn_operator_t*);
using SetupBinary = xnn_status (*)(xnn_operator_t, size_t, const size_t*, size_t, const size_t*,
                                   const float*, const float*, float*, pthreadpool_t);

struct BinaryRow {
  BinaryKind kind;
  CreateBounded create_bounded;  // one of the two is null
  CreateUnbounded create;
  SetupBinary setup;
};
constexpr BinaryRow kBinaryRows[] = {
    {BinaryKind::kAdd, xnn_create_add_nd_f32, nullptr, xnn_setup_add_nd_f32},
    {BinaryKind::kSubtract, xnn_create_subtract_nd_f32, nullptr, xnn_setup_subtract_nd_f32},
    {BinaryKind::kMultiply, xnn_create_multiply_nd_f32, nullptr, xnn_setup_multiply_nd_f32},
    {BinaryKind::kDivide, xnn_create_divide_nd_f32, nullptr, xnn_setup_divide_nd_f32},
    {BinaryKind::kMaximum, nullptr, xnn_create_maximum_nd_f32, xnn_setup_maximum_nd_f32},
    {BinaryKind::kMinimum, nullptr, xnn_create_minimum_nd_f32, xnn_setup_minimum_nd_f32},
    {BinaryKind::kSquaredDifference, nullptr, xnn_create_squared_difference_nd_f32,
     xnn_setup_squared_difference_nd_f32},
};

const BinaryRow* Find(BinaryKind kind) {
  for (const BinaryRow& row : kBinaryRows)
    if (row.kind == kind) return &row;
  return nullptr;
}

xnn_status DoCreate(const Binary& binary, WeightsCache, Operator* op) {
  const BinaryRow* row = Find(binary.kind);
  if (row == nullptr) return xnn_status_unsupported_parameter;
  if (row->create_bounded != nullptr)
    return row->create_bounded(binary.range.min, binary.range.max, 0, &op->op);
  const xnn_status status = row->create(0, &op->op);
  if (status != xnn_status_success || !binary.bounded) return status;
  return xnn_create_clamp_nc_f32(kOne, kOne, kOne, binary.range.min, binary.range.max, 0,
                                 &op->clamp);
}

xnn_status DoSetup(const Binary& binary, const Operator& op, const Addresses& at,
                   pthreadpool_t pool) {
  const xnn_status status = Find(binary.kind)
                                ->setup(op.op, binary.a.rank, binary.a.extents, binary.b.rank,
                                        binary.b.extents, at.input, at.input2, at.output, pool);
  if (status != xnn_status_success || op.clamp == nullptr) return status;
  return xnn_setup_clamp_nc_f32(op.clamp, binary.output_elements, at.output, at.output, pool);
}

// ---- Prelu

xnn_status DoCreate(const ChannelPrelu& prelu, WeightsCache, Operator* op) {
  return xnn_create_prelu_nc_f32(prelu.channels, prelu.channels, prelu.channels, prelu.slope, 0,
                                 &op->op);
}

xnn_status DoSetup(const ChannelPrelu& prelu, const Operator& op, const Addresses& at,
                   pthreadpool_t pool) {
  return xnn_setup_prelu_nc_f32(op.op, prelu.rows, at.input, at.output, pool);
}

// ---- Softmax

xnn_status DoCreate(const Softmax& softmax, WeightsCache, Operator* op) {
  return xnn_create_softmax_nc_f32(softmax.channels, softmax.channels, softmax.channels, 0,
                                   &op->op);
}

xnn_status DoSetup(const Softmax& softmax, const Operator& op, const Addresses& at,
                   pthreadpool_t pool) {
  return xnn_setup_softmax_nc_f32(op.op, softmax.rows, at.input, at.output, pool);
}

// ---- Resize

xnn_status DoCreate(const ResizeBilinear& resize, WeightsCache, Operator* op) {
  const size_t channels = resize.input.channels;
  return xnn_create_resize_bilinear2d_nhwc_f32(channels, resize.pixel_stride, resize.pixel_stride,
                                               resize.flags, &op->op);
}

xnn_status DoSetup(const ResizeBilinear& resize, const Operator& op, const Addresses& at,
                   pthreadpool_t pool) {
  return xnn_setup_resize_bilinear2d_nhwc_f32(op.op, resize.input.batch, resize.input.height,
                                              resize.input.width, resize.output_height,
                                              resize.output_width, at.input, at.output, pool);
}

// ---- Pad

xnn_status DoCreate(const ConstantPad& pad, WeightsCache, Operator* op) {
  return xnn_create_constant_pad_nd_x32(&pad.value, 0, &op->op);
}

xnn_status DoSetup(const ConstantPad& pad, const Operator& op, const Addresses& at,
                   pthreadpool_t pool) {
  return xnn_setup_constant_pad_nd_x32(op.op, pad.input.rank, pad.input.extents, pad.before,
                                       pad.after, at.input, at.output, pool);
}

// ---- DepthToSpace

xnn_status DoCreate(const DepthToSpace& d2s, WeightsCache, Operator* op) {
  const size_t output_channels = d2s.input.channels / (size_t{d2s.block} * d2s.block);
  return xnn_create_depth_to_space_nhwc_x32(output_channels, d2s.input.channels, output_channels,
                                            d2s.block, 0, &op->op);
}

xnn_status DoSetup(const DepthToSpace& d2s, const Operator& op, const Addresses& at,
                   pthreadpool_t pool) {
  return xnn_setup_depth_to_space_nhwc_x32(op.op, d2s.input.batch, d2s.input.height,
                                           d2s.input.width, at.input, at.output, pool);
}

// ---- Reduce

xnn_status DoCreate(const Reduce& reduce, WeightsCache, Operator* op) {
  if (!reduce.mean) return xnn_status_unsupported_parameter;
  return xnn_create_global_average_pooling_nwc_f32(reduce.channels, reduce.channels,
                                                   reduce.channels, -__builtin_inff(),
                                                   __builtin_inff(), 0, &op->op);
}

xnn_status DoSetup(const Reduce& reduce, const Operator& op, const Addresses& at,
                   pthreadpool_t pool) {
  return xnn_setup_global_average_pooling_nwc_f32(op.op, reduce.batch, reduce.reduced, at.input,
                                                  at.output, pool);
}

// ---- Operators that this generation does not have. support.cc refuses their ops.

template <typename T>
concept Absent = std::is_same_v<T, SpaceToDepth> || std::is_same_v<T, Transpose> ||
    std::is_same_v<T, BatchMatMul>;

xnn_status DoCreate(const Absent auto&, WeightsCache, Operator*) {
  return xnn_status_unsupported_parameter;
}

xnn_status DoSetup(const Absent auto&, const Operator&, const Addresses&, pthreadpool_t) {
  return xnn_status_unsupported_parameter;
}

// ---- Reshape

size_t Elements(const Dims& dims) {
  size_t n = 1;
  for (size_t i = 0; i < dims.rank; ++i) n *= dims.extents[i];
  return n;
}

size_t Elements(const Image& image) {
  return image.batch * image.height * image.width * image.channels;
}

// At least as many elements as the largest input of an operator has.
template <typename T>
size_t InputElements(const T& params) {
  return Elements(params.input);
}
size_t InputElements(const FullyConnected& fc) { return fc.batch * fc.input_channels; }
size_t InputElements(const Unary& unary) { return unary.elements; }
size_t InputElements(const Binary& binary) { return binary.output_elements; }
size_t InputElements(const ChannelPrelu& prelu) { return prelu.rows * prelu.channels; }
size_t InputElements(const Softmax& softmax) { return softmax.rows * softmax.channels; }
size_t InputElements(const Reduce& reduce) {
  return reduce.batch * reduce.reduced * reduce.channels;
}
size_t InputElements(const BatchMatMul&) { return 0; }

// Addresses for a setup that is never run. Indirection buffers contain pointers into the input and
// pointers to a buffer of zeros, which XNNPACK tells apart by address, so the made-up input must
// not overlap that buffer. The buffer is near the operator; the made-up input is in the other half
// of the address space.
Addresses MadeUp(const Operator& op, size_t input_elements) {
  constexpr uintptr_t kTop = ~uintptr_t{0} << 12;  // pages that hold no data on any system
  constexpr uintptr_t kHalf = (~uintptr_t{0} >> 1) + 1;
  const size_t bytes = (input_elements + 64) * sizeof(float);
  const bool op_is_high = reinterpret_cast<uintptr_t>(op.op) >= kHalf;
  const uintptr_t address = op_is_high ? 4096 : (kTop - bytes) & ~uintptr_t{63};
  auto* made_up = reinterpret_cast<float*>(address);  // NOLINT(performance-no-int-to-ptr)
  return {.input = made_up, .input2 = made_up, .output = made_up};
}

}  // namespace

xnn_status Create(const Params& params, WeightsCache cache, Operator* op) {
  return std::visit([&](const auto& p) { return DoCreate(p, cache, op); }, params);
}

xnn_status Reshape(const Params& params, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes) {
  *workspace_bytes = 0;
  return std::visit(
      [&](const auto& p) { return DoSetup(p, op, MadeUp(op, InputElements(p)), pool); }, params);
}

xnn_status Setup(const Params& params, const Operator& op, const Addresses& at,
                 pthreadpool_t pool) {
  return std::visit([&](const auto& p) { return DoSetup(p, op, at, pool); }, params);
}

}  // namespace linnet::xnnpack::xnn
