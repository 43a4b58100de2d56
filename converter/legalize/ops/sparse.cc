// SPDX-License-Identifier: Apache-2.0
// Sparse tensors, which are positions, values and a shape, where what is made of them is dense.
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "converter/legalize/ops/scatter.h"
#include "runtime/ops/gather.h"

namespace linnet::converter {
namespace {

// A sparse matrix: positions [n, 2], values [n], and how many rows and columns it has.
struct SparseMatrix {
  Output positions, values;
  Extent count;  // n
  Extents shape;
};

absl::StatusOr<SparseMatrix> GetSparseMatrix(LegalizeContext& context) {
  const Extents positions = context.extents(0), values = context.extents(1);
  if (positions.size() != 2 || positions[1] != Extent(2) || values.size() != 1 ||
      !MayBeEqual(positions[0], values[0]))
    return Invalid("{} positions of {} values, want [n,2] and [n]",
                   context.symbols().Text(positions), context.symbols().Text(values));
  LINNET_ASSIGN_OR_RETURN(Extents shape, context.ExtentValues(2, "a_shape"));
  if (shape.size() != 2) return Invalid("'a_shape' has {} elements, want 2", shape.size());
  return SparseMatrix{context.input(0), context.input(1), values[0], std::move(shape)};
}

// Rows (0) or columns (1) of the positions, [n, 1].
Emitted EmitSide(LegalizeContext& context, const SparseMatrix& matrix, int side,
                 std::string_view suffix) {
  return EmitSlice(context, Extents{0, side}, Extents{matrix.count, 1}, {1, 1}, matrix.positions,
                   suffix);
}

// Each value is multiplied with the row of b that its column says, and added to the row of the
// result that its row says.
absl::Status SparseTensorDenseMatMul(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const SparseMatrix a, GetSparseMatrix(context));
  LINNET_RETURN_IF_ERROR(context.WantRank(3, 2));
  LINNET_ASSIGN_OR_RETURN(const bool transposes_a, context.Bool("adjoint_a", false));
  LINNET_ASSIGN_OR_RETURN(const bool transposes_b, context.Bool("adjoint_b", false));
  const int row = transposes_a ? 1 : 0, column = 1 - row;
  LINNET_ASSIGN_OR_RETURN(const Output b,
                          transposes_b ? EmitTranspose(context, {1, 0}, context.input(3), "b")
                                       : Emitted(context.input(3)));
  const Extents right = context.extents(b);
  if (!MayBeEqual(a.shape[static_cast<size_t>(column)], right[0]))
    return Invalid("a matrix of {} times one of {}", context.symbols().Text(a.shape),
                   context.symbols().Text(right));
  Emitted columns = EmitSide(context, a, column, "columns");
  columns = EmitReshape(context, Extents{a.count}, columns, "columns/flat");
  columns = EmitIndices(context, columns);
  const Emitted rows_of_b = context.Emit(GatherAttrs(), {b, columns}, "rows_of_b");
  const Emitted values = EmitReshape(context, Extents{a.count, 1}, a.values, "values");
  const Emitted products = EmitBinary(context, BinaryKind::Mul, rows_of_b, values, "products");
  const Output zero = context.AddScalar(context.type(a.values).dtype, 0, "zero");
  const Extents shape = {a.shape[static_cast<size_t>(row)], right[1]};
  const Emitted zeros = EmitBroadcastTo(context, shape, zero, "zeros");
  const Emitted rows = EmitSide(context, a, row, "rows");
  return context.Replace(
      EmitScatter(context, ScatterAttrs{.kind = schema::ScatterKind::Add}, zeros, rows, products));
}

}  // namespace

std::span<const TfOp> SparseOps() {
  static constexpr TfOp kRows[] = {
      {"SparseTensorDenseMatMul", SparseTensorDenseMatMul, "Gather, Binary, Scatter; a_shape known",
       kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
