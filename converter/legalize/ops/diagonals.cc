// SPDX-License-Identifier: Apache-2.0
// Matrices and their diagonals. It is known from which element of the inputs each element comes, so
// each op is one Gather.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "runtime/ops/gather.h"

namespace linnet::converter {
namespace {

// The diagonals `lower` to `upper` of a rows x columns matrix: 0 is the main one, positive ones are
// above it. They are stacked, the uppermost first, as rows of `longest` elements.
struct Band {
  int64_t rows = 0, columns = 0, lower = 0, upper = 0, longest = 0;
  bool left_above = true, left_below = true;  // short ones are aligned to the left of their row
  bool single = true;  // the stack is a vector, without a dimension for the diagonals

  // Calls visit(i, k) for each element i of the matrix that is element k of the stack.
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t column = 0; column < columns; ++column)
        if (column - row >= lower && column - row <= upper)
          visit(row * columns + column, At(row, column));
    }
  }
  // The index in the stack of the element at (row, column).
  int64_t At(int64_t row, int64_t column) const {
    const int64_t d = column - row;
    const int64_t length =
        std::min(rows + std::min<int64_t>(d, 0), columns - std::max<int64_t>(d, 0));
    const bool left = (d >= 0 && left_above) || (d <= 0 && left_below);
    const int64_t offset = left ? 0 : longest - length;
    return (upper - d) * longest + column - std::max<int64_t>(d, 0) + offset;
  }
  int64_t count() const { return upper - lower + 1; }
  Shape StackShape() const { return single ? Shape{longest} : Shape{count(), longest}; }
};

// Reads input `k` and attribute align where the op has them.
absl::StatusOr<Band> GetBand(const LegalizeContext& context, int k) {
  Band band;
  if (k >= context.num_inputs()) return band;
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> range, context.ConstantInts(k, "k"));
  if (range.empty() || range.size() > 2 || range.front() > range.back() ||
      std::abs(range.front()) > kMostElements || std::abs(range.back()) > kMostElements)
    return Invalid("'k' is [{}]", fmt::join(range, ","));
  band.lower = range.front();
  band.upper = range.back();
  band.single = band.lower == band.upper;
  const bool v3 = context.op().ends_with("V3");
  LINNET_ASSIGN_OR_RETURN(const std::string& align,
                          context.String("align", v3 ? "RIGHT_LEFT" : "LEFT_LEFT"));
  band.left_above = align.starts_with("LEFT");
  band.left_below = align.ends_with("LEFT");
  return band;
}

// Sets the size of the matrix, which must have these diagonals.
absl::Status SetSize(int64_t rows, int64_t columns, Band* band) {
  int64_t elements;
  if (!CheckedMul(rows, columns, &elements) || elements > kMostElements)
    return Unsupported("matrices of {}x{} are too large", rows, columns);
  if ((band->lower <= -rows && band->lower != 0) || (band->upper >= columns && band->upper != 0))
    return Invalid("diagonals {} to {} of a {}x{} matrix", band->lower, band->upper, rows, columns);
  band->rows = rows;
  band->columns = columns;
  band->longest = std::min(rows + std::min<int64_t>(band->upper, 0),
                           columns - std::max<int64_t>(band->lower, 0));
  return absl::OkStatus();
}

// Replaces the node by [batch..., inner...] whose element i is element from[i] of the concatenated
// parts. The parts are [batch..., n]; from[i] = -1 stands for the last part, a scalar.
absl::Status EmitLookup(LegalizeContext& context, const Operands& parts, std::vector<int32_t> from,
                        const Shape& batch, const Shape& inner) {
  LINNET_RETURN_IF_ERROR(parts.status());
  const int64_t count = batch.num_elements();
  int64_t width = 0;
  std::vector<Emitted> rows;
  for (const Output part : parts.outputs()) {
    const bool scalar = context.shape(part).rank() == 0;
    const int64_t n = scalar || count == 0 ? 1 : context.shape(part).num_elements() / count;
    rows.push_back(scalar ? EmitBroadcastTo(context, {count, 1}, part, "rest")
                          : EmitReshape(context, {count, n}, part, "flat"));
    width += n;
  }
  if (count == 0) {
    const Output zero = context.AddScalar(context.type(parts.outputs()[0]).dtype, 0, "zero");
    return context.Replace(EmitBroadcastTo(context, Concatenated(batch, inner), zero));
  }
  for (int32_t& index : from) index = index < 0 ? static_cast<int32_t>(width - 1) : index;
  const Emitted all = EmitJoined(context, rows, 1, "elements");
  const Output indices = context.AddVector(std::move(from), "indices");
  const Emitted y = context.Emit(GatherAttrs{.axis = 1}, {all, indices}, "lookup");
  return context.Replace(EmitReshape(context, Concatenated(batch, inner), y));
}

// The dimensions before those of the stack of diagonals.
absl::StatusOr<Shape> StackBatch(const LegalizeContext& context, int input, const Band& band) {
  const Shape& shape = context.shape(input);
  const int own = band.single ? 1 : 2;
  if (shape.rank() < own || shape.rank() - own + 2 > kMaxRank ||
      (!band.single && shape[shape.rank() - 2] != band.count()))
    return Invalid("diagonal has shape {}, want {} diagonals", ShapeText(shape), band.count());
  return SubShape(shape, 0, shape.rank() - own);
}

// The value of the other elements: input `i`, or zero for an op with one input.
Emitted EmitRest(LegalizeContext& context, int i) {
  if (context.num_inputs() == 1) return context.AddScalar(context.type(0).dtype, 0, "zero");
  return EmitReshape(context, {}, context.input(i), "padding");
}

// V2 and V3 add the inputs k, num_rows, num_cols and the value of the other elements.
absl::Status MatrixDiag(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(Band band, GetBand(context, 1));
  LINNET_ASSIGN_OR_RETURN(const Shape batch, StackBatch(context, 0, band));
  const int64_t longest = context.shape(0).back();
  const int64_t least_rows = longest - std::min<int64_t>(band.upper, 0);
  const int64_t least_columns = longest + std::max<int64_t>(band.lower, 0);
  int64_t rows = -1, columns = -1;
  if (context.num_inputs() != 1) {
    LINNET_ASSIGN_OR_RETURN(rows, context.ConstantInt(2, "num_rows"));
    LINNET_ASSIGN_OR_RETURN(columns, context.ConstantInt(3, "num_cols"));
  }
  const Emitted rest = EmitRest(context, 4);
  const bool square = rows == -1 && columns == -1;
  if (square) rows = columns = std::max(least_rows, least_columns);
  if (rows == -1) rows = least_rows;
  if (columns == -1) columns = least_columns;
  LINNET_RETURN_IF_ERROR(SetSize(rows, columns, &band));
  const bool larger = rows != least_rows && columns != least_columns && !square;
  if (rows < least_rows || columns < least_columns || larger || band.longest != longest)
    return Invalid("diagonals of {} elements in a {}x{} matrix", longest, rows, columns);
  std::vector<int32_t> from(rows * columns, -1);
  band.ForEach([&](int64_t i, int64_t k) { from[i] = static_cast<int32_t>(k); });
  return EmitLookup(context, {context.input(0), rest}, std::move(from), batch, {rows, columns});
}

// The size of the matrices that input 0 holds.
absl::Status SetSizeOfInput(const LegalizeContext& context, Band* band) {
  const Shape& shape = context.shape(0);
  const int rank = shape.rank();
  if (rank < 2) return Invalid("input has shape {}, want matrices", ShapeText(shape));
  return SetSize(shape[rank - 2], shape[rank - 1], band);
}

// Replaces diagonals of matrices. V2 and V3 add the input k.
absl::Status MatrixSetDiag(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(Band band, GetBand(context, 2));
  LINNET_RETURN_IF_ERROR(SetSizeOfInput(context, &band));
  LINNET_ASSIGN_OR_RETURN(const Shape batch, StackBatch(context, 1, band));
  const Shape& shape = context.shape(0);
  if (batch != SubShape(shape, 0, shape.rank() - 2) || context.shape(1).back() != band.longest)
    return Invalid("diagonal {} of {}", ShapeText(context.shape(1)), ShapeText(shape));
  std::vector<int32_t> from(band.rows * band.columns);
  std::iota(from.begin(), from.end(), 0);
  const auto matrix = static_cast<int64_t>(from.size());
  band.ForEach([&](int64_t i, int64_t k) { from[i] = static_cast<int32_t>(matrix + k); });
  return EmitLookup(context, {context.input(0), context.input(1)}, std::move(from), batch,
                    {band.rows, band.columns});
}

// V2 and V3 add the inputs k and the value that fills short diagonals.
absl::Status MatrixDiagPart(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(Band band, GetBand(context, 1));
  LINNET_RETURN_IF_ERROR(SetSizeOfInput(context, &band));
  const Emitted rest = EmitRest(context, 2);
  std::vector<int32_t> from(std::max<int64_t>(band.count() * band.longest, 0), -1);
  band.ForEach([&](int64_t i, int64_t k) { from[k] = static_cast<int32_t>(i); });
  const Shape& shape = context.shape(0);
  return EmitLookup(context, {context.input(0), rest}, std::move(from),
                    SubShape(shape, 0, shape.rank() - 2), band.StackShape());
}

// Diag puts a tensor of any rank on the diagonal of one of twice that rank, DiagPart takes it from
// there.
absl::Status Diag(LegalizeContext& context) {
  const Shape shape = context.shape(0);
  const int64_t n = shape.num_elements();
  if (2 * shape.rank() > kMaxRank || n > (1 << 12))
    return Unsupported("a diagonal of shape {}", ShapeText(shape));
  std::vector<int32_t> from(n * n, -1);
  for (int64_t i = 0; i < n; ++i) from[i * (n + 1)] = static_cast<int32_t>(i);
  const Output zero = context.AddScalar(context.type(0).dtype, 0, "zero");
  return EmitLookup(context, {context.input(0), zero}, std::move(from), {},
                    Concatenated(shape, shape));
}

absl::Status DiagPart(LegalizeContext& context) {
  const Shape shape = context.shape(0);
  const Shape half = SubShape(shape, 0, shape.rank() / 2);
  if (Concatenated(half, half) != shape || shape.rank() == 0)
    return Invalid("input has shape {}, want one dimension for each other", ShapeText(shape));
  const int64_t n = half.num_elements();
  if (n > kMostElements) return Unsupported("a diagonal of {} elements", n);
  std::vector<int32_t> from;
  for (int64_t i = 0; i < n; ++i) from.push_back(static_cast<int32_t>(i * (n + 1)));
  return EmitLookup(context, {context.input(0)}, std::move(from), {}, half);
}

constexpr char kLookup[] = "Reshape, Concat, Gather";
constexpr char kDiagonals[] = "Reshape, Concat, Gather; k known";

}  // namespace

std::span<const TfOp> DiagonalOps() {
  static constexpr TfOp kRows[] = {
      {"BatchMatrixDiag", MatrixDiag, kLookup},
      {"BatchMatrixDiagPart", MatrixDiagPart, kLookup},
      {"BatchMatrixSetDiag", MatrixSetDiag, kLookup},
      {"Diag", Diag, kLookup},
      {"DiagPart", DiagPart, kLookup},
      {"MatrixDiag", MatrixDiag, kLookup},
      {"MatrixDiagPart", MatrixDiagPart, kLookup},
      {"MatrixDiagPartV2", MatrixDiagPart, kDiagonals},
      {"MatrixDiagPartV3", MatrixDiagPart, kDiagonals},
      {"MatrixDiagV2", MatrixDiag, kDiagonals},
      {"MatrixDiagV3", MatrixDiag, kDiagonals},
      {"MatrixSetDiag", MatrixSetDiag, kLookup},
      {"MatrixSetDiagV2", MatrixSetDiag, kDiagonals},
      {"MatrixSetDiagV3", MatrixSetDiag, kDiagonals},
  };
  return kRows;
}

}  // namespace linnet::converter
