// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/binary.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/core/stack.h"
#include "runtime/kernels/bitwise.h"
#include "runtime/kernels/broadcast.h"
#include "runtime/kernels/cast.h"
#include "runtime/ops/binary.h"

namespace linnet::portable {
namespace {

using kernels::BroadcastRow;
using schema::BinaryKind;

template <typename T>
using Function = void (*)(const T*, const T*, int64_t, T*);

template <typename T>
Function<T> FindInteger(BinaryKind kind) {
  switch (kind) {
#define LINNET_CASE(name) \
  case BinaryKind::name:  \
    return kernels::Binary##name;
    LINNET_BINARY_INTEGER(LINNET_CASE)
    LINNET_BITWISE(LINNET_CASE)
    default:
      return nullptr;
  }
}

using FloatFunction = void (*)(const float*, const float*, int64_t, float, float, float*);
FloatFunction FindFloat(BinaryKind kind) {
  switch (kind) {
    LINNET_BINARY_F32(LINNET_CASE)
    default:
      return nullptr;
  }
#undef LINNET_CASE
}

// What a row needs in addition to its operands. Only one of the functions is set.
struct RowContext {
  DType dtype;
  FloatFunction f32 = nullptr;
  Function<int32_t> i32 = nullptr;
  Function<int64_t> i64 = nullptr;
  Function<uint8_t> logical = nullptr;
  OutputRange range;
};

void FloatRow(const BroadcastRow& row, const void* raw) {
  const RowContext& c = *static_cast<const RowContext*>(raw);
  c.f32(row.input<float>(0), row.input<float>(1), row.count, c.range.min, c.range.max,
        row.output<float>());
}

void Int32Row(const BroadcastRow& row, const void* raw) {
  static_cast<const RowContext*>(raw)->i32(row.input<int32_t>(0), row.input<int32_t>(1), row.count,
                                           row.output<int32_t>());
}

void Int64Row(const BroadcastRow& row, const void* raw) {
  static_cast<const RowContext*>(raw)->i64(row.input<int64_t>(0), row.input<int64_t>(1), row.count,
                                           row.output<int64_t>());
}

void LogicalRow(const BroadcastRow& row, const void* raw) {
  static_cast<const RowContext*>(raw)->logical(row.input<uint8_t>(0), row.input<uint8_t>(1),
                                               row.count, row.output<uint8_t>());
}

// Narrow integers are computed as i32 and wrap when they are stored.
void NarrowRow(const BroadcastRow& row, const void* raw) {
  const RowContext& c = *static_cast<const RowContext*>(raw);
  constexpr int64_t kBlock = kStackElements;
  const int64_t bytes = DTypeBytes(c.dtype);
  int32_t a[kBlock], b[kBlock];
  for (int64_t i = 0; i < row.count; i += kBlock) {
    const int64_t n = std::min(row.count - i, kBlock);
    kernels::WidenToInt32(c.dtype, row.input<uint8_t>(0) + i * bytes, n, a);
    kernels::WidenToInt32(c.dtype, row.input<uint8_t>(1) + i * bytes, n, b);
    c.i32(a, b, n, a);
    kernels::NarrowFromInt32(a, c.dtype, n, row.output<uint8_t>() + i * bytes);
  }
}

bool Divides(BinaryKind kind) {
  return kind == BinaryKind::Div || kind == BinaryKind::FloorDiv || kind == BinaryKind::FloorMod ||
         kind == BinaryKind::TruncateDiv || kind == BinaryKind::TruncateMod;
}

// Fails before the first element is computed when an integer operation would be undefined.
Status CheckIntegers(BinaryKind kind, const TensorView& b) {
  const bool divides = Divides(kind);
  if (!divides && kind != BinaryKind::Pow) return {};
  constexpr int64_t kBlock = 256;
  const int64_t bytes = DTypeBytes(b.dtype());
  int64_t lowest = 1, zeros = 0, block[kBlock];
  for (int64_t i = 0; i < b.num_elements(); i += kBlock) {
    const int64_t n = std::min(b.num_elements() - i, kBlock);
    kernels::Cast(b.dtype(), b.as<uint8_t>() + i * bytes, DType::kInt64, n, block);
    for (int64_t k = 0; k < n; ++k) {
      lowest = std::min(lowest, block[k]);
      zeros += block[k] == 0;
    }
  }
  if (divides && zeros > 0) return {StatusCode::kBadIndex, "integer division by zero"};
  if (!divides && lowest < 0) return {StatusCode::kBadIndex, "integer to a negative power"};
  return {};
}

Status Run(const KernelContext& context) {
  const BinaryAttrs& attrs = context.as<BinaryAttrs>();
  const TensorView &a = context.inputs[0], &b = context.inputs[1], &out = context.outputs[0];
  RowContext c{.dtype = a.dtype(), .range = attrs.range};
  void (*row)(const BroadcastRow&, const void*) = FloatRow;
  if (c.dtype == DType::kFloat32) {
    c.f32 = FindFloat(attrs.kind);
  } else if (c.dtype == DType::kBool) {
    c.logical =
        attrs.kind == BinaryKind::LogicalAnd ? kernels::BinaryLogicalAnd : kernels::BinaryLogicalOr;
    row = LogicalRow;
  } else {
    if (out.num_elements() > 0) LINNET_RETURN_IF_ERROR(CheckIntegers(attrs.kind, b));
    c.i32 = FindInteger<int32_t>(attrs.kind);
    c.i64 = FindInteger<int64_t>(attrs.kind);
    row = kernels::IsNarrow(c.dtype) ? NarrowRow : c.dtype == DType::kInt32 ? Int32Row : Int64Row;
  }
  const int64_t bytes = DTypeBytes(c.dtype);
  const kernels::BroadcastInput inputs[] = {{a.shape(), a.data, bytes}, {b.shape(), b.data, bytes}};
  kernels::ForEachBroadcastRow(inputs, out.shape(), out.data, bytes, row, &c, context.parallel);
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kBinaryKernel = {.why_unsupported = WhyUnsupported, .run = Run};

}  // namespace linnet::portable
