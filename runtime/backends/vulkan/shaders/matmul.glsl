// SPDX-License-Identifier: Apache-2.0
// The product of two matrices that are both computed at run time, for each index of a batch: what matmul.comp and matmul_i32.comp
// share. They define QUAD (vec4 or ivec4), the buffers a, b and y, and Finish.

#include "sums.glsl"

layout(constant_id = 1) const int kRows = 4;
layout(constant_id = 2) const int kQuads = 1;
layout(constant_id = 3) const bool kTransposeA = false;
layout(constant_id = 4) const bool kTransposeB = false;

const int kMaxRows = LINNET_MATMUL_ROWS;

// Quad `quad` of rows first..first+3 of a as it is stored; rows that do not exist are 0.
A4[4] StoredA(uint base, uint first, uint rows, uint quad) {
  A4 result[4];
  for (int i = 0; i < 4; ++i) {
    const uint row = first + uint(i);
    const A4 value = LOAD_A(a, base + min(row, rows - 1u) * p.a_quads + quad);
    result[i] = row < rows ? value : A4(0);
  }
  return result;
}

A4[4] StoredB(uint base, uint first, uint rows, uint quad) {
  A4 result[4];
  for (int i = 0; i < 4; ++i) {
    const uint row = first + uint(i);
    const A4 value = LOAD_A(b, base + min(row, rows - 1u) * p.b_quads + quad);
    result[i] = row < rows ? value : A4(0);
  }
  return result;
}

A4[4] Transposed(A4 rows[4]) {
  A4 result[4];
  for (int i = 0; i < 4; ++i) result[i] = A4(rows[0][i], rows[1][i], rows[2][i], rows[3][i]);
  return result;
}

// Quads along the columns of rows k..k+3 of b.
A4[4] RowsOfB(uint base, uint k, uint quad) {
  if (kTransposeB) return Transposed(StoredB(base, quad * 4u, p.columns, k / 4u));
  return StoredB(base, k, p.depth, quad);
}

// The index along dimension `dim` of the batch; `rest` becomes the number of the outer dimensions.
uint IndexAlong(int dim, inout uint rest) {
  const uint outer = rest / p.batch_dims[dim], index = rest - outer * p.batch_dims[dim];
  rest = outer;
  return index;
}

#ifdef LINNET_F16A
// One sum in 32 bits.
QUAD WideSum(uint a_base, uint b_base, uint row, uint quad) {
  QUAD sum = QUAD(0);
  for (uint k = 0u; k < p.depth; k += 4u) {
    const A4 left = kTransposeA ? Transposed(StoredA(a_base, k, p.depth, row / 4u))[row % 4u]
                                : LOAD_A(a, a_base + row * p.a_quads + k / 4u);
    const A4 right[4] = RowsOfB(b_base, k, quad);
    for (int i = 0; i < 4; ++i) sum += QUAD(left)[i] * QUAD(right[i]);
  }
  return sum;
}
#endif

void main() {
  const uint id = LinearId();
  uint rest = id / p.quad_tiles;
  const uint quad = id - rest * p.quad_tiles;
  // Half a row away, so that adjacent threads read adjacent quads.
  const uint other = min(quad + p.quad_tiles, p.out_quads - 1u);
  const uint batch = rest / p.row_tiles;
  const uint row = (rest - batch * p.row_tiles) * uint(kRows);
  if (batch >= p.batches) return;
  rest = batch;
  const uint i3 = IndexAlong(3, rest), i2 = IndexAlong(2, rest), i1 = IndexAlong(1, rest), i0 = IndexAlong(0, rest);
  const uint a_base = i0 * p.a_strides[0] + i1 * p.a_strides[1] + i2 * p.a_strides[2] + i3 * p.a_strides[3];
  const uint b_base = i0 * p.b_strides[0] + i1 * p.b_strides[1] + i2 * p.b_strides[2] + i3 * p.b_strides[3];

  QUAD sum[kMaxRows], sum2[kMaxRows];
  A4 part[kMaxRows], part2[kMaxRows];
  for (int t = 0; t < kRows; ++t) {
    sum[t] = sum2[t] = QUAD(0);
    part[t] = part2[t] = A4(0);
  }
  for (uint k = 0u; k < p.depth; k += 4u) {
    A4 left[kMaxRows];  // quads along k of the rows of a
    if (kTransposeA) {
      left = Transposed(StoredA(a_base, k, p.depth, row / 4u));
    } else {
      for (int t = 0; t < kRows; ++t) left[t] = LOAD_A(a, a_base + min(row + uint(t), p.rows - 1u) * p.a_quads + k / 4u);
    }
    const A4 right[4] = RowsOfB(b_base, k, quad);
    for (int i = 0; i < 4; ++i)
      for (int t = 0; t < kRows; ++t) PARTS(part, sum)[t] += left[t][i] * right[i];
    if (kQuads == 2) {
      const A4 right2[4] = RowsOfB(b_base, k, other);
      for (int i = 0; i < 4; ++i)
        for (int t = 0; t < kRows; ++t) PARTS(part2, sum2)[t] += left[t][i] * right2[i];
    }
#ifdef LINNET_F16A
    if (IsPartFull(k / 4u + 1u)) {
      for (int t = 0; t < kRows; ++t) {
        AddPart(sum[t], part[t]);
        if (kQuads == 2) AddPart(sum2[t], part2[t]);
      }
    }
#endif
  }
#ifdef LINNET_F16A
  uint spoiled = 0u;
  for (int t = 0; t < kRows; ++t) {
    AddPart(sum[t], part[t]);
    if (IsSpoiled(sum[t])) spoiled |= 1u << t;
    if (kQuads == 1) continue;
    AddPart(sum2[t], part2[t]);
    if (IsSpoiled(sum2[t])) spoiled |= 1u << (kMaxRows + t);
  }
  for (; spoiled != 0u; spoiled &= spoiled - 1u) {
    const int place = findLSB(spoiled);
    const uint line = min(row + uint(place % kMaxRows), p.rows - 1u);
    const QUAD wide = WideSum(a_base, b_base, line, place < kMaxRows ? quad : other);
    for (int t = 0; t < kRows; ++t) {
      if (place == t) sum[t] = wide;
      if (place == kMaxRows + t) sum2[t] = wide;
    }
  }
#endif
  const uint to = batch * p.rows * p.out_quads;
  for (int t = 0; t < kRows; ++t) {
    if (row + uint(t) >= p.rows) break;
    const uint line = to + (row + uint(t)) * p.out_quads;
    STORE(y, line + quad, Finish(sum[t], quad));
    if (kQuads == 2 && quad + p.quad_tiles < p.out_quads) STORE(y, line + other, Finish(sum2[t], other));
  }
}
