// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/unique.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/backends/portable/portable_op.h"
#include "runtime/kernels/copy_bytes.h"
#include "runtime/ops/unique.h"

namespace linnet::portable {
namespace {

int64_t ScratchBytes(const OpInstance& op, int) {
  return SaturatingMul(kernels::UniqueSlots(op.input(0).shape[0]), sizeof(int32_t));
}

Status Run(const KernelContext& context) {
  const TensorView &in = context.inputs[0], &unique = context.outputs[0];
  const int64_t rows = in.shape()[0], row = in.shape().Product(1, in.shape().rank());
  auto* const counts = context.outputs[2].as<int32_t>();
  const int32_t found =
      kernels::Unique(in.dtype(), rows, row, in.data, static_cast<int32_t*>(context.scratch),
                      unique.data, context.outputs[1].as<int32_t>(), counts, context.parallel);
  if (context.parallel.Stopped()) return {};
  const int64_t used = found * row * DTypeBytes(in.dtype());
  kernels::ZeroBytes(unique.as<char>() + used, unique.type.bytes() - used, context.parallel);
  kernels::ZeroBytes(counts + found, (rows - found) * int64_t{sizeof(*counts)}, context.parallel);
  *context.outputs[3].as<int32_t>() = found;
  return {};
}

}  // namespace

const PortableOp kUniqueKernel = {
    .why_unsupported = SupportsAnything, .scratch_bytes = ScratchBytes, .run = Run};

}  // namespace linnet::portable
