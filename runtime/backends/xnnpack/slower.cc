// SPDX-License-Identifier: Apache-2.0
// WhySlower: what XNNPACK can run but runs slower than we do. README.md has the figures.
#include <algorithm>

#include "runtime/backends/xnnpack/support.h"
#include "runtime/ops/binary.h"
#include "runtime/ops/conv2d.h"
#include "runtime/ops/depthwise_conv2d.h"
#include "runtime/ops/unary.h"

namespace linnet::xnnpack {
namespace {

constexpr const char* kOursIsFaster = "our kernel is faster on this CPU";
constexpr const char* kOursIsAsFast = "our kernel is as fast, and XNNPACK need not start";

// The number of elements in the innermost dimensions of the output in which each input is either
// always broadcast or never. XNNPACK calls its kernel once for so many elements.
int64_t RowLength(const OpInstance& op) {
  const Shape& out = op.output(0).shape;
  int64_t length = 1;
  int pattern = -1;  // bit i: input i is not broadcast
  for (int axis = out.rank() - 1; axis >= 0; --axis) {
    if (out[axis] == 1) continue;
    int here = 0;
    for (int i = 0; i < 2; ++i) {
      const Shape& in = op.input(i).shape;
      const int at = axis - (out.rank() - in.rank());
      if (at >= 0 && in[at] != 1) here |= 1 << i;
    }
    if (pattern >= 0 && here != pattern) break;
    pattern = here;
    length *= out[axis];
  }
  return length;
}

// XNNPACK's depthwise kernels have at most 25 taps. It computes a larger window as a product for
// each channel, which is worth it only where the channel has several results.
bool HasManyTaps(const OpInstance& op) {
  const Shape& filter = op.input(1).shape;
  return filter[2] == op.input(0).shape[3] && filter[0] * filter[1] > 25;
}

// True for windows that our kernel unrolls (kernels/depthwise_conv2d_inl.h).
bool HasUnrolledDepthwise(const OpInstance& op) {
  const auto& attrs = op.as<DepthwiseConv2DAttrs>();
  const Shape& filter = op.input(1).shape;
  return (filter[1] == 3 || filter[1] == 5) && attrs.stride_w <= 2 && attrs.dilation_w == 1 &&
         filter[2] == op.input(0).shape[3] && op.output(0).shape[3] >= 8;
}

// True for kinds that both XNNPACK and we compute with an exponential function.
bool IsExponential(schema::UnaryKind kind) {
  using schema::UnaryKind;
  return kind == UnaryKind::Sigmoid || kind == UnaryKind::Elu;
}

// True for kinds that only 2024-11 has, and faster than we do.
bool HasFasterUnary(schema::UnaryKind kind) {
  using schema::UnaryKind;
  return kind == UnaryKind::Tanh || kind == UnaryKind::GeluErf;
}

// Elements below which one call of a kernel costs more than the work.
constexpr int64_t kShortBinaryRow = 96;
constexpr int64_t kShortSoftmaxRow = 32;

// The converter asks for Winograd's method where it beats our own products. XNNPACK's of AVX512F
// and ARM are up to twice as fast as those for AVX2: there it has to save more, as it does with
// many channels.
bool IsFasterByWinograd(const OpInstance& op, const XnnpackFeatures& features) {
  constexpr int64_t kManyChannels = 32;
  if (op.as<Conv2DAttrs>().winograd == 0) return false;
  return features.slow_loops ||
         (op.input(0).shape.back() >= kManyChannels && op.output(0).shape.back() >= kManyChannels);
}

}  // namespace

const char* WhyCopied(const OpInstance& op) {
  return op.inputs.size() > 1 && op.inputs[1].in_panels.exist()
             ? "the plan has its filter in the order of our kernel"
             : nullptr;
}

const char* WhySlower(const OpInstance& op, const XnnpackFeatures& features) {
  switch (op.kind) {
    case OpKind::kConv2D:
      if (IsFasterByWinograd(op, features)) return "ours multiplies less (Winograd's method)";
      if (const char* copied = WhyCopied(op)) return copied;
      // One input and output channel per group: XNNPACK uses its depthwise kernel. The converter
      // writes DepthwiseConv2D.
      if (op.input(1).shape[3] == 1 && op.input(1).shape[0] == op.as<Conv2DAttrs>().groups)
        return nullptr;
      [[fallthrough]];
    case OpKind::kFullyConnected:
      if (const char* copied = WhyCopied(op)) return copied;
      [[fallthrough]];
    case OpKind::kTransposeConv2D:
    case OpKind::kBatchMatMul:
    case OpKind::kPool2D:
    case OpKind::kResize:
      return features.slow_loops ? kOursIsFaster : nullptr;
    case OpKind::kDepthwiseConv2D:
      return HasManyTaps(op) || (features.slow_loops && HasUnrolledDepthwise(op)) ? kOursIsFaster
                                                                                  : nullptr;
    case OpKind::kPad:
      return "our copy is faster";
    case OpKind::kBinary:
      if (RowLength(op) < std::min(kShortBinaryRow, op.output(0).shape.num_elements()))
        return "broadcast with short rows: ours is faster";
      return features.slow_loops ? kOursIsAsFast : nullptr;
    case OpKind::kSoftmax:
      if (op.input(0).shape.back() < kShortSoftmaxRow) return "short rows: ours is faster";
      return features.slow_loops ? kOursIsFaster : nullptr;
    case OpKind::kUnary:
      if (op.as<UnaryAttrs>().kind == schema::UnaryKind::Exp) return "not vectorised in XNNPACK";
      if (!features.slow_loops || HasFasterUnary(op.as<UnaryAttrs>().kind)) return nullptr;
      return IsExponential(op.as<UnaryAttrs>().kind) ? kOursIsFaster : kOursIsAsFast;
    case OpKind::kClamp:
    case OpKind::kPrelu:
    case OpKind::kReduce:
      return features.slow_loops ? kOursIsAsFast : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace linnet::xnnpack
