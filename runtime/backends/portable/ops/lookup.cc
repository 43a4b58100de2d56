// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/lookup.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/ops/lookup.h"

namespace linnet::portable {
namespace {

Status Run(const KernelContext& context) {
  const TensorView &queries = context.inputs[0], &keys = context.inputs[1];
  kernels::Lookup(queries.dtype(), queries.data, queries.num_elements(), keys.data,
                  keys.num_elements(), context.outputs[0].as<int32_t>(), context.parallel);
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kLookupKernel = {.why_unsupported = WhyUnsupported, .run = Run};

}  // namespace linnet::portable
