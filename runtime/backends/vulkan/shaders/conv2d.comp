// SPDX-License-Identifier: Apache-2.0
// Conv2D of any window. A thread computes kPixels pixels that lie side by side, kQuads quads of each; adjacent threads have adjacent
// quads of the same pixels.
#version 450
#include "linnet.glsl"
#include "range.glsl"
#include "../abi/conv2d.h"

layout(constant_id = 1) const int kPixels = 4;
layout(constant_id = 2) const int kQuads = 1;

layout(push_constant) uniform Push { Conv2DPush p; };
READ_F(0, x);
READ_F(1, filters);  // quads [ky][kx][4 * depth][o / 4], then the bias
WRITE_F(2, y);

const int kMaxPixels = 8;

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
  // Half a pixel away, so that adjacent threads read adjacent quads.
  const uint other = min(quad + p.quad_tiles, p.out_quads - 1u);
  // The first of the `depth` quads that hold the channels of the groups of this quad.
  const uint first = min(quad * 4u / p.group_out * p.group_in / 4u, p.in_quads - p.depth);

  const uint bias = uint(p.kernel_h * p.kernel_w) * p.depth * 4u * p.out_quads;
  vec4 sum[kMaxPixels], sum2[kMaxPixels];
  for (int t = 0; t < kPixels; ++t) {
    sum[t] = LOAD(filters, bias + quad);
    if (kQuads == 2) sum2[t] = LOAD(filters, bias + other);
  }
  for (int ky = 0; ky < p.kernel_h; ++ky) {
    const int iy = top + ky * p.dilation_h;
    if (iy < 0 || iy >= p.in_h) continue;
    const int row = (int(image) * p.in_h + iy) * p.in_w;
    uint w = uint(ky * p.kernel_w) * p.depth * 4u * p.out_quads;
    for (int kx = 0; kx < p.kernel_w; ++kx) {
      uint from[kMaxPixels];
      bvec4 inside[kMaxPixels];
      for (int t = 0; t < kPixels; ++t) {
        const int ix = left + t * p.stride_w + kx * p.dilation_w;
        inside[t] = bvec4(ix >= 0 && ix < p.in_w);
        from[t] = uint(row + clamp(ix, 0, p.in_w - 1)) * p.in_quads + first;
      }
      for (uint k = 0u; k < p.depth; ++k) {
        vec4 a[kMaxPixels];
        for (int t = 0; t < kPixels; ++t) a[t] = mix(vec4(0.0), LOAD(x, from[t] + k), inside[t]);
        for (int i = 0; i < 4; ++i) {
          const vec4 b = LOAD(filters, w + quad);
          for (int t = 0; t < kPixels; ++t) sum[t] += a[t][i] * b;
          if (kQuads == 2) {
            const vec4 b2 = LOAD(filters, w + other);
            for (int t = 0; t < kPixels; ++t) sum2[t] += a[t][i] * b2;
          }
          w += p.out_quads;
        }
      }
    }
  }
  const uint to = (rest * uint(p.out_w) + uint(ox)) * p.out_quads;
  for (int t = 0; t < kPixels; ++t) {
    if (ox + t >= p.out_w) break;
    const uint pixel = to + t * p.out_quads;
    STORE(y, pixel + quad, Masked(InRange(sum[t], p.min, p.max), quad, p.columns));
    if (kQuads == 2 && quad + p.quad_tiles < p.out_quads)
      STORE(y, pixel + other, Masked(InRange(sum2[t], p.min, p.max), other, p.columns));
  }
}
