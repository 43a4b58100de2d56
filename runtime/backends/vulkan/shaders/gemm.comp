// SPDX-License-Identifier: Apache-2.0
// y[r][o] = clamp(bias[o] + sum_k x[r][k] * filter[k][o]): FullyConnected, and Conv2D whose windows are pixels. A thread computes
// kRows rows x kQuads quads; adjacent threads have adjacent quads of the same rows.
#version 450
#include "linnet.glsl"
#include "range.glsl"
#include "../abi/gemm.h"

layout(constant_id = 1) const int kRows = 4;
layout(constant_id = 2) const int kQuads = 1;

layout(push_constant) uniform Push { GemmPush p; };
READ_F(0, x);
READ_F(1, filters);  // quads [k][o / 4], with k up to the padding of x's rows, then the bias
WRITE_F(2, y);

const int kMaxRows = 8;

void main() {
  const uint id = LinearId();
  const uint line = id / p.block, block = line / p.row_tiles;
  const uint row = (line - block * p.row_tiles) * kRows, quad = id - line * p.block + block * p.block;
  if (quad >= p.quad_tiles) return;
  // Half a row away, so that adjacent threads read adjacent quads.
  const uint other = min(quad + p.quad_tiles, p.out_quads - 1u);

  const uint bias = p.in_quads * 4u * p.out_quads;
  uint from[kMaxRows];
  vec4 sum[kMaxRows], sum2[kMaxRows];
  for (int t = 0; t < kRows; ++t) {
    from[t] = min(row + t, p.rows - 1u) * p.in_quads;
    sum[t] = LOAD(filters, bias + quad);
    if (kQuads == 2) sum2[t] = LOAD(filters, bias + other);
  }
  uint w = quad, w2 = other;
  for (uint k = 0u; k < p.in_quads; ++k) {
    vec4 a[kMaxRows];
    for (int t = 0; t < kRows; ++t) a[t] = LOAD(x, from[t] + k);
    for (int i = 0; i < 4; ++i) {
      const vec4 b = LOAD(filters, w);
      w += p.out_quads;
      for (int t = 0; t < kRows; ++t) sum[t] += a[t][i] * b;
      if (kQuads == 2) {
        const vec4 b2 = LOAD(filters, w2);
        w2 += p.out_quads;
        for (int t = 0; t < kRows; ++t) sum2[t] += a[t][i] * b2;
      }
    }
  }
  for (int t = 0; t < kRows; ++t) {
    if (row + t >= p.rows) break;
    const uint to = (row + t) * p.out_quads;
    STORE(y, to + quad, Masked(InRange(sum[t], p.min, p.max), quad, p.columns));
    if (kQuads == 2 && quad + p.quad_tiles < p.out_quads)
      STORE(y, to + other, Masked(InRange(sum2[t], p.min, p.max), other, p.columns));
  }
}
