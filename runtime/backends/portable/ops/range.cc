// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/range.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/kernels/range.h"

namespace linnet::portable {
namespace {

template <typename T>
void Fill(const KernelContext& context) {
  kernels::Range(*context.inputs[0].as<T>(), *context.inputs[2].as<T>(),
                 context.outputs[0].num_elements(), context.outputs[0].as<T>(), context.parallel);
}

Status Run(const KernelContext& context) {
  switch (context.outputs[0].dtype()) {
    case DType::kFloat32:
      Fill<float>(context);
      break;
    case DType::kInt32:
      Fill<int32_t>(context);
      break;
    default:
      Fill<int64_t>(context);
  }
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kRangeKernel = {.why_unsupported = WhyUnsupported, .run = Run};

}  // namespace linnet::portable
