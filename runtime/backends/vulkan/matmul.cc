// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/matmul.h"

#include <algorithm>

#include "runtime/backends/vulkan/abi/matmul.h"
#include "runtime/backends/vulkan/tile.h"

namespace linnet::vulkan {
namespace {

// The leading dimensions of a product, innermost first, with neighbours merged where both operands
// step through them alike. Strides in matrices.
struct Batch {
  int rank = 0;
  int64_t dims[kMaxRank] = {};
  int64_t a_strides[kMaxRank] = {};
  int64_t b_strides[kMaxRank] = {};
};

// The extent of an operand along dimension `axis` of a batch of `rank` dimensions.
int64_t ExtentOf(const Shape& operand, int rank, int axis) {
  const int own = axis - (rank - (operand.rank() - 2));
  return own < 0 ? 1 : operand[own];
}

Batch BatchOf(const Shape& a, const Shape& b, const Shape& out) {
  Batch batch;
  const int rank = out.rank() - 2;
  int64_t a_step = 1, b_step = 1;
  for (int axis = rank - 1; axis >= 0; --axis) {
    const int64_t in_a = ExtentOf(a, rank, axis), in_b = ExtentOf(b, rank, axis);
    const int64_t a_stride = in_a == 1 ? 0 : a_step, b_stride = in_b == 1 ? 0 : b_step;
    a_step *= in_a;
    b_step *= in_b;
    if (out[axis] == 1) continue;
    const int last = batch.rank - 1;
    if (last >= 0 && a_stride == batch.a_strides[last] * batch.dims[last] &&
        b_stride == batch.b_strides[last] * batch.dims[last]) {
      batch.dims[last] *= out[axis];
      continue;
    }
    batch.dims[batch.rank] = out[axis];
    batch.a_strides[batch.rank] = a_stride;
    batch.b_strides[batch.rank] = b_stride;
    ++batch.rank;
  }
  return batch;
}

// A product whose second operand is one matrix for all is one product of more rows, if the rows of
// the first lie one after another.
bool RowsContinue(const Batch& batch, const Product& product) {
  return !product.transpose_a && batch.rank == 1 && batch.a_strides[0] == 1 &&
         batch.b_strides[0] == 0;
}

void FillBatch(const Batch& batch, int64_t a_matrix, int64_t b_matrix, MatmulPush& push) {
  for (int d = 0; d < LINNET_MATMUL_BATCH_RANK; ++d) {
    const int from = LINNET_MATMUL_BATCH_RANK - 1 - d;  // the push constants are outermost first
    const bool used = from < batch.rank;
    push.batch_dims[d] = used ? static_cast<uint>(batch.dims[from]) : 1;
    push.a_strides[d] = used ? static_cast<uint>(batch.a_strides[from] * a_matrix) : 0;
    push.b_strides[d] = used ? static_cast<uint>(batch.b_strides[from] * b_matrix) : 0;
  }
}

// Rows of a matrix as it is stored.
int64_t StoredRows(const Shape& shape) { return shape.rank() < 2 ? 1 : shape[shape.rank() - 2]; }

}  // namespace

bool BatchFits(const OpInstance& op) {
  return BatchOf(op.input(0).shape, op.input(1).shape, op.output(0).shape).rank <=
         LINNET_MATMUL_BATCH_RANK;
}

void LowerProduct(const OpInstance& op, const Product& product, Dispatches& dispatches) {
  const Shape &a = op.input(0).shape, &b = op.input(1).shape, &out = op.output(0).shape;
  const Rows a_rows = RowsOf(op.input(0)), b_rows = RowsOf(op.input(1));
  const Rows out_rows = RowsOf(op.output(0));
  Batch batch = BatchOf(a, b, out);
  int64_t rows = StoredRows(out);
  if (RowsContinue(batch, product)) {
    batch = {};
    rows = out_rows.count;
  }
  const int64_t batches = out_rows.count / rows;
  Tile largest = dispatches.tiles().product;
  largest.rows = std::min(largest.rows, LINNET_MATMUL_ROWS);
  largest.quads = std::min(largest.quads, 2);
  Tile tile = TileFor(batches, rows, out_rows.quads, largest, dispatches.tiles().many_threads);
  if (product.transpose_a) tile.rows = 4;  // a quad of a's row
  const int64_t row_tiles = tile.row_tiles(rows), quad_tiles = tile.quad_tiles(out_rows.quads);
  MatmulPush push = {};
  push.rows = static_cast<uint>(rows);
  push.depth = static_cast<uint>(product.transpose_b ? b.back() : StoredRows(b));
  push.columns = static_cast<uint>(out_rows.columns);
  push.a_quads = static_cast<uint>(a_rows.quads);
  push.b_quads = static_cast<uint>(b_rows.quads);
  push.out_quads = static_cast<uint>(out_rows.quads);
  push.row_tiles = static_cast<uint>(row_tiles);
  push.quad_tiles = static_cast<uint>(quad_tiles);
  push.batches = static_cast<uint>(batches);
  push.min = product.range.min;
  push.max = product.range.max;
  FillBatch(batch, StoredRows(a) * a_rows.quads, StoredRows(b) * b_rows.quads, push);
  const bool floats = op.output(0).dtype == DType::kFloat32;
  Dispatch& dispatch = dispatches.Add(floats ? Shader::k_matmul : Shader::k_matmul_i32,
                                      batches * row_tiles * quad_tiles);
  dispatch.Bind(Input(0));
  dispatch.Bind(Input(1));
  dispatch.Bind(Output(0));
  dispatch.Specialise(tile.rows);
  dispatch.Specialise(tile.quads);
  dispatch.Specialise(product.transpose_a);
  dispatch.Specialise(product.transpose_b);
  // A binding that the shader names must be something, even where it is not read.
  if (floats) dispatch.Bind(product.bias ? product.bias_operand : Input(0));
  if (floats) dispatch.Specialise(product.bias);
  dispatch.Push(push);
}

}  // namespace linnet::vulkan
