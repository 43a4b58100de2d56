// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/xnnpack/support.h"

#include <algorithm>
#include <cmath>

#include "runtime/core/instruction_set.h"
#include "runtime/ops/batch_matmul.h"
#include "runtime/ops/binary.h"
#include "runtime/ops/clamp.h"
#include "runtime/ops/conv2d.h"
#include "runtime/ops/depth_to_space.h"
#include "runtime/ops/depthwise_conv2d.h"
#include "runtime/ops/fully_connected.h"
#include "runtime/ops/pad.h"
#include "runtime/ops/pool2d.h"
#include "runtime/ops/prelu.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/resize.h"
#include "runtime/ops/softmax.h"
#include "runtime/ops/space_to_depth.h"
#include "runtime/ops/transpose.h"
#include "runtime/ops/transpose_conv2d.h"
#include "runtime/ops/unary.h"

namespace linnet::xnnpack {
namespace {

constexpr int kMaxXnnRank = 6;  // XNN_MAX_TENSOR_DIMS
// Resize computes positions in floats.
constexpr int64_t kMaxResizeExtent = int64_t{1} << 24;
// XNNPACK multiplies these sizes without checks: taps in 32 bits, and a pointer per tap and pixel.
constexpr int64_t kMaxTaps = int64_t{1} << 24;
constexpr int64_t kMaxTapPointers = int64_t{1} << 40;

constexpr const char* kNotInPackage = "not in this XNNPACK package";
constexpr const char* kEmptyRange = "range has only one value";
constexpr const char* kRankTooHigh = "rank above 6";

const char* CheckTypes(const OpInstance& op) {
  for (const InputInfo& input : op.inputs) {
    if (input.type.dtype != DType::kFloat32) return "float32 only";
    if (input.type.shape.num_elements() == 0) return "tensor without elements";
  }
  for (const TensorType& output : op.outputs) {
    if (output.dtype != DType::kFloat32) return "float32 only";
    if (output.shape.num_elements() == 0) return "tensor without elements";
  }
  return nullptr;
}

// XNNPACK needs min < max.
const char* CheckRange(const OutputRange& range) {
  return range.min < range.max ? nullptr : kEmptyRange;
}

// Filter and bias must be constant, because XNNPACK packs them when an operator is created.
const char* CheckWeights(const OpInstance& op) {
  if (!op.inputs[1].is_constant) return "filter is not constant";
  if (op.num_inputs() > 2 && !op.inputs[2].is_constant) return "bias is not constant";
  return nullptr;
}

template <typename Attrs>
const char* CheckWeighted(const OpInstance& op) {
  if (const char* reason = CheckWeights(op)) return reason;
  return CheckRange(op.as<Attrs>().range);
}

// Windows of `taps` elements over the pixels of the output.
const char* CheckWindows(int64_t taps, const OpInstance& op) {
  if (taps > kMaxTaps || SaturatingMul(op.output(0).shape.Product(1, 3), taps) > kMaxTapPointers)
    return "window too large";
  return nullptr;
}

// Height and width of the filter are its dimensions `axis` and `axis` + 1.
template <typename Attrs>
const char* CheckConvolution(const OpInstance& op, int axis) {
  if (const char* reason = CheckWindows(op.input(1).shape.Product(axis, axis + 2), op))
    return reason;
  return CheckWeighted<Attrs>(op);
}

const char* CheckPool2D(const OpInstance& op) {
  const auto& attrs = op.as<Pool2DAttrs>();
  if (attrs.window_h == 1 && attrs.window_w == 1) return "1x1 window";
  if (attrs.kind == schema::PoolKind::Max &&
      (attrs.stride_h > attrs.window_h || attrs.stride_w > attrs.window_w))
    return "stride larger than the window";
  if (const char* reason = CheckWindows(int64_t{attrs.window_h} * attrs.window_w, op))
    return reason;
  return CheckRange(attrs.range);
}

const char* CheckUnary(const OpInstance& op, const XnnpackFeatures& features) {
  using schema::UnaryKind;
  const auto& attrs = op.as<UnaryAttrs>();
  switch (attrs.kind) {
    case UnaryKind::Abs:
    case UnaryKind::Neg:
    case UnaryKind::Square:
    case UnaryKind::Floor:
    case UnaryKind::Ceil:
    case UnaryKind::Round:
    case UnaryKind::Sigmoid:
    case UnaryKind::HardSwish:
    case UnaryKind::Elu:
      return nullptr;
    case UnaryKind::LeakyRelu:
      return std::isfinite(attrs.alpha) ? nullptr : "slope is not finite";
    case UnaryKind::Sqrt:
    case UnaryKind::Rsqrt:
    case UnaryKind::Log:
      return "wrong at zero or infinity";
    case UnaryKind::Exp:
    case UnaryKind::Tanh:
    case UnaryKind::GeluErf:
      return features.more_unary ? nullptr : kNotInPackage;
    default:
      return "no such XNNPACK operator";
  }
}

const char* CheckBinary(const OpInstance& op) {
  using schema::BinaryKind;
  const auto& attrs = op.as<BinaryAttrs>();
  switch (attrs.kind) {
    case BinaryKind::Add:
    case BinaryKind::Sub:
    case BinaryKind::Mul:
    case BinaryKind::Div:
    case BinaryKind::Maximum:
    case BinaryKind::Minimum:
    case BinaryKind::SquaredDifference:
      break;
    default:
      return "no such XNNPACK operator";
  }
  if (op.output(0).shape.rank() > kMaxXnnRank) return kRankTooHigh;
  return CheckRange(attrs.range);
}

const char* CheckPrelu(const OpInstance& op, const XnnpackFeatures& features) {
  const Shape& x = op.input(0).shape;
  const Shape& alpha = op.input(1).shape;
  if (features.binary_prelu) return x.rank() > kMaxXnnRank ? kRankTooHigh : nullptr;
  if (!op.inputs[1].is_constant) return "slope is not constant";
  if (alpha.rank() == 0 || alpha.back() != x.back() || alpha.num_elements() != alpha.back())
    return "slope is not one per channel";
  return nullptr;
}

const char* CheckResize(const OpInstance& op) {
  if (op.as<ResizeAttrs>().mode != schema::ResizeMode::Bilinear) return "bilinear only";
  for (int axis = 1; axis <= 2; ++axis) {
    if (op.input(0).shape[axis] >= kMaxResizeExtent || op.output(0).shape[axis] >= kMaxResizeExtent)
      return "image too large";
  }
  return nullptr;
}

const char* CheckPad(const OpInstance& op) {
  if (op.as<PadAttrs>().mode != schema::PadMode::Constant) return "constant padding only";
  if (op.input(0).shape.rank() > kMaxXnnRank) return kRankTooHigh;
  return nullptr;
}

const char* CheckReduce(const OpInstance& op, const XnnpackFeatures& features) {
  const auto& attrs = op.as<ReduceAttrs>();
  if (attrs.kind != schema::ReduceKind::Mean && attrs.kind != schema::ReduceKind::Sum)
    return "no such XNNPACK operator";
  const int num_axes = attrs.axes.rank();
  if (num_axes == 0) return "nothing to reduce";
  if (attrs.axes[num_axes - 1] - attrs.axes[0] != num_axes - 1) return "axes are not consecutive";
  if (features.any_reduce) return nullptr;
  if (attrs.kind != schema::ReduceKind::Mean) return kNotInPackage;
  const Shape& x = op.input(0).shape;
  if (x.Product(static_cast<int>(attrs.axes[num_axes - 1]) + 1, x.rank()) == 1)
    return "mean over the last dimension is not in this XNNPACK package";
  return nullptr;
}

const char* CheckTranspose(const OpInstance& op, const XnnpackFeatures& features) {
  if (!features.transpose) return kNotInPackage;
  const int rank = op.input(0).shape.rank();
  if (rank > kMaxXnnRank) return kRankTooHigh;
  return rank < 2 ? "nothing to transpose" : nullptr;
}

const char* CheckBatchMatMul(const OpInstance& op, const XnnpackFeatures& features) {
  if (!features.batch_matmul) return kNotInPackage;
  return op.as<BatchMatMulAttrs>().transpose_a ? "a is transposed" : nullptr;
}

const char* CheckOp(const OpInstance& op, const XnnpackFeatures& features) {
  switch (op.kind) {
    case OpKind::kConv2D:
      return CheckConvolution<Conv2DAttrs>(op, 1);
    case OpKind::kDepthwiseConv2D:
      return CheckConvolution<DepthwiseConv2DAttrs>(op, 0);
    case OpKind::kTransposeConv2D:
      return CheckConvolution<TransposeConv2DAttrs>(op, 1);
    case OpKind::kFullyConnected:
      return CheckWeighted<FullyConnectedAttrs>(op);
    case OpKind::kPool2D:
      return CheckPool2D(op);
    case OpKind::kUnary:
      return CheckUnary(op, features);
    case OpKind::kBinary:
      return CheckBinary(op);
    case OpKind::kClamp:
      return CheckRange(op.as<ClampAttrs>().range);
    case OpKind::kPrelu:
      return CheckPrelu(op, features);
    case OpKind::kSoftmax:
      return op.as<SoftmaxAttrs>().log ? "no logarithmic softmax" : nullptr;
    case OpKind::kResize:
      return CheckResize(op);
    case OpKind::kPad:
      return CheckPad(op);
    case OpKind::kDepthToSpace:
      return op.as<DepthToSpaceAttrs>().block == 1 ? "block of 1" : nullptr;
    case OpKind::kSpaceToDepth:
      if (!features.space_to_depth) return kNotInPackage;
      return op.as<SpaceToDepthAttrs>().block == 1 ? "block of 1" : nullptr;
    case OpKind::kReduce:
      return CheckReduce(op, features);
    case OpKind::kTranspose:
      return CheckTranspose(op, features);
    case OpKind::kBatchMatMul:
      return CheckBatchMatMul(op, features);
    default:
      return "no lowering to XNNPACK";
  }
}

// True where our products and windows are those for AVX2 or AVX-512: GCC keeps one of the ten
// accumulators of XNNPACK's 5x16 kernel for FMA3 on the stack, and its kernels for AVX-512 wait for
// weights that ours fetch before they are needed. Ours for CPUs without FMA are no faster. Nor are
// those for AVX2 where XNNPACK uses AVX512F. On the same CPUs our exponentials are faster.
bool HasSlowLoops() {
  InstructionSet set = ChosenInstructionSet().set;
#if !defined(__aarch64__)
  set = std::min(set, InstructionSet::kAvx512);  // what follows has nothing more for floats
#endif
  for (const InstructionSet ours : kLoopSets)
    if (ours == set && ours != InstructionSet::kBaseline) return true;
  return false;
}

}  // namespace

XnnpackFeatures PackageFeatures() {
#if defined(LINNET_XNNPACK_2024)
  return kXnnpack2024;
#elif defined(LINNET_XNNPACK_2022)
  return kXnnpack2022;
#else
  return {};
#endif
}

XnnpackFeatures DeviceFeatures() {
  XnnpackFeatures features = PackageFeatures();
  features.slow_loops = HasSlowLoops();
  return features;
}

const char* WhyUnable(const OpInstance& op, const XnnpackFeatures& features) {
  if (!features.available) return "built without XNNPACK";
  const char* reason = CheckOp(op, features);
  // Types last, because "no lowering" says more than the type of this particular use.
  return reason != nullptr ? reason : CheckTypes(op);
}

const char* WhyUnsupported(const OpInstance& op, const XnnpackFeatures& features) {
  const char* reason = WhyUnable(op, features);
  return reason != nullptr ? reason : WhySlower(op, features);
}

bool PacksInput(const OpInstance& op, int i, const XnnpackFeatures& features) {
  // Without a weights cache every session packs for itself, so the plain form must stay.
  if (!features.weights_cache || i == 0 || !op.inputs[i].is_constant) return false;
  switch (op.kind) {
    case OpKind::kFullyConnected:
      return true;
    case OpKind::kConv2D: {
      // One input and output channel per group is XNNPACK's depthwise path, see below.
      const auto groups = op.as<Conv2DAttrs>().groups;
      return op.input(0).shape[3] != groups || op.output(0).shape[3] != groups;
    }
    case OpKind::kDepthwiseConv2D:
      // XNNPACK's depthwise path packs again whenever an operator is created, even with a cache,
      // and only then looks in the cache. Transposed convolutions do the same.
      return op.input(0).shape[3] != op.output(0).shape[3];
    default:
      return false;
  }
}

}  // namespace linnet::xnnpack
