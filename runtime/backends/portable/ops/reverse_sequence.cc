// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/reverse_sequence.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/kernels/reverse_sequence.h"

namespace linnet::portable {
namespace {

Status Run(const KernelContext& context) {
  const auto& attrs = context.as<ReverseSequenceAttrs>();
  const TensorView &in = context.inputs[0], &lengths = context.inputs[1];
  const Shape& shape = in.shape();
  const int first = std::min(attrs.sequence_axis, attrs.batch_axis);
  const int second = std::max(attrs.sequence_axis, attrs.batch_axis);
  const kernels::ReverseSequenceJob job = {
      .outer = shape.Product(0, first),
      .first = shape[first],
      .middle = shape.Product(first + 1, second),
      .second = shape[second],
      .row_bytes = shape.Product(second + 1, shape.rank()) * DTypeBytes(in.dtype()),
      .steps_first = attrs.sequence_axis == first};
  void* out = context.outputs[0].data;
  const bool in_range = lengths.dtype() == DType::kInt32
                            ? kernels::ReverseSequence(job, in.data, lengths.as<const int32_t>(),
                                                       out, context.parallel)
                            : kernels::ReverseSequence(job, in.data, lengths.as<const int64_t>(),
                                                       out, context.parallel);
  if (!in_range) return {StatusCode::kBadIndex, "ReverseSequence: a length is out of range"};
  return {};
}

}  // namespace

const PortableOp kReverseSequenceKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
