// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/random.h"

#include <type_traits>

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/kernels/random.h"

namespace linnet::portable {
namespace {

using kernels::Philox;
using kernels::RealKind;
using schema::RandomKind;

Philox Generator(const KernelContext& context) {
  const auto* key = context.inputs[0].as<int64_t>();
  const auto* counter = context.inputs[1].as<int64_t>();
  return {static_cast<uint64_t>(key[0]), static_cast<uint64_t>(counter[0]),
          static_cast<uint64_t>(counter[1])};
}

Status RunReals(const KernelContext& context, RealKind kind) {
  const TensorView& out = context.outputs[0];
  kernels::RandomReals(kind, context.as<RandomAttrs>().dtype, Generator(context),
                       out.num_elements(), out.as<float>(), context.parallel);
  return {};
}

template <typename T>
Status RunIntegers(const KernelContext& context) {
  using Unsigned = std::make_unsigned_t<T>;
  const TensorView& out = context.outputs[0];
  T min = 0;
  Unsigned range = 0;
  if (context.inputs.size() == 4) {
    min = *context.inputs[2].as<T>();
    const T end = *context.inputs[3].as<T>();
    if (min >= end) return {StatusCode::kBadIndex, "Random: want bounds with numbers in between"};
    range = static_cast<Unsigned>(end) - static_cast<Unsigned>(min);
  }
  kernels::RandomIntegers(Generator(context), min, range, out.num_elements(), out.as<T>(),
                          context.parallel);
  return {};
}

Status RunClasses(const KernelContext& context) {
  const TensorView &logits = context.inputs[2], &out = context.outputs[0];
  kernels::RandomClasses(Generator(context), logits.as<float>(), logits.shape()[0],
                         logits.shape()[1], out.shape()[1], static_cast<double*>(context.scratch),
                         out.as<int64_t>(), context.parallel);
  return {};
}

Status Run(const KernelContext& context) {
  const TensorView& out = context.outputs[0];
  switch (context.as<RandomAttrs>().kind) {
    case RandomKind::Normal:
      return RunReals(context, RealKind::kNormal);
    case RandomKind::TruncatedNormal:
      return RunReals(context, RealKind::kTruncatedNormal);
    case RandomKind::Integer:
      return out.dtype() == DType::kInt32 ? RunIntegers<int32_t>(context)
                                          : RunIntegers<int64_t>(context);
    case RandomKind::Permutation:
      kernels::RandomPermutation(Generator(context), out.num_elements(), out.as<int32_t>(),
                                 context.parallel);
      return {};
    case RandomKind::Categorical:
      return RunClasses(context);
    default:
      return RunReals(context, RealKind::kUniform);
  }
}

int64_t ScratchBytes(const OpInstance& op, int) {
  if (op.as<RandomAttrs>().kind != RandomKind::Categorical) return 0;
  return SaturatingMul(op.input(2).shape[1], sizeof(double));
}

}  // namespace

const PortableOp kRandomKernel = {
    .why_unsupported = SupportsAnything, .scratch_bytes = ScratchBytes, .run = Run};

}  // namespace linnet::portable
