// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/batch_matmul.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/backends/portable/ops/packed_filter.h"
#include "runtime/ops/batch_matmul.h"

namespace linnet::portable {
namespace {

using kernels::OperandB;

// Strides of an operand, in matrices, along each batch dimension of the output.
void BatchStrides(const Shape& operand, const Shape& batch, int64_t* strides) {
  int64_t step = 1;
  const int missing = batch.rank() - (operand.rank() - 2);
  for (int i = batch.rank() - 1; i >= missing; --i) {
    const int64_t dim = operand[i - missing];
    strides[i] = dim == 1 ? 0 : step;
    step *= dim;
  }
}

// Takes columns and depth from b itself, because b may be packed for shapes that vary.
kernels::BatchMatMulShape ShapeOf(const BatchMatMulAttrs& attrs, const Shape& a, const Shape& b,
                                  const Shape& out) {
  const int64_t b_outer = b[b.rank() - 2], b_inner = b.back();
  kernels::BatchMatMulShape shape = {.rows = out[out.rank() - 2],
                                     .cols = attrs.transpose_b ? b_outer : b_inner,
                                     .depth = attrs.transpose_b ? b_inner : b_outer,
                                     .transpose_a = attrs.transpose_a,
                                     .transpose_b = attrs.transpose_b,
                                     .batch = Shape(out.dims().first(out.rank() - 2)),
                                     .b_matrices = b.Product(0, b.rank() - 2)};
  BatchStrides(a, shape.batch, shape.a_stride);
  BatchStrides(b, shape.batch, shape.b_stride);
  return shape;
}

kernels::BatchMatMulShape ShapeOf(const OpInstance& op) {
  return ShapeOf(op.as<BatchMatMulAttrs>(), op.input(0).shape, op.input(1).shape,
                 op.output(0).shape);
}

bool PacksB(const OpInstance& op) {
  return op.input(1).dtype == DType::kFloat32 && HasConstantFilter(op);
}

bool PacksInput(const OpInstance& op, int i) { return i == 1 && PacksB(op); }

int64_t PreparedBytes(const OpInstance& op) {
  if (!kLinkedPacking) return 0;
  return PacksB(op) ? AlignedBytes<float>(kernels::PackedBatchMatMulFloats(ShapeOf(op))) : 0;
}

void Prepare(const OpInstance& op, void* prepared) {
  if (!kLinkedPacking) return;
  kernels::PackBatchMatMul(ShapeOf(op), ConstantFilter(op), static_cast<float*>(prepared));
}

int64_t ScratchBytes(const OpInstance& op, int threads) {
  if (!kLinkedPacking) return 0;
  if (op.input(0).dtype != DType::kFloat32) return 0;
  return kernels::BatchMatMulScratchBytes(
      ShapeOf(op), PacksB(op) ? OperandB::kPacked : OperandB::kPackedInRun, threads);
}

int64_t PlainScratchBytes(const OpInstance& op, int threads) {
  if (!kLinkedPlain) return 0;
  if (op.input(0).dtype != DType::kFloat32) return 0;
  return kernels::BatchMatMulScratchBytes(ShapeOf(op), OperandB::kPlain, threads);
}

Status Run(const KernelContext& context) {
  const TensorView &a = context.inputs[0], &b = context.inputs[1], &out = context.outputs[0];
  const kernels::BatchMatMulShape shape =
      ShapeOf(context.as<BatchMatMulAttrs>(), a.shape(), b.shape(), out.shape());
  if (out.dtype() == DType::kInt32) {
    kernels::BatchMatMul(shape, a.as<const int32_t>(), b.as<const int32_t>(), out.as<int32_t>(),
                         context.parallel);
  } else {
    const OperandB form = !context.packs                ? OperandB::kPlain
                          : context.prepared != nullptr ? OperandB::kPacked
                                                        : OperandB::kPackedInRun;
    const auto* matrices = static_cast<const float*>(context.prepared);
    kernels::BatchMatMul(shape, a.as<const float>(),
                         form == OperandB::kPacked ? matrices : b.as<const float>(), form,
                         out.as<float>(), context.scratch, context.parallel);
  }
  return {};
}

}  // namespace

const PortableOp kBatchMatMulKernel = {.why_unsupported = SupportsAnything,
                                       .scratch_bytes = ScratchBytes,
                                       .plain_scratch_bytes = PlainScratchBytes,
                                       .prepared_bytes = PreparedBytes,
                                       .prepare = Prepare,
                                       .packs_input = PacksInput,
                                       .run = Run};

}  // namespace linnet::portable
