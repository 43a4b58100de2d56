// SPDX-License-Identifier: Apache-2.0
// y[r][o] = clamp(bias[o] + sum_k x[r][k] * filter[k][o]): FullyConnected, and Conv2D whose windows are pixels. A thread computes
// kRows rows x kQuads quads; adjacent threads have adjacent quads of the same rows.
#version 450
#include "linnet.glsl"
#include "filter.glsl"
#include "sums.glsl"
#include "../abi/gemm.h"

layout(constant_id = 1) const int kRows = 4;
layout(constant_id = 2) const int kQuads = 1;

layout(push_constant) uniform Push { GemmPush p; };
READ_F(0, x);
READ_F(1, filters);  // its terms are those of x's rows with their padding
WRITE_F(2, y);
READ_F(3, epilogue_first);
#include "epilogue.glsl"

const int kMaxRows = 8, kMaxQuads = 4;
#define TILE_LINES kRows
#define TILE_MAX_LINES kMaxRows
#include "store_tile.glsl"

#ifdef LINNET_F16A
// One sum in 32 bits.
vec4 WideSum(uint row, uint quad) {
  const uint terms = p.in_quads * 4u, w_step = FilterStep(quad, p.out_quads);
  uint w = FilterStart(quad, terms);
  vec4 sum = LOAD(filters, FilterBias(quad, terms, p.out_quads));
  for (uint k = 0u; k < p.in_quads; ++k) {
    const vec4 a = LOAD(x, row * p.in_quads + k);
    for (int i = 0; i < 4; ++i, w += w_step) sum += a[i] * LOAD(filters, w);
  }
  return sum;
}
#endif

void main() {
  const uint id = LinearId();
  const uint line = id / p.block, block = line / p.row_tiles;
  const uint row = (line - block * p.row_tiles) * kRows, quad = id - line * p.block + block * p.block;
  if (quad >= p.quad_tiles) return;

  const uint terms = p.in_quads * 4u;
  // A thread's quads are as far apart as there are tiles, so that adjacent threads read adjacent quads.
  uint quads[kMaxQuads], w[kMaxQuads], w_step[kMaxQuads];
  vec4 sum[kMaxQuads][kMaxRows];
  A4 part[kMaxQuads][kMaxRows];
  for (int q = 0; q < kQuads; ++q) {
    quads[q] = min(quad + uint(q) * p.quad_tiles, p.out_quads - 1u);
    w[q] = FilterStart(quads[q], terms);
    w_step[q] = FilterStep(quads[q], p.out_quads);
    const vec4 bias = LOAD(filters, FilterBias(quads[q], terms, p.out_quads));
    for (int t = 0; t < kRows; ++t) {
      sum[q][t] = bias;
      part[q][t] = A4(0);
    }
  }
  uint from[kMaxRows];
  for (int t = 0; t < kRows; ++t) from[t] = min(row + t, p.rows - 1u) * p.in_quads;
  for (uint k = 0u; k < p.in_quads; ++k) {
    A4 a[kMaxRows];
    for (int t = 0; t < kRows; ++t) a[t] = LOAD_A(x, from[t] + k);
    for (int i = 0; i < 4; ++i) {
      for (int q = 0; q < kQuads; ++q) {
        const A4 b = LOAD_A(filters, w[q]);
        w[q] += w_step[q];
        for (int t = 0; t < kRows; ++t) PARTS(part, sum)[q][t] += a[t][i] * b;
      }
    }
#ifdef LINNET_F16A
    if (IsPartFull(k + 1u)) {
      for (int q = 0; q < kQuads; ++q)
        for (int t = 0; t < kRows; ++t) AddPart(sum[q][t], part[q][t]);
    }
#endif
  }
#ifdef LINNET_F16A
  uint spoiled = 0u;
  for (int q = 0; q < kQuads; ++q) {
    for (int t = 0; t < kRows; ++t) {
      AddPart(sum[q][t], part[q][t]);
      if (IsSpoiled(sum[q][t])) spoiled |= 1u << (q * kMaxRows + t);
    }
  }
  for (; spoiled != 0u; spoiled &= spoiled - 1u) {
    const int place = findLSB(spoiled);
    const uint of = min(quad + uint(place / kMaxRows) * p.quad_tiles, p.out_quads - 1u);
    const vec4 wide = WideSum(min(row + uint(place % kMaxRows), p.rows - 1u), of);
    for (int q = 0; q < kQuads; ++q)
      for (int t = 0; t < kRows; ++t)
        if (place == q * kMaxRows + t) sum[q][t] = wide;
  }
#endif
  StoreTile(sum, row * p.out_quads, min(uint(kRows), p.rows - row), quad);
}
