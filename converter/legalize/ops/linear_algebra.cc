// SPDX-License-Identifier: Apache-2.0
// Products of vectors, and equations, factors and determinants of matrices, which are small enough
// to be spelled out (elimination.h).
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "converter/legalize/ops/elimination.h"
#include "runtime/ops/gather.h"

namespace linnet::converter {
namespace {

// The cross product of vectors of 3 elements, which lie along the last dimension.
absl::Status Cross(LegalizeContext& context) {
  const Shape& shape = context.shape(0);
  const int axis = shape.rank() - 1;
  if (axis < 0 || shape[axis] != 3 || context.shape(1) != shape)
    return Invalid("want two tensors of one shape with 3 as last extent, got {} and {}",
                   ShapeText(shape), ShapeText(context.shape(1)));
  std::vector<Emitted> x, y, parts;
  for (int k = 0; k < 3; ++k) {
    x.push_back(EmitSliceAlong(context, axis, k, 1, context.input(0), fmt::format("a{}", k)));
    y.push_back(EmitSliceAlong(context, axis, k, 1, context.input(1), fmt::format("b{}", k)));
  }
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    const Emitted plus = EmitBinary(context, BinaryKind::Mul, x[next], y[last], "plus");
    const Emitted minus = EmitBinary(context, BinaryKind::Mul, x[last], y[next], "minus");
    parts.push_back(EmitBinary(context, BinaryKind::Sub, plus, minus, fmt::format("{}", k)));
  }
  return context.Replace(EmitJoined(context, parts, axis));
}

// The rows and columns of the matrices in input `i`, which must not vary.
absl::StatusOr<Shape> MatricesIn(const LegalizeContext& context, int i) {
  const Shape& shape = context.shape(i);
  const int rank = shape.rank();
  if (rank < 2) return Invalid("input {} has shape {}, want matrices", i, ShapeText(shape));
  LINNET_RETURN_IF_ERROR(context.WantFloats(i));
  const Extents extents = context.extents(i);
  if (!extents[rank - 2].is_constant() || !extents[rank - 1].is_constant())
    return Unsupported("input {} has {}: only its batches may vary, not the size of its matrices",
                       i, context.symbols().Text(extents));
  return SubShape(shape, rank - 2, rank);
}

absl::Status MayBeSpelledOut(int64_t n) {
  if (n <= kMostColumns) return absl::OkStatus();
  return Unsupported(
      "matrices of {0}x{0} are too large: each column becomes about 20 ops of the plan, so {1}x{1} "
      "is the most; compute it in the app and feed the result",
      n, kMostColumns);
}

// n, where input 0 has matrices of n x n.
absl::StatusOr<int64_t> SquareSide(const LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Shape matrix, MatricesIn(context, 0));
  if (matrix[0] != matrix[1])
    return Invalid("input 0 has shape {}, want square matrices", ShapeText(context.shape(0)));
  LINNET_RETURN_IF_ERROR(MayBeSpelledOut(matrix[0]));
  return matrix[0];
}

// Input 1 has right sides of n rows; with `same_batches`, as many as there are matrices.
absl::Status WantRightSides(const LegalizeContext& context, int64_t n, bool same_batches) {
  LINNET_ASSIGN_OR_RETURN(const Shape sides, MatricesIn(context, 1));
  const Shape& a = context.shape(0);
  const Shape& b = context.shape(1);
  if (sides[0] == n &&
      (!same_batches || SubShape(a, 0, a.rank() - 2) == SubShape(b, 0, b.rank() - 2)))
    return absl::OkStatus();
  return Invalid("input 1 has shape {}, which does not fit input 0 with {}", ShapeText(b),
                 ShapeText(a));
}

// The batches of input 0, followed by `inner`.
Extents BatchesAnd(const LegalizeContext& context, std::initializer_list<int64_t> inner) {
  Extents extents = context.extents(0);
  extents.resize(extents.size() - 2);
  extents.insert(extents.end(), inner.begin(), inner.end());
  return extents;
}

// Input 0, transposed where attribute adjoint says so.
Emitted EmitAdjoint(LegalizeContext& context, bool adjoint) {
  const Output matrix = context.input(0);
  return adjoint ? EmitTransposed(context, matrix, "adjoint") : matrix;
}

absl::Status Cholesky(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const int64_t n, SquareSide(context));
  return context.Replace(EmitCholesky(context, n, context.input(0)));
}

absl::Status MatrixTriangularSolve(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const int64_t n, SquareSide(context));
  LINNET_RETURN_IF_ERROR(WantRightSides(context, n, false));
  LINNET_ASSIGN_OR_RETURN(const bool lower, context.Bool("lower", true));
  LINNET_ASSIGN_OR_RETURN(const bool adjoint, context.Bool("adjoint", false));
  const Emitted matrix = EmitAdjoint(context, adjoint);
  return context.Replace(
      EmitTriangularSolution(context, n, lower != adjoint, matrix, context.input(1)));
}

absl::Status MatrixSolve(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const int64_t n, SquareSide(context));
  LINNET_RETURN_IF_ERROR(WantRightSides(context, n, true));
  LINNET_ASSIGN_OR_RETURN(const bool adjoint, context.Bool("adjoint", false));
  const Emitted matrix = EmitAdjoint(context, adjoint);
  return context.Replace(EmitSolution(context, n, matrix, context.input(1)));
}

absl::Status MatrixInverse(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const int64_t n, SquareSide(context));
  LINNET_ASSIGN_OR_RETURN(const bool adjoint, context.Bool("adjoint", false));
  return context.Replace(EmitInverse(context, n, EmitAdjoint(context, adjoint)));
}

// The determinant is sign * e^log.
struct LogDeterminant {
  Emitted sign, log;
};

// From the pivots, each of which is the factor by which a step changes the determinant, and the
// rows that changed places, each of which changes its sign. Logarithms as in TensorFlow, so that
// the product leaves the range of floats where TensorFlow's does.
LogDeterminant EmitLogDeterminant(LegalizeContext& context, int64_t n) {
  if (n == 0) {
    const Extents batches = BatchesAnd(context, {});
    const Output one = context.AddScalar(DType::kFloat32, 1, "one");
    const Output zero = context.AddScalar(DType::kFloat32, 0, "zero");
    const Emitted sign = EmitBroadcastTo(context, batches, one, "sign");
    return {sign, EmitBroadcastTo(context, batches, zero, "log")};
  }
  const int rank = context.shape(0).rank();
  std::vector<Emitted> pivots, positions;
  for (const PivotRow& row : EmitElimination(context, n, Eliminated::kDropped, context.input(0))) {
    pivots.push_back(row.pivot);
    if (std::ssize(pivots) < n) positions.push_back(row.position);
  }
  const Shape all = {rank - 2, rank - 1};
  const Emitted factors = EmitJoined(context, pivots, rank - 1, "pivots");
  const Emitted magnitudes = EmitUnary(context, UnaryKind::Abs, factors, "magnitudes");
  const Emitted logs = EmitUnary(context, UnaryKind::Log, magnitudes, "logs");
  const Emitted log = EmitReduce(context, ReduceKind::Sum, all, false, logs, "log");
  const Emitted signs = EmitUnary(context, UnaryKind::Sign, factors, "signs");
  const Emitted sign = EmitReduce(context, ReduceKind::Prod, all, false, signs, "sign_of_pivots");
  if (n == 1) return {sign, log};
  const Emitted places = EmitJoined(context, positions, rank - 2, "positions");
  const Output first = context.AddScalar(DType::kInt32, 0, "first");
  const Emitted moved = EmitCompare(context, CompareKind::NotEqual, places, first, "moved");
  const Output minus = context.AddScalar(DType::kFloat32, -1, "minus_one");
  const Output plus = context.AddScalar(DType::kFloat32, 1, "one");
  const Emitted turns = EmitSelect(context, moved, minus, plus, "turns");
  const Emitted turn = EmitReduce(context, ReduceKind::Prod, {rank - 2}, false, turns, "turn");
  return {EmitBinary(context, BinaryKind::Mul, sign, turn, "sign"), log};
}

absl::Status LogMatrixDeterminant(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const int64_t n, SquareSide(context));
  const LogDeterminant determinant = EmitLogDeterminant(context, n);
  return context.Replace({determinant.sign, determinant.log});
}

absl::Status MatrixDeterminant(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const int64_t n, SquareSide(context));
  const LogDeterminant determinant = EmitLogDeterminant(context, n);
  const Emitted magnitude = EmitUnary(context, UnaryKind::Exp, determinant.log, "magnitude");
  return context.Replace(EmitBinary(context, BinaryKind::Mul, determinant.sign, magnitude));
}

// Output 0 holds both factors, L without its diagonal of ones. Output 1 says in which row each row
// was before: the rows bring their number along, as a column in front of them.
absl::Status Lu(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const int64_t n, SquareSide(context));
  LINNET_ASSIGN_OR_RETURN(const DType index, context.Type("output_idx_type", DType::kInt32));
  const Output column = AddIndices<float>(context, {n, 1}, "number");
  const Emitted before = EmitBroadcastTo(context, BatchesAnd(context, {n, 1}), column, "numbers");
  const int rank = context.shape(0).rank();
  Emitted all = EmitJoined(context, {before, context.input(0)}, rank - 1, "numbered");
  if (n > 0) {
    std::vector<Emitted> rows;
    for (const PivotRow& row : EmitElimination(context, n, Eliminated::kFactors, all))
      rows.push_back(row.row);
    all = EmitJoined(context, rows, rank - 2, "all");
  }
  const Emitted after = EmitBlock(context, {0, n}, {0, 1}, all, "order");
  const Emitted flat = EmitReshape(context, BatchesAnd(context, {n}), after, "flat_order");
  const Emitted order = EmitCast(context, index, flat, "permutation");
  return context.Replace({EmitBlock(context, {0, n}, {1, n}, all, ""), order});
}

// The matrices whose diagonals above, on and below the main one are the rows of input 0. The last
// element of the first and the first one of the last lie outside and are not read.
Emitted EmitTridiagonal(LegalizeContext& context, int64_t n) {
  const int64_t zero = 3 * n;  // where the padding is
  std::vector<int32_t> from(n * n, static_cast<int32_t>(zero));
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t k = 0; k < 3; ++k) {
      const int64_t j = i + 1 - k;
      if (j >= 0 && j < n) from[i * n + j] = static_cast<int32_t>(k * n + i);
    }
  }
  const int axis = context.shape(0).rank() - 2;
  const Emitted flat =
      EmitReshape(context, BatchesAnd(context, {zero}), context.input(0), "diagonals");
  const Shape none = Filled(axis + 1, 0);
  Shape one = none;
  one[axis] = 1;
  const Emitted padded = EmitPad(context, none, one, flat, "padded");
  const Output places =
      context.AddConstant(Constant::Of<int32_t>({n, n}, std::move(from)), "places");
  return context.Emit(GatherAttrs{.axis = axis}, {padded, places}, "matrix");
}

// Pivoting never takes a row further down than the next one, as only these have the column.
absl::Status TridiagonalSolve(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Shape diagonals, MatricesIn(context, 0));
  const int64_t n = diagonals[1];
  if (diagonals[0] != 3)
    return Invalid("input 0 has shape {}, want 3 diagonals", ShapeText(context.shape(0)));
  LINNET_RETURN_IF_ERROR(MayBeSpelledOut(n));
  LINNET_RETURN_IF_ERROR(WantRightSides(context, n, true));
  LINNET_ASSIGN_OR_RETURN(const bool perturb, context.Bool("perturb_singular", false));
  if (perturb)
    return Unsupported("attr 'perturb_singular' is true: singular matrices cannot be perturbed");
  const Emitted matrix = EmitTridiagonal(context, n);
  return context.Replace(EmitSolution(context, n, matrix, context.input(1)));
}

// Rows [begin, begin + n - 1) of diagonal `i`, times the rows of input 3 from `other` on, with a
// row of zeros before or behind.
Emitted EmitOffDiagonal(LegalizeContext& context, int i, int64_t begin, int64_t other, int64_t n) {
  const Output rows = context.input(3);
  const int rank = context.shape(rows).rank();
  const Emitted column = EmitTransposed(context, context.input(i), "column");
  const Emitted part = EmitBlock(context, {begin, n - 1}, {0, 1}, column, "part");
  const Emitted neighbours =
      EmitBlock(context, {other, n - 1}, {0, context.shape(rows).back()}, rows, "neighbours");
  const Emitted product = EmitBinary(context, BinaryKind::Mul, part, neighbours, "product");
  const Shape none = Filled(rank, 0);
  Shape one = none;
  one[rank - 2] = 1;
  return begin == 0 ? EmitPad(context, none, one, product, "above")
                    : EmitPad(context, one, none, product, "below");
}

// The diagonals above, on and below the main one are inputs 0 to 2, as rows.
absl::Status TridiagonalMatMul(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Shape rows, MatricesIn(context, 3));
  const int64_t n = rows[0];
  for (int i = 0; i < 3; ++i) {
    LINNET_ASSIGN_OR_RETURN(const Shape diagonal, MatricesIn(context, i));
    if (diagonal != Shape{1, n})
      return Invalid("input {} has shape {}, want a row of {} elements", i,
                     ShapeText(context.shape(i)), n);
  }
  const Emitted diagonal = EmitTransposed(context, context.input(1), "diagonal");
  Emitted sum = EmitBinary(context, BinaryKind::Mul, diagonal, context.input(3), "main");
  if (n > 1) {
    const Emitted above = EmitOffDiagonal(context, 0, 0, 1, n);
    sum = EmitBinary(context, BinaryKind::Add, sum, above, "main_and_above");
    const Emitted below = EmitOffDiagonal(context, 2, 1, 0, n);
    sum = EmitBinary(context, BinaryKind::Add, sum, below);
  }
  return context.Replace(sum);
}

constexpr char kElimination[] = "Gather, Select, Binary for each column; at most 128 of them";
constexpr char kSolution[] =
    "Binary for each column, at most 128 of them; BatchMatMul where the matrix is constant";

}  // namespace

std::span<const TfOp> LinearAlgebraOps() {
  static constexpr TfOp kRows[] = {
      {"Cholesky", Cholesky, "Binary, BatchMatMul for each column; at most 128 of them", kMayVary},
      {"Cross", Cross, "Slice, Binary, Concat"},
      {"LogMatrixDeterminant", LogMatrixDeterminant, kElimination, kMayVary},
      {"Lu", Lu, kElimination, kMayVary},
      {"MatrixDeterminant", MatrixDeterminant, kElimination, kMayVary},
      {"MatrixInverse", MatrixInverse, kElimination, kMayVary},
      {"MatrixSolve", MatrixSolve, kSolution, kMayVary},
      {"MatrixTriangularSolve", MatrixTriangularSolve, kSolution, kMayVary},
      {"TridiagonalMatMul", TridiagonalMatMul, "Slice, Binary, Pad", kMayVary},
      {"TridiagonalSolve", TridiagonalSolve, kSolution, kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
