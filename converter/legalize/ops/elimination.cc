// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/ops/elimination.h"

#include <algorithm>
#include <utility>

#include "converter/legalize/context/building_blocks.h"
#include "runtime/ops/arg_reduce.h"
#include "runtime/ops/batch_matmul.h"
#include "runtime/ops/gather.h"
#include "runtime/ops/one_hot.h"

namespace linnet::converter {
namespace {

Emitted EmitMatrixProduct(LegalizeContext& context, const Emitted& a, const Emitted& b,
                          std::string_view suffix) {
  return context.Emit(BatchMatMulAttrs(), {a, b}, suffix);
}

// Rows of x, or columns of x, in full.
Emitted EmitWholeRows(LegalizeContext& context, Lines rows, const Emitted& x,
                      std::string_view suffix) {
  if (!x.ok()) return x;
  return EmitBlock(context, rows, {0, context.shape(*x).back()}, x, suffix);
}
Emitted EmitWholeColumns(LegalizeContext& context, Lines columns, const Emitted& x,
                         std::string_view suffix) {
  if (!x.ok()) return x;
  const Shape& shape = context.shape(*x);
  return EmitBlock(context, {0, shape[shape.rank() - 2]}, columns, x, suffix);
}

// [..., n, n], as many as there are matrices in `like`. Were it a constant, the plan would hold all
// of them. So they are made of the constant matrix and of one `false` for each matrix in `like`,
// whose first element is not less than itself.
Emitted EmitIdentity(LegalizeContext& context, int64_t n, const Emitted& like) {
  if (!like.ok()) return like;
  void* data = nullptr;
  Constant mask = Constant::Allocate({DType::kBool, {n, n}}, &data);
  for (int64_t i = 0; i < n; ++i) static_cast<uint8_t*>(data)[i * (n + 1)] = 1;
  const Output diagonal = context.AddConstant(std::move(mask), "diagonal");
  const Emitted first = EmitBlock(context, {0, 1}, {0, 1}, like, "first");
  const Emitted no = EmitCompare(context, CompareKind::Less, first, first, "no");
  const Emitted ones = EmitBinary(context, BinaryKind::LogicalOr, diagonal, no, "ones");
  return EmitCast(context, DType::kFloat32, ones, "identity");
}

bool AreConstant(const Emitted& x) {
  return x.ok() && LegalizeContext::FindConstant(*x) != nullptr;
}

// The steps of an elimination.
class Elimination {
 public:
  Elimination(LegalizeContext& context, int rank)
      : context_(context),
        row_axis_(rank - 2),
        one_(context.AddScalar(DType::kInt32, 1, "one")),
        yes_(context.AddScalar(DType::kBool, 1, "yes")),
        no_(context.AddScalar(DType::kBool, 0, "no")) {}

  // The row with the largest magnitude in `column`.
  PivotRow Pick(int64_t column, const Emitted& left) const {
    PivotRow found{.row = left, .pivot = Output(), .position = Output()};
    if (CountOf(left) > 1) {
      const Emitted values = EmitWholeColumns(context_, {column, 1}, left, "column");
      const Emitted magnitudes = EmitUnary(context_, UnaryKind::Abs, values, "magnitudes");
      found.position = context_.Emit(ArgReduceAttrs{.axis = row_axis_, .dtype = DType::kInt32},
                                     {magnitudes}, "position");
      found.row = context_.Emit(GatherAttrs{.axis = row_axis_, .batch_dims = row_axis_},
                                {left, found.position}, "pivot_row");
    }
    found.pivot = EmitWholeColumns(context_, {column, 1}, found.row, "pivot");
    return found;
  }

  // The rows left but for the pivot row, in whose place is the first row.
  Emitted Others(const PivotRow& pivot, const Emitted& left) const {
    const int64_t others = CountOf(left) - 1;
    const Emitted place =
        EmitBinary(context_, BinaryKind::Sub, pivot.position, one_, "position_behind_first");
    const Emitted is_pivot = context_.Emit(OneHotAttrs{.depth = others, .axis = row_axis_},
                                           {place, yes_, no_}, "is_pivot");
    const Emitted first = EmitWholeRows(context_, {0, 1}, left, "first");
    const Emitted behind_first = EmitWholeRows(context_, {1, others}, left, "behind_first");
    return EmitSelect(context_, is_pivot, first, behind_first, "others");
  }

  // The rows without `column`: it has the factors instead, or is dropped along with those before.
  // A column of zeros has a pivot of 0, and needs no elimination.
  Emitted Eliminate(int64_t column, Eliminated eliminated, const PivotRow& pivot,
                    const Emitted& others) const {
    if (!others.ok()) return others;
    const Lines behind = {column + 1, context_.shape(*others).back() - column - 1};
    const Emitted values = EmitWholeColumns(context_, {column, 1}, others, "values");
    const Emitted factors =
        EmitBinary(context_, BinaryKind::DivNoNan, values, pivot.pivot, "factors");
    const Emitted row = EmitWholeColumns(context_, behind, pivot.row, "behind_pivot");
    const Emitted product = EmitBinary(context_, BinaryKind::Mul, factors, row, "multiples");
    const Emitted before = EmitWholeColumns(context_, behind, others, "behind_values");
    Emitted rest = EmitBinary(context_, BinaryKind::Sub, before, product, "rest");
    if (eliminated == Eliminated::kDropped) return rest;
    const Emitted kept = EmitWholeColumns(context_, {0, column}, others, "kept");
    return EmitJoined(context_, {kept, factors, rest}, row_axis_ + 1, "left");
  }

 private:
  int64_t CountOf(const Emitted& rows) const {
    return rows.ok() ? context_.shape(*rows)[row_axis_] : 0;
  }

  LegalizeContext& context_;
  const int row_axis_;
  const Output one_, yes_, no_;
};

// X in AX = B, where A is no constant.
Emitted EmitSolutionByElimination(LegalizeContext& context, int64_t n, const Emitted& a,
                                  const Emitted& b) {
  if (!a.ok() || !b.ok()) return a.ok() ? b : a;
  const int rank = context.shape(*b).rank();
  const int64_t m = context.shape(*b).back();
  const Emitted equations = EmitJoined(context, {a, b}, rank - 1, "equations");
  const std::vector<PivotRow> rows = EmitElimination(context, n, Eliminated::kDropped, equations);
  Emitted x = b;
  for (int64_t known = 0; known < n; ++known) {
    const PivotRow& row = rows[n - 1 - known];
    Emitted value = EmitWholeColumns(context, {1 + known, m}, row.row, "right_side");
    if (known > 0) {
      const Emitted factors = EmitWholeColumns(context, {1, known}, row.row, "coefficients");
      const Emitted product = EmitMatrixProduct(context, factors, x, "known_part");
      value = EmitBinary(context, BinaryKind::Sub, value, product, "unknown_part");
    }
    value = EmitBinary(context, BinaryKind::Div, value, row.pivot, "unknown");
    x = known == 0 ? value : EmitJoined(context, {value, x}, rank - 2, "solved");
  }
  return x;
}

// One row after another, each subtracted from those that follow as soon as it is known.
Emitted EmitSubstitution(LegalizeContext& context, int64_t n, bool lower, const Emitted& a,
                         const Emitted& b) {
  Emitted right = b;
  std::vector<Emitted> solved;
  for (int64_t left = n - 1; left >= 0; --left) {  // rows that are left behind this one
    const int64_t row = lower ? n - 1 - left : left;
    const Emitted pivot = EmitBlock(context, {row, 1}, {row, 1}, a, "pivot");
    const Emitted value = EmitWholeRows(context, {lower ? 0 : left, 1}, right, "right_side");
    solved.push_back(EmitBinary(context, BinaryKind::Div, value, pivot, "unknown"));
    if (left == 0) break;
    const Emitted factors =
        EmitBlock(context, {lower ? row + 1 : 0, left}, {row, 1}, a, "coefficients");
    const Emitted product =
        EmitBinary(context, BinaryKind::Mul, factors, solved.back(), "known_part");
    const Emitted before = EmitWholeRows(context, {lower ? 1 : 0, left}, right, "rest");
    right = EmitBinary(context, BinaryKind::Sub, before, product, "unknown_part");
  }
  if (!lower) std::ranges::reverse(solved);
  if (!solved[0].ok()) return solved[0];
  return EmitJoined(context, solved, context.shape(*solved[0]).rank() - 2, "solved");
}

}  // namespace

Emitted EmitBlock(LegalizeContext& context, Lines rows, Lines columns, const Emitted& x,
                  std::string_view suffix) {
  if (!x.ok()) return x;
  const int rank = context.shape(*x).rank();
  Shape begin = Filled(rank, 0), size = context.shape(*x);
  begin[rank - 2] = rows.begin;
  size[rank - 2] = rows.size;
  begin[rank - 1] = columns.begin;
  size[rank - 1] = columns.size;
  return EmitSlice(context, begin, size, x, suffix);
}

Emitted EmitTransposed(LegalizeContext& context, const Emitted& x, std::string_view suffix) {
  if (!x.ok()) return x;
  const int rank = context.shape(*x).rank();
  Shape perm;
  for (int i = 0; i < rank - 2; ++i) perm.Append(i);
  perm.Append(rank - 1);
  perm.Append(rank - 2);
  return EmitTranspose(context, perm, x, suffix);
}

std::vector<PivotRow> EmitElimination(LegalizeContext& context, int64_t n, Eliminated eliminated,
                                      const Emitted& x) {
  std::vector<PivotRow> rows;
  const Elimination steps(context, x.ok() ? context.shape(*x).rank() : 2);
  Emitted left = x;
  for (int64_t j = 0; j < n; ++j) {
    const int64_t column = eliminated == Eliminated::kDropped ? 0 : 1 + j;
    rows.push_back(steps.Pick(column, left));
    if (j == n - 1) break;
    const Emitted others = steps.Others(rows.back(), left);
    left = steps.Eliminate(column, eliminated, rows.back(), others);
  }
  return rows;
}

Emitted EmitInverse(LegalizeContext& context, int64_t n, const Emitted& a) {
  if (n == 0) return a;
  return EmitSolutionByElimination(context, n, a, EmitIdentity(context, n, a));
}

Emitted EmitSolution(LegalizeContext& context, int64_t n, const Emitted& a, const Emitted& b) {
  if (AreConstant(a) || n == 0)
    return EmitMatrixProduct(context, EmitInverse(context, n, a), b, "solution");
  return EmitSolutionByElimination(context, n, a, b);
}

Emitted EmitTriangularSolution(LegalizeContext& context, int64_t n, bool lower, const Emitted& a,
                               const Emitted& b) {
  if (n == 0) return EmitMatrixProduct(context, a, b, "solution");
  if (!AreConstant(a)) return EmitSubstitution(context, n, lower, a, b);
  const Emitted identity = EmitIdentity(context, n, a);
  const Emitted inverse = EmitSubstitution(context, n, lower, a, identity);
  return EmitMatrixProduct(context, inverse, b, "solution");
}

Emitted EmitCholesky(LegalizeContext& context, int64_t n, const Emitted& a) {
  if (!a.ok() || n == 0) return a;
  const int rank = context.shape(*a).rank();
  const Shape none = Filled(rank, 0);
  Emitted left = a;
  std::vector<Emitted> columns;
  for (int64_t j = 0; j < n; ++j) {
    const Emitted pivot = EmitBlock(context, {0, 1}, {0, 1}, left, "pivot");
    const Emitted root = EmitUnary(context, UnaryKind::Sqrt, pivot, "root");
    const Emitted values = EmitWholeColumns(context, {0, 1}, left, "values");
    const Emitted column = EmitBinary(context, BinaryKind::Div, values, root, "column");
    Shape zeros = none;
    zeros[rank - 2] = j;
    columns.push_back(EmitPad(context, zeros, none, column, "whole_column"));
    if (j == n - 1) break;
    const Lines behind = {1, n - 1 - j};
    const Emitted below = EmitWholeRows(context, behind, column, "below");
    const Emitted squares =
        context.Emit(BatchMatMulAttrs{.transpose_b = true}, {below, below}, "squares");
    const Emitted before = EmitBlock(context, behind, behind, left, "before");
    left = EmitBinary(context, BinaryKind::Sub, before, squares, "rest");
  }
  return EmitJoined(context, columns, rank - 1, "factor");
}

}  // namespace linnet::converter
