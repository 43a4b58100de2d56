// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/pad.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/core/half.h"
#include "runtime/ops/pad.h"

namespace linnet::portable {
namespace {

// NaN becomes 0; numbers out of range become the nearest bound.
template <typename T>
void StoreInteger(double value, void* out) {
  T element = 0;
  if (value >= static_cast<double>(std::numeric_limits<T>::max()))
    element = std::numeric_limits<T>::max();
  else if (value <= static_cast<double>(std::numeric_limits<T>::min()))
    element = std::numeric_limits<T>::min();
  else if (!std::isnan(value))
    element = static_cast<T>(value);
  std::memcpy(out, &element, sizeof(T));
}

float ToFloat(double value) {
  // Beyond FLT_MAX the conversion would be undefined.
  if (std::abs(value) > static_cast<double>(std::numeric_limits<float>::max()))
    return std::copysign(std::numeric_limits<float>::infinity(), value < 0 ? -1.0f : 1.0f);
  return static_cast<float>(value);
}

// Writes `value` as one element of `dtype`.
void StoreValue(double value, DType dtype, void* out) {
  switch (dtype) {
    case DType::kFloat32: {
      const float element = ToFloat(value);
      std::memcpy(out, &element, sizeof(element));
      return;
    }
    case DType::kFloat16: {
      const uint16_t element = FloatToHalf(ToFloat(value));
      std::memcpy(out, &element, sizeof(element));
      return;
    }
    case DType::kFloat64:
      std::memcpy(out, &value, sizeof(value));
      return;
    case DType::kInt32:
      return StoreInteger<int32_t>(value, out);
    case DType::kInt64:
      return StoreInteger<int64_t>(value, out);
    case DType::kUint8:
      return StoreInteger<uint8_t>(value, out);
    case DType::kInt8:
      return StoreInteger<int8_t>(value, out);
    case DType::kInt16:
      return StoreInteger<int16_t>(value, out);
    case DType::kUint16:
      return StoreInteger<uint16_t>(value, out);
    case DType::kBool:
      return StoreInteger<uint8_t>(value != 0 ? 1.0 : 0.0, out);
    case DType::kInvalid:
      return;
  }
}

kernels::PadBorder BorderOf(schema::PadMode mode) {
  switch (mode) {
    case schema::PadMode::Reflect:
      return kernels::PadBorder::kReflect;
    case schema::PadMode::Symmetric:
      return kernels::PadBorder::kSymmetric;
    case schema::PadMode::Constant:
      break;
  }
  return kernels::PadBorder::kConstant;
}

Status Run(const KernelContext& context) {
  const auto& attrs = context.as<PadAttrs>();
  const TensorView& in = context.inputs[0];
  uint64_t value = 0;
  StoreValue(attrs.value, in.dtype(), &value);
  kernels::Pad(in.data, in.shape(), context.outputs[0].data, attrs.before, attrs.after,
               DTypeBytes(in.dtype()), BorderOf(attrs.mode), &value, context.parallel);
  return {};
}

}  // namespace

const PortableOp kPadKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
