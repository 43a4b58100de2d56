// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/batch_matmul.h"

#include "runtime/backends/xnnpack/lowering.h"

namespace linnet::xnnpack {
namespace {

// The dimensions in front of the matrix, with ones put first to reach `rank`.
xnn::Dims BatchOf(const Shape& shape, int rank) {
  xnn::Dims dims = {.rank = static_cast<size_t>(rank), .extents = {}};
  const int missing = rank - (shape.rank() - 2);
  for (int i = 0; i < rank; ++i)
    dims.extents[i] = i < missing ? 1 : static_cast<size_t>(shape[i - missing]);
  return dims;
}

xnn::BatchMatMul Describe(const OpInstance& op) {
  const Shape& a = op.input(0).shape;
  const Shape& out = op.output(0).shape;
  const int batch_rank = out.rank() - 2;
  return {.batch_a = BatchOf(a, batch_rank),
          .batch_b = BatchOf(op.input(1).shape, batch_rank),
          .m = static_cast<size_t>(out[out.rank() - 2]),
          .k = static_cast<size_t>(a.back()),
          .n = static_cast<size_t>(out.back()),
          .transpose_b = op.as<BatchMatMulAttrs>().transpose_b};
}

}  // namespace

const Lowering kBatchMatMulLowering = MakeLowering<Describe>();

}  // namespace linnet::xnnpack
