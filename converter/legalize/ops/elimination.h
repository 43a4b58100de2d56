// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "converter/legalize/context/legalize_context.h"

// Linear equations and factors of small matrices, spelled out as ops. The last two dimensions of
// each value are the matrix, those before are batches; a step for each column takes all matrices of
// the batches at once, so the number of ops depends on n, the side of the matrices, alone.
//
// A plan has no way to fail because of what is in a tensor. So where TensorFlow reports a matrix
// that is singular, or not positive definite, there are infinities and NaN in the result.
namespace linnet::converter {

// The largest n: a column becomes up to 22 ops, so this is about 2,800 ops, half a megabyte of
// plan.
inline constexpr int64_t kMostColumns = 128;

// Some of the rows or columns of a matrix.
struct Lines {
  int64_t begin = 0, size = 0;
};
Emitted EmitBlock(LegalizeContext& context, Lines rows, Lines columns, const Emitted& x,
                  std::string_view suffix);
Emitted EmitTransposed(LegalizeContext& context, const Emitted& x, std::string_view suffix);

// What eliminated a column.
struct PivotRow {
  Emitted row;       // [..., 1, columns]: the row with the pivot
  Emitted pivot;     // [..., 1, 1]
  Emitted position;  // i32 [..., 1]: which of the rows left it was; empty for the last row
};

// What happens to the columns that have been eliminated.
enum class Eliminated {
  kDropped,  // a row begins with its pivot
  kFactors,  // they hold the multiples of pivot rows that were subtracted, as in LAPACK's getrf
};

// Gaussian elimination of the first n columns (kDropped), or of the n columns behind the first one,
// which goes with its row (kFactors), in n rows. Of the rows left, the one with the largest
// magnitude in the column becomes the pivot row, the first of several, as in LAPACK: it changes
// places with the first row left.
std::vector<PivotRow> EmitElimination(LegalizeContext& context, int64_t n, Eliminated eliminated,
                                      const Emitted& x);

// X in AX = B. A is [batch, n, n] and B is [batch, n, m]; for constant A its inverse is computed at
// conversion, and X is a product.
Emitted EmitSolution(LegalizeContext& context, int64_t n, const Emitted& a, const Emitted& b);
Emitted EmitInverse(LegalizeContext& context, int64_t n, const Emitted& a);

// The same for a triangular A, of which only that half is read; batches of A and B broadcast.
Emitted EmitTriangularSolution(LegalizeContext& context, int64_t n, bool lower, const Emitted& a,
                               const Emitted& b);

// The lower triangular L in A = L L^T, of which only the lower half is read.
Emitted EmitCholesky(LegalizeContext& context, int64_t n, const Emitted& a);

}  // namespace linnet::converter
