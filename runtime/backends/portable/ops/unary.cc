// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/unary.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/core/stack.h"
#include "runtime/kernels/bitwise.h"
#include "runtime/kernels/cast.h"
#include "runtime/kernels/special.h"
#include "runtime/ops/unary.h"

namespace linnet::portable {
namespace {

using schema::UnaryKind;

constexpr int64_t kBlock = kStackElements;  // narrow integers that are converted to i32 at a time

using FloatFunction = void (*)(const float*, int64_t, float, float*);
template <typename T>
using IntegerFunction = void (*)(const T*, int64_t, T*);
using TestFunction = void (*)(const float*, int64_t, uint8_t*);

FloatFunction FindFloat(UnaryKind kind) {
  switch (kind) {
#define LINNET_CASE(name) \
  case UnaryKind::name:   \
    return kernels::Unary##name;
    LINNET_UNARY_F32(LINNET_CASE)
    LINNET_UNARY_F32_SPECIAL(LINNET_CASE)
    default:
      return nullptr;
  }
}

template <typename T>
IntegerFunction<T> FindInteger(UnaryKind kind) {
  switch (kind) {
    LINNET_UNARY_INTEGER(LINNET_CASE)
    LINNET_CASE(BitwiseNot)
    default:
      return nullptr;
  }
}

TestFunction FindTest(UnaryKind kind) {
  switch (kind) {
    LINNET_UNARY_TEST(LINNET_CASE)
    default:
      return nullptr;
  }
#undef LINNET_CASE
}

// Elements worth a thread. Few, because transcendental functions are slow.
constexpr int64_t kGrain = 1 << 11;

template <typename In, typename Out, typename Function>
void ForEachStretch(const KernelContext& context, const Function& function) {
  const In* in = context.inputs[0].as<In>();
  Out* out = context.outputs[0].as<Out>();
  ParallelFor(context.parallel, context.outputs[0].num_elements(), kGrain,
              [&](int64_t begin, int64_t end) { function(in + begin, end - begin, out + begin); });
}

void RunNarrow(const KernelContext& context, UnaryKind kind) {
  const DType dtype = context.inputs[0].dtype();
  const int64_t bytes = DTypeBytes(dtype);
  const auto function = FindInteger<int32_t>(kind);
  const auto* in = context.inputs[0].as<uint8_t>();
  auto* out = context.outputs[0].as<uint8_t>();
  ParallelFor(context.parallel, context.outputs[0].num_elements(), kGrain,
              [&](int64_t begin, int64_t end) {
                int32_t block[kBlock];
                for (; begin < end; begin += kBlock) {
                  const int64_t n = std::min(end - begin, kBlock);
                  kernels::WidenToInt32(dtype, in + begin * bytes, n, block);
                  function(block, n, block);
                  kernels::NarrowFromInt32(block, dtype, n, out + begin * bytes);
                }
              });
}

Status Run(const KernelContext& context) {
  const UnaryAttrs& attrs = context.as<UnaryAttrs>();
  const DType dtype = context.inputs[0].dtype();
  if (dtype == DType::kBool) {
    ForEachStretch<uint8_t, uint8_t>(context, kernels::UnaryLogicalNot);
  } else if (kernels::IsNarrow(dtype)) {
    RunNarrow(context, attrs.kind);
  } else if (dtype == DType::kInt32) {
    ForEachStretch<int32_t, int32_t>(context, FindInteger<int32_t>(attrs.kind));
  } else if (dtype == DType::kInt64) {
    ForEachStretch<int64_t, int64_t>(context, FindInteger<int64_t>(attrs.kind));
  } else if (const TestFunction test = FindTest(attrs.kind)) {
    ForEachStretch<float, uint8_t>(context, test);
  } else {
    const FloatFunction function = FindFloat(attrs.kind);
    ForEachStretch<float, float>(context, [&](const float* in, int64_t count, float* out) {
      function(in, count, attrs.alpha, out);
    });
  }
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kUnaryKernel = {.why_unsupported = WhyUnsupported, .run = Run};

}  // namespace linnet::portable
