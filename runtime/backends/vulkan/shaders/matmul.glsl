// SPDX-License-Identifier: Apache-2.0
// The product of two matrices that are both computed at run time, for each index of a batch: what matmul.comp and matmul_i32.comp
// share. They define QUAD (vec4 or ivec4), the buffers a, b and y, and Finish.

layout(constant_id = 1) const int kRows = 4;
layout(constant_id = 2) const int kQuads = 1;
layout(constant_id = 3) const bool kTransposeA = false;
layout(constant_id = 4) const bool kTransposeB = false;

const int kMaxRows = 4;

// Rows row..row+3 of a stored matrix, of which only those before `rows` exist; the others are 0. Column quad `quad`.
#define LOAD_ROWS(to, matrix, base, row, rows, stride, quad)                                            \
  for (int i_ = 0; i_ < 4; ++i_) {                                                                      \
    const QUAD loaded_ = matrix[(base) + min((row) + uint(i_), (rows) - 1u) * (stride) + (quad)];        \
    to[i_] = (row) + uint(i_) < (rows) ? loaded_ : QUAD(0);                                             \
  }

#define TRANSPOSE(to, from)                                                        \
  for (int i_ = 0; i_ < 4; ++i_) to[i_] = QUAD(from[0][i_], from[1][i_], from[2][i_], from[3][i_]);

// Quads along the columns of rows k..k+3 of b.
#define LOAD_B(to, quad)                                             \
  if (kTransposeB) {                                                 \
    QUAD stored_[4];                                                 \
    LOAD_ROWS(stored_, b, b_base, (quad) * 4u, p.columns, p.b_quads, k / 4u) \
    TRANSPOSE(to, stored_)                                           \
  } else {                                                           \
    LOAD_ROWS(to, b, b_base, k, p.depth, p.b_quads, quad)            \
  }

#define ADD_PRODUCTS(sum, left, right) \
  for (int i_ = 0; i_ < 4; ++i_)       \
    for (int t = 0; t < kRows; ++t) sum[t] += left[t][i_] * right[i_];

void main() {
  const uint id = LinearId();
  uint rest = id / p.quad_tiles;
  const uint quad = id - rest * p.quad_tiles;
  // Half a row away, so that adjacent threads read adjacent quads.
  const uint other = min(quad + p.quad_tiles, p.out_quads - 1u);
  uint batch = rest / p.row_tiles;
  const uint row = (rest - batch * p.row_tiles) * uint(kRows);
  if (batch >= p.batches) return;
  const uint to = batch * p.rows * p.out_quads;
  uint a_base = 0u, b_base = 0u;
  for (int d = LINNET_MATMUL_BATCH_RANK - 1; d >= 0; --d) {
    const uint outer = batch / p.batch_dims[d], index = batch - outer * p.batch_dims[d];
    a_base += index * p.a_strides[d];
    b_base += index * p.b_strides[d];
    batch = outer;
  }

  QUAD sum[kMaxRows], sum2[kMaxRows];
  for (int t = 0; t < kRows; ++t) sum[t] = sum2[t] = QUAD(0);
  for (uint k = 0u; k < p.depth; k += 4u) {
    QUAD left[kMaxRows], right[4];  // `left`: quads along k of the rows of a
    if (kTransposeA) {
      QUAD stored[4];
      LOAD_ROWS(stored, a, a_base, k, p.depth, p.a_quads, row / 4u)
      TRANSPOSE(left, stored)
    } else {
      for (int t = 0; t < kRows; ++t) left[t] = a[a_base + min(row + uint(t), p.rows - 1u) * p.a_quads + k / 4u];
    }
    LOAD_B(right, quad)
    ADD_PRODUCTS(sum, left, right)
    if (kQuads == 2) {
      LOAD_B(right, other)
      ADD_PRODUCTS(sum2, left, right)
    }
  }
  for (int t = 0; t < kRows; ++t) {
    if (row + uint(t) >= p.rows) break;
    const uint line = to + (row + uint(t)) * p.out_quads;
    y[line + quad] = Finish(sum[t], quad);
    if (kQuads == 2 && quad + p.quad_tiles < p.out_quads) y[line + other] = Finish(sum2[t], other);
  }
}
