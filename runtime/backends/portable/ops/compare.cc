// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/compare.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/core/stack.h"
#include "runtime/kernels/binary.h"
#include "runtime/kernels/broadcast.h"
#include "runtime/kernels/cast.h"

namespace linnet::portable {
namespace {

using kernels::BroadcastRow;
using schema::CompareKind;

template <typename T>
using Function = void (*)(const T*, const T*, int64_t, uint8_t*);

template <typename T>
Function<T> Find(CompareKind kind) {
  switch (kind) {
#define LINNET_CASE(name) \
  case CompareKind::name: \
    return kernels::Compare##name;
    LINNET_COMPARE(LINNET_CASE)
#undef LINNET_CASE
    default:
      return nullptr;
  }
}

struct RowContext {
  DType dtype;
  CompareKind kind;
};

template <typename T>
void Row(const BroadcastRow& row, const void* raw) {
  Find<T>(static_cast<const RowContext*>(raw)->kind)(row.input<T>(0), row.input<T>(1), row.count,
                                                     row.output<uint8_t>());
}

// f16 is compared as f32; bool and narrow integers as i32.
template <typename Wide>
void WidenedRow(const BroadcastRow& row, const void* raw) {
  const RowContext& c = *static_cast<const RowContext*>(raw);
  constexpr int64_t kBlock = kStackElements;
  const int64_t bytes = DTypeBytes(c.dtype);
  Wide a[kBlock], b[kBlock];
  for (int64_t i = 0; i < row.count; i += kBlock) {
    const int64_t n = std::min(row.count - i, kBlock);
    kernels::Cast(c.dtype, row.input<uint8_t>(0) + i * bytes, DTypeOf<Wide>(), n, a);
    kernels::Cast(c.dtype, row.input<uint8_t>(1) + i * bytes, DTypeOf<Wide>(), n, b);
    Find<Wide>(c.kind)(a, b, n, row.output<uint8_t>() + i);
  }
}

Status Run(const KernelContext& context) {
  const TensorView &a = context.inputs[0], &b = context.inputs[1], &out = context.outputs[0];
  const RowContext c{a.dtype(), context.as<CompareAttrs>().kind};
  const auto row = c.dtype == DType::kFloat32   ? Row<float>
                   : c.dtype == DType::kInt32   ? Row<int32_t>
                   : c.dtype == DType::kInt64   ? Row<int64_t>
                   : c.dtype == DType::kFloat16 ? WidenedRow<float>
                                                : WidenedRow<int32_t>;
  const int64_t bytes = DTypeBytes(c.dtype);
  const kernels::BroadcastInput inputs[] = {{a.shape(), a.data, bytes}, {b.shape(), b.data, bytes}};
  kernels::ForEachBroadcastRow(inputs, out.shape(), out.data, 1, row, &c, context.parallel);
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kCompareKernel = {.why_unsupported = WhyUnsupported, .run = Run};

}  // namespace linnet::portable
