// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/pad.h"

#include <bit>
#include <limits>

#include "runtime/backends/vulkan/abi/pad.h"
#include "runtime/backends/vulkan/strided_copy.h"

namespace linnet::vulkan {
namespace {

static_assert(kPadConstant == static_cast<uint>(schema::PadMode::Constant));
static_assert(kPadReflect == static_cast<uint>(schema::PadMode::Reflect));
static_assert(kPadSymmetric == static_cast<uint>(schema::PadMode::MAX));

struct Dim {
  int64_t out = 1, in = 1, before = 0, stride = 1;
  bool padded() const { return out != in; }
};

// The dimensions that the shader sees, the last of which are rows.
struct Dims {
  int count = 0;
  Dim dims[kMaxRank];
};

Dims DimsOf(const OpInstance& op) {
  const PadAttrs& attrs = op.as<PadAttrs>();
  const Shape &in = op.input(0).shape, &out = op.output(0).shape;
  const Shape strides = Rows4Strides(in);
  Dims result;
  for (int i = 0; i < out.rank(); ++i) {
    const Dim dim = {out[i], in[i], attrs.before[i], strides[i]};
    const bool is_row = i == out.rank() - 1;
    if (out[i] == 1 && !is_row && !dim.padded()) continue;
    // Outer dimensions without padding are contiguous.
    Dim* last = result.count == 0 ? nullptr : &result.dims[result.count - 1];
    if (last != nullptr && !is_row && !dim.padded() && !last->padded())
      *last = {last->out * dim.out, last->in * dim.in, 0, dim.stride};
    else
      result.dims[result.count++] = dim;
  }
  if (result.count == 0) result.dims[result.count++] = {};
  return result;
}

// NaN becomes 0; numbers out of range become the nearest bound.
uint32_t IntegerBits(double value, double low, double high) {
  if (!(value > low)) return value <= low ? static_cast<uint32_t>(static_cast<int32_t>(low)) : 0;
  return static_cast<uint32_t>(static_cast<int32_t>(value < high ? value : high));
}

uint32_t BitsOf(double value, DType dtype) {
  if (dtype == DType::kBool) return value != 0 ? 1 : 0;
  if (dtype == DType::kUint8) return IntegerBits(value, 0, 255);
  if (dtype != DType::kFloat32) return IntegerBits(value, INT32_MIN, INT32_MAX);
  constexpr double kLargest = std::numeric_limits<float>::max();
  float element = std::numeric_limits<float>::infinity();
  if (value < -kLargest)
    element = -element;
  else if (!(value > kLargest))
    element = static_cast<float>(value);  // also NaN
  return std::bit_cast<uint32_t>(element);
}

const char* WhyUnsupported(const OpInstance& op) {
  if (op.input(0).shape.num_elements() == 0 && op.output(0).shape.num_elements() != 0)
    return "an empty input";
  return DimsOf(op).count <= kMaxShaderRank ? nullptr
                                            : "more than 6 dimensions that cannot be merged";
}

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const PadAttrs& attrs = op.as<PadAttrs>();
  const Dims dims = DimsOf(op);
  const Rows rows = RowsOf(op.output(0));
  PadPush push = {.quads = static_cast<uint>(rows.count * rows.quads),
                  .row_quads = static_cast<uint>(rows.quads),
                  .columns = static_cast<uint>(rows.columns),
                  .value = BitsOf(attrs.value, op.input(0).dtype)};
  for (int i = 0; i < dims.count; ++i) {
    const Dim& dim = dims.dims[dims.count - 1 - i];
    push.out_extent[i] = static_cast<uint>(dim.out);
    push.in_extent[i] = static_cast<uint>(dim.in);
    push.before[i] = static_cast<uint>(dim.before);
    push.stride[i] = static_cast<uint>(dim.stride);
  }
  Dispatch& dispatch = dispatches.Add(Shader::k_pad, push.quads);
  dispatch.Bind(Input(0));
  dispatch.Bind(Output(0));
  dispatch.Specialise(static_cast<uint>(attrs.mode));
  dispatch.Specialise(static_cast<uint>(dims.count));
  dispatch.Specialise(dims.dims[dims.count - 1].padded() ? 0 : 1);
  dispatch.Push(push);
}

}  // namespace

const OpLowering kPadLowering = {.why_unsupported = WhyUnsupported, .lower = Lower};

}  // namespace linnet::vulkan
