// SPDX-License-Identifier: Apache-2.0
// The products of a Winograd convolution: for each matrix of winograd_in.comp, its rows times the filter's matrix of that number. A
// thread computes kRows rows x kQuads quads of one matrix; adjacent threads have adjacent quads of the same rows.
#version 450
#include "linnet.glsl"
#include "filter.glsl"
#include "../abi/winograd_product.h"

layout(constant_id = 1) const int kRows = 4;
layout(constant_id = 2) const int kQuads = 1;

layout(push_constant) uniform Push { WinogradProductPush p; };
READ_F32(0, v);
READ_F(1, filters);  // one filter without bias for each matrix
WRITE_F32(2, m);

const int kMaxRows = 8, kMaxQuads = 4;

void main() {
  const uint id = LinearId();
  const uint line = id / p.block, any_block = line / p.row_tiles;
  const uint matrix = any_block / p.blocks, block = any_block - matrix * p.blocks;
  const uint row = (line - any_block * p.row_tiles) * kRows, quad = id - line * p.block + block * p.block;
  if (matrix >= p.matrices || quad >= p.quad_tiles) return;

  const uint terms = p.in_quads * 4u, filter_start = matrix * terms * p.out_quads;
  // A thread's quads are as far apart as there are tiles, so that adjacent threads read adjacent quads.
  uint quads[kMaxQuads], w[kMaxQuads], w_step[kMaxQuads];
  vec4 sum[kMaxQuads][kMaxRows];
  for (int q = 0; q < kQuads; ++q) {
    quads[q] = min(quad + uint(q) * p.quad_tiles, p.out_quads - 1u);
    w[q] = filter_start + FilterStart(quads[q], terms);
    w_step[q] = FilterStep(quads[q], p.out_quads);
    for (int t = 0; t < kRows; ++t) sum[q][t] = vec4(0.0);
  }
  uint from[kMaxRows];
  for (int t = 0; t < kRows; ++t) from[t] = (matrix * p.rows + min(row + t, p.rows - 1u)) * p.in_quads;
  for (uint k = 0u; k < p.in_quads; ++k) {
    vec4 a[kMaxRows];
    for (int t = 0; t < kRows; ++t) a[t] = LOAD_F32(v, from[t] + k);
    for (int i = 0; i < 4; ++i) {
      for (int q = 0; q < kQuads; ++q) {
        const vec4 b = LOAD(filters, w[q]);
        w[q] += w_step[q];
        for (int t = 0; t < kRows; ++t) sum[q][t] += a[t][i] * b;
      }
    }
  }
  for (int t = 0; t < kRows; ++t) {
    if (row + t >= p.rows) break;
    const uint to = (matrix * p.rows + row + t) * p.out_quads;
    for (int q = 0; q < kQuads; ++q) {
      if (quad + uint(q) * p.quad_tiles < p.out_quads) STORE_F32(m, to + quads[q], sum[q][t]);
    }
  }
}
