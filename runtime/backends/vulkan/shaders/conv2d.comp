// SPDX-License-Identifier: Apache-2.0
// Conv2D of any window. A thread computes kPixels pixels that lie side by side, kQuads quads of each; adjacent threads have adjacent
// quads of the same pixels.
#version 450
#include "linnet.glsl"
#include "filter.glsl"
#include "sums.glsl"
#include "../abi/conv2d.h"

layout(constant_id = 1) const int kPixels = 4;
layout(constant_id = 2) const int kQuads = 1;

layout(push_constant) uniform Push { Conv2DPush p; };
READ_F(0, x);
READ_F(1, filters);  // its terms are [ky][kx][4 * depth]
WRITE_F(2, y);
READ_F(3, epilogue_first);
#include "epilogue.glsl"

const int kMaxPixels = 8, kMaxQuads = 4;
#define TILE_LINES kPixels
#define TILE_MAX_LINES kMaxPixels
#include "store_tile.glsl"

#ifdef LINNET_F16A
// One sum in 32 bits: of the window whose corner is at `top` and `left` of an image.
vec4 WideSum(int image, int top, int left, uint first, uint quad) {
  const uint terms = uint(p.kernel_h * p.kernel_w) * p.depth * 4u;
  const uint w_start = FilterStart(quad, terms), w_step = FilterStep(quad, p.out_quads);
  vec4 sum = LOAD(filters, FilterBias(quad, terms, p.out_quads));
  for (int ky = 0; ky < p.kernel_h; ++ky) {
    const int iy = top + ky * p.dilation_h;
    for (int kx = 0; kx < p.kernel_w; ++kx) {
      const int ix = left + kx * p.dilation_w;
      if (iy < 0 || iy >= p.in_h || ix < 0 || ix >= p.in_w) continue;
      const uint from = uint((image * p.in_h + iy) * p.in_w + ix) * p.in_quads + first;
      uint w = w_start + uint(ky * p.kernel_w + kx) * p.depth * 4u * w_step;
      for (uint k = 0u; k < p.depth; ++k) {
        const vec4 a = LOAD(x, from + k);
        for (int i = 0; i < 4; ++i, w += w_step) sum += a[i] * LOAD(filters, w);
      }
    }
  }
  return sum;
}
#endif

void main() {
  const uint id = LinearId();
  const uint line = id / p.block, lines = p.images * p.out_h * p.row_tiles;
  const uint block = line / lines;
  const uint quad = id - line * p.block + block * p.block;
  if (quad >= p.quad_tiles) return;
  uint rest = line - block * lines;
  const uint next = rest / p.row_tiles;
  const int ox = int(rest - next * p.row_tiles) * kPixels;
  rest = next;  // the output's row, counted over the batch
  const uint image = rest / p.out_h;
  const int top = int(rest - image * p.out_h) * p.stride_h - p.pad_top;
  const int left = ox * p.stride_w - p.pad_left;
  // The first of the `depth` quads that hold the channels of the groups of this quad.
  const uint first = min(quad * 4u / p.group_out * p.group_in / 4u, p.in_quads - p.depth);

  const uint terms = uint(p.kernel_h * p.kernel_w) * p.depth * 4u;
  // A thread's quads are as far apart as there are tiles, so that adjacent threads read adjacent quads.
  uint quads[kMaxQuads], w_start[kMaxQuads], w_step[kMaxQuads];
  vec4 sum[kMaxQuads][kMaxPixels];
  A4 part[kMaxQuads][kMaxPixels];
  uint added = 0u;  // quads of terms
  for (int q = 0; q < kQuads; ++q) {
    quads[q] = min(quad + uint(q) * p.quad_tiles, p.out_quads - 1u);
    w_start[q] = FilterStart(quads[q], terms);
    w_step[q] = FilterStep(quads[q], p.out_quads);
    const vec4 bias = LOAD(filters, FilterBias(quads[q], terms, p.out_quads));
    for (int t = 0; t < kPixels; ++t) {
      sum[q][t] = bias;
      part[q][t] = A4(0);
    }
  }
  for (int ky = 0; ky < p.kernel_h; ++ky) {
    const int iy = top + ky * p.dilation_h;
    if (iy < 0 || iy >= p.in_h) continue;
    const int row = (int(image) * p.in_h + iy) * p.in_w;
    const uint term = uint(ky * p.kernel_w) * p.depth * 4u;
    uint w[kMaxQuads];
    for (int q = 0; q < kQuads; ++q) w[q] = w_start[q] + term * w_step[q];
    for (int kx = 0; kx < p.kernel_w; ++kx) {
      uint from[kMaxPixels];
      bvec4 inside[kMaxPixels];
      for (int t = 0; t < kPixels; ++t) {
        const int ix = left + t * p.stride_w + kx * p.dilation_w;
        inside[t] = bvec4(ix >= 0 && ix < p.in_w);
        from[t] = uint(row + clamp(ix, 0, p.in_w - 1)) * p.in_quads + first;
      }
      for (uint k = 0u; k < p.depth; ++k) {
        A4 a[kMaxPixels];
        for (int t = 0; t < kPixels; ++t) a[t] = mix(A4(0), LOAD_A(x, from[t] + k), inside[t]);
        for (int i = 0; i < 4; ++i) {
          for (int q = 0; q < kQuads; ++q) {
            const A4 b = LOAD_A(filters, w[q]);
            w[q] += w_step[q];
            for (int t = 0; t < kPixels; ++t) PARTS(part, sum)[q][t] += a[t][i] * b;
          }
        }
#ifdef LINNET_F16A
        if (IsPartFull(++added)) {
          for (int q = 0; q < kQuads; ++q)
            for (int t = 0; t < kPixels; ++t) AddPart(sum[q][t], part[q][t]);
        }
#endif
      }
    }
  }
#ifdef LINNET_F16A
  uint spoiled = 0u;
  for (int q = 0; q < kQuads; ++q) {
    for (int t = 0; t < kPixels; ++t) {
      AddPart(sum[q][t], part[q][t]);
      if (IsSpoiled(sum[q][t])) spoiled |= 1u << (q * kMaxPixels + t);
    }
  }
  for (; spoiled != 0u; spoiled &= spoiled - 1u) {
    const int place = findLSB(spoiled);
    const uint of = min(quad + uint(place / kMaxPixels) * p.quad_tiles, p.out_quads - 1u);
    const vec4 wide = WideSum(int(image), top, left + place % kMaxPixels * p.stride_w, first, of);
    for (int q = 0; q < kQuads; ++q)
      for (int t = 0; t < kPixels; ++t)
        if (place == q * kMaxPixels + t) sum[q][t] = wide;
  }
#endif
  const uint to = (rest * uint(p.out_w) + uint(ox)) * p.out_quads;
  StoreTile(sum, to, uint(min(kPixels, p.out_w - ox)), quad);
}
