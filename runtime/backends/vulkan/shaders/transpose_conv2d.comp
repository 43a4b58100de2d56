// SPDX-License-Identifier: Apache-2.0
// TransposeConv2D: each output pixel gathers the input pixels that meet it. A thread computes kPixels pixels of a row, a stride
// apart because those meet the same taps, and kQuads quads of each; adjacent threads have adjacent quads of the same pixels.
#version 450
#include "linnet.glsl"
#include "range.glsl"
#include "../abi/transpose_conv2d.h"

layout(constant_id = 1) const int kPixels = 4;
layout(constant_id = 2) const int kQuads = 1;

layout(push_constant) uniform Push { TransposeConv2DPush p; };
READ_F(0, x);
READ_F(1, filters);  // quads [ky][kx][4 * in_quads][o / 4], then the bias
WRITE_F(2, y);

const int kMaxPixels = 4;

// The first tap k for which `position` - k * dilation is a multiple of stride; `kernel` if there is none.
int FirstTap(int position, int stride, int dilation, int kernel) {
  int rest = position % stride;
  const int less = dilation % stride;
  int tap = 0;
  while (rest != 0 && tap < kernel) {
    rest -= less;
    if (rest < 0) rest += stride;
    ++tap;
  }
  return tap;
}

void main() {
  const uint id = LinearId();
  uint rest = id / p.quad_tiles;
  const uint quad = id - rest * p.quad_tiles;
  uint next = rest / p.phase_tiles;
  const int turn = int(rest - next * p.phase_tiles) * kPixels;
  rest = next / p.phases;  // the output's row, counted over the batch
  const int ox = int(next - rest * p.phases) + turn * p.stride_w;
  const uint image = rest / p.out_h;
  if (image >= p.images || ox >= p.out_w) return;
  const uint other = min(quad + p.quad_tiles, p.out_quads - 1u);
  const int down = int(rest - image * p.out_h) + p.pad_top, right = ox + p.pad_left;
  const int first_y = FirstTap(down, p.stride_h, p.dilation_h, p.kernel_h);
  const int first_x = FirstTap(right, p.stride_w, p.dilation_w, p.kernel_w);

  const uint tap_size = p.in_quads * 4u * p.out_quads;
  const uint bias = uint(p.kernel_h * p.kernel_w) * tap_size;
  vec4 sum[kMaxPixels], sum2[kMaxPixels];
  for (int t = 0; t < kPixels; ++t) {
    sum[t] = LOAD(filters, bias + quad);
    if (kQuads == 2) sum2[t] = LOAD(filters, bias + other);
  }
  int iy = (down - first_y * p.dilation_h) / p.stride_h;
  const int start = (right - first_x * p.dilation_w) / p.stride_w;
  for (int ky = first_y; ky < p.kernel_h; ky += p.step_h, iy -= p.back_h) {
    if (iy < 0 || iy >= p.in_h) continue;
    const int row = (int(image) * p.in_h + iy) * p.in_w;
    int ix = start;
    for (int kx = first_x; kx < p.kernel_w; kx += p.step_w, ix -= p.back_w) {
      uint from[kMaxPixels];
      bvec4 inside[kMaxPixels];
      for (int t = 0; t < kPixels; ++t) {
        inside[t] = bvec4(ix + t >= 0 && ix + t < p.in_w);
        from[t] = uint(row + clamp(ix + t, 0, p.in_w - 1)) * p.in_quads;
      }
      uint w = uint(ky * p.kernel_w + kx) * tap_size;
      for (uint k = 0u; k < p.in_quads; ++k) {
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
  const uint to = rest * uint(p.out_w);
  for (int t = 0; t < kPixels; ++t) {
    const int column = ox + t * p.stride_w;
    if (column >= p.out_w) break;
    const uint pixel = (to + uint(column)) * p.out_quads;
    STORE(y, pixel + quad, Masked(InRange(sum[t], p.min, p.max), quad, p.columns));
    if (kQuads == 2 && quad + p.quad_tiles < p.out_quads)
      STORE(y, pixel + other, Masked(InRange(sum2[t], p.min, p.max), other, p.columns));
  }
}
